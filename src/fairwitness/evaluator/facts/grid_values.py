"""Reads what a cell of a table holds: a number with its unit, a time, a date, a mark such as "yes", or words."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.facts.derivation import in_unit_of, tolerance
from fairwitness.evaluator.facts.grid_words import tokens_of
from fairwitness.evaluator.facts.grids import Grid
from fairwitness.evaluator.facts.moments import Moment, agree
from fairwitness.evaluator.facts.quantities import Quantity, figures
from fairwitness.evaluator.facts.units import unit_named
from fairwitness.evaluator.facts.words import STOPWORDS
from fairwitness.evaluator.text import Region, Text

YES, NO = (
    frozenset("yes y true ✓ ✔ ✅ x included".split()),
    frozenset("no n false ✗ ✘ ❌ - – — none n/a nil".split()),
)
NUMBER, TIME, DATE, WORDS, MARK, MIXED, EMPTY = (
    "number", "time", "date", "words", "mark", "mixed", "empty"
)  # fmt: skip
_MAX_BESIDE = 2
_MIN_SIZES = 3
_MAX_WORD_TOKENS = 5


class Value(NamedTuple):
    """What a cell or a part of a sentence states: its kind, and the number, the moment or the words it is."""

    kind: str
    number: Quantity | None = None
    moment: Moment | None = None
    words: tuple[str, ...] = ()


class Values:
    """The values of a grid's cells, each read once."""

    def __init__(self, grid: Grid) -> None:
        """Read every cell."""
        self.grid = grid
        self.cells = [[value_of(grid.text.slice(cell)) for cell in row] for row in grid.rows]
        self.units = [_units_of(head) for head in grid.heads]

    def column(self, at: int) -> list[Value]:
        """Return the values of a column."""
        return [row[at] for row in self.cells]


def value_of(said: str) -> Value:
    """Return what a cell holds."""
    bare = said.strip().strip("*_`").lower()
    if not bare:
        return Value(EMPTY)
    if bare in YES or bare in NO:
        return Value(MARK, words=("yes" if bare in YES else "no",))
    text = Text(said)
    found = figures(text)
    if len(found.moments) == 1 and not found.quantities:
        moment = found.moments[0]
        return Value(DATE if moment.is_date else TIME, moment=moment)
    quantity = found.quantities[0] if len(found.quantities) == 1 else None
    if (
        quantity is not None
        and not found.moments
        and not quantity.label
        and not quantity.spelled
        and _is_number(text, quantity)
    ):
        minus = said[: quantity.start].rstrip().endswith(("-", "−"))
        return Value(NUMBER, number=quantity._replace(value=-quantity.value) if minus else quantity)
    words = tuple(token.form for token in tokens_of(text, Region(0, len(text))))
    return Value(WORDS, words=words) if 0 < len(words) <= _MAX_WORD_TOKENS else Value(MIXED)


def _is_number(text: Text, quantity: Quantity) -> bool:
    """Tell whether a cell is its number: with a unit or one or two words, no sentence that has a number."""
    around = text.value[: quantity.start], text.value[quantity.end :]
    words = [word for side in around for word in side.split() if word[:1].isalpha()]
    return len(words) <= _MAX_BESIDE and not any(word.lower() in STOPWORDS for word in words[:-1])


def same(cell: Value, stated: Value) -> bool:
    """Tell whether a cell says what is stated, rounded or in another unit at most."""
    if cell.number is not None and stated.number is not None:
        given = in_unit_of(cell.number, stated.number)
        given = cell.number.value if given is None else given
        near = tolerance(stated.number) if stated.number.coarse > cell.number.step else 0.0
        off = max(near, 0.006 * abs(given) if cell.number.unit != stated.number.unit else 0.0)
        return abs(given - stated.number.value) <= off + 1e-9 or stated.number.other == given
    if cell.moment is not None and stated.moment is not None:
        return agree(cell.moment, stated.moment)
    return bool(cell.words) and cell.words == stated.words


def alike(values: Values, column: int, cell: Value, stated: Value) -> bool:
    """Tell whether what is stated can be a value of a cell: it is of its kind, and of its unit or that of the heading."""
    if cell.kind != stated.kind:
        return False
    if cell.number is None or stated.number is None:
        return True
    unit, units = stated.number.unit, values.units[column]
    if cell.number.unit or not units:
        known = cell.number.unit
        if known and unit:
            return in_unit_of(cell.number, stated.number) is not None
        return not unit or (not known and not _is_elsewhere(values, unit))
    return not unit or unit in units


def _is_elsewhere(values: Values, unit: str) -> bool:
    """Tell whether some column of the grid is in a unit."""
    heads = any(unit in units for units in values.units)
    return heads or any(
        cell.number is not None and cell.number.unit == unit
        for row in values.cells[:2]
        for cell in row
    )


def _units_of(head: str) -> frozenset[str]:
    """Return the units that a heading names: "rain_mm", "Price (€)", "sun hours"."""
    found = set()
    for word in (
        head.replace("_", " ").replace("/", " ").replace("(", " ").replace(")", " ").split()
    ):
        if word in {"$", "€", "£", "%"}:
            found.add(word)
        elif unit := unit_named(word):
            found.add(unit)
    return frozenset(found)


def size_of(cell: Value) -> float | None:
    """Return a number, or a moment as one, so that cells can be put in order."""
    if cell.number is not None:
        return cell.number.value
    if cell.moment is None:
        return None
    moment = cell.moment
    return float(
        moment.month * 31 + moment.day + moment.year * 400 if moment.is_date else moment.minutes
    )


def sizes_of(cells: list[Value]) -> list[float] | None:
    """Return the numbers of a row or a column, where all its cells are of one kind and unit."""
    held = [cell for cell in cells if cell.kind not in {EMPTY, MARK}]
    sorts = {(cell.kind, cell.number.unit if cell.number is not None else "") for cell in held}
    found = [number for cell in held if (number := size_of(cell)) is not None]
    return found if len(sorts) == 1 and len(found) == len(held) >= _MIN_SIZES else None
