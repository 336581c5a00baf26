"""Indexes given texts once, so that each sentence of a response finds what they say about the same things."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import log
from typing import NamedTuple, TypeVar

from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.moments import Moment
from fairwitness.evaluator.facts.names import names_among
from fairwitness.evaluator.facts.quantities import YEAR, Figures, Quantity, figures, key_of
from fairwitness.evaluator.facts.words import STOPWORDS, first_word, stem
from fairwitness.evaluator.text import Region, Text

# A sentence longer than this is cut: what is compared with it must stay short.
MAX_UNIT_CHARS = 500
# Beyond this many, a text is hostile or no text: it is indexed so far, and nothing is called absent from it.
MAX_UNITS = 10_000
# A word found in more units than this says little about any of them.
_MAX_POSTINGS = 48
_LABEL_CHARS = 30
_MAX_ROWS, _MAX_CELLS, _MAX_COLUMNS = 200, 8, 8
_INSIDE_NAMES = frozenset({"of", "the", "and", "for", "de"})
# As the people of a country in "-land" are called.
_OF_PEOPLES = ("ish", "iss", "thai", "thais", "finn", "finns", "pole", "poles", "scot", "scots")

_Item = TypeVar("_Item", Quantity, Moment)


class Unit(NamedTuple):
    """A sentence or a line of a given text."""

    source: str
    text: Text
    region: Region

    @property
    def span(self) -> Span:
        """The unit as evidence."""
        return Span(self.region.start, self.region.end, self.source)


class Near(NamedTuple):
    """A unit that shares words with a sentence, and which share of the sentence's words it has."""

    unit: int
    coverage: float


