"""Shows how many rows passed, failed or need review, criterion by criterion, at the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

_VERDICTS = ("pass", "fail", "needs_review", "not_applicable")


def show_criteria(console: Console, counts: Mapping[str, Mapping[str, int]]) -> None:
    """Print a row for each criterion, in the protocol's order."""
    table = Table(box=None, padding=(0, 1), header_style="dim")
    table.add_column("criterion")
    for verdict in _VERDICTS:
        table.add_column(verdict.replace("_", " "), justify="right")
    for criterion, found in counts.items():
        cells = [f"{found.get(verdict, 0):,}" for verdict in _VERDICTS]
        table.add_row(Text(criterion), *cells)
    console.print(table)
