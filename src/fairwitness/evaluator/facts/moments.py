"""Finds dates and times of day: "17 March 2025", "March 3 to 5", "2024-11-02", "8 am", "23:05", "noon"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator import vocabulary
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text


class Moment(NamedTuple):
    """A date, whose unknown parts are 0, or a time of day in minutes, -1 for a date.

    `halved` is a time that does not say which half of the day it is in.
    """

    start: int
    end: int
    day: int = 0
    month: int = 0
    year: int = 0
    weekday: int = 0
    minutes: int = -1
    halved: bool = False

    @property
    def is_date(self) -> bool:
        """Whether it is a date and not a time of day."""
        return self.minutes < 0


MONTHS = {
    name: number
    for number, month in enumerate(vocabulary.MONTHS, start=1)
    for name in (month, month[:3])
} | {"sept": 9}
WEEKDAYS = {name: number for number, name in enumerate(vocabulary.WEEKDAYS, start=1)}
# The month of "the 5th of each month", which is no single day.
EVERY_MONTH = -1
_ORDINAL_ENDINGS = ("st", "nd", "rd", "th")
_SPELLED_DAYS = {
    name: number
    for number, name in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
} | {"fifteenth": 15, "twentieth": 20}
_GAP_CHARS = 6
_MAX_HOUR_CHARS, _DATE_CHARS, _TAIL_CHARS = 4, 10, 18  # "12pm", "2024-11-02", ":30.123456+02:00"
# What follows the minutes of "2024-11-02T14:20:00+02:00": the hours of a zone are no time of day.
_SECONDS_AND_ZONE = Pattern(r"^(?::\d\d(?:\.\d{1,6})?)?(?:z|[+-]\d\d:?\d\d)?")
_NAMED_TIMES = {"noon": 720, "midday": 720, "midnight": 0}
# Not "until": "carry over 5 until 31 March".
_BETWEEN_DAYS = frozenset({"to", "and", "through", "-", "–", "—"})
_MERIDIEM = {
    "am": 0, "a.m": 0, "pm": 720, "p.m": 720, "in the morning": 0, "in the afternoon": 720, "in the evening": 720
}  # fmt: skip
_MERIDIEM_CHARS = 18


def moments(text: Text) -> list[Moment]:
    """Return the dates and times of a text, in order."""
    found: list[Moment] = []
    lower, words = text.lower, text.words
    for index, (start, end) in enumerate(words):
        first = lower[start]
        if found and start < found[-1].end:
            continue  # the zone of a time
        if first.isdecimal():
            if end - start <= _MAX_HOUR_CHARS or lower[start + 4 : start + 5] == "-":
                found += _numeric(text, index)
            if lower[end - 2 : end] in _ORDINAL_ENDINGS:
                found += _day_of_month(text, index, _number_of_day(lower[start:end]))
        elif first in "jfmasond" and lower[start:end] in MONTHS:
            found += _around_month(text, index)
        elif first in "ftsenl" and lower[start:end] in _SPELLED_DAYS:
            found += _day_of_month(text, index, _SPELLED_DAYS[lower[start:end]])
        elif first in "nm" and lower[start:end] in _NAMED_TIMES:
            found.append(Moment(start, end, minutes=_NAMED_TIMES[lower[start:end]]))
    return found


def agree(one: Moment, other: Moment) -> bool:
    """Tell whether two moments can be the same: no part that both name differs."""
    if one.is_date != other.is_date:
        return False
    if not one.is_date:
        halved = one.halved or other.halved
        size = 720 if halved else 1440
        return (one.minutes - other.minutes) % size == 0
    pairs = (
        (one.day, other.day), (one.month, other.month), (one.year, other.year), (one.weekday, other.weekday)
    )  # fmt: skip
    return all(a == b or not a or not b for a, b in pairs)


def days_between(one: Moment, other: Moment) -> int | None:
    """Return how many days lie between two dates; of the same year where neither names one."""
    if not (one.day and other.day and one.month > 0 and other.month > 0):
        return None
    year = one.year or other.year or 2023
    return abs(_ordinal(one, one.year or year) - _ordinal(other, other.year or year))


def weekday_of(date: Moment, year: int) -> int:
    """Return the day of the week of a date, from 1 for Monday."""
    return (_ordinal(date, date.year or year) + 1) % 7 + 1


def _ordinal(date: Moment, year: int) -> int:
    """Return a day's number, by the civil calendar."""
    shifted = year - (date.month <= 2)
    era_day = (153 * ((date.month + 9) % 12) + 2) // 5 + date.day
    return 365 * shifted + shifted // 4 - shifted // 100 + shifted // 400 + era_day


