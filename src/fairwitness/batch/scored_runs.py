"""Results as columns of numbers, and the rows that several of them have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Raw
from numpy.typing import NDArray

from fairwitness.batch.columns import value_at
from fairwitness.batch.rows import BadInput, Row, RowFault
from fairwitness.batch.saved_results import read_results
from fairwitness.batch.sources import shown
from fairwitness.reports.made_by import MadeBy

Array = NDArray[np.float64]
# A row of a run: its id, and which of the rows of that id it is.
Key = tuple[str | int, int]


@dataclass
class ScoredRun:
    """One results file: what was judged, in the order of its rows."""

    name: str
    rows: dict[Key, int] = field(default_factory=dict)
    scores: list[float] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    # Of each criterion, in each row: score (NaN where it does not apply) and verdict.
    criterion_scores: dict[str, list[float]] = field(default_factory=dict)
    criterion_verdicts: dict[str, list[str]] = field(default_factory=dict)
    slices: list[str] = field(default_factory=list)
    prompts: list[int] = field(default_factory=list)
    made_by: set[MadeBy] = field(default_factory=set)
    errors: int = 0

    def at(self, rows: Sequence[int]) -> Array:
        """Return the scores of some rows."""
        return np.array([self.scores[row] for row in rows], dtype=np.float64)


def load(path: Path, by: str | None = None) -> ScoredRun:
    """Read a results file; raise BadInput where it is none, or has no column `by`."""
    run = ScoredRun(shown(path))
    seen: Counter[str | int] = Counter()
    for found in read_results(path):
        if found.evaluation is None:
            run.errors += 1
            continue
        seen[found.id] += 1
        at = len(run.scores)
        run.rows[found.id, seen[found.id]] = at
        run.made_by.add(found.made_by)
        run.scores.append(found.evaluation.overall_score)
        run.verdicts.append(found.evaluation.overall_verdict)
        run.prompts.append(hash(bytes(found.columns.get("prompt", Raw(b"")))))
        for item in found.evaluation.verdicts:
            scores = run.criterion_scores.setdefault(item.criterion_id, [])
            verdicts = run.criterion_verdicts.setdefault(item.criterion_id, [])
            missing = at - len(scores)
            scores += [np.nan] * missing + [np.nan if item.score is None else item.score]
            verdicts += ["not_applicable"] * missing + [item.verdict]
        if by is not None:
            run.slices.append(
                _slice(Row(found.number, f"{run.name}:{found.number}", found.columns), by)
            )
    if not run.scores:
        raise BadInput(f"{run.name}: holds no row that was judged")
    for scores in run.criterion_scores.values():
        scores.extend([np.nan] * (len(run.scores) - len(scores)))
    for verdicts in run.criterion_verdicts.values():
        verdicts.extend(["not_applicable"] * (len(run.scores) - len(verdicts)))
    return run


def common_rows(runs: Sequence[ScoredRun]) -> tuple[list[Key], list[list[int]]]:
    """Return the rows that all runs have, by id, and where each run has them."""
    keys = [key for key in runs[0].rows if all(key in run.rows for run in runs[1:])]
    if not keys:
        raise BadInput(
            f"no row of {runs[0].name} has the id of a row of {' and '.join(run.name for run in runs[1:])};"
            " judge both with the same --id"
        )
    return keys, [[run.rows[key] for key in keys] for run in runs]


def _slice(row: Row, by: str) -> str:
    try:
        value = value_at(row, by)
    except RowFault as fault:
        if row.number == 1:
            raise BadInput(
                f"{row.place}: no column {by!r}; there are {', '.join(row.columns)}"
            ) from fault
        return "(none)"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
