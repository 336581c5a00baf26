"""What a criterion gives back: findings, a score, and how sure it is.

It knows nothing of weights, thresholds or verdicts; those belong to the protocol (scoring.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fairwitness.contract.evaluation import Observed, ReviewReason, Severity
from fairwitness.evaluator.exchange import Span


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