def _numeric(text: Text, index: int) -> Iterator[Moment]:
    """Yield the date "2024-11-02" or the times "14:20", "8 am", "7.30 pm" that begin with this word."""
    start, end = text.words[index]
    word = text.lower[start:end]
    if len(word) >= _DATE_CHARS and word[4] == word[7] == "-":
        year, month, day = word[:4], word[5:7], word[8:_DATE_CHARS]
        if (year + month + day).isdecimal() and 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
            yield Moment(start, start + _DATE_CHARS, int(day), int(month), int(year))
        # "2024-11-02T14:20:00"
        if word[_DATE_CHARS : _DATE_CHARS + 1] != "t":
            return
        start += _DATE_CHARS + 1
        word = text.lower[start:end]
    hour = word
    for name in ("am", "pm"):
        hour = hour.removesuffix(name)
    if not hour.isdecimal() or len(hour) > 2 or int(hour) > 24:
        return
    minute, stop = "", end
    if text.lower[end : end + 1] in {":", "."} and index + 1 < len(text.words):
        following = text.words[index + 1]
        digits = text.lower[following.start : following.start + 2]
        if following.start == end + 1 and len(digits) == 2 and digits.isdecimal():
            rest = text.lower[following.start + 2 : following.end]
            if rest in {"", "am", "pm", "z"} and int(digits) < 60:
                minute, stop = digits, following.end
    colon = bool(minute) and text.lower[end] == ":"
    half, stop = _half_of_day(text, stop)
    if half is None and not colon:
        return
    counted = text.lower[stop : stop + 1] == ":" and text.lower[stop + 1 : stop + 2].isdecimal()
    if colon and _is_behind_date(text.lower, start):
        tail = Text(text.lower[stop : stop + _TAIL_CHARS]).search(_SECONDS_AND_ZONE)
        stop, counted = stop + (tail.end if tail else 0), False
    if counted or (start and text.lower[start - 1] == ":"):
        return  # "1:02:33" is a duration
    minutes = int(hour) % 24 * 60 + int(minute or 0)
    if half is not None:
        minutes = minutes % 720 + half
    yield Moment(start, stop, minutes=minutes, halved=half is None and int(hour) <= 12)


def _is_behind_date(lower: str, start: int) -> bool:
    """Tell whether a time stands behind a date written as numbers: "2024-11-02T14:20", "2024-11-02 14:20"."""
    date = lower[max(0, start - _DATE_CHARS - 1) : start]
    return date[4:5] == date[7:8] == "-" and date[-1:] in {"t", " "}


def _day_of_month(text: Text, index: int, day: int) -> Iterator[Moment]:
    """Yield "the 5th of each month"."""
    start, end = text.words[index]
    if day and text.lower[end : end + 14].startswith(
        (" of each month", " of every mont", " of the month ", " of the month.", " of the month,")
    ):
        yield Moment(start, end, day, EVERY_MONTH)


def _half_of_day(text: Text, end: int) -> tuple[int | None, int]:
    """Return 0 for "am" and 720 for "pm" at or after a time, and where it ends."""
    if text.lower[end - 2 : end] in {"am", "pm"}:
        return _MERIDIEM[text.lower[end - 2 : end]], end
    following = text.lower[end : end + _MERIDIEM_CHARS]
    after = following.lstrip(" ")
    gap = len(following) - len(after)
    for name, half in _MERIDIEM.items():
        if after.startswith(name) and not after[len(name) : len(name) + 1].isalpha():
            return half, end + gap + len(name)
    return None, end


def _around_month(text: Text, index: int) -> Iterator[Moment]:
    """Yield the dates around the name of a month."""
    start, end = text.words[index]
    month = MONTHS[text.lower[start:end]]
    if not any(map(str.isdecimal, text.lower[max(0, start - 12) : end + 6])):
        return  # no day and no year beside it
    days, first, last = _days(text, index)
    year, last = _year(text, last)
    weekday = _weekday(text, first)
    low, high = text.words[first].start, text.words[last].end
    # "march" and "may" are words of their own; a number beside them makes them months.
    if not days and not year:
        return
    for day in days or [0]:
        yield Moment(low, high, day, month, year, weekday if len(days) == 1 else 0)


