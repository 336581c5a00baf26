"""Checks what a short prompt asks of its dates and lengths: days between two dates, the weekday of a date, a sum of lengths such as 42:18.

Whether the first or the last day counts stays open. A response in which the right result does not stand is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.calculation.days import NO_YEAR, Day
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import (
    DATE,
    DAY,
    DURATION,
    WEEKDAY,
    Line,
    Quantity,
)
from fairwitness.evaluator.criteria.calculation.silent_words import BREAKS, OTHER_DAYS
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import WEEKDAYS

_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS, _MAX_WEEKDAYS, _MAX_LENGTHS = 320, 700, 3, 20
_MIN_LENGTHS, _MAX_DAYS = 3, 366
_ASKS_DAYS = Pattern(
    r"\bhow (?:many (?:days|nights|weeks)|long)\b|\b(?:number of|total) (?:days|nights)\b",
    ignore_case=True,
)
_OTHER_DAYS = Pattern(
    rf"\b(?:{OTHER_DAYS}|without|minus|off|absent|mondays|fridays|sundays|saturdays|extra|another|more)\b",
    ignore_case=True,
)
_ASKS_WEEKDAY = Pattern(
    r"\b(?:weekday|(?:on|fall on|at) (?:a|the) weekend|day of the week|(?:what|which) (?:week)?day)\b",
    ignore_case=True,
)
_DENIED = Pattern(
    r"\b(?:best|cheap\w*|not|no|never|neither|nor|unless|if)\b|n['’]t\b|\?", ignore_case=True
)
_ASKS_SUM = Pattern(
    r"\b(?:total\w*|altogether|in all|sum|add(?:s|ed)?(?: them| these| it)? up|combined|all together)\b",
    ignore_case=True,
)
# Times of day, or more than a sum.
_NOT_SUMMED = Pattern(
    rf"\b(?:{BREAKS}|[ap]m|from|until|till|at|start\w*|arriv\w+|depart\w+|leave\w*|left|clock|o['’]clock|gaps?|minus|without|except|average|mean|each|fastest|slowest|only|twice|times|shift|worked|mon|tue|wed|thu|fri|sat|sun|\pL+day)\b|\d ?(?:-|–|→|to) ?\d|\d ?[x×]",
    ignore_case=True,
)
_LENGTH = Pattern(r"\b(?P<one>\d{1,3}):(?P<two>[0-5]\d)(?::(?P<three>[0-5]\d))?\b")


def asked_days(exchange: Exchange) -> Iterator[Check]:
    """Yield a check of the days, the weekday or the sum that the prompt asks for."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) > _MAX_PROMPT_CHARS or len(response) > _MAX_RESPONSE_CHARS:
        return
    yield from _sums(prompt, response)
    line = Line(prompt)
    dates = line.of(DATE)
    if len(dates) == 2 and prompt.search(_ASKS_DAYS) and not prompt.search(_OTHER_DAYS):
        yield from _between(line, dates, Line(response))
    lone = len(dates) == 1 and dates[0].year and not line.of(DURATION, WEEKDAY)
    if lone and prompt.search(_ASKS_WEEKDAY) and not response.search(_DENIED):
        yield from _weekday(dates[0], Line(response))


def _between(line: Line, dates: list[Quantity], said: Line) -> Iterator[Check]:
    """Compare the days that the response states with those between two dates."""
    told = {one.value for one in line.of(DURATION)}
    new = [one for one in said.of(DURATION) if one.value not in told]
    if not new or any(one.value % DAY for one in new):
        return
    apart = {*_apart(dates)}
    if not apart:
        return
    stated = [int(one.value // DAY) for one in new]
    right = any(abs(days - one) <= 1 for days in stated for one in apart)
    # In whole weeks it may be told roughly.
    if not right and any(one.unit == "week" for one in new):
        return
    given = Region(dates[0].start, dates[1].end)
    days = min(apart, key=lambda one: abs(one - stated[0]))
    fixed = f"{days} days, or {days + 1} if both the first and the last day count"
    yield Check.of(new[0].place, right, fixed, sure=False, given=given)


def _apart(dates: list[Quantity]) -> Iterator[int]:
    """Yield how many days lie between two dates: in the year of either, or in any, over the turn of the year if need be."""
    first, last = (Day.of(int(one.value)) for one in dates)
    years = {one.year for one in dates if one.year} or {2001, NO_YEAR, NO_YEAR - 1}
    if all(one.year for one in dates):
        yield abs(last.ordinal - first.ordinal)
        return
    for year in years:
        for turn in (-1, 0, 1):
            ends = last.in_year(year + max(turn, 0)), first.in_year(year + min(turn, 0))
            if all(day.exists for day in ends):
                days = ends[0].ordinal - ends[1].ordinal
                if 0 < days <= _MAX_DAYS:
                    yield days


def _weekday(date: Quantity, said: Line) -> Iterator[Check]:
    """Compare the weekdays that the response names with that of the only date of the prompt."""
    named = said.of(WEEKDAY)
    others = any(one.value != date.value for one in said.of(DATE))
    if not 1 <= len(named) <= _MAX_WEEKDAYS or others:
        return
    right = Day.of(int(date.value)).weekday
    fits, fixed = any(one.value == right for one in named), WEEKDAYS[right].capitalize()
    yield Check.of(named[0].place, fits, fixed, sure=False, given=date.place)


def _sums(prompt: Text, response: Text) -> Iterator[Check]:
    """Compare the lengths that are new in the response with the sum of those in the prompt."""
    listed = prompt.matches(_LENGTH, limit=_MAX_LENGTHS + 1)
    if not _MIN_LENGTHS <= len(listed) <= _MAX_LENGTHS or not prompt.search(_ASKS_SUM):
        return
    # Where one has three parts, those with two are minutes and seconds.
    long = any(one["three"] for one in listed)
    values = [_smallest(one) for one in listed]
    total = sum(values)
    partial = {sum(values[:upto]) for upto in range(1, len(values))}
    said = response.matches(_LENGTH, limit=2 * _MAX_LENGTHS)
    if len(said) == 2 * _MAX_LENGTHS or prompt.search(_NOT_SUMMED):
        return
    other = {int(one.value) for one in Line(prompt).of(DURATION)}
    known = {*values, *partial, *other, *(one // 60 for one in other)}
    # What is far from the sum is something else: how much is left, or each of them.
    new = [one for one in said if _smallest(one) not in known and _could_be(_smallest(one), total)]
    if not new:
        return
    # The seconds may be left out, or the sum told in words.
    near = {total, total // 60, -(-total // 60)} if long else {total}
    told = [int(one.value) for one in Line(response).of(DURATION) if ":" not in one.text]
    right = any(_smallest(one) in near for one in new) or any(
        abs(one - whole) <= max(60, whole // 100) for one in told for whole in (total, total * 60)
    )
    hours, rest = divmod(total, 3600)
    fixed = f"{hours}:{rest // 60:02}:{rest % 60:02}" if long else f"{total // 60}:{total % 60:02}"
    place, given = Region(new[0].start, new[0].end), Region(listed[0].start, listed[-1].end)
    yield Check.of(place, right, fixed, sure=False, given=given)


def _could_be(value: int, total: int) -> bool:
    return any(total <= 2 * one <= 4 * total for one in (value, value * 60))


def _smallest(length: Match) -> int:
    value = int(length["one"]) * 60 + int(length["two"])
    return value * 60 + int(length["three"]) if length["three"] else value
