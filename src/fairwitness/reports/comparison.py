"""Two runs side by side, or a ranking of several: the figures, and how they are shown at the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairwitness.contract.evaluation import Result
from fairwitness.reports.made_by import MadeBy
from fairwitness.reports.printable import visible


class Difference(Result, frozen=True, kw_only=True):
    """What changed in one respect, from the first run to the second."""

    name: str
    rows: int
    first: float | None
    second: float | None
    difference: float | None
    low: float | None
    high: float | None
    # Corrected for as many comparisons as are made beside it.
    p: float
    is_shown: bool


class Flip(Result, frozen=True, kw_only=True):
    """A row whose verdict changed."""

    id: str | int
    first: str
    second: str
    first_score: float
    second_score: float
    criteria: list[str]


class Comparison(Result, frozen=True, kw_only=True):
    """Two runs over the same rows."""

    first: str
    second: str
    pairs: int
    only_first: int
    only_second: int
    in_words: str
    overall: Difference
    shares: list[Difference]
    criteria: list[Difference]
    slices: list[Difference]
    flips: dict[str, int]
    examples: list[Flip]
    rows_for_interval: dict[str, int | None]
    # Of each run; more than one where its rows were not all made by the same.
    made_by: dict[str, list[MadeBy]]
    notes: list[str]


class Ranked(Result, frozen=True, kw_only=True):
    """One run in a ranking; a tie is a run it was not shown to differ from."""

    rank: int
    name: str
    mean_score: float
    low: float
    high: float
    ties: list[str]


class Ranking(Result, frozen=True, kw_only=True):
    """Several runs over the same rows, best first."""

    rows: int
    in_words: str
    runs: list[Ranked]
    made_by: dict[str, list[MadeBy]]
    notes: list[str]


def show_comparison(console: Console, found: Comparison) -> None:
    """Print what changed, in words first."""
    _say(console, f"A: {found.first}\nB: {found.second}\n{found.in_words}")
    for title, items in (
        ("overall", [found.overall, *found.shares]),
        ("criterion", found.criteria),
        ("slice", found.slices),
    ):
        if items:
            console.print(_table(title, items))
    moved = ", ".join(f"{count:,} {name}" for name, count in found.flips.items())
    _say(console, f"Verdicts that changed: {moved or 'none'}")
    for flip in found.examples:
        criteria = f" ({', '.join(flip.criteria)})" if flip.criteria else ""
        _say(
            console,
            f"  {flip.id}: {flip.first} {flip.first_score:g} → {flip.second} {flip.second_score:g}{criteria}",
        )
    needed = [
        f"±{width} points: {'?' if rows is None else f'{rows:,}'}"
        for width, rows in found.rows_for_interval.items()
    ]
    _say(console, f"Rows for an interval of {', '.join(needed)}")
    _say_made_by(console, found.made_by)
    for note in found.notes:
        _say(console, f"Note: {note}")


def show_ranking(console: Console, found: Ranking) -> None:
    """Print the ranking, ties called ties."""
    _say(console, found.in_words)
    table = Table(box=None, padding=(0, 1), header_style="dim")
    for name in ("rank", "mean score", "95% interval"):
        table.add_column(name, justify="right")
    table.add_column("results")
    table.add_column("tied with")
    for run in found.runs:
        cells = (f"{run.rank}", f"{run.mean_score:.1f}", f"{run.low:.1f} to {run.high:.1f}")
        table.add_row(*cells, Text(visible(run.name)), Text(visible(", ".join(run.ties))))
    console.print(table)
    _say_made_by(console, found.made_by)
    for note in found.notes:
        _say(console, f"Note: {note}")


def _say_made_by(console: Console, made_by: dict[str, list[MadeBy]]) -> None:
    """Print what made the results: once where it is the same of all."""
    distinct = {one.in_words(): None for some in made_by.values() for one in some}
    if len(distinct) == 1:
        _say(console, next(iter(distinct)))
        return
    for name, some in made_by.items():
        for one in some:
            _say(console, f"{name}: {one.in_words()}")


def _table(title: str, items: list[Difference]) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="dim")
    table.add_column(title)
    for name in ("pairs", "A", "B", "B - A", "95% interval", "p", ""):
        table.add_column(name, justify="left" if not name else "right")
    for item in items:
        span = "" if item.low is None else f"{item.low:+.1f} to {item.high:+.1f}"
        cells = [_number(item.first), _number(item.second), _number(item.difference, "+.1f"), span]
        chance = "<0.001" if item.p < 0.001 else f"{item.p:.3f}"
        verdict = "differs" if item.is_shown else ""
        table.add_row(Text(visible(item.name)), f"{item.rows:,}", *cells, chance, verdict)
    return table


def _number(value: float | None, form: str = ".1f") -> str:
    return "" if value is None else format(value, form)


def _say(console: Console, text: str) -> None:
    console.print(visible(text), markup=False, soft_wrap=True)
