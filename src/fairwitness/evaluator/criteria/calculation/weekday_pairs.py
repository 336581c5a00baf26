"""Checks that a weekday and the date beside it agree: "Monday, 12 May 2025", "Fri 14 June", "6 May (a Tuesday)".

The year fixes the calendar, or another weekday with its date that the prompt gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.calculation.days import NO_YEAR, Day
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import DATE, Line
from fairwitness.evaluator.criteria.calculation.silent_words import MADE_UP
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import MONTHS, WEEKDAYS

_MAX_CHARS, _MAX_PAIRS, _MAX_KNOWN = 8_000, 30, 6
_NAMES = r"(?P<day>mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?P<rest>day)?"
_BEFORE = Pattern(rf"\b{_NAMES}\.?,? (?:the )?$", ignore_case=True)
_AFTER = Pattern(
    rf"^(?:,? \((?:an? )?|, an? | (?:is|was|will be|falls on|fell on) (?:an? )?|(?P<bare>, )){_NAMES}\b(?P<end>[ .,;:)!\n]|$)",
    ignore_case=True,
)
_SIGN = Pattern(
    r"\b(?:mon|tue|wed|thu|fri|sat|sun)\pL{0,6}\.?,? (?:the )?(?:\d{1,2}\b|\pL{3,9} \d)|\b\pL{3,9} \d[^\n]{0,16}\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d (?:\pL{3,9})[^\n]{0,16}\b(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    ignore_case=True,
    captures=False,
)
_FIRST_YEAR = 1900
# What is set in a made-up year, or is another calendar's.
_OTHER_CALENDAR = Pattern(
    rf"\b(?:{MADE_UP}|julian|calendar year|imagin\w+|pretend)\b", ignore_case=True
)
_HALF_YEAR = 150


class _Pair(NamedTuple):
    """A date and the weekday that is given for it."""

    day: Day
    year: int
    weekday: int
    place: Region
    name: Region


def weekday_pairs(exchange: Exchange) -> Iterator[Check]:
    """Yield a check for every weekday with its date in the response, where the calendar is fixed."""
    prompt, response = exchange.prompt, exchange.response
    if len(response) > _MAX_CHARS or len(prompt) > _MAX_CHARS or prompt.search(_OTHER_CALENDAR):
        return
    if response.search(_SIGN) is None:
        return
    stated = _pairs(response)
    if not stated:
        return
    known = _pairs(prompt)[:_MAX_KNOWN]
    said = {(one.day.month, one.day.day, one.weekday) for one in known}
    if any(one.weekday not in _weekdays(one, ()) for one in known if one.year):
        return  # the prompt has a calendar of its own
    years = {one.year for one in Line(prompt).of(DATE) if one.year}
    for one in stated:
        right = _weekdays(one, known, years)
        if not right or (one.day.month, one.day.day, one.weekday) in said:
            continue
        fixed = " or ".join(WEEKDAYS[day].capitalize() for day in sorted(right))
        fits, sure = one.weekday in right, bool(one.year)
        yield Check.of(one.name, fits, fixed, whole=one.place, named=True, sure=sure)


def _pairs(text: Text) -> list[_Pair]:
    found: list[_Pair] = []
    for date in Line(text).of(DATE):
        if len(found) >= _MAX_PAIRS:
            break
        start = max(0, date.start - 16)
        before = Text(text.value[start : date.start]).search(_BEFORE)
        after = Text(text.value[date.end : date.end + 24]).search(_AFTER)
        match, base = (before, start) if before else (after, date.end)
        if match is None:
            continue
        # "6 May, Sunday 11 May", "6 May, Sun groups": the weekday is of what comes next.
        goes_on = before is None and bool(match["bare"]) and match["end"] in {" ", ","}
        if goes_on or (before is None and _next_is_date(text, date.end + match.end)):
            continue
        name = Region(
            base + match.span("day")[0], base + max(match.span("day")[1], match.span("rest")[1])
        )
        # "She sat the 12 May paper", "the couple wed on": a short name is one with its capital.
        if not match["rest"] and match["day"].islower():
            continue
        weekday = next(
            n for n, day in enumerate(WEEKDAYS) if day.startswith(match["day"].lower()[:3])
        )
        place = Region(min(date.start, name.start), max(date.end, name.end))
        found.append(_Pair(Day.of(int(date.value)), date.year, weekday, place, name))
    return found


def _next_is_date(text: Text, at: int) -> bool:
    following = text.value[at : at + 20].lstrip(" ,.")
    return following[:1].isdigit() or following[:3].lower() in _MONTH_STARTS


_MONTH_STARTS = frozenset({"the", *(month[:3] for month in MONTHS)})


def _weekdays(
    one: _Pair, known: tuple[_Pair, ...] | list[_Pair], years: set[int] | None = None
) -> set[int]:
    """Return the weekdays that the day may have; none where nothing fixes it."""
    if one.year:
        return _in_years(one.day, {one.year}, beside=False) if one.year >= _FIRST_YEAR else set()
    found: set[int] = set()
    for anchor in known:
        if anchor.year:
            found |= _in_years(one.day, {anchor.year})
            continue
        for year in (2001, NO_YEAR):
            day, known_day = one.day.in_year(year), anchor.day.in_year(year)
            if not (day.exists and known_day.exists):
                continue
            apart = day.ordinal - known_day.ordinal
            ways = [apart]
            if abs(apart) > _HALF_YEAR:  # it may be of the next year, or of the last
                ways += [apart - 365, apart - 366] if apart > 0 else [apart + 365, apart + 366]
            found |= {(anchor.weekday + way) % 7 for way in ways}
    if not known and years and len(years) == 1:
        found |= _in_years(one.day, years)
    return found


def _in_years(day: Day, years: set[int], *, beside: bool = True) -> set[int]:
    """Return the weekdays of a day in some years, and in the ones `beside` them; 29 February is in few."""
    near = {*years}
    if beside and day.month <= 4:
        near |= {year + 1 for year in years}
    elif beside and day.month >= 9:
        near |= {year - 1 for year in years}
    return {day.in_year(year).weekday for year in near if day.in_year(year).exists}
