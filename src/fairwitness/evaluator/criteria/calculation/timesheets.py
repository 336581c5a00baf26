"""Checks the hours of a timesheet: "Mon 08:30–17:00, break 45 min" is 7 h 45 min, whatever the row is called."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    DAY,
    DURATION,
    NUMBER,
    Line,
    Quantity,
)
from fairwitness.evaluator.criteria.calculation.question_times import duration_of
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import WEEKDAYS

_MAX_CHARS, _MAX_ROWS = 3_000, 14
_MIN_ROWS = 2
_JOINED = Pattern(r"^\s?(?:-|–|—|to|until|till|→)\s?$", ignore_case=True)
# The name of a row is the last word with a capital before its times.
_NAME = Pattern(r"\b(?P<name>\p{Lu}\pL{1,15})\b[^\pL\n]{0,16}$")
_CAPITAL = Pattern(r"\b\p{Lu}\pL{1,15}\b")
_NAME_LONG = Pattern(
    r"\b(?P<name>\p{Lu}\pL{1,15})\b(?: (?:from|I worked|worked|was there|was in|in|on))? ?$"
)
_BREAKS = Pattern(r"\b(?:breaks?|lunch|pauses?|unpaid|rest|gross)\b", ignore_case=True)
_PAID = Pattern(r"\b(?:paid|net|unpaid)\b", ignore_case=True)
_ASKS = Pattern(
    r"\b(?:time ?sheets?|(?:worked|paid|working|work) (?:hours|time)|hours (?:worked|paid|did)|I worked|shifts?|hours (?:per|each|a) day)\b",
    ignore_case=True,
)
_TOTAL = Pattern(r"\b(?:total|sum|altogether|together|in all|overall|makes)\b", ignore_case=True)
_OTHER_HOURS = Pattern(
    r"\b(?:overtime|night hours|bonus|round\w*|quarter|premium|double|time and a half|vs|target|contract|balance|difference|surplus|minus hours|over|under|short|decimal)\b|[+−±]",
    ignore_case=True,
)
_DAYS = frozenset(day[:3] for day in WEEKDAYS)


class _Shift(NamedTuple):
    """One row: its name, how long it lasted, and the breaks in it."""

    name: str
    span: Fraction
    breaks: Fraction
    place: Region

    @property
    def net(self) -> Fraction:
        return self.span - self.breaks


def timesheets(exchange: Exchange) -> Iterator[Check]:
    """Yield a check for the hours of each row that the response names, and for their total."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) > _MAX_CHARS or len(response) > _MAX_CHARS or prompt.search(_ASKS) is None:
        return
    shifts = _shifts(prompt)
    names = [shift.name for shift in shifts]
    if not _MIN_ROWS <= len(shifts) <= _MAX_ROWS or len(set(names)) < len(names):
        return
    if any(not shift.name or shift.net <= 0 for shift in shifts):
        return
    # What is paid is without the breaks, if the response does not show both.
    paid = prompt.search(_PAID) is not None and response.search(_BREAKS) is None
    by_name = {shift.name: shift for shift in shifts}
    for name, stated in _stated(response, {*names}):
        shift = by_name[name]
        # Several such shifts, or the hours of a week, are a multiple.
        if (stated.value / shift.net) > 1 and (stated.value / shift.net).denominator == 1:
            continue
        if 2 * stated.value < shift.net:
            continue  # a part of it: "half an hour late"
        right = stated.value in _ways(shift, stated, paid=paid)
        yield _check(stated, shift.net, right, shift.place)
    yield from _total(response, shifts, paid=paid)


def _ways(shift: _Shift, stated: Quantity, *, paid: bool) -> set[Fraction]:
    """Return how long a row may be said to be: with its breaks or without, to the digit that is shown."""
    exact = {shift.net} if paid else {shift.net, shift.span, shift.breaks}
    if stated.kind == NUMBER or stated.places:
        return {stated.value for one in exact if abs(one - stated.value) <= _slack(stated)}
    return exact


def _slack(stated: Quantity) -> Fraction:
    return Fraction(3600, 2 * 10**stated.places) + 1


