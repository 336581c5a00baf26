"""Sets that say whether a text rests on the source it was given with."""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.benchmark.row_evaluation import Judged, fault, faulty
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.series import Series, Tick, point, ticking
from fairwitness.benchmark.statistics import AUC, BALANCED


def series(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return how well the score of grounding parts grounded texts from others, and how its forced line does."""
    ranked, decided = [], []
    for row in ticking(rows, tick):
        context = row["context"]
        # The prompt says again what stands in the context.
        asked = row["prompt"].replace(context, "").strip()
        evaluation = judged.evaluator.evaluate(asked, row["response"], context=(context,))
        wrong, part = not row["labels"]["grounded"], str(row["meta"].get("set", ""))
        ranked.append(point(row, wrong, fault(evaluation, "grounding"), source=part))
        decided.append(point(row, wrong, faulty(evaluation, "grounding"), source=part))
    return [Series("AUC", AUC, ranked), Series("balanced accuracy", BALANCED, decided)]
