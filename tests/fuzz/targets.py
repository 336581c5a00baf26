"""What is fuzzed: each target turns bytes into a call of the real code and states what must hold of it.

A target knows nothing of how its bytes came to be; mutation.py makes them, or a coverage-guided fuzzer.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module

import msgspec

from fairwitness.contract.conversation import Passage
from fairwitness.contract.decode import decode
from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.evaluation import Evaluation
from fairwitness.contract.examples import REQUESTS
from fairwitness.contract.examples_2 import REQUESTS_2
from fairwitness.contract.operations import ALL_OPERATIONS, OPERATIONS
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.criteria.instruction_following import check, demands
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evidence.canonical import BadDocument, canonical
from fairwitness.evidence.verify import verify
from fairwitness.revision import improve
from fairwitness.revision.search import MAX_EVALUATIONS, MAX_STEPS
from fairwitness.service.caller import caller_of
from tests.fuzz.evidence_file import document, remembering, signer

# Cannot occur in UTF-8, so they part texts whatever those hold; GIVEN goes before the reference and each passage.
PART, GIVEN = b"\xff", b"\xfe"


@dataclass(frozen=True)
class Target:
    """One entrance for hostile bytes."""

    name: str
    run: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]


@cache
def evaluator() -> Evaluator:
    """Return the shipped evaluator, made to raise where a criterion breaks."""
    return Evaluator.shipped(_raise)


def _raise(criterion: str, error: Exception) -> None:
    raise AssertionError(f"{criterion} broke") from error


def texts(data: bytes, limit: int = 8000) -> tuple[str, str]:
    """Read a prompt and a response of legal size out of any bytes."""
    prompt, _, response = data.partition(PART)
    return (
        prompt.decode("utf-8", "replace")[:2000] or "?",
        response.decode("utf-8", "replace")[:limit] or "?",
    )


def packed(prompt: str, response: str) -> bytes:
    """Write two texts as `texts` reads them."""
    return prompt.encode() + PART + response.encode()


def exchange(data: bytes) -> Exchange:
    """Read an exchange out of any bytes: two texts, then a reference and passages where some follow."""
    said, *given = data.split(GIVEN)
    reference, *context = [one.decode("utf-8", "replace")[:8000] for one in given] or [""]
    passages = [Passage(text=text) for text in context if text]
    return Exchange(*texts(said), context=passages, reference=reference or None)


def _decoder(data: bytes) -> None:
    operation = ALL_OPERATIONS[data[0] % len(ALL_OPERATIONS)] if data else ALL_OPERATIONS[0]
    body = data[1:]
    try:
        request = decode(body, operation.request)
    except InvalidRequest as refusal:
        assert refusal.details, "a refusal names its fault"
        assert all(len(detail) < 400 for detail in refusal.details), "a fault is not an echo"
        assert len(refusal.details) < 100
        return
    # What is let through is what a plain JSON parser reads, and says the same when written again.
    if operation in OPERATIONS:
        read = json.loads(body)
        assert msgspec.to_builtins(request) == {**msgspec.to_builtins(request), **read}
    assert decode(msgspec.json.encode(request), operation.request) == request


def _criterion(name: str, data: bytes) -> None:
    judge = partial(evaluator().judge, name)
    judgement = judge(exchange(data))
    _sound(judgement, exchange(data))
    assert judge(exchange(data)) == judgement, "the same texts, the same judgement"


def _sound(judgement: Judgement, exchange: Exchange) -> None:
    assert judgement.score is None or 0 <= judgement.score <= 1
    assert judgement.confidence is None or 0 <= judgement.confidence <= 1
    assert judgement.summary
    for finding in judgement.findings:
        assert finding.message
        for span in finding.spans:
            assert 0 <= span.start < span.end <= len(exchange.text(span.source))


def _instructions(data: bytes) -> None:
    prompt, response = texts(data)
    exchange = Exchange(prompt, response)
    for demand in demands(exchange.prompt):
        assert 0 <= demand.span.start < demand.span.end <= len(prompt)
        outcome = check(demand, exchange)
        assert outcome.asked
        assert 0 <= outcome.credit <= 1


def _revision(data: bytes) -> None:
    prompt, response = texts(data, 4000)

    def evaluate(prompt: str, response: str) -> Evaluation:
        return evaluator().evaluate(prompt, response)

    found = improve(evaluate, prompt, response)
    assert found.evaluations <= MAX_EVALUATIONS
    assert len(found.steps) <= MAX_STEPS
    assert found.improved == (found.after.overall_score > found.before.overall_score)
    text = response
    for step in found.steps:
        assert text[step.start : step.end] == step.removed
        assert step.score_after > step.score_before
        text = text[: step.start] + step.replacement + text[step.end :]
    assert text == found.revised
    assert bool(found.diff) == (text.splitlines() != response.splitlines())


def _evidence(data: bytes) -> None:
    with suppress(BadDocument):
        report = verify(data, [signer().public], remembering())
        if report.good:
            assert canonical(json.loads(data)) == canonical(json.loads(document())), "forged"


def _caller(data: bytes) -> None:
    value = data.decode("latin-1").replace("\n", " ")
    trusted = (ipaddress.ip_network("10.0.0.0/8"),)
    for name in ("forwarded", "x-forwarded-for"):
        direct = caller_of("203.0.113.7", ((name, value),), trusted, b"k" * 32)
        assert direct == caller_of("203.0.113.7", (), trusted, b"k" * 32), "a stranger's header"
        assert caller_of("10.1.2.3", ((name, value),), trusted, b"k" * 32)


def _examples(criterion: str) -> list[bytes]:
    module = import_module(f"fairwitness.evaluator.criteria.{criterion}")
    return [
        GIVEN.join(
            [
                packed(example.prompt, example.response),
                *(text.encode() for text in (example.reference or "", *example.context)),
            ]
        )
        for example in module.EXAMPLES
    ]


@cache
def _all_examples() -> list[bytes]:
    return [seed for name in evaluator().criteria for seed in _examples(name)]


def _bodies() -> list[bytes]:
    return [
        bytes([index]) + json.dumps((REQUESTS | REQUESTS_2)[operation.id]).encode()
        for index, operation in enumerate(ALL_OPERATIONS)
    ]


def _addresses() -> list[bytes]:
    return [
        b'for="[2001:db8::1]:80";proto=https, for=192.0.2.1',
        b"192.0.2.1, 10.0.0.9",
        b"unknown",
    ]


TARGETS: tuple[Target, ...] = (
    Target("decoder", _decoder, _bodies),
    Target("instructions", _instructions, lambda: _examples("instruction_following")),
    Target("revision", _revision, _all_examples),
    Target("evidence", _evidence, lambda: [document()]),
    Target("caller", _caller, _addresses),
    *(
        Target(f"criterion-{name}", partial(_criterion, name), partial(_examples, name))
        for name in evaluator().criteria
    ),
)
