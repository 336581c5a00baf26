"""One Arena answer, judged by the real evaluator on hand-written responses, with its evidence."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairwitness.contract.evaluation import Evaluation, StampedEvaluation
from fairwitness.contract.ranking import summarise
from fairwitness.contract.results import (
    ArenaEvidenceResult,
    ArenaRequestEcho,
    ArenaResult,
    CompletedItem,
    FailedItem,
    ProviderError,
    ResultItem,
    Usage,
)
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Signer, as_sent, witness

PROMPT = "Why is the sky blue? Two sentences, please. Ça va? 😀"
CLEAR = (
    "Sunlight is scattered by the molecules of the air. Short waves are scattered most, so we see "
    "blue — “Rayleigh scattering” 😀."
)
HIDDEN = "The sky is blue\u200b\u200b because\u202e air scatters short waves most. That is all"
ASKED = ["provider_a", "provider_d", "provider_g"]


class Remembering(Evaluator):
    """The real evaluator, which keeps what it judged: hundreds of files here hold the same texts."""

    def evaluate(self, prompt: str, response: str, **given: Any) -> Evaluation:  # type: ignore[override]
        if set(given) - {"finish_reason"}:
            return super().evaluate(prompt, response, **given)
        return _judged(prompt, response, given.get("finish_reason"))


@cache
def _judged(prompt: str, response: str, finish_reason: str | None) -> Evaluation:
    return shipped().evaluate(prompt, response, finish_reason=finish_reason)


@cache
def shipped() -> Evaluator:
    return Evaluator.shipped()


@pytest.fixture(scope="session")
def evaluator() -> Evaluator:
    real = shipped()
    return Remembering(real.protocol, real.criteria, real.readers)


@pytest.fixture(scope="session")
def signer() -> Signer:
    return Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


@pytest.fixture(scope="session")
def arena(evaluator: Evaluator) -> ArenaResult:
    items: list[ResultItem] = [
        _completed(
            evaluator,
            "provider_a",
            CLEAR,
            "stop",
            Usage(input_tokens=12, output_tokens=34, cost_usd=1.23e-7),
        ),
        FailedItem(
            provider_id="provider_d",
            model=None,
            error=ProviderError(code="timeout", message="No answer in time."),
            latency_ms=60000,
        ),
        _completed(
            evaluator,
            "provider_g",
            HIDDEN,
            "length",
            Usage(input_tokens=None, output_tokens=None, cost_usd=None),
        ),
    ]
    return ArenaResult(
        request_id="0192f0c1-2345-7abc-8def-0123456789ab",
        completed_at="2026-01-02T03:04:05.678Z",
        protocol_version=evaluator.protocol.version,
        evaluator_version=evaluator.version,
        results=items,
        summary=summarise(items, evaluator.protocol.overall.noise),
    )


def _completed(
    evaluator: Evaluator, provider: str, text: str, finish: str, usage: Usage
) -> CompletedItem:
    judged = evaluator.evaluate(PROMPT, text, finish_reason=finish)
    return CompletedItem(
        provider_id=provider,
        model="model-of-" + provider,
        response=text,
        truncated=True if finish == "length" else msgspec.UNSET,
        finish_reason=finish,
        evaluation=StampedEvaluation(
            evaluation_id=f"id-{provider}", **msgspec.structs.asdict(judged)
        ),
        latency_ms=1234,
        usage=usage,
    )


@pytest.fixture(scope="session")
def answer(arena: ArenaResult, evaluator: Evaluator, signer: Signer) -> ArenaEvidenceResult:
    request = ArenaRequestEcho(prompt=PROMPT, providers=ASKED)
    return witness(arena, request, evaluator, signer)


@pytest.fixture(scope="session")
def document(answer: ArenaEvidenceResult) -> bytes:
    """The very bytes the service would send."""
    return as_sent(answer)