class Index:
    """Given texts, by their words and numbers."""

    def __init__(self, parts: Sequence[tuple[str, Text, Region]]) -> None:
        """Cut the texts into units and note where each word is; one pass over each."""
        found = [unit for part in parts for unit in _units(*part)]
        self.units = found[:MAX_UNITS]
        self._postings: dict[str, list[int]] = {}
        self.words: set[str] = set()
        for number, unit in enumerate(self.units):
            lower = unit.text.lower
            words = {lower[start:end] for start, end in _words(unit)}
            self.words |= words
            # Numbers are looked up by their value.
            for word in {stem(word) for word in words - STOPWORDS if not word[0].isdecimal()}:
                self._postings.setdefault(word, []).append(number)
        self._figures = {
            id(text): figures(text) for text in {id(t): t for _, t, _ in parts}.values()
        }
        read = all(found.complete for found in self._figures.values())
        #: Whether every word and number was read.
        self.complete = read and len(found) <= MAX_UNITS

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(stem(word) for word in self.words if not word[0].isdecimal())

    @cached_property
    def proper(self) -> set[str]:
        """The words that are surely names: capitalised within a sentence."""
        found: set[str] = set()
        for unit in self.units:
            for name in names_among(unit.text, unit.region, _words(unit)):
                found.update(name.words if name.sure else ())
        return found

    @cached_property
    def peoples(self) -> frozenset[str]:
        """What names of peoples begin with, in three letters: all that "Swiss" and "Switzerland" share."""
        return frozenset(word[:3] for word in self.proper if word.endswith(_OF_PEOPLES))

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """What the words begin with, in four to six letters."""
        return frozenset(
            word[:size] for word in self.words if not word[0].isdecimal() for size in (4, 5, 6)
        )

    @cached_property
    def initials(self) -> frozenset[str]:
        """The first letters of runs of capitalised words: what they would be shortened to."""
        found: set[str] = set()
        for unit in self.units:
            run = ""
            for start, end in _words(unit):
                if unit.text.value[start].isupper():
                    run += unit.text.lower[start]
                    if len(run) > 1:
                        found.update(run[-size:] for size in range(2, min(6, len(run)) + 1))
                elif unit.text.lower[start:end] not in _INSIDE_NAMES:
                    run = ""
        return frozenset(found)

    @cached_property
    def fields(self) -> dict[str, tuple[int, int]]:
        """Where "Allergies: latex" and the like are, by the last word of their label: unit, and start of the value."""
        found: dict[str, tuple[int, int]] = {}
        for number, unit in enumerate(self.units):
            at = unit.text.value.find(":", unit.region.start, unit.region.end)
            while at >= 0:
                label = unit.text.value[max(unit.region.start, at - _LABEL_CHARS) : at].split()
                if label and label[-1].strip("*_")[:1].isupper():
                    found.setdefault(stem(label[-1].strip("*_").lower()), (number, at + 1))
                at = unit.text.value.find(":", at + 1, unit.region.end)
        return found

    def figures_in(self, number: int) -> Figures:
        """Return the quantities and moments of one unit."""
        unit = self.units[number]
        found = self._figures[id(unit.text)]
        return Figures(
            within(found.quantities, unit.region), within(found.moments, unit.region), True
        )

    @cached_property
    def quantities(self) -> list[tuple[int, Quantity]]:
        """Every quantity, with the number of its unit."""
        return [
            (number, quantity)
            for number in self._with_figures
            for quantity in self.figures_in(number).quantities
        ]

    @cached_property
    def columns(self) -> list[list[Quantity]]:
        """The quantities that stand below each other in neighbouring units of as many: the columns of tables."""
        found: list[list[Quantity]] = []
        run: list[list[Quantity]] = []
        for number in range(min(len(self.units), _MAX_ROWS)):
            row = self.figures_in(number).quantities
            if not run or len(row) != len(run[-1]):
                found += _turned(run)
                run = []
            if 0 < len(row) <= _MAX_CELLS:
                run.append(row)
        return [*found, *_turned(run)][:_MAX_COLUMNS]

    @cached_property
    def _with_figures(self) -> list[int]:
        """The units that have a quantity or a moment."""
        starts: dict[int, list[int]] = {
            key: sorted(
                [item.start for item in found.quantities] + [item.start for item in found.moments]
            )
            for key, found in self._figures.items()
        }
        numbers = []
        for number, unit in enumerate(self.units):
            inside = starts[id(unit.text)]
            at = bisect_left(inside, unit.region.start)
            if at < len(inside) and inside[at] < unit.region.end:
                numbers.append(number)
        return numbers

    @cached_property
    def by_value(self) -> dict[float, list[tuple[int, Quantity]]]:
        """Every quantity by its value."""
        found: dict[float, list[tuple[int, Quantity]]] = {}

        def note(key: float, number: int, quantity: Quantity) -> None:
            same = found.setdefault(key, [])
            if len(same) < _MAX_POSTINGS:
                same.append((number, quantity))

        for number, quantity in self.quantities:
            note(quantity.key, number, quantity)
            if quantity.other is not None:
                note(key_of(quantity.other), number, quantity)
        for number, moment in self.moments:
            if moment.year:
                year = Quantity(moment.start, moment.end, float(moment.year), dimension=YEAR)
                note(year.key, number, year)
        return found

    @cached_property
    def moments(self) -> list[tuple[int, Moment]]:
        """Every date and time, with the number of its unit."""
        return [
            (number, moment)
            for number in self._with_figures
            for moment in self.figures_in(number).moments
        ]

    def weight(self, word: str) -> float:
        """Return how much a stem tells: rare ones more, unknown ones as much as the rarest."""
        return log(2 + len(self.units)) - log(1 + len(self._postings.get(word, ())))

    def units_with(self, word: str) -> Sequence[int]:
        """Return the units that have a stem, where they are few enough to tell anything."""
        found = self._postings.get(word, ())
        return found if len(found) <= _MAX_POSTINGS else ()

    def nearest(self, stems: Iterable[str], most: int = 3) -> list[Near]:
        """Return the units that share most with these stems, best first."""
        wanted = {*stems}
        if not wanted:
            return []
        total = sum(map(self.weight, wanted))
        shared: dict[int, float] = {}
        for word in wanted:
            postings = self._postings.get(word, ())
            if postings and (
                len(postings) <= _MAX_POSTINGS or len(self.units) <= 2 * _MAX_POSTINGS
            ):
                weight = self.weight(word)
                for number in postings:
                    shared[number] = shared.get(number, 0.0) + weight
        best = sorted(shared.items(), key=lambda item: (-item[1], item[0]))[:most]
        return [Near(number, weight / total) for number, weight in best]


def _turned(rows: list[list[Quantity]]) -> list[list[Quantity]]:
    return [list(column) for column in zip(*rows, strict=True)] if len(rows) > 1 else []


def _units(source: str, text: Text, region: Region) -> list[Unit]:
    found = []
    for sentence in text.sentences:
        if sentence.end <= region.start or sentence.start >= region.end:
            continue
        start, end = max(sentence.start, region.start), min(sentence.end, region.end)
        while end - start > MAX_UNIT_CHARS:
            cut = text.value.rfind(" ", start + 1, start + MAX_UNIT_CHARS)
            cut = cut if cut > start else start + MAX_UNIT_CHARS
            found.append(Unit(source, text, Region(start, cut)))
            start = cut
        if text.value[start:end].strip():
            found.append(Unit(source, text, Region(start, end)))
    return found


def _words(unit: Unit) -> list[Region]:
    first, last = first_word(unit.text, unit.region.start), first_word(unit.text, unit.region.end)
    return unit.text.words[first:last]


def within(items: list[_Item], region: Region) -> list[_Item]:
    """Return the items that begin in a region; they are in order."""
    first = bisect_left(items, region.start, key=lambda item: item.start)
    return items[first : bisect_left(items, region.end, key=lambda item: item.start)]
