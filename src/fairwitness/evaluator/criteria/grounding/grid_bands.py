"""Finds a row of a table of bands, "over 3 to 10 kg", used for a number that is not in its band."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.calculation.vocabulary import unit_of
from fairwitness.evaluator.criteria.grounding.grid_given import Grids
from fairwitness.evaluator.criteria.grounding.grid_reading import Reading, Said, Stated
from fairwitness.evaluator.criteria.grounding.ground import Claim
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.derivation import in_unit_of
from fairwitness.evaluator.facts.grid_labels import ROW
from fairwitness.evaluator.facts.grid_values import NUMBER, WORDS, same
from fairwitness.evaluator.facts.index import within
from fairwitness.evaluator.facts.quantities import Quantity
from fairwitness.evaluator.facts.written_numbers import read_digits
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MIN_BANDS = 2
_MAX_TOLD = 6
_NUMBER = r"(?:[$€£]\s?)?\d[\d.,]*"
_UNIT = r"\s?(?P<%s>[\pL°%%²³]{0,12})"
_RANGE = Pattern(
    rf"^(?:over |above |from |more than |between |>\s?)?(?P<low>{_NUMBER}){_UNIT % 'one'}\s?(?:to|-|–|—|and|up to)(?: under| below)?\s?(?P<high>{_NUMBER}){_UNIT % 'two'}$",
    ignore_case=True,
)
_UP_TO = Pattern(
    rf"^(?:up to|under|below|less than|fewer than|within|at most|max\.?|[<≤])\s?(?P<high>{_NUMBER}){_UNIT % 'two'}$",
    ignore_case=True,
)
_OVER = Pattern(
    rf"^(?:over|above|more than|from|at least|[>≥])\s?(?P<low>{_NUMBER}){_UNIT % 'one'}$"
    rf"|^(?P<least>{_NUMBER}){_UNIT % 'two'}\s?(?:\+|and (?:over|above|more|up)|or (?:over|above|more))$",
    ignore_case=True,
)
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


def band_faults(grids: Grids) -> Iterator[Claim]:
    """Yield a claim for each sentence that uses one row for a number of the prompt which is in another row's band."""
    text = grids.ground.response
    for reading in grids.readings:
        bands, unit = _bands(reading)
        told = [
            one
            for one in grids.told
            if unit and _is_of(one, Quantity(0, 0, 0.0, *unit)) and not one.approximate
        ][:_MAX_TOLD]
        if len(bands) < _MIN_BANDS or not told or unit is None:
            continue
        goal = Quantity(0, 0, 0.0, *unit)
        values = {in_unit_of(one, goal) or 0.0 for one in told}
        for said in reading.sentences:
            if _OTHERWISE.search(text.slice(said.region).encode()):
                continue
            used = _used(reading, said)
            number = _number(grids, said, values, goal)
            if number is None or len({row for row, _ in used}) != 1:
                continue
            row, place = used[0]
            right = [at for at, band in bands.items() if band.holds(number)]
            if row in bands and right and row not in right and not _is_used(reading, right):
                yield _claim(grids, reading, place, right[0], number)
                break


def _claim(grids: Grids, reading: Reading, place: Region, right: int, number: float) -> Claim:
    cell = reading.grid.rows[right][0]
    said = " ".join(grids.ground.response.slice(place).split())
    return Claim(
        "band",
        place,
        Span(cell.start, cell.end, reading.grid.source),
        grids.severity(plain=True),
        f"Uses “{said}”; {number:g} is in the row “{reading.grid.text.slice(cell)}”.",
    )


def _bands(reading: Reading) -> tuple[dict[int, _Band], tuple[str, str] | None]:
    """Return the bands that the first cells name, and their one unit with its dimension."""
    found: dict[int, _Band] = {}
    units = {*reading.values.units[0]}
    for row in range(len(reading.grid.rows)):
        said = reading.grid.said(row, 0).strip()
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
    whole = len(found) >= len(reading.grid.rows) - 1 and len(units) == 1
    known = unit_of(next(iter(units))) if whole else None
    return (found, (known[1], known[0])) if known is not None else ({}, None)


def _unit(word: str) -> str:
    known = unit_of(word) if word else None
    return known[1] if known is not None else word


def _read(digits: str) -> float | None:
    parsed = read_digits(digits.strip("$€£ ").rstrip(".,")) if digits else None
    return parsed[0] if parsed is not None else None


def _used(reading: Reading, said: Said) -> list[tuple[int, Region]]:
    """Return the rows that a sentence names, or of which it states a value that no other row has."""
    found = [(one.at, Region(one.start, one.end)) for one in said.mentions if one.axis == ROW]
    for stated in said.stated:
        rows = _rows_with(reading, stated)
        plain = (
            stated.value.kind == NUMBER
            and stated.value.number is not None
            and not stated.value.number.unit
            and stated.value.number.step == 1
        )
        if len(rows) == 1 and not plain:
            found.append((rows[0], stated.place))
    return found


def _is_used(reading: Reading, right: list[int]) -> bool:
    """Tell whether the response uses the right row too, so that this one may be told beside it."""
    return any(row in right for said in reading.sentences for row, _ in _used(reading, said))


def _rows_with(reading: Reading, stated: Stated) -> list[int]:
    return [
        row
        for row, cells in enumerate(reading.values.cells)
        if any(cell.kind in {NUMBER, WORDS} and same(cell, stated.value) for cell in cells[1:])
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
