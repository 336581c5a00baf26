"""Works out questions about time that the prompt determines: clock times, durations, dates and weekdays."""

from __future__ import annotations

from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.answers import MORE_STEPS, Answer
from fairwitness.evaluator.criteria.calculation.days import MAX_DAYS, NO_YEAR, Day, month_length
from fairwitness.evaluator.criteria.calculation.quantities import DAY, Line
from fairwitness.evaluator.criteria.calculation.silent_words import BREAKS
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.vocabulary import IMPERIAL, MONTHS, SIZES, WEEKDAYS, unit_of

_ASKS_WHEN = r"(?:when|what time|(?:end|finish|arrival|start|departure|starting|finishing) time)\b"
ASKS_END = Pattern(
    rf"\b{_ASKS_WHEN}[^.?!]*\b(?:arriv\w*|ends?|done|finish\w*|ready|over|lands?|get there|come out|out|be (?:there|home|back)|it be|is it)\b"
    r"|\b(?:end|finish\w*|arrival) time\b"
)
_BEGIN = Pattern(
    rf"\b{_ASKS_WHEN}[^.?!]*\b(?:leave|left|start\w*|take off|took off|depart\w*|set off|begin|began|get up|go to bed|put)\b"
    r"|\b(?:start\w*|departure) time\b"
)
_ZONES = Pattern(
    r"\b(?:zone|timezone|gmt|utc|est|pst|cet|ahead|behind|daylight|local|ago|every|twice|delay\w*|late|early|earlier|between)\b"
)
_DIRECT = Pattern(r"\bD\d+ (?P<how>before|after|from|past) T\d+\b")
_WHAT_TIME = Pattern(r"\bwhat time\b|\bwhat(?:'s| is)\b")
_HOW_LONG = Pattern(r"\b(?:how long|how many (?:hours|minutes)|how much time|duration)\b")
_BREAK = Pattern(rf"\b(?:{BREAKS}|minus)\b")
_DAY_CLOCK = Pattern(r"\b(?:D\d+ (?:time|format|clock)|military time|12-hour|am/pm)\b")
_UNIT = r"(?P<unit>weeks|days|hours|minutes|seconds|met(?:er|re)s|kilomet(?:er|re)s|centimet(?:er|re)s|millimet(?:er|re)s|grams|kilograms|kilos|lit(?:er|re)s|millilit(?:er|re)s|km|cm|mm|m|kg|g|mg|ml|l|inches|feet|yards|miles|ounces|pints|quarts|gallons)"
_CONVERT = Pattern(
    rf"\b(?:how many {_UNIT} (?:are |is )?(?:there )?(?:in |make |is that)?|[DU]\d+[^?]{{0,40}}\b(?:in|to|into) {_UNIT.replace('unit', 'unit2')}\b)"
)
_NOT_PLAIN = Pattern(
    r"\b(?:work\w*|school|business|billable|light|sleep|left|per|each|average|speed|drive|walk|fast|should)\b"
)
_SUM = Pattern(
    r"^\W*(?:please |can you |what(?:'s| is) )?(?:add|the sum of|the total of|sum)?\b[^?]*D0 (?:and|plus|\+) D1\W*$"
)
_TOTAL_TIME = Pattern(
    r"\b(?:total|altogether|in all)\b[^?]*\?|\bhow long\b[^?]*\b(?:total|altogether|in all)\b"
)
_DAYS = Pattern(r"\bhow many days\b")
_WEEKDAY_IN = Pattern(r"\bwhat (?:week)?day\b")
_AGO = Pattern(r"\b(?:ago|before|earlier|prior)\b")
_AFTER = Pattern(
    r"\bD\d+ (?:after|from|later)\b|\bafter D\d+\b|\bin D\d+\b|\b(?:lasts?|runs?|ran|lasted|takes?|for) D\d+\b|D\d+ (?:long|trial)"
)
_AGAIN = Pattern(r"\b(?:every|each)\b")
_JUST_AFTER = Pattern(r"\bD\d+ (?:after|from|later)\b|\bin D\d+\b")
_DATE_ASKED = Pattern(r"\b(?:what (?:date|day)|which (?:date|day)|when)\b")
_WEEKDAY_OF = Pattern(r"\b(?:what|which) (?:week ?day|day of the week|day)\b")
_AGE = Pattern(r"\bborn in N0\b[^?]*\bhow old\b[^?]*\bN1\b")
_AGE_ON = Pattern(r"\bborn (?:on )?A0\b[^?]*\bhow old (?:is|was|will|am|are|were)\b[^?]*\bA1\b")
_MONTH_DAYS = Pattern(
    rf"\bhow many days (?:does|did|are (?:there )?in|will|were (?:there )?in) (?P<month>{'|'.join(MONTHS)})\b[^?]*\bN0\b"
)
_MONTHS_ON = Pattern(r"\bA0\b[^?]*\bN1[- ]months?\b[^?]*\b(?:end|expire|over|finish|due)\w*\b")


