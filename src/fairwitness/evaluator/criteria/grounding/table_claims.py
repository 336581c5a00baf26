"""Finds values of one row of a given table that a response states of another row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.bounds import is_bound
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.derivation import follows, same_kind
from fairwitness.evaluator.facts.index import Unit
from fairwitness.evaluator.facts.polarity import whole
from fairwitness.evaluator.facts.quantities import YEAR, Quantity
from fairwitness.evaluator.facts.units import PERCENT
from fairwitness.evaluator.facts.words import words_in
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MARKS = ("|", "\t", ";", "  ", ",")
_MIN_CELLS = 3
_MAX_ROWS = 2000
_MAX_ROWS_COMPARED = 20
_MAX_KEY_CHARS = 40
_MAX_SAME_KEYS = 20
_MAX_NOTES = 8
_MAX_BETWEEN = 4
_MAX_BARE_CHARS = 40
_CELLS = ("key", "name", "value", "number")
# "Chain 9-speed: 2", "Study desks - 58", "Hartmann 41"
_FIELD = Pattern(
    r"^[\s*•-]{0,4}(?P<key>[A-Z][^:|\n]{1,38}?)[*_]{0,2}(?:\s?[:=]|\s[-–—])\s{1,2}(?P<value>[$€£]?\d[^:|\n]{0,14})\s*$"
    r"|^[\s*•-]{0,4}(?P<name>[A-Z][\pL’' -]{1,30}) (?P<number>[$€£]?\d[\d.,]{0,9})\s*$"
)
_COMPARES = Pattern(
    r"\b(?:compared (?:with|to)|against|versus|vs|below|above|than|ahead of|behind)\b",
    ignore_case=True,
)


# Then the answer is worked out from the row.
_MORE_ASKED = Pattern(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|half|double|twice|change|back|more|less|fewer|left|each|total|altogether|together|both|percent\w*|share|average|difference|missing)\b",
    ignore_case=True,
)


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
    heads = _years_above(ground, rows)
    fields: list[Claim] = []
    right = 0
    asked = _asked_row(ground, keys)
    # Of two tables with a row of one name, either may be meant.
    named_so: dict[str, set[float]] = {}
    for number, each in rows.items():
        values = {item.key for item in ground.index.figures_in(number).quantities}
        named_so.setdefault(each.key, set()).update(values)
    notes = [item for n, item in ground.index.quantities if n not in rows]
    notes = [*notes[:_MAX_NOTES], *ground.asked_quantities[:_MAX_NOTES]]
    for sentence, quantities in ground.by_sentence:
        said = whole(text, sentence)
        if said.negations or said.supposing:
            continue
        mentions = mentioned(keys, text, sentence)
        ends = [place.end for place, _ in mentions]
        alone = len({row.key for _, row in mentions}) == 1
        # "It has 9 beds, compared with 32 at Rifugio Torre"
        compares = _COMPARES.search(text.slice(sentence).encode())
        for quantity in quantities:
            beside = _right_before(text, mentions, ends, quantity)
            row = mentions[0][1] if alone and len(mentions[0][1].cells) > 2 else beside or asked
            if row is None or quantity.label or quantity.key in heads:
                continue
            # "8.4 m / 120,000 km² = 70"
            if text.value[: quantity.start].rstrip().endswith(("=", "≈")):
                continue
            if beside is None and (is_bound(text, quantity) or compares):
                continue
            own = ground.index.figures_in(row.unit).quantities
            if quantity.key in named_so[row.key]:
                right += 1
                continue
            cell = _cell(ground, rows, row, quantity)
            # What stands in brackets right behind a name is its value, and worked out from nothing.
            if cell is None or (beside is None and _worked_out(quantity, own, notes)):
                continue
            unit = ground.index.units[row.unit]
            value = " ".join(unit.text.slice(cell).split())
            stated = text.value[quantity.start : quantity.end]
            plain = beside is not None or len(quantities) == 1
            claim = Claim(
                "table",
                Region(quantity.start, quantity.end),
                Span(cell.start, cell.end, unit.source),
                ground.plainly_against if plain else ground.against,
                f"States “{stated}” where the row has “{value}”.",
            )
            if len(row.cells) > 2 or row is asked:
                yield claim
            else:
                fields.append(claim)
    # A list of which more is changed was to be changed: doubled, moved, brought up to date.
    if len(fields) == 1 and right and not ground.given.works_out:
        yield from fields


def _worked_out(quantity: Quantity, own: list[Quantity], notes: list[Quantity]) -> bool:
    """Tell whether a value follows from those of its row, or from one of its kind there and one said beside the table."""
    alike = [item for item in own if item.unit == quantity.unit]
    return follows(quantity, own) or any(
        follows(quantity, [item, note], known=False) for item in alike for note in notes
    )


def _asked_row(ground: Ground, keys: dict[str, list[Row]]) -> Row | None:
    """Return the one row that the prompt asks of, where the response is a bare number: "How many nuts are there?"."""
    if len(ground.response) > _MAX_BARE_CHARS or len(ground.figures.quantities) != 1:
        return None
    if any(named(keys, ground.response, sentence) for sentence in ground.response.sentences):
        return None
    asked = [each for each in ground.told.sentences if ground.told.value[each.end - 1] == "?"]
    if any(_MORE_ASKED.search(ground.told.slice(each).encode()) for each in asked):
        return None
    rows = {row.key: row for each in asked for row in named(keys, ground.told, each)}
    return next(iter(rows.values())) if len(rows) == 1 else None


def _years_above(ground: Ground, rows: dict[int, Row]) -> set[float]:
    """Return the years that head the columns of a table: they are no row's values."""
    head = ground.index.figures_in(min(rows)).quantities
    return {item.key for item in head} if all(item.dimension == YEAR for item in head) else set()


