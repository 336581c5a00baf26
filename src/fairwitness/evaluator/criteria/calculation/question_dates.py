"""Checks the date that a prompt asks for, where it follows from a date and a length of time that the prompt gives.

Any of the lengths, or several of them together, may be what is meant, forwards or backwards, with the first day counted or
not: only where no date of the response is one of these, it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from fairwitness.evaluator.criteria.calculation.days import NO_YEAR, Day, month_length
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import (
    DATE,
    MEASURE,
    NUMBER,
    PERCENT,
    RATIO,
    WEEKDAY,
    Line,
    Quantity,
    number,
)
from fairwitness.evaluator.criteria.calculation.silent_words import OPEN, OTHER_DAYS
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text
from fairwitness.evaluator.vocabulary import COUNT_WORDS, NUMBER_WORDS

_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS = 1_500, 2_000
_MAX_DATES, _MAX_SPANS, _MAX_STATED = 3, 4, 6
_MAX_DAYS, _MAX_OTHERS = 4_000, 3
_WORDS = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_ASKS = Pattern(
    r"\b(?:when|(?:which|what|by what|on what|until what) (?:day|date)s?|(?:the|two|three|both|these|end|due|expiry|return|last|latest|final) (?:day|date)s?|by when|until when|how long (?:do|can) (?:I|we) have|deadline|last day|due date|expir\w+ date|end date)\b",
    ignore_case=True,
)
# Days that do not count, days that come again, or a day that is chosen by another rule.
_OTHER_RULE = Pattern(
    rf"\b(?:{OTHER_DAYS}|weekly|fortnightly|monthly|yearly|annual\w*|daily|twice|mon(?:day)? to fri(?:day)?|closed|closures?|sessions?|lessons?|classes|meetings|rehearsals?|skip\w*|"
    r"end of (?:the |a |that |any )?(?:\pL+ )?(?:month|quarter|year|week)|month[- ]end|quarters?|(?:next|following|nearest|first|last|second|third|fourth|previous) (?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"born|birthdays?|age|aged|old|pages|km|records|hours? (?:a|per) day|per (?:day|week|month)|ago|instal\w+|doses?|remaining|left|extended?|extension|late|delay\w*|pause[ds]?)\b|\d ?(?:-|–|to) ?\d+ ?(?:day|week|month)",
    ignore_case=True,
)
_LENGTH = Pattern(
    rf"\b(?P<count>\d{{1,4}}|an?|{_WORDS}(?:[- ](?:{_WORDS}))?)[- ](?:(?:calendar|full|whole|clear|consecutive|more) )?(?P<unit>days?|weeks?|months?|years?|fortnights?)\b",
    ignore_case=True,
)
# So much a day: how long it takes is another matter.
_WORK = Pattern(
    rf"\b(?:\d{{2,}}|[2-9]|{COUNT_WORDS.removeprefix('one|')}) \pL+ (?:an?|per) (?:day|evening|night|morning|week)\b",
    ignore_case=True,
)
_BESIDE = Pattern(r"^\W*(?:the |an? )?$", ignore_case=True)


class _Span(NamedTuple):
    """A length of time: whole days, or months."""

    days: int
    months: int


def question_dates(exchange: Exchange) -> Iterator[Check]:
    """Yield a check of the date that the prompt asks for."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) > _MAX_PROMPT_CHARS or len(response) > _MAX_RESPONSE_CHARS:
        return
    if prompt.search(_ASKS) is None or prompt.search(_OTHER_RULE) or prompt.search(_WORK):
        return
    line = Line(prompt)
    starts = line.of(DATE)
    spans = [*_spans(prompt)]
    if not 1 <= len(starts) <= _MAX_DATES or not 1 <= len(spans) <= _MAX_SPANS:
        return
    others = line.of(NUMBER, MEASURE, PERCENT, RATIO)
    if len(others) - len(spans) > _MAX_OTHERS or _loose_weekday(line):
        return
    given = {_month_and_day(one) for one in starts}
    told = Line(response).of(DATE)
    new = [one for one in told if _month_and_day(one) not in given]
    if not new or len(new) > _MAX_STATED or response.search(OPEN):
        return
    reached = {*_reached(starts, spans)}
    fits = [_month_and_day(one) in reached for one in new]
    # As many dates as lengths: each should have its own.
    if all(fits) or (any(fits) and len(new) != len(spans)):
        yield Check.of(new[0].place, True)
        return
    wrong = [one for one, fit in zip(new, fits, strict=True) if not fit]
    yield _wrong(response, wrong, starts, spans)