def answer(line: Line) -> Answer | None:
    """Return what the question determines, or None where it is none of these."""
    solve = _BY_KINDS.get(line.kinds())
    return solve(line) if solve else None


def clock_of(seconds: Fraction) -> str:
    """Write a time of day."""
    minutes = int(seconds % DAY) // 60
    return f"{minutes // 60}:{minutes % 60:02d}"


def duration_of(seconds: Fraction) -> str:
    """Write a duration in hours and minutes, or in days."""
    if seconds >= 2 * DAY and seconds % DAY == 0:
        return f"{seconds // DAY} days"
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(hours, "h"), (minutes, "min"), (rest, "s")]
    return " ".join(f"{float(count):g} {unit}" for count, unit in parts if count) or "0 min"


def _clock(line: Line) -> Answer | None:
    start, span = sorted(line.quantities, key=lambda q: q.kind == "D")
    if line.first(_DAY_CLOCK):
        return Answer("clock", ((start.value,),), clock_of(start.value))
    if line.first(_ZONES) or span.value >= DAY:
        return None
    direct = line.first(_DIRECT)
    if direct is not None and line.first(_WHAT_TIME):
        back, on = direct["how"] == "before", direct["how"] != "before"
    else:
        back, on = line.first(_BEGIN) is not None, line.first(ASKS_END) is not None
    if direct is None and back == on:
        return None
    worked = start.value - span.value if back else start.value + span.value
    return Answer("clock", ((worked % DAY,),), clock_of(worked))


