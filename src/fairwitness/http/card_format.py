"""How the evaluator card writes tables, shares and scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairwitness.benchmark.report import Figure

# Rank correlations are no shares; differences of scores carry their sign.
_PLAIN = frozenset({"Spearman"})
_SIGNED = frozenset({"points"})


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines += [
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows
    ]
    return "\n".join(lines)


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


def shown(figure: Figure) -> str:
    """Return a figure with its interval."""
    low, high = (printed(bound, figure.statistic) for bound in (figure.low, figure.high))
    # A dash between two numbers that may carry a minus could not be read.
    between = " to " if figure.statistic in _PLAIN | _SIGNED else "–"
    return f"**{printed(figure.value, figure.statistic)}** [{low}{between}{high}]"
