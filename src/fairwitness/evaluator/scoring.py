"""From judgements to scores and verdicts, by the protocol's numbers alone.

Three promises hold whatever the judgements say: the verdict is fail exactly where the score is under
the fail line, a pass is never under the pass line, and where a criterion failed the whole is no pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, prod
from typing import get_args

from fairwitness.contract.results import CriterionVerdict, ReviewReason, Verdict
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.protocol import CriterionSpec, Protocol, in_points

REASON_ORDER: tuple[ReviewReason, ...] = get_args(ReviewReason)


@dataclass(frozen=True, slots=True)
class Scored:
    """One criterion's judgement with the score (0-100, one decimal) and verdict it earned."""

    spec: CriterionSpec
    judgement: Judgement
    score: float
    verdict: CriterionVerdict


@dataclass(frozen=True, slots=True)
class Overall:
    """The whole exchange's score, verdict and, where it asks for review, why."""

    score: float
    verdict: Verdict
    reasons: list[ReviewReason]


def score(judgement: Judgement, spec: CriterionSpec, protocol: Protocol) -> Scored:
    """Give one judgement its score and verdict."""
    if not judgement.applicable:
        return Scored(spec, judgement, 100.0, "not_applicable")
    learned = 1.0 if judgement.score is None else judgement.score
    if not (isfinite(learned) and 0 <= learned <= 1):
        raise ValueError(f"{spec.id}: score {learned} is not between 0 and 1")
    kept = prod(1 - protocol.severity[finding.severity] for finding in judgement.findings)
    # A learned score already weighs what the rules saw, so the two are joined, not multiplied.
    share = min(learned, kept)
    return Scored(spec, judgement, in_points(share), _verdict(share, spec, judgement))


def _verdict(share: float, spec: CriterionSpec, judgement: Judgement) -> CriterionVerdict:
    if "criterion_failed" in judgement.reasons:
        return "needs_review"
    verdict = spec.verdict(share)
    return "needs_review" if verdict == "pass" and judgement.reasons else verdict


def combine(scored: Sequence[Scored], protocol: Protocol, at_most: float = 100.0) -> Overall:
    """Combine the criteria into one score, one verdict, and the reasons for review."""
    lines = protocol.overall
    counted = [item for item in scored if item.verdict != "not_applicable"]
    points = 100 * prod(1 - item.spec.weight * (1 - item.score / 100) for item in counted)
    if any(item.spec.critical and item.verdict == "fail" for item in counted):
        points = min(points, lines.critical_cap)
    points = round(min(points, at_most), 1)
    if points < lines.fail_below:
        return Overall(points, "fail", [])
    reasons = {reason for item in counted for reason in item.judgement.reasons}
    if points < lines.pass_from or any(_undecided(item, protocol) for item in counted):
        reasons.add("near_threshold")
    if any(_unsure(item, protocol) for item in counted):
        reasons.add("low_confidence")
    ordered = [reason for reason in REASON_ORDER if reason in reasons]
    return Overall(points, "needs_review" if ordered else "pass", ordered)


def _undecided(item: Scored, protocol: Protocol) -> bool:
    """Tell whether a criterion stands in the way of a pass without deciding the whole by itself."""
    if item.verdict == "fail":
        return True
    weighty = item.spec.critical or item.spec.weight >= protocol.overall.review_from_weight
    return weighty and item.verdict == "needs_review" and not item.judgement.reasons


def _unsure(item: Scored, protocol: Protocol) -> bool:
    lines = protocol.overall
    return (
        item.spec.weight >= lines.review_from_weight
        and item.judgement.confidence < lines.review_below_confidence
        and "criterion_failed" not in item.judgement.reasons
    )
