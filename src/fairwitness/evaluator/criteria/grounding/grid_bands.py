"""Finds a row of a table of bands, "over 3 to 10 kg", used for a number that is not in its band."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.grid_given import Grids
from fairwitness.evaluator.criteria.grounding.grid_reading import Reading, Said, Stated
from fairwitness.evaluator.criteria.grounding.ground import Claim
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.derivation import in_unit_of
from fairwitness.evaluator.facts.grid_labels import COLUMN, ROW
from fairwitness.evaluator.facts.grid_values import NUMBER, WORDS, same
from fairwitness.evaluator.facts.index import within
from fairwitness.evaluator.facts.quantities import Quantity, figures
from fairwitness.evaluator.facts.written_numbers import read_digits
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import unit_of

_MIN_BANDS = 2
_MAX_TOLD = 6
_MIN_NAME_CHARS = 3
_NUMBER = r"(?:[$€£]\s?)?\d[\d.,]*"
_UNIT = r"\s?(?P<%s>[\pL°%%²³]{0,12})"
_RANGE = Pattern(
    rf"^(?:over |above |from |more than |between |>\s?)?(?P<low>{_NUMBER}){_UNIT % 'one'}\s?(?:to|-|–|—|and|up to)(?: under| below)?\s?(?P<high>{_NUMBER}){_UNIT % 'two'}$",
    ignore_case=True,
)
_UP_TO = Pattern(
    rf"^(?:up to|under|below|less than|fewer than|within|at most|max\.?|<=|[<≤])\s?(?P<high>{_NUMBER}){_UNIT % 'two'}$",
    ignore_case=True,
)
_OVER = Pattern(
    rf"^(?:over|above|more than|from|at least|>=|[>≥])\s?(?P<low>{_NUMBER}){_UNIT % 'one'}$"
    rf"|^(?P<least>{_NUMBER}){_UNIT % 'two'}\s?(?:\+|and (?:over|above|more|up)|or (?:over|above|more))$",
    ignore_case=True,
)
_ENDS = Pattern(rf"(?P<low>{_NUMBER})\s?(?:to|-|–|—)\s?(?P<high>{_NUMBER})")
# Another band is spoken of: the next one, or what would be.
_OTHERWISE = Pattern(
    r"\b(?:not|no|never|than|next|previous|other|another|above|below|would|could|if|unless|until|instead|rather|otherwise|heavier|lighter|bigger|smaller|larger|longer|shorter|older|younger|compared|but|while|whereas|jump\w*|once|when|just (?:under|over)|plus|total|save|sav\w+|extra|more|both|together|combined|each)\b|n['’]t\b|[+×=]",
    ignore_case=True,
)


class _Band(NamedTuple):
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


class _Placed(NamedTuple):
    """A column of bands, and the numbers of the prompt that may be in them."""

    column: int
    bands: dict[int, _Band]
    numbers: set[float]
    goal: Quantity

    def rows(self, number: float) -> list[int]:
        """Return the rows in whose band a number is."""
        return [at for at, band in self.bands.items() if band.holds(number)]


def band_faults(grids: Grids) -> Iterator[Claim]:
    """Yield a claim for each sentence that uses one row for a number of the prompt which is in another row's band."""
    text = grids.ground.response
    for reading in grids.readings:
        found = list(_placed(grids, reading))
        for one in found:
            for said in reading.sentences:
                if _OTHERWISE.search(text.slice(said.region).encode()):
                    continue
                used = _used(reading, said, one.bands)
                number = _number(grids, said, one.numbers, one.goal)
                if number is None or len({row for row, _ in used}) != 1:
                    continue
                row, place = used[0]
                right = one.rows(number)
                if row in one.bands and right and row not in right:
                    # A chest in one row and a waist in another: which one counts is said in words.
                    agree = all(
                        set(right) & set(other.rows(each))
                        for other in found
                        for each in other.numbers
                        if other is not one
                    )
                    if agree and not _is_used(reading, right, one.bands):
                        yield _claim(grids, reading, place, (right[0], one.column), number)
                        return
                    break


def _placed(grids: Grids, reading: Reading) -> Iterator[_Placed]:
    """Yield each column of bands with the numbers of the prompt that may be in them."""
    for column in range(len(reading.grid.heads)):
        bands, unit = _bands(reading, column)
        told = _told(grids, reading, column, unit) if len(bands) >= _MIN_BANDS else []
        if told:
            goal = Quantity(0, 0, 0.0, *unit) if unit is not None else told[0]
            yield _Placed(column, bands, {in_unit_of(one, goal) or 0.0 for one in told}, goal)


def _told(
    grids: Grids, reading: Reading, column: int, unit: tuple[str, str] | None
) -> list[Quantity]:
    """Return the numbers of the prompt that bands may hold: of their unit, or right behind the name of their column."""
    if unit is not None:
        goal = Quantity(0, 0, 0.0, *unit)
        return [one for one in grids.told if _is_of(one, goal) and not one.approximate][:_MAX_TOLD]
    name = reading.grid.heads[column].lower()
    if len(name) < _MIN_NAME_CHARS or not name.isalpha():
        return []
    said = grids.outside.lower
    named = [one for one in grids.told if said[: one.start].rstrip(" :=").endswith(name)]
    return named if len(named) == 1 and not named[0].approximate else []


