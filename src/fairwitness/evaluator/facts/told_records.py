"""Finds the part of a source that tells of each row of a response, and the values in it.

The parts are found by the first column whose values stand once each in the source; between two of them a part ends where
a sentence, a line or a clause does.
"""

from __future__ import annotations

from functools import cached_property

from fairwitness.evaluator.facts.index import within
from fairwitness.evaluator.facts.moments import MONTHS, WEEKDAYS, Moment, agree, moments
from fairwitness.evaluator.facts.quantities import figures
from fairwitness.evaluator.facts.response_rows import Cell
from fairwitness.evaluator.facts.units import MONEY
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_PLACES = 12
_MAX_UNIT_LETTERS = 4
_STRONG = Pattern(r"[.!?][\"”’)]?\s+|\n|;")
_WEAK = Pattern(r",\s|\s(?:and|&|plus|then|while)\s")
# Not the first word of a sentence, which may be any word.
_NAME = Pattern(r"[\pL\d,]['’]?s? (?P<name>\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*)\b")
_DAYS = MONTHS.keys() | WEEKDAYS.keys()


class ToldRecords:
    """A source beside the rows that were made of it."""

    def __init__(self, text: Text, region: Region, rows: list[list[Cell]]) -> None:
        """Keep both; the source is read when it is first looked into."""
        self.text, self.region, self.rows = text, region, rows

    @cached_property
    def _read(self) -> tuple[list[tuple[Region, bool, float, str]], list[Moment]]:
        """The dates of the source, and its numbers, each with whether it is money, its value and its unit."""
        read = figures(self.text)
        numbers = [
            (Region(q.start, q.end), q.dimension == MONEY, q.key, q.unit)
            for q in within(read.quantities, self.region)
        ]
        return numbers, [m for m in within(read.moments, self.region) if m.is_date and m.day]

    @cached_property
    def parts(self) -> list[Region]:
        """The part of the source that tells of each row; none where they cannot be told apart."""
        for column in range(len(self.rows[0])):
            cells = [row[column] for row in self.rows]
            places = [self.places(cell) for cell in cells]
            if all(cell.said[:1].isalpha() for cell in cells) and all(
                len(each) == 1 for each in places
            ):
                names = [each[0] for each in places]
                return self._parted(names) if len({*names}) == len(names) else []
        return []

    def _parted(self, names: list[Region]) -> list[Region]:
        """Cut the source between the names: at the last end of a sentence or line before a name, or else of a clause."""
        order, starts = sorted(names), []
        end = self.region.start
        for number, name in enumerate(order):
            gap = Text(self.text.value[end : name.start])
            cuts = gap.matches(_STRONG) or gap.matches(_WEAK)
            if not cuts and number:
                return []
            starts.append(end + (cuts[-1].end if cuts else 0))
            end = name.end
        found = dict(zip(order, map(Region, starts, [*starts[1:], self.region.end]), strict=True))
        return [found[name] for name in names]

    def places(self, cell: Cell) -> list[Region]:
        """Return where the source has the value of a cell: a date, a number, or words."""
        numbers, dates = self._read
        said = Text(cell.said)
        days = [moment for moment in moments(said) if moment.is_date and moment.day]
        if days:
            same = [Region(one.start, one.end) for one in dates if agree(one, days[0])]
            return same[:_MAX_PLACES]
        if cell.said[:1].isdecimal() or cell.said[:1] in {"$", "€", "£", "-"}:
            mine = figures(said).quantities
            if len(mine) != 1 or sum(map(str.isalpha, cell.said)) > _MAX_UNIT_LETTERS:
                return []
            return [place for place, _, value, _ in numbers if value == mine[0].key][:_MAX_PLACES]
        coded = any(map(str.isdecimal, cell.said))
        if len(cell.said) < (2 if coded else 3) or not cell.said[0].isalpha():
            return []
        return self._words_at(cell.said)

    def _words_at(self, said: str) -> list[Region]:
        lower, (start, end) = self.text.lower, self.region
        found: list[Region] = []
        at = lower.find(said, start, end)
        while at >= 0 and len(found) < _MAX_PLACES:
            stop = at + len(said)
            tail = lower[stop : stop + 3]
            # The source may have the plural: "12 coots", "3 nuthatches".
            for plural in ("es", "s"):
                if tail.startswith(plural) and not tail[len(plural) :][:1].isalnum():
                    tail = ""
            if not tail[:1].isalnum() and not lower[at - 1 : at].isalnum():
                found.append(Region(at, stop))
            at = lower.find(said, stop, end)
        return found

    def own_value(self, number: int, column: int, place: Region) -> Region | None:
        """Return the only value in a row's own part that is of the kind at a place of another, and that the row lacks."""
        mine, row = self.parts[number], self.rows[number]
        stated = [one for each in row for one in self.places(each)]
        taken = {one.start for one in stated}
        numbers, told = self._read
        dates = [Region(one.start, one.end) for one in told]
        if place in dates:
            free = [one for one in dates if mine.contains(one.start) and one.start not in taken]
        elif given := next((one for one in numbers if one[0] == place), None):
            free = [
                one
                for one, money, _, unit in numbers
                if mine.contains(one.start)
                and one.start not in taken
                and money == given[1]
                and (not given[3] or unit == given[3])
            ]
        else:
            free = self._words_instead(number, column, place, stated)
        return free[0] if len(free) == 1 else None

    def _words_instead(
        self, number: int, column: int, place: Region, stated: list[Region]
    ) -> list[Region]:
        """Return what the column has for other rows and this part has too, or else the names of this part."""
        mine, said = self.parts[number], self.rows[number][column].said
        values = {row[column].said for row in self.rows} - {said}
        found = [
            one
            for value in values
            if len(value) > 1
            for one in self._words_at(value)
            if mine.contains(one.start)
        ]
        if not found and self.text.value[place.start].isupper():
            spans = (match.span("name") for match in Text(self.text.slice(mine)).matches(_NAME))
            found = [Region(mine.start + low, mine.start + high) for low, high in spans]
            found = [one for one in found if self.text.lower[slice(*one)] not in _DAYS]
        return [
            one
            for one in found
            if not any(one.start < other.end and other.start < one.end for other in stated)
        ]
