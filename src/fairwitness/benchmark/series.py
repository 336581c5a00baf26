"""What a set's measure gives back: named series of judged rows; the runner makes figures of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fairwitness.benchmark.prompt_style import style_of
from fairwitness.benchmark.row_evaluation import Judged
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.statistics import Point, Statistic

# Reports how far a set is: rows done, rows in all.
Tick = Callable[[int, int], None]


@dataclass(frozen=True)
class Series:
    """One figure to be: its name, how it is computed, the rows it is computed from, and whether it is a detail."""

    name: str
    statistic: Statistic
    points: Sequence[Point]
    detail: bool = False


@dataclass(frozen=True)
class Measure:
    """One set: its files, the criteria it needs, and how its rows are read.

    Most sets give `series`, from which the runner makes figures, intervals and slices alike. A part
    that keeps its own books gives `figures` instead: a function of the rows alone, whose result holds
    objects with value, low, high and count at any depth.
    """

    name: str
    data: tuple[str, ...]
    title: str
    needs: tuple[str, ...]
    series: Callable[[Sequence[Row], Judged, Tick], list[Series]] | None = None
    figures: Callable[[Sequence[Row]], Any] | None = None


def point(row: Row, truth: float, guess: float, *, source: str = "", topic: str = "") -> Point:
    """Place one judged row: its length, source, topic and prompt's style, and the prompt it shares."""
    response = str(row.get("response") or row.get("response_a") or "")
    prompt = str(row.get("prompt") or "")
    return Point(
        truth=float(truth),
        guess=float(guess),
        length=len(response) or len(prompt),
        source=source or str(row.get("source", "")),
        cluster=prompt or response,
        # A set of bare texts keeps them where prompts stand: there nothing was asked.
        style=style_of(prompt) if prompt and response else "",
        topic=topic,
    )


def ticking(rows: Sequence[Row], tick: Tick) -> Iterable[Row]:
    """Yield the rows, and tell after each how many are done."""
    for number, row in enumerate(rows, 1):
        yield row
        tick(number, len(rows))
