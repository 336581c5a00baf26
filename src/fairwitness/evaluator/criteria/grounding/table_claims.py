"""Finds values of one row of a given table that a response states of another row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.derivation import follows, same_kind
from fairwitness.evaluator.facts.index import Unit
from fairwitness.evaluator.facts.quantities import Quantity
from fairwitness.evaluator.facts.words import words_in
from fairwitness.evaluator.text import Region, Text

_MARKS = ("|", "\t", ",")
_MIN_CELLS = 3
_MAX_ROWS = 2000
_MAX_ROWS_COMPARED = 20
_MAX_KEY_CHARS = 40
_MAX_SAME_KEYS = 20


class Row(NamedTuple):
    """A row of a table: its unit, its first cell in lower case, and its cells."""

    unit: int
    key: str
    cells: tuple[Region, ...]


def table_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each quantity that the table has in the same column of another row only."""
    _, rows = rows_of(ground)
    if len(rows) < 2:
        return
    text, keys = ground.response, by_first_word(rows.values())
    for sentence, quantities in ground.by_sentence:
        rows_named = named(keys, text, sentence)
        if len(rows_named) != 1:
            continue
        row = rows_named[0]
        own = ground.index.figures_in(row.unit).quantities
        for quantity in quantities:
            if quantity.label or any(item.key == quantity.key for item in own):
                continue
            cell = _cell(ground, rows, row, quantity)
            if cell is None or follows(quantity, own):
                continue
            unit = ground.index.units[row.unit]
            said = " ".join(unit.text.slice(cell).split())
            stated = text.value[quantity.start : quantity.end]
            yield Claim(
                "table",
                Region(quantity.start, quantity.end),
                Span(cell.start, cell.end, unit.source),
                ground.against,
                f"States “{stated}” where the row has “{said}”.",
            )


def rows_of(ground: Ground) -> tuple[dict[int, tuple[Region, ...]], dict[int, Row]]:
    """Return the cells of each line of a table by its unit, and the rows that have a name first and a number."""
    found, lines = {}, {}
    for number, unit in enumerate(ground.index.units[:_MAX_ROWS]):
        cells = _cells(unit)
        if len(cells) >= _MIN_CELLS:
            lines[number] = cells
            key = unit.text.lower[cells[0].start : cells[0].end]
            if key and not key[0].isdecimal() and len(key) <= _MAX_KEY_CHARS:
                found[number] = Row(number, key, cells)
    return lines, {n: row for n, row in found.items() if ground.index.figures_in(n).quantities}


def _cells(unit: Unit) -> tuple[Region, ...]:
    line = unit.text.slice(unit.region)
    mark = next((m for m in _MARKS if line.count(m) >= 2), None)
    if mark is None or (mark == "," and (len(line) > 120 or line.rstrip().endswith("."))):
        return ()
    if mark == "," and sum(map(len, line.split(","))) > 25 * (line.count(",") + 1):
        return ()
    cells, at = [], unit.region.start
    for piece in line.split(mark):
        bare = piece.strip(" *_`")
        if bare and bare.strip("-: "):
            start = at + piece.index(bare[0])
            cells.append(Region(start, start + len(piece.strip(" *_`"))))
        at += len(piece) + 1
    return tuple(cells)


def by_first_word(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return rows by the first word of their first cell."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        first = Text(row.key).words[:1]
        same = found.setdefault(row.key[first[0].start : first[0].end], []) if first else []
        if len(same) < _MAX_SAME_KEYS:
            same.append(row)
    return found


def named(keys: dict[str, list[Row]], text: Text, sentence: Region) -> list[Row]:
    """Return the rows whose first cell a sentence names."""
    found: dict[str, Row] = {}
    for word in words_in(text, sentence):
        for row in keys.get(text.lower[word.start : word.end], ()):
            end = word.start + len(row.key)
            if text.lower[word.start : end] == row.key and not text.value[end : end + 1].isalnum():
                found[row.key] = row
    return list(found.values())


def _cell(ground: Ground, rows: dict[int, Row], own: Row, quantity: Quantity) -> Region | None:
    """Return the cell of a row in whose column another row has this value, or its only cell of this unit."""
    occurrences = ground.index.by_value.get(quantity.key, ())
    for number, found in occurrences[:_MAX_ROWS_COMPARED]:
        row = rows.get(number)
        if row is None or len(row.cells) != len(own.cells) or not same_kind(found, quantity):
            continue
        for column, cell in enumerate(row.cells):
            if cell.start <= found.start < cell.end:
                return own.cells[column]
    figures = ground.index.figures_in(own.unit).quantities
    alike = [item for item in figures if item.unit == quantity.unit]
    if occurrences or not quantity.unit or len(alike) != 1 or ground.occurrences(quantity):
        return None
    said = {item.key for item in ground.figures.quantities}
    cell_of = (cell for cell in own.cells if cell.start <= alike[0].start < cell.end)
    return None if alike[0].key in said else next(cell_of, None)