def _days(text: Text, index: int) -> tuple[list[int], int, int]:
    """Return the days named with a month, and the first and last word of the date so far."""
    step = index - 1
    if step >= 0 and _word(text, step) == "of":
        step -= 1
    if step >= 0 and (day := _day(text, step)) and _near(text, step, index, 2 * _GAP_CHARS):
        earlier, first = _range_start(text, step, day)
        return [*earlier, day], first, index
    if index + 1 < len(text.words) and _near(text, index, index + 1):
        following = text.words[index + 1]
        word = text.lower[following.start : following.end]
        low, dash, high = word.replace("–", "-").partition("-")
        if dash and _number_of_day(low) and _number_of_day(high):
            return [_number_of_day(low), _number_of_day(high)], index, index + 1
        if day := _day(text, index + 1):
            later, last = _range_end(text, index + 1, day)
            return [day, *later], index, last
    return [], index, index


def _range_start(text: Text, step: int, day: int) -> tuple[list[int], int]:
    """Find the first day of "3 to 19 July"."""
    word = text.lower[text.words[step].start : text.words[step].end]
    if "-" in word:
        return [_number_of_day(word.partition("-")[0])], step
    gap = text.lower[text.words[step - 1].end : text.words[step].start].strip() if step else ""
    back = step - 1 if gap in _BETWEEN_DAYS else step - 2
    joined = gap in _BETWEEN_DAYS or (step > 1 and _word(text, step - 1) in _BETWEEN_DAYS)
    if joined and back >= 0 and _near(text, back, step, 2 * _GAP_CHARS):
        earlier = _day(text, back)
        if earlier and earlier < day:
            return [earlier], back
    return [], step


def _range_end(text: Text, step: int, day: int) -> tuple[list[int], int]:
    """Find the last day of "July 3 to 19"."""
    words = text.words
    if step + 1 >= len(words):
        return [], step
    gap = text.lower[words[step].end : words[step + 1].start].strip()
    ahead = step + 1 if gap in _BETWEEN_DAYS else step + 2
    joined = gap in _BETWEEN_DAYS or _word(text, step + 1) in _BETWEEN_DAYS
    if joined and ahead < len(words) and _near(text, step, ahead, 2 * _GAP_CHARS):
        later = _day(text, ahead)
        after = text.lower[words[ahead].end : words[ahead].end + 1]
        if later and later > day and after not in {"%", ":"}:
            return [later], ahead
    return [], step


def _year(text: Text, last: int) -> tuple[int, int]:
    if last + 1 < len(text.words) and _near(text, last, last + 1):
        word = _word(text, last + 1)
        if len(word) == 4 and word.isdecimal() and 1000 <= int(word) <= 2199:
            return int(word), last + 1
    return 0, last


def _weekday(text: Text, first: int) -> int:
    if first and _near(text, first - 1, first):
        name = _word(text, first - 1)
        if name == "the" and first > 1:
            name = _word(text, first - 2)
        return WEEKDAYS.get(name, 0)
    return 0


def _near(text: Text, one: int, other: int, most: int = _GAP_CHARS) -> bool:
    """Tell whether two words stand beside each other, with no sentence's end between them."""
    gap = text.value[text.words[one].end : text.words[other].start]
    return len(gap) <= most and not any(mark in gap for mark in "\n;:()[]/")


def _word(text: Text, index: int) -> str:
    start, end = text.words[index]
    return text.lower[start:end]


def _day(text: Text, index: int) -> int:
    """Return the day of the month a word names, the last one of a range, or 0."""
    start, end = text.words[index]
    if start and text.value[start - 1] in "$€£¥.,:":
        return 0
    return _number_of_day(text.lower[start:end].rpartition("-")[2])


def _number_of_day(word: str) -> int:
    if word[:1].isdecimal() and len(word) <= 4:
        digits = word[:-2] if word.endswith(_ORDINAL_ENDINGS) else word
        if digits.isdecimal() and len(digits) <= 2 and 1 <= int(digits) <= 31:
            return int(digits)
    return 0
