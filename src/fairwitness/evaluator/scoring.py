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
from fairwitness.evaluator.confidence import measured
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.protocol import CriterionSpec, Protocol, in_points

REASON_ORDER: tuple[ReviewReason, ...] = get_args(ReviewReason)
# What follows a criterion's title for a reason that it gives itself.
_CAUSES: dict[ReviewReason, str] = {
    "language_unsupported": "not judged, because this criterion was not measured in the response's language.",
    "judge_addressed": "text that addresses the evaluator was found.",
    "criterion_failed": "not judged, because its detector failed.",
    "context_not_read": "only the beginning and the end were scored, because the response has too many tokens.",
    "judge_unavailable": "not judged, because a judge gave no usable answer.",
    "judge_disagreed": "not decided, because the judges disagree.",
    "quotation_not_found": "not decided, because a judge quoted text that is not there.",
}
# With one of these a criterion has decided nothing: it neither passes, nor fails, nor lowers the overall score.
_UNDECIDED: frozenset[ReviewReason] = frozenset(
    {"criterion_failed", "judge_unavailable", "judge_disagreed", "quotation_not_found"}
)
# With these a criterion has said nothing of the text that can be relied on.
_UNJUDGED: frozenset[ReviewReason] = _UNDECIDED | {"language_unsupported"}


@dataclass(frozen=True, slots=True)
class Scored:
    """One criterion's judgement with the score (0-100, one decimal) and verdict it earned."""

    spec: CriterionSpec
    judgement: Judgement
    score: float
    verdict: CriterionVerdict
    # The score before the limit of a criterion that could not judge.
    raw: float = 100.0

    @property
    def critical(self) -> bool:
        """Tell whether failing it fails the response."""
        return self.spec.is_critical(finding.detector for finding in self.judgement.findings)

    @property
    def unjudged(self) -> bool:
        """Tell whether the criterion could not judge the text."""
        return not _UNJUDGED.isdisjoint(self.judgement.reasons)

    @property
    def confidence(self) -> float:
        """How sure the verdict is: as the judgement says, or as such decisions were measured to be."""
        if self.unjudged:
            return 0.0
        if self.judgement.confidence is not None:
            return self.judgement.confidence
        return measured(self.spec.id, passed=self.verdict == "pass")

    @property
    def kept(self) -> float:
        """The share of the overall score that this criterion leaves."""
        if self.judgement.reasons & _UNDECIDED:
            return 1.0
        return 1 - self.spec.weight * (1 - self.raw / 100)


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
    raw = in_points(share)
    unjudged = not _UNJUDGED.isdisjoint(judgement.reasons)
    shown = min(raw, protocol.overall.cap) if unjudged else raw
    return Scored(spec, judgement, shown, _verdict(share, spec, judgement), raw)


def _verdict(share: float, spec: CriterionSpec, judgement: Judgement) -> CriterionVerdict:
    if judgement.reasons & _UNDECIDED:
        return "needs_review"
    found = any(finding.severity != "info" for finding in judgement.findings)
    if not _UNJUDGED.isdisjoint(judgement.reasons) and not found:
        return "needs_review"
    verdict = spec.verdict(share)
    return "needs_review" if verdict == "pass" and judgement.reasons else verdict


def combine(
    scored: Sequence[Scored],
    protocol: Protocol,
    at_most: float = 100.0,
    unread: Sequence[ReasonDetail] = (),
) -> Overall:
    """Combine the criteria, and what none of them read, into one score, one verdict, and the reasons for review."""
    overall = protocol.overall
    counted = [item for item in scored if item.verdict != "not_applicable"]
    points = 100 * prod(item.kept for item in counted)
    if any(item.critical and item.verdict == "fail" for item in counted):
        points = min(points, overall.critical_cap)
    low = min(points, at_most) < overall.pass_from
    # Where there is something and no criterion reads it, as for tool calls alone, nothing was judged either.
    unjudged = any(item.unjudged and _is_weighty(item, protocol) for item in counted)
    if unjudged or (unread and not counted):
        points = _capped(points, counted, protocol)
    # Several doubts together are still doubts: a response fails only where a criterion does.
    if not any(item.verdict == "fail" for item in counted):
        points = max(points, overall.fail_below)
    points = round(min(points, at_most), 1)
    if points < overall.fail_below:
        return Overall(points, "fail", [])
    details = [detail for item in counted for detail in _details(item, protocol)]
    details += unread
    # The overall score is reported only where no criterion explains why it is low.
    if low and not any(item.code == "near_threshold" for item in details):
        details.append(_low(points, counted, protocol))
    details.sort(key=lambda detail: REASON_ORDER.index(detail.code))
    return Overall(points, "needs_review" if details else "pass", details)


