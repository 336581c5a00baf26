"""Finds a row called an extreme with a value that is neither the highest nor the lowest of its column, nor of its row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.grid_given import Grids
from fairwitness.evaluator.criteria.grounding.grid_parts import Bound
from fairwitness.evaluator.criteria.grounding.grid_reading import Reading, Said, Stated
from fairwitness.evaluator.criteria.grounding.grid_superlatives import (
    NARROWED,
    SUPERLATIVE,
    columns_meant,
    end_of_counts,
    ends_meant,
    is_superlative,
    means_one_end,
    superlative_request,
)
from fairwitness.evaluator.criteria.grounding.ground import Claim
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.grid_labels import COLUMN, ROW
from fairwitness.evaluator.facts.grid_values import WORDS, alike, same, size_of, sizes_of
from fairwitness.evaluator.facts.grid_words import tokens_of
from fairwitness.evaluator.facts.quantities import YEAR, figures
from fairwitness.evaluator.facts.words import content_stems
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text


class _Called(NamedTuple):
    """The words that call something an extreme, and along what the request compares: a row, a column, or it does not say."""

    said: bytes
    over: str


def extreme_faults(grids: Grids) -> Iterator[Claim]:
    """Yield a claim for each value that is stated as an extreme of a column that has higher and lower ones."""
    request = superlative_request(grids.outside)
    if request is None:
        return
    text = grids.ground.response
    for reading in grids.readings:
        if not _asks_of_all(reading, request):
            continue
        for said in reading.sentences:
            found: list[Claim] = []
            for stated in said.stated:
                zone = _zone(said, stated)
                if stated.row is None or not _calls_extreme(text, said, stated, zone):
                    continue
                column = _column(reading, stated)
                if column is None or not _is_asked(reading, request, said, stated, column):
                    continue
                called = _Called(
                    text.slice(zone).encode(), _compared(reading, request, stated, column)
                )
                claim = _fault(grids, reading, stated, column, called)
                if claim is not None:
                    found.append(claim)
            yield from found or _by_name(grids, reading, request, said)


def _asks_of_all(reading: Reading, request: Text) -> bool:
    """Tell whether the request is of all rows: it names no two of them, no word of a cell, and no number of its own."""
    tokens = tokens_of(request, Region(0, len(request)))
    mentions = reading.labels.mentions(request, tokens)
    if len({one.at for one in mentions if one.axis == ROW}) > 1:
        return False
    words = {cell.words for row in reading.values.cells for cell in row[1:] if cell.kind == WORDS}
    forms = [token.form for token in tokens]
    if any(len(one) == 1 and one[0] in forms for one in words):
        return False
    found = figures(request)
    digits = [Region(one.start, one.end) for one in found.quantities if not one.spelled]
    digits += [Region(one.start, one.end) for one in found.moments]
    return all(any(one.start < end and low < one.end for one in mentions) for low, end in digits)


def _by_name(grids: Grids, reading: Reading, request: Text, said: Said) -> Iterator[Claim]:
    """Yield a claim where the one row that a part of a sentence names is not that end of the column it names."""
    text, rows = grids.ground.response, said.named(ROW)
    if len(rows) != 1 or NARROWED.search(text.slice(said.region).encode()):
        return
    calling = [piece for piece in said.pieces if is_superlative(text.slice(piece))]
    # A short answer leaves out what the question says.
    short = not calling and len(text.sentences) == 1
    if len(calling) != 1 and not short:
        return
    called = request if short else Text(text.slice(calling[0]))
    named = reading.labels.mentions(called, tokens_of(called, Region(0, len(called))))
    columns = {one.at for one in named if one.axis == COLUMN}
    words = end_of_counts(called, {one.start for one in named if one.axis == COLUMN})
    columns = columns or columns_meant(reading.grid.heads, called)
    if len(columns) == 1 and means_one_end(words.encode()):
        row, column = rows.pop(), columns.pop()
        first = next(one for one in said.mentions if one.axis == ROW)
        cell, place = reading.values.cells[row][column], Region(first.start, first.end)
        stated = Stated(cell, place, said.region, Bound(row, own=True), None)
        claim = _fault(grids, reading, stated, column, _Called(words.encode(), COLUMN))
        if claim is not None:
            yield claim


def _zone(said: Said, stated: Stated) -> Region:
    """Return a value's part of the sentence with the parts around it that state no value."""
    at = said.pieces.index(stated.piece)
    full = {
        piece
        for piece in said.pieces
        for value, place in said.values
        # "the most of the four"
        if piece.contains(place.start) and not (value.number is not None and value.number.spelled)
    }
    named = {
        piece
        for piece in said.pieces
        for one in said.mentions
        if one.axis == ROW and piece.contains(one.start)
    }
    first = last = at
    while (
        first
        and said.pieces[first - 1] not in full
        and (stated.piece not in named or said.pieces[first - 1] not in named)
    ):
        first -= 1
    while last + 1 < len(said.pieces) and said.pieces[last + 1] not in full | named:
        last += 1
    return Region(said.pieces[first].start, said.pieces[last].end)


