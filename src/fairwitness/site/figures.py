"""Prints figures of the published run: values and intervals, as lists and as tables with a column a question."""

from __future__ import annotations

from collections.abc import Iterable

from fairwitness.benchmark import published_results
from fairwitness.benchmark.report import Figure, SetResult
from fairwitness.site.markdown import table

NOT_MEASURED = "Not measured in the run these documents are made from."
# Rank correlations are no shares; differences of scores carry their sign.
_PLAIN = frozenset({"Spearman"})
_SIGNED = frozenset({"points"})


def percent(value: float | None) -> str:
    """Return a share as the card prints it."""
    return "–" if value is None else f"{100 * value:.1f}"


def printed(value: float | None, statistic: str) -> str:
    """Return a value as its statistic is read: a correlation as it is, points with their sign, else percent."""
    if value is None:
        return "–"
    if statistic in _PLAIN:
        return f"{value:.2f}".replace("-", "−")
    signed = statistic in _SIGNED and abs(value) >= 0.0005
    return f"{100 * value:{'+' if signed else ''}.1f}".replace("-", "−").replace("−0.0", "0.0")


def with_interval(figure: Figure) -> str:
    """Return a figure with its interval."""
    low, high = (printed(bound, figure.statistic) for bound in (figure.low, figure.high))
    # A dash between two numbers that may carry a minus could not be read.
    between = " to " if figure.statistic in _PLAIN | _SIGNED else "–"
    return f"**{printed(figure.value, figure.statistic)}** [{low}{between}{high}]"


def peers(figure: Figure) -> list[str]:
    """Return what others published of the same figure, each with its name."""
    return [f"{peer.name} {printed(peer.value, figure.statistic)}" for peer in figure.peers]


def measured(name: str) -> SetResult | None:
    """Return a set of the published run, or None where it was not measured."""
    sets = published_results.results().sets
    return next((item for item in sets if item.name == name and item.status == "measured"), None)


def sets_of(folder: str) -> list[SetResult]:
    """Return the sets whose rows come from a folder of the data: `bench` is public, `train` is not."""
    return [
        item
        for item in published_results.results().sets
        if item.files and item.files[0].name.startswith(f"{folder}/")
    ]


def main_figures(item: SetResult) -> list[Figure]:
    """Return a set's figures without those of its parts."""
    return [figure for figure in item.figures if not figure.detail]


def listed(figures: Iterable[Figure]) -> str:
    """Return figures as a table with a row for each."""
    rows = [(item.name, item.count, with_interval(item)) for item in figures]
    return table(("Figure", "Rows", "Value, 95% interval"), rows)


def pivoted(figures: Iterable[Figure], first: str) -> str:
    """Return figures named "row: column" as a table with a row and a column for each."""
    cells: dict[str, dict[str, Figure]] = {}
    for figure in figures:
        row, _, column = figure.name.rpartition(": ")
        cells.setdefault(row, {})[column] = figure
    # The fullest row gives the order.
    fullest = sorted(cells.values(), key=len, reverse=True)
    columns = list(dict.fromkeys(column for held in fullest for column in held))
    header = (first, "Rows", *(f"{column[:1].upper()}{column[1:]}" for column in columns))
    rows = [
        (
            row,
            next(iter(held.values())).count,
            *(with_interval(held[column]) if column in held else "–" for column in columns),
        )
        for row, held in cells.items()
    ]
    return table(header, rows)
