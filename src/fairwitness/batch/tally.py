"""Counts results as they come: rows, verdicts, scores, and the verdicts of each criterion."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import msgspec
from msgspec import UNSET, UnsetType

from fairwitness.contract.evaluation import Evaluation


class ResultLine(msgspec.Struct, frozen=True):
    """What of a result is counted and reported; the input's own columns are passed by."""

    id: str | int
    evaluation: Evaluation | UnsetType = UNSET
    error: str | UnsetType = UNSET


read_line = msgspec.json.Decoder(ResultLine).decode


@dataclass
class Tally:
    """What a run found, in numbers."""

    judged: int = 0
    errors: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    criteria: dict[str, Counter[str]] = field(default_factory=dict)
    # Scores have one decimal: as tenths they add up exactly, in any order.
    _tenths: int = 0

    def add(self, result: ResultLine) -> None:
        """Count one result."""
        if isinstance(result.evaluation, UnsetType):
            self.errors += 1
            return
        self.judged += 1
        self.verdicts[result.evaluation.overall_verdict] += 1
        self._tenths += round(10 * result.evaluation.overall_score)
        for item in result.evaluation.verdicts:
            self.criteria.setdefault(item.criterion_id, Counter())[item.verdict] += 1

    @property
    def rows(self) -> int:
        """All rows, judged or not."""
        return self.judged + self.errors

    @property
    def mean_score(self) -> float | None:
        """The mean overall score, or None where nothing was judged."""
        return self._tenths / 10 / self.judged if self.judged else None