def _calls_extreme(text: Text, said: Said, stated: Stated, zone: Region) -> bool:
    """Tell whether one row is called an extreme, and this is the first value said of it."""
    rows = {one.at for one in said.mentions if one.axis == ROW and zone.contains(one.start)}
    first = min((place.start for _, place in said.values if zone.contains(place.start)), default=-1)
    words = text.slice(zone)
    return (
        stated.row is not None
        and rows == {stated.row.at}
        and first == stated.place.start
        and is_superlative(words)
        and not NARROWED.search(words.encode())
        and not (stated.value.number is not None and stated.value.number.spelled)
    )


def _column(reading: Reading, stated: Stated) -> int | None:
    """Return the only column in which the row has the value; the named one where there is one."""
    if stated.row is None:
        return None
    cells = reading.values.cells[stated.row.at]
    found = [
        column
        for column in range(1, len(cells))
        if same(cells[column], stated.value)
        and alike(reading.values, column, cells[column], stated.value)
    ]
    if stated.column is not None:
        found = [column for column in found if column == stated.column.at]
    return found[0] if len(found) == 1 else None


def _is_asked(reading: Reading, request: Text, said: Said, stated: Stated, column: int) -> bool:
    """Tell whether the value is of the column that is meant: it is named, the row is no extreme elsewhere, or a word is the question's."""
    asked = reading.labels.mentions(request, tokens_of(request, Region(0, len(request))))
    named = {one.at for one in asked if one.axis == COLUMN}
    if stated.column is not None or column in named:
        return True
    if named and reading.is_series(COLUMN):
        return False
    row = stated.row.at if stated.row is not None else 0
    others = [at for at in range(1, len(reading.grid.heads)) if at != column]
    if not any(_is_end(reading, row, at) for at in others):
        return True
    heads = {*content_stems(Text(reading.grid.heads[0]), Region(0, len(reading.grid.heads[0])))}
    shared = {*content_stems(reading.ground.response, said.region)} & {
        *content_stems(request, Region(0, len(request)))
    }
    return any(not SUPERLATIVE.search(one.encode()) for one in shared - heads)


def _is_end(reading: Reading, row: int, column: int) -> bool:
    line, own = sizes_of(reading.values.column(column)), size_of(reading.values.cells[row][column])
    return line is not None and own in (min(line), max(line)) and min(line) < max(line)


def _fault(
    grids: Grids, reading: Reading, stated: Stated, column: int, called: _Called
) -> Claim | None:
    row = stated.row.at if stated.row is not None else 0
    values = reading.values
    down, own = sizes_of(values.column(column)), size_of(values.cells[row][column])
    if down is None or own is None:
        return None
    # Along a row only what is of one kind can be compared: years, runs, prices of one thing.
    alike_row = called.over == ROW or reading.is_series(COLUMN) or stated.column is not None
    across = sizes_of(values.cells[row][1:]) if alike_row and called.over != COLUMN else None
    if called.over == ROW:
        down = across
    if down is None:
        return None
    # Who is a member longest joined in the lowest year: of years and times, a superlative may mean either end.
    cell = values.cells[row][column]
    dated = cell.moment is not None or (cell.number is not None and cell.number.dimension == YEAR)
    plain = b"" if dated else called.said
    ends = [end for line in (down, across) if line is not None for end in ends_meant(line, plain)]
    if own in ends:
        return None
    # "Total" rows and a row of all are higher than every other.
    if any(_TOTAL.search(reading.grid.said(at, 0).encode()) for at in range(len(values.cells))):
        return None
    # The right one, where the words say which end is meant.
    sure = means_one_end(plain)
    cells = [size_of(one) for one in values.column(column)]
    at = cells.index(ends[0]) if sure and ends[0] in cells else row
    place = reading.grid.rows[at][column]
    said = " ".join(grids.ground.response.slice(stated.place).split())
    message = f"Gives “{said}” as the highest or lowest, but the values range from {_said(reading, min(down))} to {_said(reading, max(down))}."
    if at != row:
        right, value = (reading.grid.said(at, each) for each in (0, column))
        message = f"Gives “{said}”, but by the values of the table it is “{right}” ({value})."
    return Claim(
        "extreme",
        stated.place,
        Span(place.start, place.end, reading.grid.source),
        grids.severity(plain=sure),
        message,
    )


def _said(reading: Reading, end: float) -> str:
    """Return an end as the table has it."""
    found = (
        " ".join(reading.grid.said(row, at).split())
        for row, cells in enumerate(reading.values.cells)
        for at, one in enumerate(cells)
        if at and size_of(one) == end
    )
    return next(found, f"{end:,.10g}")


def _compared(reading: Reading, request: Text, stated: Stated, column: int) -> str:
    """Return along what the request compares: a row it names alone, or a column; nothing where it does not say."""
    found = reading.labels.mentions(request, tokens_of(request, Region(0, len(request))))
    rows = {one.at for one in found if one.axis == ROW}
    columns = {one.at for one in found if one.axis == COLUMN}
    if stated.row is not None and rows == {stated.row.at} and not columns:
        return ROW
    return COLUMN if columns == {column} and not rows else ""


_TOTAL = Pattern(r"^(?:total|sum|average|mean|all|overall)\b", ignore_case=True)
