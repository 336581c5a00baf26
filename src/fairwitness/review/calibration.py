"""Fits two thresholds to labelled scores, and tells how well that works on rows it was not fitted to.

Below the first threshold the verdict is fail, from the second on it is pass, between them a person decides. A
wrong verdict costs 1, a review less: the thresholds with the lowest cost are taken. They replace those of the
protocol only if they are clearly better on held-out rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

# Of each verdict: five folds then hold six of each, and a share is known to about 18 points either way.
MIN_LABELS = 30
FOLDS = 5
REPEATS = 10
SEED = 20260101
# How many standard errors the gain must be: with fewer it may be chance.
CLEARLY = 1.96
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Labelled(Struct, frozen=True):
    """One row as people judged it: its score, their verdict, and whether something else keeps it from passing."""

    score: float
    passed: bool
    held: bool = False


class Thresholds(Struct, frozen=True, rename="camel"):
    """Where a verdict turns."""

    fail_below: float
    pass_from: float


class Figures(Struct, frozen=True, rename="camel"):
    """How thresholds do on labelled rows; counts may be fractions, as means over repeats."""

    rows: int
    decided: float
    wrong_passes: float
    wrong_fails: float
    # Mean cost of a row.
    cost: float
    # The share of decided rows that people decided the same, with its 95% interval; None where none is decided.
    agreement: float | None
    low: float | None
    high: float | None


class Fit(Struct, frozen=True, rename="camel"):
    """What one target was fitted to, and whether that is better."""

    target: str
    passed: int
    failed: int
    before: Thresholds
    fitted: Thresholds
    figures_before: Figures
    figures_held_out: Figures
    # How much less a held-out row costs than before, and the standard error of that.
    gain: float
    error: float

    @property
    def is_better(self) -> bool:
        """Whether the fitted thresholds are clearly better on rows they were not fitted to."""
        return self.gain > CLEARLY * self.error and self.fitted != self.before


def fit_target(
    target: str, rows: Sequence[Labelled], before: Thresholds, lowest: float, review_cost: float
) -> Fit:
    """Fit thresholds to rows, none under `lowest`; at least MIN_LABELS of each verdict are needed."""
    scores = np.array([row.score for row in rows])
    passed = np.array([row.passed for row in rows])
    held = np.array([row.held for row in rows])
    data = (scores, passed, held)
    fitted = _fitted(data, before, lowest, review_cost)
    outcomes_before = _outcomes(data, before)
    out_of_fold = np.zeros((REPEATS, len(rows), 3))
    for repeat, fold in _folds(passed):
        part = (scores[~fold], passed[~fold], held[~fold])
        thresholds = _fitted(part, before, lowest, review_cost)
        out_of_fold[repeat, fold] = _outcomes((scores[fold], passed[fold], held[fold]), thresholds)
    held_out = out_of_fold.mean(axis=0)
    saved = _costs(outcomes_before, review_cost) - _costs(held_out, review_cost)
    return Fit(
        target,
        int(passed.sum()),
        int((~passed).sum()),
        before,
        fitted,
        _figures(outcomes_before, review_cost),
        _figures(held_out, review_cost),
        round(float(saved.mean()), 6),
        round(float(saved.std(ddof=1) / sqrt(len(rows))), 6),
    )


def missing(rows: Sequence[Labelled]) -> tuple[int, int]:
    """Return how many more rows labelled pass, and labelled fail, are needed."""
    passed = sum(row.passed for row in rows)
    return max(0, MIN_LABELS - passed), max(0, MIN_LABELS - (len(rows) - passed))


def _fitted(
    data: tuple[Floats, Bools, Bools], before: Thresholds, lowest: float, review_cost: float
) -> Thresholds:
    """Return the cheapest pair; of equally cheap ones the nearest to those there were."""
    scores, passed, held = data
    steps = np.unique(scores)
    # Half way between two scores that were seen, as scores are published: one decimal.
    middles = np.maximum(np.round((steps[:-1] + steps[1:]) / 2, 1), np.round(steps[:-1] + 0.1, 1))
    given = np.array([before.fail_below, before.pass_from, lowest, 100.0])
    cuts = np.unique(np.concatenate([middles, given]))
    cuts = cuts[(cuts >= lowest) & (cuts <= 100)]
    below = scores[None, :] < cuts[:, None]
    fails = (below & passed).sum(axis=1) - review_cost * below.sum(axis=1)
    passes = (~below & ~held & ~passed).sum(axis=1) + review_cost * (below | held).sum(axis=1)
    away_fail, away_pass = np.abs(cuts - before.fail_below), np.abs(cuts - before.pass_from)
    best: tuple[float, float, float, float] | None = None
    low: tuple[float, float, float] | None = None
    for index, cut in enumerate(cuts):
        here = (round(float(fails[index]), 9), float(away_fail[index]), float(cut))
        low = min(low or here, here)
        cost = round(low[0] + float(passes[index]), 9)
        found = (cost, low[1] + float(away_pass[index]), low[2], float(cut))
        best = min(best or found, found)
    assert best is not None
    return Thresholds(round(best[2], 1), round(best[3], 1))


def _outcomes(data: tuple[Floats, Bools, Bools], thresholds: Thresholds) -> Any:
    """Return for each row: wrong pass, wrong fail, review; each 0 or 1."""
    scores, passed, held = data
    failing = scores < thresholds.fail_below
    passing = (scores >= thresholds.pass_from) & ~held & ~failing
    return np.column_stack([passing & ~passed, failing & passed, ~failing & ~passing]).astype(float)


def _costs(outcomes: Any, review_cost: float) -> Any:
    return outcomes[:, 0] + outcomes[:, 1] + review_cost * outcomes[:, 2]


def _folds(passed: Bools) -> Any:
    """Yield each repeat's folds, each with its share of both verdicts."""
    draw = np.random.default_rng(SEED)
    for repeat in range(REPEATS):
        fold_of = np.zeros(len(passed), dtype=int)
        for verdict in (True, False):
            where = np.flatnonzero(passed == verdict)
            fold_of[draw.permutation(where)] = np.arange(len(where)) % FOLDS
        for number in range(FOLDS):
            yield repeat, fold_of == number


def _figures(outcomes: Any, review_cost: float) -> Figures:
    rows = len(outcomes)
    wrong_passes, wrong_fails, reviews = (float(outcomes[:, part].sum()) for part in range(3))
    decided = rows - reviews
    agreement, low, high = _wilson(decided - wrong_passes - wrong_fails, decided)
    cost = float(_costs(outcomes, review_cost).mean())
    return Figures(rows, decided, wrong_passes, wrong_fails, cost, agreement, low, high)


def _wilson(right: float, count: float) -> tuple[float | None, float | None, float | None]:
    """Return a share with its 95% interval by Wilson."""
    if count <= 0:
        return None, None, None
    z, share = 1.96, right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return share, max(0.0, middle - half), min(1.0, middle + half)
