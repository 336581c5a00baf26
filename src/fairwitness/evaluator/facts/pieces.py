"""Cuts a sentence into pieces that are compared one by one: its words, and each number, date, time or name as one."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.facts.moments import Moment
from fairwitness.evaluator.facts.names import names_among
from fairwitness.evaluator.facts.polarity import OPPOSITE_OF
from fairwitness.evaluator.facts.quantities import Figures
from fairwitness.evaluator.facts.words import STOPWORDS, stem, words_in
from fairwitness.evaluator.text import Region, Text

_PART = frozenset("some many several few most half".split())
_ALL = frozenset("all every each".split())
_NONE = frozenset("no none neither".split())
_TELLING = _PART | _ALL | _NONE | {"must", "may"} | OPPOSITE_OF.keys()
_LEFT_OUT = frozenset({"a", "an", "the"})
WORD, NAME, DATE = "word", "name", "date"

_Key = str | tuple[str, ...] | tuple[float, ...]


class Piece(NamedTuple):
    """A piece of a sentence: what it is compared by, and what kind of thing may stand in its place, if any may.

    `telling` is one that carries content.
    """

    start: int
    end: int
    key: _Key
    kind: str
    telling: bool

    def equals(self, other: Piece) -> bool:
        """Tell whether two pieces are of one kind and wholly the same."""
        return self.kind == other.kind and self.key == other.key

    def same(self, other: Piece) -> bool:
        """Tell whether two pieces of one kind are the same; of a name, or a date, a part is enough."""
        if self.kind == NAME:
            return not {*self.key}.isdisjoint(other.key)
        if self.kind == DATE:
            return all(not (a and b) or a == b for a, b in zip(self.key, other.key, strict=True))
        return self.key == other.key


def pieces(text: Text, region: Region, figures: Figures, proper: set[str]) -> list[Piece]:
    """Return the pieces of a sentence without its articles; `figures` are of its region, `proper` what are names."""
    words = words_in(text, region)
    whole = {
        item.start: Piece(item.start, item.end, *_moment(item), True) for item in figures.moments
    }
    for item in figures.quantities:
        if not item.label:
            kind = f"number {item.dimension} {item.unit}"
            whole.setdefault(item.start, Piece(item.start, item.end, (item.key,), kind, True))
    for name in names_among(text, region, words):
        if name.sure or proper.issuperset(name.words):
            key = tuple(map(stem, name.words))
            whole.setdefault(name.start, Piece(name.start, name.end, key, NAME, True))
    found: list[Piece] = []
    end = 0
    for word in words:
        if word.start < end:
            continue
        piece = whole.get(word.start) or whole.get(word.start - 1)  # "$12" begins before its word
        if piece is None:
            low = text.lower[word.start : word.end]
            if low in _LEFT_OUT:
                continue
            content = low not in STOPWORDS
            if low in _TELLING:
                piece = Piece(word.start, word.end, low, WORD, content)
            else:
                piece = Piece(word.start, word.end, stem(low), "", content)
        found.append(piece)
        end = piece.end
    return found


def _moment(moment: Moment) -> tuple[tuple[float, ...], str]:
    if moment.is_date:
        return (moment.day, moment.month, moment.year, moment.weekday), DATE
    return (moment.minutes % 720,), "time"


def turned(stated: str, given: str) -> bool:
    """Tell whether a word says more than the given one, or its opposite: "all" for "some", "before" for "after"."""
    if given in _PART:
        return stated in _ALL or stated in _NONE
    if given in _ALL:
        return stated in _NONE
    if given in _NONE:
        return stated in _ALL or stated in _PART
    return (stated, given) == ("must", "may") or given in OPPOSITE_OF.get(stated, ())
