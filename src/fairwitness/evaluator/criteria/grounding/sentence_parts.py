"""Cuts a sentence into the parts that are joined in it, each with the names, numbers and times it states."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.facts.index import within
from fairwitness.evaluator.facts.moments import WEEKDAYS
from fairwitness.evaluator.facts.names import names_among
from fairwitness.evaluator.facts.quantities import Figures
from fairwitness.evaluator.facts.words import STOPWORDS, first_word, stem, words_in
from fairwitness.evaluator.text import Region, Text

_JOINS = frozenset({"and", "but", "while", "whereas"})
# A part that opens with one of these leaves out what the first part opens with.
_ELLIPTIC = frozenset("at for in to on by from of until with".split())


class Item(NamedTuple):
    """A name, a quantity or a moment: what it is, where, and the word before it."""

    kind: str
    key: str
    place: Region
    before: str
    value: float | None
    measure: str = ""


class Part(NamedTuple):
    """A stretch of a sentence with its items and the stems of its other words, by place."""

    items: list[Item]
    words: list[tuple[int, str]]
    elliptic: bool
    unit: int
    opening: bool = False

    def stems(self, after: int = -1) -> set[str]:
        return {word for at, word in self.words if at > after}

    @property
    def names(self) -> set[str]:
        return {word for item in self.items if item.kind == "name" for word in item.key.split()}


def parts_of(number: int, text: Text, region: Region, numbers: Figures) -> list[Part]:
    """Cut a sentence where its parts are joined; what a line opens with before a colon is said of all of them."""
    words = words_in(text, region)
    found, start = [], region.start
    for at, word in enumerate(words[1:], 1):
        gap = text.value[words[at - 1].end : word.start]
        joined = text.lower[word.start : word.end] in _JOINS and not _pairs(text, words, at)
        if joined or ";" in gap or ", " in gap:
            if word.start > start:
                found.append(Region(start, words[at - 1].end))
            start = word.end if joined else word.start
    found.append(Region(start, region.end))
    label = _label(text, words)
    parts = [_part(number, text, one, numbers, label) for one in found]
    parts[0] = parts[0]._replace(opening=True)
    return [part for part in parts if part.items or part.words]


def _pairs(text: Text, words: list[Region], at: int) -> bool:
    """Tell whether a joint stands between two names or two numbers, which are then said of the same."""
    if at + 1 >= len(words):
        return False
    one, other = (text.value[words[step].start] for step in (at - 1, at + 1))
    return (one.isupper() and other.isupper()) or (one.isdecimal() and other.isdecimal())


def _label(text: Text, words: list[Region]) -> list[tuple[int, str]]:
    """Return the word that a line has before its first colon."""
    if not words or text.value[words[0].end : words[0].end + 1] != ":":
        return []
    # Behind everything else, so that it is among the words after any item.
    return [(len(text), stem(text.lower[words[0].start : words[0].end]))]


def _part(
    number: int, text: Text, region: Region, numbers: Figures, label: list[tuple[int, str]]
) -> Part:
    items = _items(text, region, numbers)
    first = words_in(text, region)[:1]
    opening = text.lower[first[0].start : first[0].end] if first else ""
    elliptic = opening in _ELLIPTIC or opening[:1].isdecimal()
    return Part(items, [*label, *_words(text, region, items)], elliptic, number)


def _words(text: Text, region: Region, items: list[Item]) -> list[tuple[int, str]]:
    found = []
    for word in words_in(text, region):
        low = text.lower[word.start : word.end]
        inside = low not in WEEKDAYS and any(
            item.place.start <= word.start < item.place.end for item in items
        )
        if not inside and low not in STOPWORDS and not low[0].isdecimal():
            found.append((word.start, stem(low)))
    return found


def _items(text: Text, region: Region, numbers: Figures) -> list[Item]:
    """Return what a region states that could be stated of something else."""

    def item(
        kind: str, key: str, start: int, end: int, value: float | None = None, *, measure: str = ""
    ) -> Item:
        place = Region(start, end)
        return Item(kind, key, place, _before(text, region, place), value, measure)

    found = [
        item(f"{q.dimension}{q.unit}", str(q.key), q.start, q.end, q.key, measure=q.unit)
        for q in within(numbers.quantities, region)
        if not q.label
    ]
    for moment in within(numbers.moments, region):
        kind = "date" if moment.is_date else "time"
        key = f"{moment.day}.{moment.month}" if moment.is_date else str(moment.minutes)
        found.append(item(kind, key, moment.start, moment.end))
    words = words_in(text, region)
    found += [
        item("name", " ".join(name.words), name.start, name.end)
        for name in names_among(text, region, words)
    ]
    for start, end in words:
        if text.lower[start:end] in WEEKDAYS:
            found.append(item("weekday", text.lower[start:end], start, end))
    return found


def _before(text: Text, region: Region, place: Region) -> str:
    at = first_word(text, place.start) - 1
    if at < 0 or text.words[at].start < region.start:
        return ""
    return text.lower[text.words[at].start : text.words[at].end]
