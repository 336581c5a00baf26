"""What reports are told of a row: its id, where it stands, and its evaluation or why it has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from fairwitness.contract.evaluation import Evaluation
from fairwitness.reports.made_by import MadeBy


@dataclass(frozen=True, slots=True)
class ReportedRow:
    """One row of a batch."""

    id: str
    file: str
    line: int
    evaluation: Evaluation | None
    error: str = ""


@dataclass(frozen=True)
class Totals:
    """A whole batch in numbers, what made it, and its gates: what each asks, what was found, whether it is met."""

    rows: int
    verdicts: Mapping[str, int]
    errors: int
    mean_score: float | None
    criteria: Mapping[str, Mapping[str, int]]
    made_by: MadeBy
    gates: list[tuple[str, str, bool]] = field(default_factory=list)


class Report(Protocol):
    """A report of a batch: told of each row in order, then written. What it keeps is bounded."""

    def add(self, row: ReportedRow) -> None:
        """Take one row."""

    def write(self, path: Path, totals: Totals) -> None:
        """Write the file."""