def _loose_weekday(line: Line) -> bool:
    """Tell whether a weekday stands without its date: "a week on Monday"."""
    read = line.quantities
    for at, one in enumerate(read):
        if one.kind == WEEKDAY:
            pairs = [(other, one) for other in read[max(0, at - 1) : at]]
            pairs += [(one, other) for other in read[at + 1 : at + 2]]
            if not any(
                DATE in {first.kind, second.kind}
                and _BESIDE.search(line.text.value[first.end : second.start].encode())
                for first, second in pairs
            ):
                return True
    return False


def _wrong(
    response: Text, dates: list[Quantity], starts: list[Quantity], spans: list[_Span]
) -> Check:
    bold = (one for one in dates if "**" in response.value[max(0, one.start - 12) : one.start])
    last = next(bold, dates[-1])
    last_day = Day.of(int(last.value))
    given = starts[0].place
    if not len(starts) == len(spans) == len(dates) == 1:
        return Check.of(last.place, False, sure=False, given=given)
    ends = [Day.of(ordinal) for ordinal in _ends(starts[0], spans[0])]
    # Whether it goes forwards or backwards, the nearer one was meant.
    near = min(
        ends, key=lambda day: abs((day.month - last_day.month) * 30 + day.day - last_day.day)
    )
    eve = Day.of(near.ordinal - 1)
    fixed = f"{near.written}, or {eve.written} if the first day counts"
    return Check.of(last.place, False, fixed, sure=False, given=given)


def _ends(start: Quantity, span: _Span) -> Iterator[int]:
    for way in (1, -1):
        yield _moved(Day.of(int(start.value)), way * span.days, way * span.months)


def _month_and_day(quantity: Quantity) -> tuple[int, int]:
    day = Day.of(int(quantity.value))
    return day.month, day.day


def _spans(prompt: Text) -> Iterator[_Span]:
    seen: set[_Span] = set()
    for match in prompt.matches(_LENGTH, limit=3 * _MAX_SPANS):
        count, unit = int(number(match["count"])[0]), match["unit"].lower().rstrip("s")
        days, months = {
            "day": (1, 0), "week": (7, 0), "fortnight": (14, 0), "month": (0, 1), "year": (0, 12),
        }[unit]  # fmt: skip
        span = _Span(count * days, count * months)
        # "A day" is mostly how often.
        if span not in seen and span != _Span(1, 0) and 30 * span.months + span.days <= _MAX_DAYS:
            seen.add(span)
            yield span


def _reached(starts: list[Quantity], spans: list[_Span]) -> Iterator[tuple[int, int]]:
    """Yield the days that some of the lengths lead to, by month and day."""
    for start in starts:
        # Without a year a leap day may lie between.
        for year in [start.year] if start.year else [2001, NO_YEAR]:
            for signs in product((1, -1, 0), repeat=len(spans)):
                if not any(signs):
                    continue
                days = sum(sign * span.days for sign, span in zip(signs, spans, strict=True))
                months = sum(sign * span.months for sign, span in zip(signs, spans, strict=True))
                ordinal = _moved(Day.of(int(start.value)).in_year(year), days, months)
                for off in (-1, 0, 1):
                    reached = Day.of(ordinal + off)
                    yield reached.month, reached.day


def _moved(day: Day, days: int, months: int) -> int:
    """Return the ordinal of a day some months and days on; a month that is too short ends sooner."""
    month = day.month - 1 + months
    year, month = day.year + month // 12, month % 12 + 1
    return Day(year, month, min(day.day, month_length(year, month))).ordinal + days
