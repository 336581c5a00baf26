"""Reads days and times of day in their short forms: "the 15th", "by 10.30", "open 8-13", "before he leaves at three"."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.facts.moments import Moment
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_MAX_FOUND = 200
_HALF_DAY = 720
_HOURS = {
    word: hour
    for hour, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), 1
    )
}
_HOUR = r"(?:[01]?\d|2[0-4])"
_DAY = Pattern(r"\b(?P<day>[0-3]?\d)(?:st|nd|rd|th)\b", ignore_case=True)
_CLOCK = Pattern(rf"\b(?P<hour>{_HOUR})\.(?P<minute>[0-5]\d)\b")
_AFTER_WORD = Pattern(
    rf"\b(?:at|by|from|till|until|before|after|to|since|around|about) (?P<hour>{_HOUR}|{'|'.join(_HOURS)})\b",
    ignore_case=True,
)
_RANGE = Pattern(rf"\b(?P<hour>{_HOUR}) ?[-–] ?(?P<other>{_HOUR})\b")
# What may follow a time; after a count comes what it counts.
_GOES_ON = frozenset(
    "on and or today tomorrow daily sharp for each every until till to in from at but so when while".split()
)


class ShortMoments(NamedTuple):
    """Days of a month, and minutes of half a day."""

    days: frozenset[int]
    times: frozenset[int]

    def has(self, moment: Moment) -> bool:
        """Tell whether a date or a time may be one of these, written out."""
        if moment.is_date:
            return moment.day in self.days
        return moment.minutes % _HALF_DAY in self.times


def short_moments(text: Text) -> ShortMoments:
    """Return the short forms of a text."""
    days = {int(match["day"]) for match in text.matches(_DAY, limit=_MAX_FOUND)}
    times = {
        60 * int(match["hour"]) + int(match["minute"])
        for match in text.matches(_CLOCK, limit=_MAX_FOUND)
    }
    hours = []
    for pattern in (_AFTER_WORD, _RANGE):
        for match in text.matches(pattern, limit=_MAX_FOUND):
            if not _counts(text, match.end):
                hours.append(match["hour"])
                hours += [match["other"]] if pattern is _RANGE else []
    times |= {60 * (_HOURS.get(hour.lower()) or int(hour)) for hour in hours}
    return ShortMoments(frozenset(days), frozenset(time % _HALF_DAY for time in times))


def _counts(text: Text, end: int) -> bool:
    """Tell whether a number counts what comes after it: "about three minutes", "8-13 people"."""
    following = text.lower[end : end + 16].partition(" ")[2].split()
    at_once = text.value[end : end + 1] == " "
    return bool(following) and at_once and following[0].isalpha() and following[0] not in _GOES_ON