def _capped(points: float, counted: Sequence[Scored], protocol: Protocol) -> float:
    """Return a score that ends at the cap and keeps its order; what was not judged cannot make it a fail."""
    fail, cap = protocol.overall.fail_below, protocol.overall.cap
    known = 100 * prod(item.kept for item in counted if not item.unjudged)
    failed = any(item.critical and item.verdict == "fail" for item in counted)
    if known < fail or failed:
        return min(points, known)
    return fail + (cap - fail) * max(0.0, points) / 100


def _low(points: float, counted: Sequence[Scored], protocol: Protocol) -> ReasonDetail:
    """Say why a low score is low though no criterion is near its own threshold: the one that lowered it most."""
    overall = protocol.overall
    message = (
        f"The overall score is {points:.1f}; "
        f"it fails below {overall.fail_below:g} and passes from {overall.pass_from:g}."
    )
    most = min(counted, key=lambda item: item.kept)
    if most.kept >= 1:
        return ReasonDetail(code="near_threshold", message=message)
    message += f" {most.spec.title} ({most.score:.1f}) lowered it most."
    return ReasonDetail(code="near_threshold", criterion_id=most.spec.id, message=message)


def _details(item: Scored, protocol: Protocol) -> Iterator[ReasonDetail]:
    """Yield why one criterion keeps the response from passing."""
    spec, judgement = item.spec, item.judgement
    causes: dict[ReviewReason, str] = {
        reason: f"{spec.title}: {_CAUSES.get(reason, 'needs review.')}"
        for reason in judgement.reasons
    }
    if item.unjudged and _is_weighty(item, protocol) and protocol.overall.cap < 100:
        code: ReviewReason = next(
            reason for reason in REASON_ORDER if reason in _UNJUDGED & causes.keys()
        )
        causes[code] += f" The overall score is limited to {protocol.overall.cap:g}."
    if cause := _undecided(item, protocol):
        causes["near_threshold"] = cause
    if _unsure(item, protocol):
        causes["low_confidence"] = (
            f"{spec.title}: the confidence is {item.confidence:.2f}; "
            f"below {protocol.overall.review_below_confidence:g} it needs review."
        )
    for code, cause in sorted(causes.items()):
        yield ReasonDetail(code=code, criterion_id=spec.id, message=cause)


def _undecided(item: Scored, protocol: Protocol) -> str:
    """Return why a criterion prevents a pass without failing the response; empty where it does not."""
    spec = item.spec
    if item.verdict == "fail":
        return (
            f"{spec.title} failed ({item.score:.1f}). On its own that does not fail the response."
        )
    if not _is_weighty(item, protocol) or item.verdict != "needs_review" or item.judgement.reasons:
        return ""
    return (
        f"{spec.title} scored {item.score:.1f}; "
        f"it fails below {spec.fail_below:g} and passes from {spec.pass_from:g}."
    )


def _is_weighty(item: Scored, protocol: Protocol) -> bool:
    return item.critical or item.spec.weight >= protocol.overall.review_from_weight


def _unsure(item: Scored, protocol: Protocol) -> bool:
    """Tell whether a heavily weighted criterion says itself that it is unsure of this text."""
    said = item.judgement.confidence
    return (
        said is not None
        and item.spec.weight >= protocol.overall.review_from_weight
        and said < protocol.overall.review_below_confidence
        and not item.unjudged
    )
