"""One true evidence file, made once: the seed from which forgeries are bred."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairwitness.contract.evaluation import Evaluation, StampedEvaluation
from fairwitness.contract.ranking import summarise
from fairwitness.contract.results import (
    ArenaRequestEcho,
    ArenaResult,
    CompletedItem,
    FailedItem,
    ProviderError,
    Usage,
)
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Signer, as_sent, witness

PROMPT = "Why is the sky blue? Two sentences, please."
RESPONSE = "Air scatters sunlight. Short waves are scattered most, so we see blue."


class _Remembering(Evaluator):
    """The real evaluator, which keeps what it judged: most forgeries hold the same texts."""

    def evaluate(self, prompt: str, response: str, **given: Any) -> Evaluation:  # type: ignore[override]
        if set(given) - {"finish_reason"}:
            return super().evaluate(prompt, response, **given)
        return _judged(prompt, response, given.get("finish_reason"))


@cache
def _judged(prompt: str, response: str, finish_reason: str | None) -> Evaluation:
    return _shipped().evaluate(prompt, response, finish_reason=finish_reason)


@cache
def _shipped() -> Evaluator:
    return Evaluator.shipped()


@cache
def remembering() -> Evaluator:
    """Return the evaluator the verifier runs again with."""
    return _Remembering(_shipped().protocol, _shipped().criteria, _shipped().readers)


@cache
def signer() -> Signer:
    """Return a signer with a key of no secret."""
    return Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


@cache
def document() -> bytes:
    """Return the bytes the service would send."""
    judged = remembering().evaluate(PROMPT, RESPONSE, finish_reason="stop")
    done = CompletedItem(
        provider_id="provider_a",
        model="model",
        response=RESPONSE,
        finish_reason="stop",
        evaluation=StampedEvaluation(evaluation_id="id", **msgspec.structs.asdict(judged)),
        latency_ms=12,
        usage=Usage(input_tokens=12, output_tokens=34, cost_usd=1.23e-7),
    )
    failed = FailedItem(
        provider_id="provider_d",
        model=None,
        error=ProviderError(code="timeout", message="No answer in time."),
        latency_ms=60000,
    )
    result = ArenaResult(
        request_id="0192f0c1-2345-7abc-8def-0123456789ab",
        completed_at="2026-01-02T03:04:05.678Z",
        protocol_version=remembering().protocol.version,
        evaluator_version=remembering().version,
        results=[done, failed],
        summary=summarise([done, failed], remembering().protocol.overall.noise),
    )
    echo = ArenaRequestEcho(prompt=PROMPT, providers=["provider_a", "provider_d"])
    return as_sent(witness(result, echo, remembering(), signer()))
