"""The few statistics the sets ask for, and their bootstrap intervals with a fixed seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SEED = 20260101
RESAMPLES = 1000


class Point(NamedTuple):
    """One judged row: what holds, what we said, and where it belongs.

    `style` is how its prompt asks and `topic` what it is about, empty where a set does not tell.
    """

    truth: float
    guess: float
    length: int
    source: str
    cluster: str
    style: str = ""
    topic: str = ""


@dataclass(frozen=True)
class Statistic:
    """A number made from truths and guesses; NaN where it is not defined."""

    name: str
    of: Callable[[Array, Array], float]


@dataclass(frozen=True)
class Interval:
    """A value with its 95% interval and the number of rows behind it."""

    value: float
    low: float
    high: float
    count: int


def _accuracy(truth: Array, guess: Array) -> float:
    return float(np.mean(truth == guess))


def _mean(truth: Array, guess: Array) -> float:
    return float(np.mean(guess))


def _largest(truth: Array, guess: Array) -> float:
    return float(np.max(guess))


def _f1(truth: Array, guess: Array) -> float:
    both = float(np.sum((truth == 1) & (guess == 1)))
    either = float(np.sum(truth == 1) + np.sum(guess == 1))
    return 2 * both / either if either else float("nan")


def _recall(truth: Array, guess: Array) -> float:
    held = truth == 1
    return float(np.mean(guess[held])) if held.any() else float("nan")


def _average_precision(truth: Array, guess: Array) -> float:
    """Area under precision against recall, by steps; equal scores are one step."""
    if not truth.any():
        return float("nan")
    order = np.argsort(-guess, kind="stable")
    ranked, hits = guess[order], np.cumsum(truth[order])
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    recall = hits[ends] / hits[-1]
    precision = hits[ends] / (ends + 1)
    return float(np.sum(np.diff(recall, prepend=0.0) * precision))


def _ranks(values: Array) -> Array:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[inverse]


def _area(truth: Array, guess: Array) -> float:
    """Area under the curve of found against wrongly flagged; equal scores share it."""
    bad = truth == 1
    if bad.all() or not bad.any():
        return float("nan")
    above = _ranks(guess)[bad].sum() - bad.sum() * (bad.sum() + 1) / 2
    return float(above / (bad.sum() * (~bad).sum()))


def _balanced(truth: Array, guess: Array) -> float:
    bad = truth == 1
    if bad.all() or not bad.any():
        return float("nan")
    return float((np.mean(guess[bad] == 1) + np.mean(guess[~bad] == 0)) / 2)


def _let_be(truth: Array, guess: Array) -> float:
    """Share of the good rows that stay below the line from which on nine tenths of the bad ones are found."""
    bad = truth == 1
    if bad.all() or not bad.any():
        return float("nan")
    line = np.sort(guess[bad])[bad.sum() // 10]
    return float(np.mean(guess[~bad] < line))


def _spearman(truth: Array, guess: Array) -> float:
    left, right = _ranks(truth), _ranks(guess)
    if left.std() == 0 or right.std() == 0:
        return float("nan")
    return float(np.corrcoef(left, right)[0, 1])


ACCURACY = Statistic("accuracy", _accuracy)
MEAN = Statistic("share", _mean)
# Of scores, given as hundredths: their mean, a mean difference, and the largest one.
SCORE = Statistic("score", _mean)
POINTS = Statistic("points", _mean)
LARGEST = Statistic("largest", _largest)
F1 = Statistic("F1", _f1)
RECALL = Statistic("recall", _recall)
# Of yes and no alike, however many of each there are.
BALANCED = Statistic("balanced accuracy", _balanced)
LET_BE = Statistic("specificity at recall 0.9", _let_be)
AUC = Statistic("AUC", _area)
AUPRC = Statistic("AUPRC", _average_precision)
SPEARMAN = Statistic("Spearman", _spearman)


def value_of(points: Sequence[Point], statistic: Statistic) -> float:
    """Return the statistic over the points, NaN where there are none."""
    if not points:
        return float("nan")
    truth = np.array([point.truth for point in points], dtype=np.float64)
    guess = np.array([point.guess for point in points], dtype=np.float64)
    return statistic.of(truth, guess)


def interval(points: Sequence[Point], statistic: Statistic) -> Interval:
    """Return the statistic with its bootstrap interval; rows of one cluster are drawn together."""
    value = value_of(points, statistic)
    together = sorted(points, key=lambda point: point.cluster)
    truth = np.array([point.truth for point in together], dtype=np.float64)
    guess = np.array([point.guess for point in together], dtype=np.float64)
    sizes = np.array(
        [len(list(rows)) for _, rows in groupby(together, lambda point: point.cluster)]
    )
    if not len(sizes):
        return Interval(value, value, value, 0)
    draw = np.random.default_rng(SEED)
    drawn = (_rows(draw.integers(len(sizes), size=len(sizes)), sizes) for _ in range(RESAMPLES))
    values = [statistic.of(truth[rows], guess[rows]) for rows in drawn]
    defined = [item for item in values if not np.isnan(item)]
    low, high = np.quantile(defined, [0.025, 0.975]) if defined else (value, value)
    # Where every row agrees, resampling sees no doubt at all; the exact binomial bound still does.
    if statistic in (SCORE, POINTS, LARGEST):
        return Interval(value, float(low), float(high), len(points))
    if value == low == high == 0:
        high = 1 - 0.025 ** (1 / len(sizes))
    elif value == low == high == 1:
        low = 0.025 ** (1 / len(sizes))
    return Interval(value, float(low), float(high), len(points))


def _rows(chosen: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows of the chosen clusters, which lie one after another."""
    starts, counts = (np.cumsum(sizes) - sizes)[chosen], sizes[chosen]
    ends = np.cumsum(counts)
    within = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
    rows: NDArray[np.int64] = np.repeat(starts, counts) + within
    return rows
