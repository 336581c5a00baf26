"""Each call a client can make: where it goes, what it sends, what comes back, and whether it may be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

import msgspec
from msgspec import UNSET

from fairwitness.client.errors import UnexpectedAnswer
from fairwitness.contract import errors, results
from fairwitness.contract.evaluation import Result
from fairwitness.contract.operations import OPERATIONS

T = TypeVar("T", bound=Result)
_PATHS = {operation.id: operation.path for operation in OPERATIONS}
_ERRORS = {code.value: kind for code, kind in errors.public_errors().items()}


class Repeats(Enum):
    """When a call may be sent again by itself."""

    NEVER = "sending it twice would do it twice"
    WHEN_REFUSED = "only where the service refused it for lack of room, and so did nothing"
    ALWAYS = "sending it twice is the same as sending it once"


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request."""

    path: str
    body: bytes
    result: type[T]
    repeats: Repeats = Repeats.NEVER

    def decode(self, body: bytes) -> T:
        """Return the typed result of a successful answer."""
        try:
            return msgspec.json.decode(body, type=self.result)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UnexpectedAnswer(
                f"{self.path}: the answer is not this version's {self.result.__name__}: {error}"
            ) from error


def evaluate_response(prompt: str, response: str) -> Call[results.EvaluateResponseResult]:
    """Evaluate a response: pure, so repeatable."""
    return _call(
        "evaluateResponse",
        results.EvaluateResponseResult,
        repeats=Repeats.ALWAYS,
        prompt=prompt,
        response=response,
    )


def generate(prompt: str, provider_ids: Sequence[str]) -> Call[results.GenerateResult]:
    """Generate with providers and evaluate: it spends, so it is sent once."""
    return _call(
        "generateAndEvaluate", results.GenerateResult, prompt=prompt, providerIds=list(provider_ids)
    )


def arena(prompt: str, providers: Sequence[str]) -> Call[results.ArenaResult]:
    """Compare providers: it spends, so it is sent once."""
    return _call("runArena", results.ArenaResult, prompt=prompt, providers=list(providers))


def arena_evidence(prompt: str, providers: Sequence[str]) -> Call[results.ArenaEvidenceResult]:
    """Compare providers and sign the result: it spends, so it is sent once."""
    return _call(
        "runArenaWithEvidence",
        results.ArenaEvidenceResult,
        prompt=prompt,
        providers=list(providers),
    )


def improve(prompt: str, response: str) -> Call[results.ImprovementResult]:
    """Improve a response by its findings: pure, so repeatable."""
    return _call(
        "runImprovementDemo",
        results.ImprovementResult,
        repeats=Repeats.ALWAYS,
        prompt=prompt,
        response=response,
    )


def feedback(
    category: str, message: str, rating: int | None, request_id: str | None, contact: str | None
) -> Call[results.FeedbackResult]:
    """Send feedback: sent twice it would be stored twice, so it is sent once."""
    return _call(
        "submitFeedback",
        results.FeedbackResult,
        category=category,
        message=message,
        rating=rating,
        requestId=request_id,
        contact=contact,
    )


def error_of(
    status: int, body: bytes, retry_after: int | None, request_id: str | None
) -> Exception:
    """Return the typed error of an answer that is not a success."""
    try:
        told = msgspec.json.decode(body, type=results.ErrorAnswer).error
    except (msgspec.DecodeError, UnicodeDecodeError):
        return UnexpectedAnswer(f"status {status} without the error object of Fair Witness")
    kind = _ERRORS.get(told.code)
    if kind is None:
        return UnexpectedAnswer(f"status {status} with the unknown code {told.code!r}")
    details = () if told.details is UNSET else told.details
    error = kind(told.message, details=details, retry_after=retry_after)
    if request_id is not None:
        error.add_note(f"request id: {request_id}")
    return error


def call_of(
    path: str, result: type[T], *, repeats: Repeats = Repeats.NEVER, **fields: object
) -> Call[T]:
    """Return a call that sends the fields that are not None."""
    # The service checks the fields and names every fault; a second opinion here could only differ.
    given = {name: value for name, value in fields.items() if value is not None}
    try:
        body = msgspec.json.encode({"privacyAcknowledged": True, **given})
    except UnicodeEncodeError as error:
        raise errors.InvalidRequest(
            details=["a text contains a lone surrogate, which is not a character"]
        ) from error
    return Call(path, body, result, repeats)


def _call(
    operation: str, result: type[T], *, repeats: Repeats = Repeats.NEVER, **fields: object
) -> Call[T]:
    path = _PATHS[operation]
    return call_of(path, result, repeats=repeats, contractVersion="1.0.0", **fields)
