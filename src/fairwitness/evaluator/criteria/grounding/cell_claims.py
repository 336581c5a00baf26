"""Finds names, rooms and other words of one row of a given table that a response states of another row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.ground import MAX_SENTENCES, Claim, Ground
from fairwitness.evaluator.criteria.grounding.table_claims import (
    Row,
    by_first_word,
    lines_of_table,
    mentioned,
)
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.words import words_in
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MIN_CELLS, _MAX_CELL_CHARS, _MAX_SAME = 3, 30, 20
# The sentence may speak of another row too, or of what is not so.
_OF_MORE = Pattern(
    r"\b(?:not|no|never|neither|nor|than|unlike|instead|rather|except|but|while|whereas|both|also|like|same|other|another|from|after|before|until|must|should|could|can|with|to|out|"
    r"chang\w+|mov\w+|swap\w*|replac\w+|if|or|compared|versus|vs|between)\b|n['’]t\b",
    ignore_case=True,
)
_LETTER = Pattern(r"\pL")
# A name, a room, a code: lower-case words are too often only words.
_NAMES_SOMETHING = Pattern(r"^\p{Lu}|\d")
# "Latin: ...", "| Latin | ...", "Latin is in ...": what is said is said of the row.
_OF_ROW = Pattern(r"^[*_]{0,2}\s?(?:[:|–—]|-\s|is |are |has |takes place |meets )")
_PLAIN = frozenset({"yes", "no", "none", "n/a", "tbc", "tba", "open", "closed", "ok", "all", "any"})


class _Cell(NamedTuple):
    said: str
    row: Row
    column: int


def cell_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each word or name that the table has in the same column of other rows only."""
    rows = lines_of_table(ground)
    whole = {row.key: row for row in rows.values() if len(row.cells) >= _MIN_CELLS}
    if len(whole) < 2 or len(whole) < len(rows) or ground.to_change or ground.invents:
        return
    text, keys = ground.response, by_first_word(whole.values())
    cells = _cells_by_first_word(ground, whole)
    told = ground.told.lower
    for sentence in text.sentences[:MAX_SENTENCES]:
        places = mentioned(keys, text, sentence)
        own = [*{row.key: row for _, row in places}.values()]
        if len(own) != 1 or _OF_MORE.search(text.slice(sentence).encode()):
            continue
        if not _OF_ROW.search(text.value[places[0][0].end : places[0][0].end + 20].encode()):
            continue
        mine = [_said(ground, own[0], cell) for cell in own[0].cells]
        for word in words_in(text, sentence):
            cell = _cell_at(cells, text, word)
            if cell is None or len(cell.row.cells) != len(own[0].cells) or cell.said in told:
                continue
            right = mine[cell.column]
            # The row has it too, or its own value is stated here or elsewhere.
            if any(cell.said in one for one in mine) or right in text.lower:
                continue
            if not _LETTER.search(right.encode()):
                continue
            unit, source = ground.index.units[own[0].unit], own[0].cells[cell.column]
            place = Region(word.start, word.start + len(cell.said))
            yield Claim(
                "cell",
                place,
                Span(source.start, source.end, unit.source),
                ground.against,
                f"States “{text.slice(place)}” where the row has “{unit.text.slice(source)}”.",
            )


def _said(ground: Ground, row: Row, cell: Region) -> str:
    return ground.index.units[row.unit].text.lower[cell.start : cell.end]


def _cells_by_first_word(ground: Ground, rows: dict[str, Row]) -> dict[str, list[_Cell]]:
    """Return the cells that hold words, by the first of these; not those that name rows."""
    found: dict[str, list[_Cell]] = {}
    for row in rows.values():
        for column, cell in enumerate(row.cells[1:], 1):
            said = _said(ground, row, cell)
            first = Text(said).words[:1]
            if not first or first[0].start or len(said) > _MAX_CELL_CHARS or len(said) < 2:
                continue
            written = ground.index.units[row.unit].text.slice(cell)
            if said in rows or said in _PLAIN or not _LETTER.search(said.encode()):
                continue
            if not _NAMES_SOMETHING.search(written.encode()):
                continue
            same = found.setdefault(said[first[0].start : first[0].end], [])
            if len(same) < _MAX_SAME:
                same.append(_Cell(said, row, column))
    return found


def _cell_at(cells: dict[str, list[_Cell]], text: Text, word: Region) -> _Cell | None:
    """Return the longest cell that stands at a word; None where it may be of two columns."""
    fitting = [
        cell
        for cell in cells.get(text.lower[word.start : word.end], ())
        if text.lower.startswith(cell.said, word.start)
        and not text.value[word.start + len(cell.said) : word.start + len(cell.said) + 1].isalnum()
    ]
    if len({cell.column for cell in fitting}) != 1:
        return None
    return max(fitting, key=lambda cell: len(cell.said))
