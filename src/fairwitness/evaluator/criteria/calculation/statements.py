"""Checks what a text states in words of time, measure and price: "2 h 35 min + 1 h 50 min = 4 h 25 min"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation import clock_spans, ordering
from fairwitness.evaluator.criteria.calculation.answers import plain
from fairwitness.evaluator.criteria.calculation.days import MAX_DAYS, NO_YEAR, Day
from fairwitness.evaluator.criteria.calculation.equations import pieces
from fairwitness.evaluator.criteria.calculation.ordering import TO
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import shown
from fairwitness.evaluator.criteria.calculation.quantities import DAY, Line, Quantity
from fairwitness.evaluator.criteria.calculation.question_times import (
    clock_of,
    duration_of,
    shown_in,
)
from fairwitness.evaluator.criteria.calculation.statement_checks import ABOUT, IS, checked, slack_of
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import IMPERIAL, SIZES, WEEKDAYS, unit_of

_SAME = Pattern(
    rf"(?:^|[.,:;(|>] ?|\n|\b(?:of|so|and|that|because|since|thus|while|but|for|takes|lasts|is) )(?P<one>[DU]\d+)(?: \+ (?P<more>[DU]\d+)| plus (?P<more2>D\d+))?(?: ?{IS} |, (?:that is|i\.e\.|which is) |(?P<beside> \(|, or )){ABOUT}(?P<result>[DU]\d+)(?P<end>{TO})",
)
_HELD = Pattern(
    rf"\b(?:there are|has|contains|holds) (?:exactly )?(?P<result>[DU]\d+) in (?P<one>[DU]\d+)(?P<beside>)(?P<more>)(?P<more2>){TO}"
)
_LATER = Pattern(
    rf"(?P<span>D\d+) (?P<how>after|before|from|later than) (?P<one>[AT]\d+) {IS} {ABOUT}(?P<result>[AT]\d+)\b"
)
_WEEKDAY = Pattern(
    r"(?P<one>A\d+) (?:was|is|will be|falls|fell) (?:on )?(?:an? )?(?P<result>W\d+)\b"
)
_RATE = Pattern(
    rf"(?P<count>[UN]\d+)(?: [a-z]+){{0,2}} for (?P<price>M\d+) {IS} {ABOUT}(?P<result>M\d+) (?:per|a|each) (?P<unit>[a-z]+)"
)
_AT = Pattern(
    rf"(?P<count>[UD]\d+)(?: of [a-z]+)? at (?P<price>[MN]\d+) (?:(?:per|a|an|each) (?P<unit>[a-z]+)|(?P<per>D\d+)),? (?:is|=|costs?|comes? to|makes?|would cost|will cost|totals?) {ABOUT}(?P<result>[MN]\d+){TO}"
)
# Where one thing represents another, a unit need not have its own size.
_STANDS_FOR = Pattern(
    r"\b(?:scales?|maps?|drawings?|plans?|blueprints?|models?|games?|represent\w*|equivalent|class\w*|billable|dreams?|planets?|points?|rates?|ratio|work\w*|business|school|leave|vacation|employ\w*|lessons?|mars|venus|jupiter|moon|years?|time zones?|doses?|per)\b|/ ?(?:k?g|m?l|km|h)\b",
    ignore_case=True,
)
# What is charged for each begun hour is more than the hours.
_BY_STEPS = Pattern(r"\b(?:started|begun|part of|minimum|rounded)\b")
_FRACTION = Pattern(r"(?:\d/\d|half|quarters?|thirds?) (?:of )?(?:an? )?$", ignore_case=True)
# What every one of these statements has beside its quantities.
_STATES = Pattern(
    r"=|\b(?:is|are|was|be|makes?|comes?|gives|equals|costs?|takes|lasts|took|ran|lasted|in|or|totals?|falls|fell)\b|\(",
    ignore_case=True,
)
# More quantities in such lines than a real response of its length has; the rest is not checked.
_BASE_QUANTITIES, _CHARS_PER_QUANTITY = 60, 150
SIGN = Pattern(
    r"\d ?-?(?:hours?|h|minutes?|mins?|seconds?|secs?|days?|weeks?|[ckm]?m|[mk]?g|m?l|(?:kilo|centi|milli)?(?:met|lit)(?:er|re)s?|"
    r"(?:kilo|milli)?grams?|inch(?:es)?|feet|foot|ft|yards?|miles?|pounds?|lbs?|ounces?|oz|pints?|quarts?|gallons?)\b|"
    r"\d\W{0,2} (?:is|are) \pL+ than|\d:\d\d|\d,? (?:was|is|falls on|will be) (?:an? )?(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    ignore_case=True,
)


def statements(text: Text) -> Iterator[Check]:
    """Yield a check for every such statement that can be worked out, line by line."""
    if "than" in text.value:
        yield from ordering.compared(text)
    left = _BASE_QUANTITIES + len(text) // _CHARS_PER_QUANTITY
    for piece in pieces(text):
        value = text.slice(piece)
        if not (SIGN.search(value.encode()) and _STATES.search(value.encode())):
            continue
        line = Line(Text(value))
        left -= len(line.quantities)
        if left < 0:
            return
        if len(line.quantities) < 2:
            continue
        for pattern, work in _FORMS:
            for match in line.find(pattern, overlapping=True):
                if (check := work(line, match)) is not None:
                    yield check.moved(piece.start)


def _same(line: Line, match: Match) -> Check | None:
    one, result = line[match["one"]], line[match["result"]]
    more = [line[match[name]] for name in ("more", "more2") if match[name]]
    units = {unit_of(q.unit) for q in (one, *more, result)}
    dimensions = {unit[0] if unit else "" for unit in units}
    if (
        len(dimensions) > 1
        or "" in dimensions
        or len({q.unit in IMPERIAL for q in (one, *more, result)}) > 1
    ):
        return None
    if one.unit not in SIZES or (
        len(units) == 1 and not more and _is_simple(one) and _is_simple(result)
    ):
        return None
    near = line.text.value[max(0, one.start - 200) : result.end + 60]
    if _STANDS_FOR.search(near.encode()):
        return None
    if _FRACTION.search(line.text.value[max(0, one.start - 12) : one.start].encode()):
        return None  # "3/4 of an hour"
    if match["beside"] and not _said_beside(match, {one.unit, result.unit}):
        return None
    worked = one.value + sum(q.value for q in more)
    size = SIZES[result.unit]
    exact = (worked / size).denominator == 1 or bool(result.places)
    rounded = not exact and 0 < abs(worked - result.value) < size
    check = checked(line, match, worked, result.value, duration_of(worked), slack=slack_of(result))
    if not _is_simple(result):
        return check
    # One number and its unit: only the number is to be put right.
    digits = len(result.text) - len(result.text.lstrip("0123456789.,"))
    where = Region(result.start, result.start + digits) if digits else check.result
    grouped = "," in result.text[:digits]
    fixed = shown(worked / size, result.places, grouped) if digits else check.corrected
    right, rounded = check.outcome == "correct", rounded or check.outcome == "rounding"
    whole = Region(check.start, check.end)
    return Check.of(where, right, fixed, whole=whole, rounded=rounded)


def _said_beside(match: Match, units: set[str]) -> bool:
    """Tell "12 km (12,000 m)" from "a day (8 hours)" and "1 hour, or 30 minutes if you hurry"."""
    if units & {"day", "week"}:
        return False
    return (
        match["end"] == ")"
        if "(" in match["beside"]
        else match["end"].strip() in {"", ".", ";", "!"}
    )


def _is_simple(quantity: Quantity) -> bool:
    return len(quantity.text.replace("-", " ").split()) <= 2


def _later(line: Line, match: Match) -> Check | None:
    span, one, result = line[match["span"]], line[match["one"]], line[match["result"]]
    sign = -1 if match["how"] == "before" else 1
    if one.kind != result.kind:
        return None
    if one.kind == "T":
        worked = (one.value + sign * span.value) % (DAY // 2)
        fixed = clock_of(one.value + sign * span.value)
        return checked(line, match, worked, result.value % (DAY // 2), fixed)
    if span.value % DAY or span.value > MAX_DAYS * DAY:
        return None
    days = sign * int(span.value // DAY)
    years = [one.year] if one.year else [NO_YEAR, 2001]
    start = Day.of(int(one.value))
    try:
        found = [start.in_year(year).ordinal + days for year in years]
    except ValueError:
        return None
    day = Day.of(found[-1])
    fits = any(shown_in(each) == shown_in(int(result.value)) for each in found)
    return checked(line, match, Fraction(1), Fraction(1 if fits else 3), day.written)


def _weekday(line: Line, match: Match) -> Check | None:
    one, result = line[match["one"]], line[match["result"]]
    if not one.year or one.year < 1583:
        return None
    worked = Day.of(int(one.value)).weekday
    fits = worked == result.value
    return checked(
        line, match, Fraction(1), Fraction(1 if fits else 3), WEEKDAYS[worked].capitalize()
    )


def _rate(line: Line, match: Match) -> Check | None:
    count, price, result = line[match["count"]], line[match["price"]], line[match["result"]]
    unit = unit_of(match["unit"])
    if count.kind == "U":
        own = unit_of(count.unit)
        if (
            unit is None
            or own is None
            or unit[0] != own[0]
            or (own[1] in IMPERIAL) != (unit[1] in IMPERIAL)
        ):
            return None
        amount = count.value / SIZES[unit[1]]
    else:
        if unit is not None:
            return None
        amount = count.value
    if not amount:
        return None
    worked = price.value / amount
    slack = Fraction(1, 10 ** max(result.places, 1))
    return checked(line, match, worked, result.value, plain(worked, result), slack=slack)


def _at(line: Line, match: Match) -> Check | None:
    if line.first(_BY_STEPS):
        return None
    count, price, result = line[match["count"]], line[match["price"]], line[match["result"]]
    per = line[match["per"]].unit if match["per"] else match["unit"]
    unit = unit_of(per)
    own = unit_of(count.unit)
    if (
        unit is None
        or own is None
        or unit[0] != own[0]
        or unit[1] not in SIZES
        or price.kind != result.kind
    ):
        return None
    if (own[1] in IMPERIAL) != (unit[1] in IMPERIAL) or (
        match["per"] and line[match["per"]].amount != 1
    ):
        return None
    worked = count.value / SIZES[unit[1]] * price.value
    slack = Fraction(1, 2 * 10**result.places)
    return checked(line, match, worked, result.value, plain(worked, result), slack=slack)


_FORMS: tuple[tuple[Pattern, Callable[[Line, Match], Check | None]], ...] = (
    (_SAME, _same),
    (_HELD, _same),
    *clock_spans.FORMS,
    (_LATER, _later),
    (_WEEKDAY, _weekday),
    (_RATE, _rate),
    (_AT, _at),
    (ordering.MEASURED, ordering.measured),
)
