"""The statistics against values worked out by hand, and what their intervals promise."""

from __future__ import annotations

from math import isnan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairwitness.benchmark.statistics import (
    ACCURACY,
    AUC,
    AUPRC,
    BALANCED,
    F1,
    LET_BE,
    MEAN,
    RECALL,
    SPEARMAN,
    Point,
    Statistic,
    interval,
    value_of,
)


def points(pairs: list[tuple[float, float]], clusters: int = 0) -> list[Point]:
    return [
        Point(float(truth), float(guess), 10, "s", str(index % clusters if clusters else index))
        for index, (truth, guess) in enumerate(pairs)
    ]


@pytest.mark.parametrize(
    ("statistic", "pairs", "value"),
    [
        (ACCURACY, [(1, 1), (0, 1), (0, 0), (1, 1)], 0.75),
        (F1, [(1, 1), (0, 1), (1, 0), (0, 0)], 0.5),
        (RECALL, [(1, 1), (1, 0), (0, 1)], 0.5),
        (MEAN, [(0, 1), (0, 0.5), (0, 0)], 0.5),
        # By hand: ranks 1, 2, 3 hold 1, 0, 1; precision 1 and 2/3 at the two steps of recall.
        (AUC, [(1, 0.9), (0, 0.8), (1, 0.7)], 0.5),
        # Equal scores share what they could have won.
        (AUC, [(1, 0.5), (0, 0.5), (1, 0.9), (0, 0.1)], 3.5 / 4),
        (BALANCED, [(1, 1), (1, 0), (0, 0), (0, 0), (0, 0), (0, 1)], (1 / 2 + 3 / 4) / 2),
        # Of ten bad rows nine must be at or over the line, which is then 0.2: three of four good ones are under it.
        (
            LET_BE,
            [(1, n / 10) for n in range(1, 11)] + [(0, 0.1), (0, 0.1), (0, 0.05), (0, 0.3)],
            3 / 4,
        ),
        (AUPRC, [(1, 0.9), (0, 0.8), (1, 0.7)], 0.5 * 1 + 0.5 * 2 / 3),
        # All scores equal: one step, whose precision is the base rate.
        (AUPRC, [(1, 0.5), (0, 0.5), (0, 0.5), (0, 0.5)], 0.25),
        (SPEARMAN, [(1, 10), (2, 20), (3, 25)], 1.0),
        (SPEARMAN, [(1, 3), (2, 2), (3, 1)], -1.0),
        # Ties share the mean rank: (1.5, 1.5, 3) against (1, 2, 3).
        (SPEARMAN, [(1, 1), (1, 2), (2, 3)], 0.8660254),
    ],
)
def test_values_by_hand(
    statistic: Statistic, pairs: list[tuple[float, float]], value: float
) -> None:
    assert value_of(points(pairs), statistic) == pytest.approx(value)


@pytest.mark.parametrize(
    ("statistic", "pairs"),
    [
        (F1, [(0, 0)]),
        (RECALL, [(0, 1)]),
        (AUPRC, [(0, 1)]),
        (AUC, [(0, 1)]),
        (BALANCED, [(1, 1)]),
        (LET_BE, [(1, 1)]),
        (SPEARMAN, [(1, 1), (2, 1)]),
        (MEAN, []),
    ],
)
def test_what_the_rows_do_not_define_is_no_number(
    statistic: Statistic, pairs: list[tuple[float, float]]
) -> None:
    assert isnan(value_of(points(pairs), statistic))


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_the_interval_holds_the_value_and_never_changes(pairs: list[tuple[bool, bool]]) -> None:
    held = points([(float(truth), float(guess)) for truth, guess in pairs])
    made = interval(held, MEAN)
    assert 0 <= made.low <= made.value <= made.high <= 1
    assert made == interval(held, MEAN)


def test_rows_of_one_cluster_are_drawn_together() -> None:
    pairs = [(0.0, float(index % 2)) for index in range(40)]
    apart, together = interval(points(pairs), MEAN), interval(points(pairs, clusters=2), MEAN)
    assert together.high - together.low > apart.high - apart.low


def test_nothing_seen_is_not_nothing_possible() -> None:
    made = interval(points([(0, 0)] * 100), MEAN)
    assert made.value == made.low == 0
    assert made.high == pytest.approx(1 - 0.025 ** (1 / 100))
