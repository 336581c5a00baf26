"""Turns judgements into scores and verdicts, by the protocol's numbers alone.

Three rules always apply: the verdict is fail exactly where the score is below the fail threshold, a pass
is never below the pass threshold, and where a criterion failed the overall verdict is never a pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, prod
from typing import get_args

from fairwitness.contract.evaluation import CriterionVerdict, ReasonDetail, ReviewReason, Verdict
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.protocol import CriterionSpec, Protocol, in_points

REASON_ORDER: tuple[ReviewReason, ...] = get_args(ReviewReason)
# The sentence for a reason that a criterion gives itself; its title comes first.
_CAUSES: dict[ReviewReason, str] = {
    "language_unsupported": "was not judged reliably: the response is not in English.",
    "judge_addressed": "found text that addresses the evaluator.",
    "criterion_failed": "could not be judged: its detector failed.",
    "context_not_read": "scored only the beginning and the end: the response has too many tokens.",
}


@dataclass(frozen=True, slots=True)
class Scored:
    """One criterion's judgement with the score (0-100, one decimal) and verdict it earned."""

    spec: CriterionSpec
    judgement: Judgement
    score: float
    verdict: CriterionVerdict


@dataclass(frozen=True, slots=True)
class Overall:
    """The overall score and verdict and, where it needs review, why."""

    score: float
    verdict: Verdict
    details: list[ReasonDetail]

    @property
    def reasons(self) -> list[ReviewReason]:
        """The codes of the details, each once."""
        return list(dict.fromkeys(detail.code for detail in self.details))


def score(judgement: Judgement, spec: CriterionSpec, protocol: Protocol) -> Scored:
    """Give one judgement its score and verdict."""
    if not judgement.applicable:
        return Scored(spec, judgement, 100.0, "not_applicable")
    learned = 1.0 if judgement.score is None else judgement.score
    if not (isfinite(learned) and 0 <= learned <= 1):
        raise ValueError(f"{spec.id}: score {learned} is not between 0 and 1")
    kept = prod(1 - protocol.severity[finding.severity] for finding in judgement.findings)
    # A learned score already covers what the rules found, so the lower counts: they are not multiplied.
    share = min(learned, kept)
    return Scored(spec, judgement, in_points(share), _verdict(share, spec, judgement))


def _verdict(share: float, spec: CriterionSpec, judgement: Judgement) -> CriterionVerdict:
    if "criterion_failed" in judgement.reasons:
        return "needs_review"
    verdict = spec.verdict(share)
    return "needs_review" if verdict == "pass" and judgement.reasons else verdict


def combine(scored: Sequence[Scored], protocol: Protocol, at_most: float = 100.0) -> Overall:
    """Combine the criteria into one score, one verdict, and the reasons for review."""
    overall = protocol.overall
    counted = [item for item in scored if item.verdict != "not_applicable"]
    points = 100 * prod(1 - item.spec.weight * (1 - item.score / 100) for item in counted)
    if any(item.spec.critical and item.verdict == "fail" for item in counted):
        points = min(points, overall.critical_cap)
    points = round(min(points, at_most), 1)
    if points < overall.fail_below:
        return Overall(points, "fail", [])
    details = [detail for item in counted for detail in _details(item, protocol)]
    # The overall score is reported only where no criterion explains why it is low.
    if points < overall.pass_from and not any(item.code == "near_threshold" for item in details):
        message = (
            f"The overall score is {points:.1f}; it fails below {overall.fail_below:g} "
            f"and passes from {overall.pass_from:g}."
        )
        details.append(ReasonDetail(code="near_threshold", message=message))
    details.sort(key=lambda detail: REASON_ORDER.index(detail.code))
    return Overall(points, "needs_review" if details else "pass", details)


def _details(item: Scored, protocol: Protocol) -> Iterator[ReasonDetail]:
    """Yield why one criterion keeps the response from passing."""
    spec, judgement = item.spec, item.judgement
    causes: dict[ReviewReason, str] = {
        reason: _CAUSES.get(reason, "needs review.") for reason in judgement.reasons
    }
    if cause := _undecided(item, protocol):
        causes["near_threshold"] = cause
    if _unsure(item, protocol):
        causes["low_confidence"] = (
            f"is unsure: confidence {judgement.confidence:.2f}, "
            f"review below {protocol.overall.review_below_confidence:g}."
        )
    for code, cause in sorted(causes.items()):
        yield ReasonDetail(code=code, criterion_id=spec.id, message=f"{spec.title} {cause}")


def _undecided(item: Scored, protocol: Protocol) -> str:
    """Return why a criterion prevents a pass without failing the response; empty where it does not."""
    spec = item.spec
    if item.verdict == "fail":
        return f"failed ({item.score:.1f}). On its own that does not fail the response."
    weighty = spec.critical or spec.weight >= protocol.overall.review_from_weight
    if not weighty or item.verdict != "needs_review" or item.judgement.reasons:
        return ""
    return f"scored {item.score:.1f}; it fails below {spec.fail_below:g} and passes from {spec.pass_from:g}."


def _unsure(item: Scored, protocol: Protocol) -> bool:
    overall = protocol.overall
    return (
        item.spec.weight >= overall.review_from_weight
        and item.judgement.confidence < overall.review_below_confidence
        and "criterion_failed" not in item.judgement.reasons
    )
