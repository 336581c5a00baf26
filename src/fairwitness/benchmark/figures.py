"""Makes figures: from series, with intervals and slices, or from a part that keeps its own books."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

from fairwitness.benchmark.report import Figure, Peer, Slice, SliceBy
from fairwitness.benchmark.series import Series
from fairwitness.benchmark.statistics import Point, Statistic, interval, value_of

LENGTHS = (("under 500 characters", 0, 500), ("500 to 2000", 500, 2000), ("over 2000", 2000, 10**9))
# A slice of fewer rows says nothing; more sources than this are not slices but rows.
MIN_SLICE_ROWS = 20
MAX_SOURCES = 40
_NAMED: tuple[SliceBy, ...] = ("source", "style", "topic")


def from_series(series: Series, peers: Sequence[Peer]) -> Figure:
    """Compute one figure of a series, its interval and its slices."""
    made = interval(series.points, series.statistic)
    return Figure(
        name=series.name,
        statistic=series.statistic.name,
        value=_number(made.value),
        low=_number(made.low),
        high=_number(made.high),
        count=made.count,
        detail=series.detail,
        peers=list(peers),
        slices=_slices(series.points, series.statistic),
    )


def _slices(points: Sequence[Point], statistic: Statistic) -> list[Slice]:
    found: list[Slice] = []
    for name, low, high in LENGTHS:
        part = [point for point in points if low <= point.length < high]
        found.extend(_slice("length", name, part, statistic))
    for by in _NAMED:
        names = sorted({str(getattr(point, by)) for point in points} - {""})
        if 1 < len(names) <= MAX_SOURCES:
            for name in names:
                part = [point for point in points if getattr(point, by) == name]
                found.extend(_slice(by, name, part, statistic))
    return found


def _slice(by: SliceBy, name: str, part: Sequence[Point], statistic: Statistic) -> Iterator[Slice]:
    if len(part) >= MIN_SLICE_ROWS:
        yield Slice(by=by, part=name, value=_number(value_of(part, statistic)), count=len(part))


def from_books(books: Any, peers: Mapping[str, Sequence[Peer]]) -> list[Figure]:
    """Collect every share with bounds and a count from a part's own result, named by its path."""
    return [
        Figure(
            name=name,
            statistic="share",
            value=_number(_first(rate, _VALUE)),
            low=_number(rate.low),
            high=_number(rate.high),
            count=int(_first(rate, _COUNT)),
            detail=_SEPARATOR in name,
            peers=list(peers.get(name, ())),
        )
        for name, rate in _rates(books, "")
    ]


_SEPARATOR = " / "
# The words under which parts keep a share and the number of cases behind it.
_VALUE = ("value", "share", "rate")
_COUNT = ("cases", "count", "total")


def _first(node: Any, names: Sequence[str]) -> float:
    return next(float(getattr(node, name)) for name in names if hasattr(node, name))


def _is_rate(node: Any) -> bool:
    if not (hasattr(node, "low") and hasattr(node, "high")):
        return False
    return all(any(hasattr(node, name) for name in names) for names in (_VALUE, _COUNT))


def _rates(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    if _is_rate(node):
        yield path, node
    elif isinstance(node, Mapping):
        for key, child in node.items():
            yield from _rates(child, _join(path, str(key)))
    elif is_dataclass(node):
        for field in fields(node):
            yield from _rates(getattr(node, field.name), _join(path, field.name))
    elif isinstance(node, list | tuple):
        for index, child in enumerate(node):
            yield from _rates(child, _join(path, str(index + 1)))


def _join(path: str, name: str) -> str:
    return f"{path}{_SEPARATOR}{name}" if path else name


def _number(value: float) -> float | None:
    """Return the value to six places, or None: JSON has no NaN, and an undefined figure is no number."""
    return round(float(value), 6) if isfinite(value) else None
