"""Compares what a table marks with what a response says: "yes" with "not", who is listed as marked, and whose cells are listed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.grid_given import Grids, is_supposed
from fairwitness.evaluator.criteria.grounding.grid_reading import Reading, Said
from fairwitness.evaluator.criteria.grounding.ground import Claim
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.grid_labels import COLUMN, ROW, Mention
from fairwitness.evaluator.facts.grid_values import MARK, WORDS, Value
from fairwitness.evaluator.facts.grid_words import tokens_of
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_BEFORE = 24
_COUNTS = frozenset({0.0, 0.5, 1.0, 1.5, 2.0, 3.0})
_MIN_LISTED, _MIN_MARKED_ROWS, _MAX_KINDS = 2, 4, 4
_DENIES = Pattern(
    r"(?:\bnot|\bno|\bnon|\bwithout|\bnever|n['’]t|\black(?:s|ing)?|\bfree (?:of|from))[\s-]+(?:an?\s|any\s|the\s|be\s|have\s|include\s|offer\s){0,2}[*_]{0,2}$",
    ignore_case=True,
)
_AFFIRMS = Pattern(
    r"\b(?:is|are|has|have|with|plus|includes?|including|offers?|comes with|gets you|gives you)\s+(?:an?\s|the\s|also\s|for\s|in\s){0,2}[*_]{0,2}$",
    ignore_case=True,
)
_UNSURE = Pattern(
    r"\b(?:only|except|unless|if|but|could|would|might|may|can|optional\w*|extra|add|another|other|need|want\w*|look\w*|ask\w*)\b|\?",
    ignore_case=True,
)
_ALL = Pattern(r"\b(?:every|all|each|list|name|which|who|pull out|show)\b", ignore_case=True)
_CLAUSE = Pattern(r"[,;.?!:(]\s|\s(?:and|plus|as well as)\s|\n", ignore_case=True)
_NARROWED = Pattern(
    r"\b(?:not|no|nor|without|or|either|except\w*|excluding|under|over|above|below|less|more|fewer|least|most|between|before|after|only|first|last|top|one of|any|some|two|three|\pL+est|but|both|how|count|number)\b|n['’]t\b|\d",
    ignore_case=True,
)
_ITEM = Pattern(r"^\s*(?:[-*•+|]|\d{1,2}[.)])")


class _Marked(NamedTuple):
    """What a request asks for all rows of: a column, and the words its cell has."""

    column: int
    words: tuple[str, ...]


def mark_faults(grids: Grids) -> Iterator[Claim]:
    """Yield a claim for each row that is said to be marked otherwise, or that a list of all marked rows has wrongly or lacks."""
    for reading in grids.readings:
        listing: tuple[Said, tuple[str, ...]] | None = None
        pairs: list[tuple[Mention, Mention, tuple[str, ...]]] = []
        for said in reading.sentences:
            yield from _denied(grids, reading, said)
            listing = _heads_list(grids, said) or (listing if _is_item(grids, said) else None)
            if listing is not None:
                pairs += _pairs(grids, said, listing[1])
        yield from _held(grids, reading, pairs)
        yield from _listed(grids, reading)


def _claim(
    grids: Grids, reading: Reading, place: Region, cell: tuple[int, int], message: str
) -> Claim:
    source = reading.grid.rows[cell[0]][cell[1]]
    span = Span(source.start, source.end, reading.grid.source)
    return Claim("mark", place, span, grids.severity(plain=False), message)


def _denied(grids: Grids, reading: Reading, said: Said) -> Iterator[Claim]:
    """Yield a claim for "not toxic" where the cell has "yes", and for "with a lift" where it has "no"."""
    text = grids.ground.response
    if is_supposed(text, said.region):
        return
    for mention in said.mentions:
        axis = COLUMN if mention.axis == ROW else ROW
        others = [one for one in said.mentions if one.axis == axis]
        # "It has a balcony, while B has none": what is named afterwards is another row.
        if len({one.at for one in others}) != 1 or others[0].start > mention.start:
            continue
        row, column = (others[0].at, mention.at) if axis == ROW else (mention.at, others[0].at)
        cell = reading.values.cells[row][column]
        if cell.kind != MARK or mention.axis != reading.attributes:
            continue
        piece = next(one for one in said.pieces if one.contains(mention.start))
        lead = text.value[max(said.region.start, mention.start - _MAX_BEFORE) : mention.start]
        denies, affirms = _DENIES.search(lead.encode()), _AFFIRMS.search(lead.encode())
        if denies == affirms or _UNSURE.search(text.slice(piece).encode()):
            continue
        if denies == (cell.words == ("yes",)):
            stated = "no" if denies else "yes"
            name = text.value[mention.start : mention.end]
            message = f"States {stated} for “{name}”, but the table has “{reading.grid.said(row, column)}”."
            place = (
                Region(piece.start, mention.end) if denies else Region(mention.start, mention.end)
            )
            place = Region(max(place.start, mention.start - len(lead)), place.end)
            yield _claim(grids, reading, place, (row, column), message)


def _is_item(grids: Grids, said: Said) -> bool:
    line = grids.ground.response.value
    start = line.rfind("\n", 0, said.region.start) + 1
    return _ITEM.search(line[start : start + 12].encode())


def _heads_list(grids: Grids, said: Said) -> tuple[Said, tuple[str, ...]] | None:
    """Return the one name of cells that a sentence has whose list follows, in it or below it."""
    text = grids.ground.response
    words = {value.words for value, _ in said.values if value.kind == WORDS}
    places = [place for value, place in said.values if value.kind == WORDS]
    names = [one for one in words if text.value[places[0].start].isupper()]
    if len(words) != 1 or not names or ":" not in text.slice(said.region):
        return None
    if is_supposed(text, said.region) or text.value[said.region.end - 1] == "?":
        return None
    return said, names[0]


def _pairs(
    grids: Grids, said: Said, words: tuple[str, ...]
) -> Iterator[tuple[Mention, Mention, tuple[str, ...]]]:
    """Yield the cells that parts of a list name by one row and one column each, with no name of their own."""
    text = grids.ground.response
    item = _is_item(grids, said)
    for piece in [said.region] if item else said.pieces:
        inside = [one for one in said.mentions if piece.contains(one.start)]
        rows = [one for one in inside if one.axis == ROW]
        columns = [one for one in inside if one.axis == COLUMN]
        values = [place for _, place in said.values if piece.contains(place.start)]
        denied = _DENIES.search(text.slice(piece).encode())
        if len(rows) == len(columns) == 1 and not values and not denied:
            yield rows[0], columns[0], words


def _held(
    grids: Grids, reading: Reading, pairs: list[tuple[Mention, Mention, tuple[str, ...]]]
) -> Iterator[Claim]:
    """Yield a claim for each listed cell of a name that holds another, where others of the list are right."""
    values = reading.values
    wrong = [pair for pair in pairs if _other(values.cells[pair[0].at][pair[1].at], pair[2])]
    if len(pairs) < _MIN_LISTED or not wrong or len(wrong) == len(pairs):
        return
    for row, column, words in wrong[:3]:
        known = [*values.cells[row.at], *values.column(column.at)]
        if not any(cell.words == words for cell in known):
            continue
        place = Region(min(row.start, column.start), max(row.end, column.end))
        has = reading.grid.said(row.at, column.at)
        message = f"Lists “{grids.ground.response.slice(place)}”, but the table has “{has}” there."
        yield _claim(grids, reading, place, (row.at, column.at), message)


def _other(cell: Value, words: tuple[str, ...]) -> bool:
    return cell.kind == WORDS and not set(cell.words) & set(words)


def _listed(grids: Grids, reading: Reading) -> Iterator[Claim]:
    """Yield a claim for the first row that a list of all marked rows has wrongly, or that the response does not name."""
    wanted = _wanted(grids, reading)
    if wanted is None:
        return
    values, text = reading.values, grids.ground.response
    right = {
        at for at, cell in enumerate(values.column(wanted.column)) if _holds(cell, wanted.words)
    }
    listed: list[Mention] = []
    open_list = False
    everywhere: set[int] = set()
    for said in reading.sentences:
        rows = [one for one in said.mentions if one.axis == ROW]
        everywhere |= {one.at for one in rows}
        if _speaks_of(reading, said, wanted):
            open_list = (
                text.value[said.region.end - 1] == ":" or not rows or _is_heading(text, said)
            )
            bare = _without(text.slice(said.region), said.region.start, said.mentions)
            # "... in the morning, Lena in the evening"
            others = any(_is_marked(reading, at) for at in said.named(COLUMN) - {wanted.column})
            listed += [] if listed or others or _NARROWED.search(bare.encode()) else rows
        elif open_list and rows and _is_item(grids, said):
            listed += rows[:1]
        elif listed:
            open_list = False
    stated = {one.at for one in listed}
    if len(stated) < _MIN_LISTED or not stated & right or not right:
        return
    cell = values.grid.rows
    wrong = next((one for one in listed if one.at not in right), None)
    missing = sorted(right - everywhere)
    if wrong is not None:
        has = reading.grid.said(wrong.at, wanted.column)
        name = text.value[wrong.start : wrong.end]
        message = f"Lists “{name}”, for which the table has “{has}”."
        yield _claim(
            grids, reading, Region(wrong.start, wrong.end), (wrong.at, wanted.column), message
        )
    elif missing:
        name = values.grid.text.slice(cell[missing[0]][0])
        message = f"Leaves out “{name}”, for which the table has “{reading.grid.said(missing[0], wanted.column)}”."
        place = Region(listed[0].start, listed[-1].end)
        yield _claim(grids, reading, place, (missing[0], wanted.column), message)


def _without(said: str, start: int, mentions: list[Mention]) -> str:
    """Return what is said without the names of rows and columns."""
    for one in reversed(mentions):
        said = said[: one.start - start] + said[one.end - start :]
    return said


def _is_heading(text: Text, said: Said) -> bool:
    start = text.value.rfind("\n", 0, said.region.start) + 1
    return text.value[start : start + 1] == "#"


def _speaks_of(reading: Reading, said: Said, wanted: _Marked) -> bool:
    """Tell whether a sentence names the column, or states the cell's words."""
    if any(one.axis == COLUMN and one.at == wanted.column for one in said.mentions):
        return True
    return any(value.words == wanted.words for value, _ in said.values if value.kind == WORDS)


