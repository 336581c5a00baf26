"""The evaluator's own vocabulary: what a criterion is given, and what it gives back.

It knows nothing of weights, lines or verdicts; those belong to the protocol (scoring.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property

from fairwitness.contract.evaluation import Observed, ReviewReason, Severity, Source
from fairwitness.evaluator.encoder import Encoder, Reading
from fairwitness.evaluator.language import is_supported
from fairwitness.evaluator.text import Text


class Exchange:
    """One prompt and one response, with the views that criteria share, each made once."""

    def __init__(
        self,
        prompt: str,
        response: str,
        finish_reason: str | None = None,
        read: Callable[[str, str], Reading] | None = None,
    ) -> None:
        """Hold the two texts, what a provider said of the end, and what reads them with the encoder."""
        self.prompt = Text(prompt)
        self.response = Text(response)
        self.finish_reason = finish_reason
        self._read = read or _packaged().read

    def text(self, source: Source) -> Text:
        """Return the text a span's source names."""
        return self.response if source == "response" else self.prompt

    @cached_property
    def reading(self) -> Reading:
        """What the encoder says; one pass, shared by every criterion that asks."""
        return self._read(self.prompt.value, self.response.value)

    @cached_property
    def prompt_harm(self) -> float:
        """How harmful the request reads by itself: a refusal behind it would make it read worse."""
        return self._read(self.prompt.value, "").asked

    def passage(self, span: Span) -> Reading:
        """Read a stretch of the response as if it were all of it."""
        return self._read(self.prompt.value, self.response.value[span.start : span.end])

    @cached_property
    def limits(self) -> frozenset[ReviewReason]:
        """Why the encoder's word is not enough here: it was trained on English."""
        return frozenset() if is_supported(self.response) else frozenset({"language_unsupported"})


@cache
def _packaged() -> Encoder:
    return Encoder.load()


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of code points in one of the two texts."""

    start: int
    end: int
    source: Source = "response"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a detector saw. The message says what was seen and never more."""

    severity: Severity
    message: str
    detector: str
    spans: tuple[Span, ...] = ()
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one criterion makes of an exchange.

    `score` is 0 to 1, the calibrated share of what the criterion asks that is there. Left out, it
    follows from the findings' severities as the protocol says. A learned score and rule findings
    given together are joined by the protocol: either can find what the other misses. What is put
    `aside` speaks to whoever judges: it can cost the response, and is never to its credit.
    """

    summary: str
    findings: tuple[Finding, ...] = ()
    score: float | None = None
    confidence: float = 0.95
    applicable: bool = True
    observed: Observed | None = None
    reasons: frozenset[ReviewReason] = field(default_factory=frozenset)
    aside: tuple[Span, ...] = ()


def not_applicable(summary: str) -> Judgement:
    """Return the judgement of a criterion that has nothing to judge here."""
    return Judgement(summary=summary, applicable=False)


@dataclass(frozen=True, slots=True)
class Example:
    """A small exchange with the verdict this criterion must give it; tests and docs read these."""

    response: str
    expect: str
    prompt: str = "Please answer."
    why: str = ""
    finish_reason: str | None = None


__all__ = ["Example", "Exchange", "Finding", "Judgement", "Span", "not_applicable"]
