"""The set that says how a response stands to its request: full compliance, full or partial refusal."""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.benchmark.row_evaluation import Judged, verdict_of
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.series import Series, Tick, point, ticking
from fairwitness.benchmark.statistics import ACCURACY, RECALL, Statistic

_CLASSES = {"1_full_compliance": 0, "2_full_refusal": 1, "3_partial_refusal": 2}
_OBSERVED = {"compliance": 0, "refusal": 1, "partial_refusal": 2}
_NAMES = ("compliance", "refusal", "partial refusal")


def three_classes(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return accuracy over the three classes, and how much of each class is found."""
    points = []
    for row in ticking(rows, tick):
        evaluation = judged.assess(row["prompt"], row["response"])
        observed = verdict_of(evaluation, "refusal_fit").observed if evaluation else None
        truth = _CLASSES[row["labels"]["final_label"]]
        source = str((row.get("meta") or {}).get("model", ""))
        topic = str(row["labels"].get("type") or "")
        seen = _OBSERVED.get(str(observed), -1)
        points.append(point(row, truth, seen, source=source, topic=topic))
    found = [Series("accuracy", ACCURACY, points)]
    recall = Statistic("recall", RECALL.of)
    for index, name in enumerate(_NAMES):
        one = [
            item._replace(truth=float(item.truth == index), guess=float(item.guess == index))
            for item in points
        ]
        found.append(Series(f"{name} found", recall, one))
    return found
