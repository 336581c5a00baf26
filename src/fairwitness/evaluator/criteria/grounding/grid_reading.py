"""Reads what a response states of a given grid: each value, and the row and the column that its part of the sentence names."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.grid_parts import (
    UNCLEAR,
    Bound,
    Placed,
    bind,
    pieces_of,
)
from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.facts.grid_labels import COLUMN, ROW, Labels, Mention, label_tokens
from fairwitness.evaluator.facts.grid_values import (
    DATE,
    EMPTY,
    MARK,
    NUMBER,
    TIME,
    WORDS,
    Value,
    Values,
)
from fairwitness.evaluator.facts.grid_words import Token, tokens_of
from fairwitness.evaluator.facts.grids import Grid
from fairwitness.evaluator.facts.index import within
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_SENTENCES, _MAX_SENTENCE_CHARS = 150, 800
_MAX_SAME_FIRST, _MAX_NAMED = 20, 24
_PRONOUN = Pattern(
    r"\b(?:it|its|it's|they|their|she|her|he|his|that|this|there|them)\b", ignore_case=True
)


_ANY = {(EMPTY, ""), (MARK, ""), (WORDS, "")}
_HEAD_CHARS = 40
_YEAR = Pattern(r"^(?:1[89]|20)\d\d$")


class Stated(NamedTuple):
    """A value that a response states, where, and what of the grid it is said of."""

    value: Value
    place: Region
    piece: Region
    row: Bound | None
    column: Bound | None


class Said(NamedTuple):
    """A sentence of the response: what it names of the grid, and the values it states."""

    region: Region
    mentions: list[Mention]
    stated: list[Stated]
    pieces: list[Region]
    #: Every value of it, also those that may be said of two rows.
    values: list[Placed]

    def named(self, axis: str) -> set[int]:
        """Return the rows or columns it names."""
        return {one.at for one in self.mentions if one.axis == axis}


class Reading:
    """A grid beside the response."""

    def __init__(self, ground: Ground, grid: Grid) -> None:
        """Read the grid's cells and names; the response is read on demand."""
        #: The names of the other grids: a sentence that has one may not be of this.
        self.others: list[Labels] = []
        #: The one row the request is of, where it names one.
        self.asked: int | None = None
        self.ground = ground
        self.grid = grid
        self.values = Values(grid)
        self.labels = Labels(self.values)
        self._words = _words_of(self.values)

    @cached_property
    def attributes(self) -> str:
        """Whether the columns or the rows are what is told of the others: prices, weights, times."""
        width, cells = len(self.grid.heads), self.values.cells
        mixed = all(len({*map(_sort, self.values.column(at))} - _ANY) > 1 for at in range(1, width))
        even = all(len({*map(_sort, row[1:])} - _ANY) <= 1 for row in cells)
        return ROW if mixed and even and width > 2 else COLUMN

    def is_series(self, axis: str) -> bool:
        """Tell whether columns, or rows, are of one kind: days, months, years, "Run 1" and "Run 2"."""
        names = (
            self.grid.heads[1:]
            if axis == COLUMN
            else [self.grid.said(at, 0) for at in range(len(self.grid.rows))]
        )
        forms = [label_tokens(name) for name in names]
        first = {form[0].partition(" ")[0] if " " in form[0] else form[0] for form in forms if form}
        dated = all(" " in form[0] or _YEAR.search(form[0].encode()) for form in forms if form)
        return (
            bool(forms)
            and all(forms)
            and (dated or (len(first) == 1 and all(len(form) > 1 for form in forms)))
        )

    @cached_property
    def is_of_asked(self) -> bool:
        """Whether the request is of one row, and the response names no other."""
        text = self.ground.response
        named = {
            one.at
            for region in text.sentences[:_MAX_SENTENCES]
            for one in self.labels.mentions(text, tokens_of(text, region))
            if one.axis == ROW
        }
        return self.asked is not None and named <= {self.asked}

    @cached_property
    def sentences(self) -> list[Said]:
        """The sentences of the response that name or state something of the grid, in order."""
        return list(self._read())

    def _read(self) -> Iterator[Said]:
        text = self.ground.response
        before: dict[str, int | None] = {ROW: None, COLUMN: None}
        for region in text.sentences[:_MAX_SENTENCES]:
            if region.end - region.start > _MAX_SENTENCE_CHARS:
                before = {ROW: None, COLUMN: None}
                continue
            tokens = tokens_of(text, region)
            if any(
                one.axis == ROW for other in self.others for one in other.mentions(text, tokens)
            ):
                before = {ROW: None, COLUMN: None}
                continue
            said = self._sentence(text, region, tokens, before)
            for axis in (ROW, COLUMN):
                named = said.named(axis)
                before[axis] = next(iter(named)) if len(named) == 1 else None
            if said.mentions or said.stated:
                yield said

    def _sentence(
        self, text: Text, region: Region, tokens: list[Token], before: dict[str, int | None]
    ) -> Said:
        mentions = self.labels.mentions(text, tokens)
        values = self._stated(region, tokens, mentions)
        # A sentence of more than these is a list, or hostile.
        if max(len(mentions), len(values)) > _MAX_NAMED:
            return Said(region, [], [], [], [])
        pieces = pieces_of(text, region, mentions, values)
        starts = [piece.start for piece in pieces]
        found = []
        for value, place in values:
            at = bisect_right(starts, place.start) - 1
            # "It reaches the station at ..." is of what was named just before.
            head = text.value[pieces[at].start : place.start][:_HEAD_CHARS] if at == 0 else ""
            inherits = _PRONOUN.search(head.encode())
            bound = {}
            for axis in (ROW, COLUMN):
                named = self._fitting([one for one in mentions if one.axis == axis], value)
                bound[axis] = bind(named, values, pieces, at, place)
                # A column that is named later is that of a later value.
                if bound[axis] == UNCLEAR and axis == self.attributes:
                    later = all(one.start > pieces[at].end for one in named)
                    bound[axis] = None if later else UNCLEAR
                if not named and inherits and before[axis] is not None:
                    bound[axis] = Bound(before[axis] or 0, False)
                elif axis == ROW and bound[axis] is None and self.is_of_asked:
                    bound[axis] = Bound(self.asked or 0, False)
            if UNCLEAR not in bound.values():
                found.append(Stated(value, place, pieces[at], bound[ROW], bound[COLUMN]))
        return Said(region, mentions, found, pieces, values)

    def _fitting(self, named: list[Mention], value: Value) -> list[Mention]:
        """Return the names that a value can be of, where there are several: a time is of no column of rooms."""
        if len({one.at for one in named}) < 2 or named[0].axis != self.attributes:
            return named
        lines = {
            one.at: self.values.column(one.at)
            if one.axis == COLUMN
            else self.values.cells[one.at][1:]
            for one in named
        }
        return [one for one in named if any(cell.kind == value.kind for cell in lines[one.at])]

    def _stated(self, region: Region, tokens: list[Token], mentions: list[Mention]) -> list[Placed]:
        """Return the numbers, moments and words of cells that a sentence states, where they name no row or column."""
        figures = self.ground.figures
        found = [
            (Value(NUMBER, number=one), Region(one.start, one.end))
            for one in within(figures.quantities, region)
            if not one.label
        ]
        found += [
            (Value(DATE if one.is_date else TIME, moment=one), Region(one.start, one.end))
            for one in within(figures.moments, region)
        ]
        found += self._cell_words(tokens)
        # "35 minutes" is a value of the column "Minutes", and names it.
        units = {one.end for one in within(figures.quantities, region) if one.unit}
        held = [(one.start, one.end) for one in mentions if one.axis == ROW or one.end not in units]
        kept = []
        # "38:14" is one value, and no 38.
        for value, place in sorted(found, key=lambda item: item[1].start - item[1].end):
            if not any(start < place.end and place.start < end for start, end in held):
                held.append((place.start, place.end))
                kept.append((value, place))
        return sorted(kept, key=lambda item: item[1])

    def _cell_words(self, tokens: list[Token]) -> Iterator[Placed]:
        """Yield where a sentence has the words of a cell, the longest that fit."""
        at = 0
        while at < len(tokens):
            fitting = [
                words
                for words in self._words.get(tokens[at].form, ())
                if tuple(token.form for token in tokens[at : at + len(words)]) == words
            ]
            best = max(fitting, key=len, default=None)
            if best is None:
                at += 1
                continue
            last = tokens[at + len(best) - 1]
            yield Value(WORDS, words=best), Region(tokens[at].start, last.end)
            at += len(best)


def _sort(cell: Value) -> tuple[str, str]:
    """Return the kind of a value; of a number what it measures."""
    number = cell.number
    return cell.kind, (number.dimension or number.unit) if number is not None else ""


def _words_of(values: Values) -> dict[str, list[tuple[str, ...]]]:
    """Return the words of cells by the first of them."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for row in values.cells:
        for cell in row[1:]:
            if cell.kind == WORDS:
                same = found.setdefault(cell.words[0], [])
                if cell.words not in same and len(same) < _MAX_SAME_FIRST:
                    same.append(cell.words)
    return found
