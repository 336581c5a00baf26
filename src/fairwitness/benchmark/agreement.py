"""How each criterion of a protocol agrees with labels of people: agreement, calibration, and which add nothing.

Labels are yes or no for a criterion, or for the whole as `overall`. It knows nothing of where rows come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from msgspec import Struct

from fairwitness.benchmark.statistics import ACCURACY, MEAN, Interval, Point, interval
from fairwitness.contract.evaluation import Evaluation, VerdictItem
from fairwitness.evaluator.protocol import Protocol

OVERALL = "overall"
_BINS = 10
# Fewer labelled rows than this say too little about a criterion to call it useless.
MIN_ROWS = 20


@dataclass(frozen=True)
class LabelledRow:
    """One evaluation, and what people said: whether each criterion, or the whole, is met."""

    evaluation: Evaluation
    labels: dict[str, bool]


class Agreement(Struct, frozen=True, rename="camel", kw_only=True):
    """One criterion, or the whole, held against its labels."""

    criterion_id: str
    labelled: int
    # Rows with a verdict of pass or fail; the others are left to a person.
    decided: int
    agreement: float | None
    low: float | None
    high: float | None
    # What saying the commoner label every time would reach on the decided rows.
    baseline: float | None
    # Mean distance between the score, as a probability, and how often the label is yes; over ten ranges of scores.
    calibration_error: float | None
    # What leaving the criterion out changes in the agreement of the whole, in points, where rows have labels for it.
    gain: float | None
    gain_low: float | None
    gain_high: float | None
    adds_nothing: bool


def agreements(rows: Sequence[LabelledRow], protocol: Protocol) -> list[Agreement]:
    """Return the whole first, then every criterion in the protocol's order."""
    names = [OVERALL, *(spec.id for spec in protocol.criteria)]
    return [_agreement(name, rows, protocol) for name in names]


def _agreement(name: str, rows: Sequence[LabelledRow], protocol: Protocol) -> Agreement:
    known = [row for row in rows if name in row.labels]
    judged = [(row.labels[name], *_of(name, row.evaluation)) for row in known]
    decided = [(truth, verdict == "pass") for truth, verdict, _ in judged if verdict in {"pass", "fail"}]  # fmt: skip
    found = _interval([(float(truth), float(said)) for truth, said in decided])
    yes = sum(truth for truth, _ in decided)
    gain = None if name == OVERALL else _gain(name, rows, protocol)
    never = all(_of(name, row.evaluation)[1] in {None, 100.0} for row in rows)
    # Surely no better with it, or never another answer because of it.
    useless = gain is not None and gain.value <= 0 and (gain.high <= 0 or gain.low == 0)
    return Agreement(
        criterion_id=name,
        labelled=len(known),
        decided=len(decided),
        agreement=found.value if found else None,
        low=found.low if found else None,
        high=found.high if found else None,
        baseline=max(yes, len(decided) - yes) / len(decided) if decided else None,
        calibration_error=_calibration_error([(t, s) for t, _, s in judged if s is not None]),
        gain=100 * gain.value if gain else None,
        gain_low=100 * gain.low if gain else None,
        gain_high=100 * gain.high if gain else None,
        adds_nothing=name != OVERALL and len(rows) >= MIN_ROWS and (never or useless),
    )


def _of(name: str, evaluation: Evaluation) -> tuple[str, float | None]:
    if name == OVERALL:
        return evaluation.overall_verdict, evaluation.overall_score
    item = evaluation[name]
    return item.verdict, item.score


def _interval(pairs: Sequence[tuple[float, float]]) -> Interval | None:
    if not pairs:
        return None
    points = [Point(truth, said, 0, "", str(number)) for number, (truth, said) in enumerate(pairs)]
    return interval(points, ACCURACY)


def _calibration_error(scores: Sequence[tuple[bool, float]]) -> float | None:
    """Return the expected calibration error: each range of scores weighs as many rows as it has."""
    if not scores:
        return None
    truth = np.array([float(met) for met, _ in scores])
    said = np.array([score / 100 for _, score in scores])
    ranges = np.minimum((said * _BINS).astype(int), _BINS - 1)
    gaps = [
        abs(float(truth[ranges == one].mean() - said[ranges == one].mean())) * int((ranges == one).sum())
        for one in np.unique(ranges)
    ]  # fmt: skip
    return sum(gaps) / len(scores)


def _gain(name: str, rows: Sequence[LabelledRow], protocol: Protocol) -> Interval | None:
    """Return how much more often the whole agrees with its label because of one criterion; rows in pairs."""
    known = [row for row in rows if OVERALL in row.labels]
    if not known:
        return None
    points = []
    for number, row in enumerate(known):
        truth, items = row.labels[OVERALL], row.evaluation.verdicts
        with_it = _is_good(items, protocol) == truth
        without = _is_good([item for item in items if item.criterion_id != name], protocol) == truth
        points.append(Point(float(truth), float(with_it) - float(without), 0, "", str(number)))
    return interval(points, MEAN)


def _is_good(items: Sequence[VerdictItem], protocol: Protocol) -> bool:
    """Say yes or no by the overall score of these criteria: the middle between its two thresholds decides."""
    overall = protocol.overall
    points = 100.0
    for item in items:
        spec = protocol[item.criterion_id]
        # What a judge left open lowers nothing; its confidence is 0.
        if item.score is not None and item.confidence:
            points *= 1 - spec.weight * (1 - item.score / 100)
    if any(protocol[item.criterion_id].critical and item.verdict == "fail" for item in items):
        points = min(points, overall.critical_cap)
    return points >= (overall.fail_below + overall.pass_from) / 2
