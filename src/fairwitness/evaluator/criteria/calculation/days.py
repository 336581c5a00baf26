"""Days of the Gregorian calendar as numbers: no clock, only arithmetic."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.vocabulary import MONTHS

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
# The year that stands for no year: a leap year, so that every day of a month exists in it.
NO_YEAR = 2000
# No date is worked out further away than this.
MAX_DAYS = 200_000


class Day(NamedTuple):
    """One day; a day that does not exist raises ValueError where it is counted."""

    year: int
    month: int
    day: int

    @property
    def exists(self) -> bool:
        """Whether the year has it: the 29th of February is not in every one."""
        return 1 <= self.month <= 12 and 1 <= self.day <= month_length(self.year, self.month)

    @property
    def written(self) -> str:
        """The day and its month, as a message shows them."""
        return f"{self.day} {MONTHS[self.month - 1].capitalize()}"

    @property
    def ordinal(self) -> int:
        """The number of the day, counted from 1 January of the year 1."""
        if not self.exists:
            raise ValueError("no such day")
        before = self.year - 1
        whole = before * 365 + before // 4 - before // 100 + before // 400
        return whole + sum(month_length(self.year, n) for n in range(1, self.month)) + self.day

    @property
    def weekday(self) -> int:
        """The day of the week, from 0 for Monday."""
        return (self.ordinal + 6) % 7

    @classmethod
    def of(cls, ordinal: int) -> Day:
        """Return the day of a number."""
        year = max(1, ordinal * 400 // 146_097 - 1)
        while cls(year + 1, 1, 1).ordinal <= ordinal:
            year += 1
        month = 1
        while month < 12 and cls(year, month + 1, 1).ordinal <= ordinal:
            month += 1
        return cls(year, month, ordinal - cls(year, month, 1).ordinal + 1)

    def in_year(self, year: int) -> Day:
        """Return the same day of another year."""
        return self._replace(year=year)


def month_length(year: int, month: int) -> int:
    """Return how many days a month has."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _LENGTHS[month - 1] + (1 if month == 2 and leap else 0)
