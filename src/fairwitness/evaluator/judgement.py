"""What a criterion returns: findings, a score, and a confidence.

It knows nothing of weights, thresholds or verdicts; those belong to the protocol (scoring.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fairwitness.contract.conversation import Passage
from fairwitness.contract.evaluation import Observed, ReviewReason, Severity
from fairwitness.evaluator.exchange import Exchange, Span


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a detector found. The message says what was found and never more."""

    severity: Severity
    message: str
    detector: str
    spans: tuple[Span, ...] = ()
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one criterion makes of an exchange.

    `score` is 0 to 1, the calibrated share of what the criterion asks for that is there. Without it, the
    score follows from the severities of the findings. Where both are given, the lower one counts: either
    can find what the other misses. `confidence` is what a learned score says of itself; a rule says nothing of
    one text, so without it the share of right decisions that was measured is published (confidence.py).
    The spans in `aside` address the evaluator: they can lower the score
    and never raise it.
    """

    summary: str
    findings: tuple[Finding, ...] = ()
    score: float | None = None
    confidence: float | None = None
    applicable: bool = True
    observed: Observed | None = None
    reasons: frozenset[ReviewReason] = field(default_factory=frozenset)
    aside: tuple[Span, ...] = ()


def counted(count: int, noun: str) -> str:
    """Return "1 word" or "3 words", for messages; the noun is given in the singular."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


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
    context: tuple[str, ...] = ()
    reference: str | None = None

    @property
    def exchange(self) -> Exchange:
        """The exchange to judge."""
        return Exchange(
            self.prompt,
            self.response,
            self.finish_reason,
            context=[Passage(text=text) for text in self.context],
            reference=self.reference,
        )
