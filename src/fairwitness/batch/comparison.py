"""Compares runs over the same rows: what moved, whether chance explains it, and how many rows would tell.

The mean score is tested by itself; shares, criteria and slices are corrected together for their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from fairwitness.batch.paired_statistics import (
    MIN_PAIRS,
    Array,
    Estimate,
    corrected,
    estimate,
    interval,
    rows_needed,
)
from fairwitness.batch.scored_runs import Key, ScoredRun, common_rows
from fairwitness.reports.comparison import Comparison, Difference, Flip, Ranked, Ranking
from fairwitness.reports.made_by import MadeBy

CHANCE = 0.05
# Half-widths, in points, that the rows needed are told for.
WIDTHS = (2.0, 1.0, 0.5)
MAX_SLICES = 100
_VERDICTS = ("pass", "fail", "needs_review")


def compare(
    first: ScoredRun, second: ScoredRun, *, examples: int = 5, width: float | None = None
) -> Comparison:
    """Return what changed from the first run to the second."""
    keys, (left, right) = common_rows([first, second])
    scores = first.at(left), second.at(right)
    whole = estimate(scores[1] - scores[0])
    overall = _difference("mean score", *scores, whole, whole.p)
    named = [
        *((f"{verdict} %", *_shares(first, second, left, right, verdict)) for verdict in _VERDICTS),
        *_criteria(first, second, left, right),
        *_slices(first, left, *scores),
    ]
    found = [estimate(after - before) for _, before, after in named]
    others = [
        _difference(name, before, after, one, p)
        for (name, before, after), one, p in zip(
            named, found, corrected([one.p for one in found]), strict=True
        )
    ]
    criteria = len(first.criterion_scores.keys() & second.criterion_scores.keys())
    flipped = _flips(first, second, keys, left, right)
    return Comparison(
        first=first.name,
        second=second.name,
        pairs=len(keys),
        only_first=len(first.rows) - len(keys),
        only_second=len(second.rows) - len(keys),
        in_words=in_words(whole),
        overall=overall,
        shares=others[:3],
        criteria=others[3 : 3 + criteria],
        slices=others[3 + criteria :],
        flips=dict(Counter(f"{flip.first} → {flip.second}" for flip in flipped).most_common()),
        examples=flipped[:examples],
        rows_for_interval={
            f"{one:g}": rows_needed(whole.spread, one) for one in ((width,) if width else WIDTHS)
        },
        made_by=_made_by([first, second]),
        notes=_notes([first, second], keys, [left, right]),
    )


def in_words(whole: Estimate) -> str:
    """Say whether the difference of the mean scores means anything."""
    span = f"95% interval {whole.low:+.1f} to {whole.high:+.1f}, {whole.rows:,} pairs"
    if whole.rows < MIN_PAIRS:
        return f"Too few pairs to tell ({whole.rows}): B - A is {whole.mean:+.1f} points. At least {MIN_PAIRS} are needed."
    if whole.spread == 0 and whole.mean == 0:
        return f"No difference: all {whole.rows:,} pairs have the same score."
    if whole.p < CHANCE:
        way = "higher" if whole.mean > 0 else "lower"
        return (
            f"B scores {way} than A by {abs(whole.mean):.1f} points ({span}). Chance alone gives a"
            f" difference this large in {'fewer than 1 in 1,000' if whole.p < 0.001 else f'{100 * whole.p:.1f}% of'} comparisons."
        )
    most = max(abs(whole.low), abs(whole.high))
    return (
        f"No difference was shown: B - A is {whole.mean:+.1f} points ({span}). A true difference of up to"
        f" {most:.1f} points would fit these results too."
    )


def rank(runs: Sequence[ScoredRun]) -> Ranking:
    """Rank runs by their mean score on the rows that all have; what was not shown to differ is a tie."""
    keys, places = common_rows(runs)
    scores = [run.at(rows) for run, rows in zip(runs, places, strict=True)]
    pairs = list(combinations(range(len(runs)), 2))
    found = [estimate(scores[b] - scores[a]) for a, b in pairs]
    chances = corrected([one.p for one in found])
    enough = len(keys) >= MIN_PAIRS
    better: dict[int, set[int]] = {index: set() for index in range(len(runs))}
    ties: dict[int, set[int]] = {index: set() for index in range(len(runs))}
    for (a, b), one, p in zip(pairs, found, chances, strict=True):
        if enough and p < CHANCE:
            better[a if one.mean > 0 else b].add(b if one.mean > 0 else a)
        else:
            ties[a].add(b)
            ties[b].add(a)
    ranked = [
        Ranked(
            rank=1 + len(better[index]),
            name=run.name,
            mean_score=round(float(np.mean(scores[index])), 2),
            low=round(interval(scores[index])[0], 2),
            high=round(interval(scores[index])[1], 2),
            ties=[runs[other].name for other in sorted(ties[index])],
        )
        for index, run in enumerate(runs)
    ]
    ranked.sort(key=lambda one: (one.rank, -one.mean_score))
    leaders = [one.name for one in ranked if one.rank == 1]
    words = (
        f"{leaders[0]} is ahead of all others" if len(leaders) == 1 else "The first place is a tie"
    )
    return Ranking(
        rows=len(keys),
        in_words=f"{words} on {len(keys):,} rows that all {len(runs)} have, corrected for {len(pairs)} comparisons.",
        runs=ranked,
        made_by=_made_by(runs),
        notes=_notes(runs, keys, places),
    )


def _difference(name: str, before: Array, after: Array, one: Estimate, p: float) -> Difference:
    is_known = one.rows > 0
    return Difference(
        name=name,
        rows=one.rows,
        first=round(float(np.mean(before)), 2) if is_known else None,
        second=round(float(np.mean(after)), 2) if is_known else None,
        difference=round(one.mean, 2) if is_known else None,
        low=round(one.low, 2) if is_known else None,
        high=round(one.high, 2) if is_known else None,
        p=round(p, 4),
        is_shown=one.rows >= MIN_PAIRS and p < CHANCE,
    )


def _shares(
    first: ScoredRun, second: ScoredRun, left: list[int], right: list[int], verdict: str
) -> tuple[Array, Array]:
    """Return, for each pair, whether it has a verdict, in hundredths: their means are shares in percent."""
    sides = ((first, left), (second, right))
    before, after = (
        np.array([100.0 * (run.verdicts[row] == verdict) for row in rows]) for run, rows in sides
    )
    return before, after


def _criteria(
    first: ScoredRun, second: ScoredRun, left: list[int], right: list[int]
) -> list[tuple[str, Array, Array]]:
    found = []
    for name in first.criterion_scores:
        if name in second.criterion_scores:
            before = np.array(first.criterion_scores[name])[left]
            after = np.array(second.criterion_scores[name])[right]
            both = ~np.isnan(before) & ~np.isnan(after)
            found.append((name, before[both], after[both]))
    return found


def _slices(
    first: ScoredRun, left: list[int], before: Array, after: Array
) -> list[tuple[str, Array, Array]]:
    if not first.slices:
        return []
    values = np.array([first.slices[row] for row in left])
    largest = [name for name, _ in Counter(values.tolist()).most_common(MAX_SLICES)]
    return [(name, before[values == name], after[values == name]) for name in largest]


def _flips(
    first: ScoredRun, second: ScoredRun, keys: list[Key], left: list[int], right: list[int]
) -> list[Flip]:
    """Return the rows whose verdict changed, the largest change of score first."""
    found = []
    for (row_id, _), a, b in zip(keys, left, right, strict=True):
        if first.verdicts[a] == second.verdicts[b]:
            continue
        moved = [
            name
            for name, verdicts in first.criterion_verdicts.items()
            if name in second.criterion_verdicts
            and verdicts[a] != second.criterion_verdicts[name][b]
        ]
        found.append(
            Flip(
                id=row_id,
                first=first.verdicts[a],
                second=second.verdicts[b],
                first_score=first.scores[a],
                second_score=second.scores[b],
                criteria=moved,
            )
        )
    return sorted(found, key=lambda flip: -abs(flip.second_score - flip.first_score))


def _made_by(runs: Sequence[ScoredRun]) -> dict[str, list[MadeBy]]:
    return {run.name: sorted(run.made_by, key=lambda one: one.in_words()) for run in runs}


def _notes(runs: Sequence[ScoredRun], keys: list[Key], places: Sequence[list[int]]) -> list[str]:
    notes = []
    for run in runs:
        if left_out := len(run.rows) - len(keys):
            notes.append(
                f"{left_out:,} judged rows of {run.name} have no partner and are left out."
            )
        if run.errors:
            notes.append(f"{run.errors:,} rows of {run.name} were not judged.")
    if len(set().union(*(run.made_by for run in runs))) > 1:
        notes.append(
            "These results were not all judged by the same protocol and evaluator: a difference may be the judge's."
        )
    other = sum(
        len({run.prompts[row] for run, row in zip(runs, rows, strict=True)}) > 1
        for rows in zip(*places, strict=True)
    )
    if other:
        notes.append(f"{other:,} pairs have different prompts: are the ids those of the same rows?")
    return notes
