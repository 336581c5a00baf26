"""The evaluator's own vocabulary: what a criterion is given, and what it gives back.

It knows nothing of weights, lines or verdicts; those belong to the protocol (scoring.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fairwitness.contract.results import Observed, ReviewReason, Severity, Source
from fairwitness.evaluator.text import Text


class Exchange:
    """One prompt and one response, with the views that criteria share, each made once."""

    def __init__(self, prompt: str, response: str, finish_reason: str | None = None) -> None:
        """Hold the two texts; `finish_reason` is what a provider said ("length" when cut by a cap)."""
        self.prompt = Text(prompt)
        self.response = Text(response)
        self.finish_reason = finish_reason

    def text(self, source: Source) -> Text:
        """Return the text a span's source names."""
        return self.response if source == "response" else self.prompt


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
    given together are joined by the protocol: either can find what the other misses.
    """

    summary: str
    findings: tuple[Finding, ...] = ()
    score: float | None = None
    confidence: float = 0.95
    applicable: bool = True
    observed: Observed | None = None
    reasons: frozenset[ReviewReason] = field(default_factory=frozenset)


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
