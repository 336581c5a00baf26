"""What can be said of paired differences: their mean with a bootstrap interval, and whether chance explains it.

Scores have one decimal, so differences take few values: resampling their counts is resampling the rows, at a
cost that does not grow with them. Seeds are fixed: the same results give the same figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SEED = 20260101
RESAMPLES = 10_000
# Random numbers drawn at a time: bounds memory.
_DRAWN_AT_ONCE = 4_000_000
# Under so many pairs an interval by resampling is too narrow to be believed.
MIN_PAIRS = 10


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95% interval, how likely chance alone is to give it, and the rows behind it."""

    mean: float
    low: float
    high: float
    p: float
    rows: int
    spread: float


def estimate(differences: Array) -> Estimate:
    """Return the mean of paired differences, its bootstrap interval and a sign-flip test."""
    count = len(differences)
    if not count:
        return Estimate(math.nan, math.nan, math.nan, 1.0, 0, math.nan)
    low, high = interval(differences)
    spread = float(np.std(differences, ddof=1)) if count > 1 else math.nan
    return Estimate(float(np.mean(differences)), low, high, _chance(differences), count, spread)


def interval(values: Array) -> tuple[float, float]:
    """Return the 95% bootstrap interval of a mean."""
    found, counts = np.unique(np.round(values, 6), return_counts=True)
    draw = np.random.default_rng(SEED)
    step = max(1, _DRAWN_AT_ONCE // len(found))
    means = [
        draw.multinomial(len(values), counts / len(values), size=min(step, RESAMPLES - done))
        @ found
        for done in range(0, RESAMPLES, step)
    ]
    low, high = np.quantile(np.concatenate(means) / len(values), [0.025, 0.975])
    return float(low), float(high)


def _chance(differences: Array) -> float:
    """Return how often signs thrown at random give a mean as far from zero: the sign-flip test."""
    sizes, counts = np.unique(np.round(np.abs(differences), 6), return_counts=True)
    sizes, counts = sizes[sizes > 0], counts[sizes > 0]
    if not len(sizes):
        return 1.0
    observed = abs(float(np.sum(differences)))
    draw = np.random.default_rng(SEED + 1)
    step = max(1, _DRAWN_AT_ONCE // len(sizes))
    as_far = 0
    for done in range(0, RESAMPLES, step):
        plus = draw.binomial(counts, 0.5, size=(min(step, RESAMPLES - done), len(counts)))
        as_far += int(np.sum(np.abs((2 * plus - counts) @ sizes) >= observed - 1e-6))
    return (1 + as_far) / (1 + RESAMPLES)


def corrected(chances: Sequence[float]) -> list[float]:
    """Return each p after Holm's correction for as many comparisons as there are."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    adjusted = [1.0] * len(chances)
    most = 0.0
    for rank, index in enumerate(order):
        most = max(most, min(1.0, (len(chances) - rank) * chances[index]))
        adjusted[index] = most
    return adjusted


def rows_needed(spread: float, half_width: float) -> int | None:
    """Return how many pairs give an interval of plus or minus this; None where the spread is not known."""
    if math.isnan(spread):
        return None
    return max(MIN_PAIRS, math.ceil((1.96 * spread / half_width) ** 2))