def _claim(
    grids: Grids, reading: Reading, place: Region, right: tuple[int, int], number: float
) -> Claim:
    cell = reading.grid.rows[right[0]][right[1]]
    said = " ".join(grids.ground.response.slice(place).split())
    return Claim(
        "band",
        place,
        Span(cell.start, cell.end, reading.grid.source),
        grids.severity(plain=False),
        f"Uses “{said}”, but {number:g} belongs in the row “{reading.grid.text.slice(cell)}”.",
    )


def _bands(reading: Reading, column: int) -> tuple[dict[int, _Band], tuple[str, str] | None]:
    """Return the bands that the cells of a column name, and their one unit with its dimension."""
    found: dict[int, _Band] = {}
    units = {*reading.values.units[column]}
    for row in range(len(reading.grid.rows)):
        said = reading.grid.said(row, column).strip()
        for pattern in (_RANGE, _UP_TO, _OVER):
            match = Text(said).search(pattern)
            if match is None:
                continue
            low = (
                ""
                if pattern is _UP_TO
                else match["low"] or (match["least"] if pattern is _OVER else "")
            )
            high = "" if pattern is _OVER else match["high"]
            names = ("two",) if pattern is _UP_TO else ("one", "two")
            units |= {_unit(match[name]) for name in names if match[name]}
            ends = [_read(end) for end in (low, high)]
            found[row] = _Band(
                ends[0] if ends[0] is not None else float("-inf"),
                ends[1] if ends[1] is not None else float("inf"),
            )
            break
    if len(found) < len(reading.grid.rows) - 1 or len(units) > 1:
        return {}, None
    # "-52 kg: 48.1 to 52.0" has its unit in the name of the row.
    units = units or (_units_of_names(reading) if column else set())
    known = unit_of(next(iter(units))) if len(units) == 1 else None
    return _chained(found), ((known[1], known[0]) if known is not None else None)


def _units_of_names(reading: Reading) -> set[str]:
    """Return the units of the numbers in the names of the rows."""
    cells = (figures(Text(reading.grid.said(row, 0))) for row in range(len(reading.grid.rows)))
    return {one.unit for cell in cells for one in cell.quantities if one.unit}


def _chained(bands: dict[int, _Band]) -> dict[int, _Band]:
    """Return bands that have upper ends alone with lower ones: "up to 2 h" begins where "up to 1 h" ends."""
    open_ones = sorted((band.high, row) for row, band in bands.items() if band.low == float("-inf"))
    lows = {
        row: high for (high, _), (_, row) in pairwise(open_ones) if len(open_ones) >= _MIN_BANDS
    }
    return {row: band._replace(low=lows.get(row, band.low)) for row, band in bands.items()}


def _unit(word: str) -> str:
    known = unit_of(word) if word else None
    return known[1] if known is not None else word


def _read(digits: str) -> float | None:
    parsed = read_digits(digits.strip("$€£ ").rstrip(".,")) if digits else None
    return parsed[0] if parsed is not None else None


def _used(reading: Reading, said: Said, bands: dict[int, _Band]) -> list[tuple[int, Region]]:
    """Return the rows that a sentence names, by their names or their ends, or of which it states a value that no other has."""
    found = [(one.at, Region(one.start, one.end)) for one in said.mentions if one.axis == ROW]
    found += _ranged(reading, said, bands)
    columns = said.named(COLUMN)
    for stated in said.stated:
        here = _rows_with(reading, stated, columns) if len(columns) == 1 else []
        rows = here or _rows_with(reading, stated, set())
        plain = (
            stated.value.kind == NUMBER
            and stated.value.number is not None
            and not stated.value.number.unit
            and stated.value.number.step == 1
        )
        if len(rows) == 1 and (here or not plain):
            found.append((rows[0], stated.place))
    return found


def _ranged(reading: Reading, said: Said, bands: dict[int, _Band]) -> Iterator[tuple[int, Region]]:
    """Yield the rows whose two ends a sentence states: "the 2 to 5 kg row"."""
    start = said.region.start
    for match in Text(reading.ground.response.slice(said.region)).matches(_ENDS, limit=9):
        ends = _Band(_read(match["low"]) or 0.0, _read(match["high"]) or 0.0)
        place = Region(start + match.start, start + match.end)
        yield from ((row, place) for row, band in bands.items() if band == ends)


def _is_used(reading: Reading, right: list[int], bands: dict[int, _Band]) -> bool:
    """Tell whether the response uses the right row too, so that this one may be told beside it."""
    return any(row in right for said in reading.sentences for row, _ in _used(reading, said, bands))


def _rows_with(reading: Reading, stated: Stated, columns: set[int]) -> list[int]:
    """Return the rows that have a value; in the one column that is named, where one is."""
    return [
        row
        for row, cells in enumerate(reading.values.cells)
        if any(
            cell.kind in {NUMBER, WORDS} and same(cell, stated.value)
            for at, cell in enumerate(cells)
            if at and (not columns or at in columns)
        )
    ]


def _is_of(one: Quantity, goal: Quantity) -> bool:
    """Tell whether a number can be in a band: of its unit, or of one that can be converted; weeks are no service in years."""
    alike = one.unit == goal.unit or (one.dimension == goal.dimension != "time")
    return bool(one.unit) and alike and in_unit_of(one, goal) is not None


def _number(grids: Grids, said: Said, told: set[float], goal: Quantity) -> float | None:
    """Return the one number of the prompt that a sentence is of: the one it states, or the only one."""
    stated = {
        value
        for one in within(grids.ground.figures.quantities, said.region)
        if _is_of(one, goal) and (value := in_unit_of(one, goal)) is not None
    }
    here = stated & told
    if len(here) == 1:
        return next(iter(here))
    return next(iter(told)) if len(told) == 1 and not here else None