def _wanted(grids: Grids, reading: Reading) -> _Marked | None:
    """Return what the request asks for all rows of, in the table's own words and with no other condition."""
    if len(reading.grid.rows) < _MIN_MARKED_ROWS or reading.attributes == ROW:
        return None
    outside, found = grids.outside, set()
    cuts = [0, *(match.end for match in outside.matches(_CLAUSE, limit=80)), len(outside)]
    for low, high in pairwise(cuts):
        said = outside.value[low:high]
        if not _ALL.search(said.encode()):
            continue
        clause = Text(said)
        tokens = tokens_of(clause, Region(0, len(clause)))
        forms = tuple(token.form for token in tokens)
        mentions = reading.labels.mentions(clause, tokens)
        marks = {
            _Marked(one.at, ("yes",))
            for one in mentions
            if one.axis == COLUMN and _is_marked(reading, one.at)
        }
        marks |= {
            _Marked(column, cell.words)
            for column in range(1, len(reading.grid.heads))
            if _is_sorted(reading, column)
            for cell in reading.values.column(column)
            if any(forms[at : at + len(cell.words)] == cell.words for at in range(len(forms)))
        }
        if marks and _NARROWED.search(_without(said, 0, mentions).encode()):
            return None
        found |= marks
    return found.pop() if len(found) == 1 else None


def _is_marked(reading: Reading, column: int) -> bool:
    """Tell whether a column marks its rows: with yes and no, or with how many, some of them 0."""
    cells = reading.values.column(column)
    counts = {cell.number.value if cell.number is not None else -1.0 for cell in cells}
    counted = 0.0 in counts and counts <= _COUNTS and len(counts) > 1
    return counted or all(cell.kind == MARK for cell in cells)


def _holds(cell: Value, words: tuple[str, ...]) -> bool:
    counted = words == ("yes",) and cell.number is not None and cell.number.value > 0
    return counted or cell.words == words


def _is_sorted(reading: Reading, column: int) -> bool:
    """Tell whether a column sorts the rows: few words, each in several of them."""
    cells = reading.values.column(column)
    kinds = {cell.words for cell in cells}
    return all(cell.kind == WORDS for cell in cells) and len(kinds) <= min(
        _MAX_KINDS, len(cells) // 2
    )