def rows_of(ground: Ground) -> tuple[dict[int, tuple[Region, ...]], dict[int, Row]]:
    """Return the cells of each line of a table by its unit, and the rows that have a name first and a number.

    Where there is no table, lines such as "Bell: 0" are rows of two cells.
    """
    table = _with_numbers(ground, _rows_by(ground, _cells, _MIN_CELLS))
    return table if table[1] else _with_numbers(ground, _rows_by(ground, _field, 2))


def lines_of_table(ground: Ground) -> dict[int, Row]:
    """Return the rows of a table below its heading, whatever they hold."""
    rows = _rows_by(ground, _cells, _MIN_CELLS)[1]
    heading = min(rows, default=None)
    return {number: row for number, row in rows.items() if number != heading}


def _with_numbers(
    ground: Ground, table: tuple[dict[int, tuple[Region, ...]], dict[int, Row]]
) -> tuple[dict[int, tuple[Region, ...]], dict[int, Row]]:
    lines, rows = table
    return lines, {n: row for n, row in rows.items() if ground.index.figures_in(n).quantities}


def _rows_by(
    ground: Ground, cells_of: Callable[[Unit], tuple[Region, ...]], least: int
) -> tuple[dict[int, tuple[Region, ...]], dict[int, Row]]:
    found, lines = {}, {}
    for number, unit in enumerate(ground.index.units[:_MAX_ROWS]):
        cells = cells_of(unit)
        ruled = unit.text.value[unit.region.start : unit.region.start + 1] == "|"
        if len(cells) >= (2 if ruled else least):
            lines[number] = cells
            key = unit.text.lower[cells[0].start : cells[0].end]
            if key and not key[0].isdecimal() and len(key) <= _MAX_KEY_CHARS:
                found[number] = Row(number, key, cells)
    return lines, found


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
        at += len(piece) + len(mark)
    return tuple(cells)


def _field(unit: Unit) -> tuple[Region, ...]:
    """Return the name and the value of a line that has just these two."""
    match = Text(unit.text.slice(unit.region)).search(_FIELD)
    if match is None:
        return ()
    spans = [match.span(name) for name in _CELLS if match[name]]
    return tuple(Region(unit.region.start + a, unit.region.start + b) for a, b in spans)


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
    return list({row.key: row for _, row in mentioned(keys, text, sentence)}.values())


def mentioned(keys: dict[str, list[Row]], text: Text, sentence: Region) -> list[tuple[Region, Row]]:
    """Return where a sentence names the first cell of a row, and which row it is: the longest that fits there."""
    found: list[tuple[Region, Row]] = []
    for word in words_in(text, sentence):
        said = text.lower[word.start : word.end].removesuffix("'s").removesuffix("’s")
        fitting = [
            row
            for row in keys.get(said, ())
            if text.lower.startswith(row.key, word.start)
            and not text.value[word.start + len(row.key) : word.start + len(row.key) + 1].isalnum()
        ]
        if fitting:
            row = max(fitting, key=lambda one: len(one.key))
            found.append((Region(word.start, word.start + len(row.key)), row))
    return found


def _right_before(
    text: Text, mentions: list[tuple[Region, Row]], ends: list[int], quantity: Quantity
) -> Row | None:
    """Return the row whose name stands right before a quantity, with a bracket or a colon between: "Silva (49)"."""
    at = bisect_right(ends, quantity.start) - 1
    if at < 0 or quantity.start - ends[at] > _MAX_BETWEEN:
        return None
    between = text.value[ends[at] : quantity.start].strip()
    return mentions[at][1] if between in {"(", ":"} else None


def _cell(ground: Ground, rows: dict[int, Row], own: Row, quantity: Quantity) -> Region | None:
    """Return the cell of a row in whose column another row has this value, or, in a small table, its only cell of this unit."""
    mine = ground.index.figures_in(own.unit).quantities
    measured = quantity.unit and any(item.unit == quantity.unit for item in mine)
    share = quantity.dimension == PERCENT
    for number, found in ground.index.by_value.get(quantity.key, ())[:_MAX_ROWS_COMPARED]:
        row = rows.get(number)
        if row is None or len(row.cells) != len(own.cells) or not same_kind(found, quantity):
            continue
        # "£40" is in no column without "£" where the row has one with it, a share in none of numbers, and "one" is no "1 g".
        exact = measured or share or quantity.spelled or found.dimension == PERCENT
        if exact and found.unit != quantity.unit:
            continue
        for column, cell in enumerate(row.cells[1:], 1):
            if cell.start <= found.start < cell.end:
                return own.cells[column]
    alike = [item for item in mine if item.unit == quantity.unit != ""]
    if len(alike) != 1 or ground.many_figures or ground.occurrences(quantity):
        return None
    said = {item.key for item in ground.figures.quantities}
    cell_of = (cell for cell in own.cells if cell.start <= alike[0].start < cell.end)
    return None if alike[0].key in said else next(cell_of, None)