def _between(line: Line) -> Answer | None:
    if not line.first(_HOW_LONG) or line.first(_ZONES):
        return None
    one, two, *rest = line.quantities
    if rest and not line.first(_BREAK):
        return None
    worked = (two.value - one.value) % DAY - sum(q.value for q in rest)
    other = (worked + DAY // 2) % DAY
    vague = not (one.half or two.half) and max(one.value, two.value) <= DAY // 2 + 3600
    ways = ((worked,), (other,)) if vague else ((worked,),)
    return Answer("measure", ways, duration_of(worked)) if worked > 0 else None


def _only_clock(line: Line) -> Answer | None:
    one = line.quantities[0]
    return Answer("clock", ((one.value,),), clock_of(one.value)) if line.first(_DAY_CLOCK) else None


def _convert(line: Line) -> Answer | None:
    match = line.first(_CONVERT)
    if match is None or line.first(_NOT_PLAIN):
        return None
    one = line.quantities[0]
    word = match["unit"] or match["unit2"]
    asked, own = unit_of(word), unit_of(one.unit)
    if asked is None or own is None or asked[0] != own[0] or asked[1] == own[1]:
        return None
    size = SIZES.get(asked[1])
    if size is None or (one.unit in IMPERIAL) != (asked[1] in IMPERIAL):
        return None
    worked = one.value / size
    shown = (
        duration_of(one.value)
        if one.kind == "D" and worked.denominator != 1
        else f"{float(worked):,g} {word}"
    )
    return Answer("measure", ((one.value,),), shown)


def _sum(line: Line) -> Answer | None:
    total = line.first(_TOTAL_TIME) and not line.first(MORE_STEPS)
    if not line.first(_SUM) and not total:
        return None
    worked = sum((q.value for q in line.quantities if q.kind == "D"), Fraction(0))
    return Answer("measure", ((worked,),), duration_of(worked))


def _two_dates(line: Line) -> Answer | None:
    return _age_on(line) if line.first(_AGE_ON) else _days(line)


def _age_on(line: Line) -> Answer | None:
    born, then = (Day.of(int(q.value)) for q in line.quantities)
    if not all(q.year for q in line.quantities) or born.ordinal > then.ordinal:
        return None
    worked = then.year - born.year - ((then.month, then.day) < (born.month, born.day))
    return Answer("number", ((Fraction(worked),),), str(worked))


def _days(line: Line) -> Answer | None:
    if not line.first(_DAYS):
        return None
    one, two = line.quantities
    years = [one.year or two.year] if one.year or two.year else [NO_YEAR, 2001]
    ways: list[Fraction] = []
    for year in years:
        first, last = (_in_year(q.value, q.year or year) for q in (one, two))
        if first is None or last is None:
            return None
        if last < first:
            last += 365
        ways.append(Fraction(last - first))
    accepted = tuple((days + more,) for days in ways for more in (0, 1, -1))
    return Answer("number", accepted, f"{ways[-1]} days")


def _in_year(ordinal: Fraction, year: int) -> int | None:
    try:
        return Day.of(int(ordinal)).in_year(year).ordinal
    except ValueError:
        return None


def _weekday_in(line: Line) -> Answer | None:
    day, span = sorted(line.quantities, key=lambda q: q.kind == "D")
    if not line.first(_WEEKDAY_IN) or span.value % DAY:
        return None
    days = int(span.value // DAY) * (-1 if line.first(_AGO) else 1)
    worked = (int(day.value) + days) % 7
    return Answer("weekday", ((Fraction(worked),),), WEEKDAYS[worked].capitalize())


def _date_in(line: Line) -> Answer | None:
    start, span = sorted(line.quantities, key=lambda q: q.kind == "D")
    if not line.first(_DATE_ASKED) or span.value % DAY or span.value > MAX_DAYS * DAY:
        return None
    if line.first(_AGAIN):
        return None
    back = line.first(_AGO)
    if bool(back) == bool(line.first(_AFTER)) and not back:
        return None
    days = int(span.value // DAY) * (-1 if back else 1)
    years = [start.year] if start.year else [NO_YEAR, 2001]
    found = [_in_year(start.value, year) for year in years]
    if None in found:
        return None
    # "It lasts three weeks" may count its first day; "three weeks after" does not.
    first = (0,) if back or line.first(_JUST_AFTER) else (0, -1)
    ways = tuple(
        (Fraction(day + days + off),) for off in reversed(first) for day in found if day is not None
    )
    shown = Day.of(int(ways[-1][0]))
    # Without a year a leap day may lie between: either will do.
    plain = ways if start.year else tuple((Fraction(shown_in(int(way[0]))),) for way in ways)
    return Answer("date", plain, shown.written)


def shown_in(ordinal: int) -> int:
    """Return the same day of the year NO_YEAR, which stands for no year."""
    day = Day.of(ordinal)
    return Day(NO_YEAR, day.month, day.day).ordinal


def _weekday_of(line: Line) -> Answer | None:
    day = line.quantities[0]
    if not day.year or not line.first(_WEEKDAY_OF):
        return None
    worked = Day.of(int(day.value)).weekday
    return Answer("weekday", ((Fraction(worked),),), WEEKDAYS[worked].capitalize())


def _years(line: Line) -> Answer | None:
    one, two = line.quantities
    if not line.first(_AGE) or not 1800 < one.value < two.value < 2200:
        return None
    worked = two.value - one.value
    return Answer("number", ((worked,), (worked - 1,)), str(worked))


def _month_days(line: Line) -> Answer | None:
    match, year = line.first(_MONTH_DAYS), line.quantities[0].value
    if match is None or not 1583 <= year <= 3000 or year.denominator != 1:
        return None
    worked = Fraction(month_length(int(year), MONTHS.index(match["month"]) + 1))
    return Answer("number", ((worked,),), f"{worked} days")


def _months_on(line: Line) -> Answer | None:
    start, count = line.quantities
    if not line.first(_MONTHS_ON) or not start.year or not 0 < count.value < 600:
        return None
    day = Day.of(int(start.value))
    month = day.month - 1 + int(count.value)
    try:
        worked = Day(day.year + month // 12, month % 12 + 1, day.day).ordinal
    except ValueError:
        return None
    shown = Day.of(worked)
    ways = (Fraction(worked),), (Fraction(worked - 1),)
    return Answer("date", ways, f"{shown.written} {shown.year}")


_BY_KINDS = {
    "TD": _clock, "DT": _clock, "TT": _between, "TTD": _between, "T": _only_clock, "D": _convert, "U": _convert,
    "DD": _sum, "DWDW": _sum, "WDWD": _sum, "DDD": _sum, "AA": _two_dates, "WD": _weekday_in, "DW": _weekday_in, "AD": _date_in, "DA": _date_in, "A": _weekday_of,
    "NN": _years, "N": _month_days, "AN": _months_on,
}  # fmt: skip