def _check(stated: Quantity, worked: Fraction, right: bool, given: Region) -> Check:
    return Check.of(stated.place, right, duration_of(worked), sure=False, given=given)


def _shifts(prompt: Text) -> list[_Shift]:
    read = Line(prompt).quantities
    found: list[_Shift] = []
    for at, (one, two) in enumerate(pairwise(read)):
        between = prompt.value[one.end : two.start]
        if not (one.kind == two.kind == CLOCK and _JOINED.search(between.encode())):
            continue
        before = Text(prompt.value[max(0, one.start - 40) : one.start])
        name = before.search(_NAME) or before.search(_NAME_LONG)
        span = (two.value - one.value) % DAY
        if not (one.half or two.half) and two.value < one.value <= DAY // 2:
            return []  # "9:00-5:00" leaves open what half of the day is meant
        key, breaks = _key(name["name"]) if name else "", _breaks(prompt, read[at + 1 :])
        found.append(_Shift(key, span, breaks, Region(one.start, two.end)))
    return found


def _breaks(prompt: Text, read: list[Quantity]) -> Fraction:
    """Return the break that is told with a row, before the next one begins."""
    if len(read) < 2 or read[1].kind != DURATION:
        return Fraction(0)
    near = prompt.value[read[0].end : read[1].end + 16]
    row = near.split("\n")[0]
    inside = read[1].end - read[0].end <= len(row)
    return read[1].value if inside and _BREAKS.search(prompt.utf8) else Fraction(0)


def _key(name: str) -> str:
    low = name.lower()
    return low[:3] if low[:3] in _DAYS and low[-3:] in {"day", low[:3]} else low


def _stated(response: Text, names: set[str]) -> Iterator[tuple[str, Quantity]]:
    """Yield the length that the response gives for a row, where its line or clause names that row and no other."""
    for line in response.lines[: 3 * _MAX_ROWS]:
        value = response.slice(line)
        row = value.count("|") > 2 or value.lstrip()[:1] in {"-", "*", "•"}
        for piece in [line] if row else _clauses(response, line):
            text = response.slice(piece)
            named = {_key(match.text) for match in Text(text).matches(_CAPITAL)} & names
            if len(named) != 1 or _OTHER_HOURS.search(text.encode()):
                continue
            lengths = [*_lengths(text, row)]
            if len(lengths) == 1:
                yield named.pop(), lengths[0].moved(piece.start)


def _clauses(response: Text, line: Region) -> Iterator[Region]:
    start = line.start
    value = response.value
    for at in range(line.start, line.end):
        if value[at] in ",;." and not value[at + 1 : at + 2].isdigit():
            yield Region(start, at)
            start = at + 1
    yield Region(start, line.end)


def _lengths(text: str, row: bool) -> Iterator[Quantity]:
    """Yield the lengths of time of a row; "7:45" is one where no times of day stand beside it."""
    read = Line(Text(text))
    clocks, lengths = read.of(CLOCK), read.of(DURATION)
    if lengths or len(clocks) != 1:
        # Beside the times themselves stand the length and the break.
        yield from lengths[-1:] if row and not _OPERATORS.search(text.encode()) else lengths
    else:
        yield from clocks


_OPERATORS = Pattern(r"[=+×÷]")


def _total(response: Text, shifts: list[_Shift], *, paid: bool) -> Iterator[Check]:
    """Compare the one length that a line calls the total with the sum of all rows."""
    worked = sum((shift.net for shift in shifts), Fraction(0))
    sums = {worked} if paid else {worked, sum((shift.span for shift in shifts), Fraction(0))}
    for line in response.lines[: 3 * _MAX_ROWS]:
        value = response.slice(line)
        if not _TOTAL.search(value.encode()) or _OTHER_HOURS.search(value.encode()):
            continue
        lengths = Line(Text(value)).of(DURATION)
        # Any other length in the line may be a row's or a part of it.
        if not lengths or len({one.value for one in lengths}) > 2:
            continue
        right = any(
            abs(total - one.value) <= (_slack(one) if one.places else 30)
            for one in lengths
            for total in sums
        )
        yield _check(lengths[0].moved(line.start), worked, right, shifts[0].place)
