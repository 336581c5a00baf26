"""Sets that rank responses: which of two is better, or how good one is, by overallScore alone."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import pairwise

from fairwitness.benchmark.row_evaluation import Judged
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.series import Series, Tick, point, ticking
from fairwitness.benchmark.statistics import MEAN, SPEARMAN, Point

# Where the bands of distance between two scores begin, in points.
DISTANCES = (0, 1, 5, 10, 20, 40)


def llmbar(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return pairwise accuracy on the natural and the adversarial part, "longer wins" beside each."""
    ours, longer = _credits(rows, judged, tick, "preferred")
    found = []
    for part in ("Natural", "Adversarial"):
        found.append(Series(part, MEAN, [item for item in ours if part in item.source]))
        found.append(
            Series(f"{part}, longer wins", MEAN, [item for item in longer if part in item.source])
        )
    return [*found, Series("undecided", MEAN, _ties(ours))]


def pandalm(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return pairwise accuracy where the majority of three people did not call a tie."""
    decided = [row for row in rows if row["labels"]["majority"] in {"a", "b"}]
    ours, longer = _credits(decided, judged, tick, "majority")
    return [
        Series("pairwise", MEAN, ours),
        Series("longer wins", MEAN, longer),
        Series("undecided", MEAN, _ties(ours)),
    ]


def by_distance(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return how often people prefer the response with the higher score, by how far apart the two scores are."""
    bands: list[list[Point]] = [[] for _ in DISTANCES]
    for row in ticking(rows, tick):
        better = row["labels"].get("preferred", row["labels"].get("majority"))
        score_a = judged.overall(row["prompt"], row["response_a"])
        score_b = judged.overall(row["prompt"], row["response_b"])
        if better in {"a", "b"}:
            band = bisect(DISTANCES, abs(score_a - score_b)) - 1
            credit = _credit(score_a, score_b, better == "a")
            bands[band].append(point(row, 1, credit))
    names = [f"{low} to {high} points" for low, high in pairwise(DISTANCES)]
    names.append(f"{DISTANCES[-1]} points and more")
    return [Series(name, MEAN, points) for name, points in zip(names, bands, strict=True)]


def dialogue(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return the rank correlation of overallScore with people's overall rating."""
    points = [
        point(
            row,
            row["labels"]["overall"],
            judged.overall(row["prompt"], row["response"]),
            source=str(row.get("system", "")),
        )
        for row in ticking(rows, tick)
    ]
    return [Series("overall", SPEARMAN, points)]


def _credits(
    rows: Sequence[Row], judged: Judged, tick: Tick, label: str
) -> tuple[list[Point], list[Point]]:
    """Give each pair its credit: 1 for the better one, 0 for the worse, a half for a tie."""
    ours, longer = [], []
    for row in ticking(rows, tick):
        first, second = row["response_a"] or "", row["response_b"] or ""
        score_a = judged.overall(row["prompt"], first)
        score_b = judged.overall(row["prompt"], second)
        a_is_better = row["labels"][label] == "a"
        source = str(row.get("subset", ""))
        ours.append(point(row, 1, _credit(score_a, score_b, a_is_better), source=source))
        longer.append(point(row, 1, _credit(len(first), len(second), a_is_better), source=source))
    return ours, longer


def _credit(first: float, second: float, first_is_better: bool) -> float:
    if first == second:
        return 0.5
    return float((first > second) == first_is_better)


def _ties(points: Sequence[Point]) -> list[Point]:
    return [item._replace(guess=float(item.guess == 0.5)) for item in points]
