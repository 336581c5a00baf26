"""Checks units turned into one another and shares in percent, stated in set phrases: 1 hour = 60 minutes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.comparison import Outcome
from fairwitness.evaluator.criteria.calculation.equations import Check
from fairwitness.evaluator.criteria.calculation.numbers import readings
from fairwitness.evaluator.criteria.calculation.words import unit_of
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

# Only what holds exactly and everywhere: no months, no cups, no currencies.
_SIZES = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800,
    "mm": 1, "cm": 10, "m": 1000, "km": 1_000_000, "mg": 1, "g": 1000, "kg": 1_000_000, "ml": 1, "l": 1000,
}  # fmt: skip
# Exact among themselves; to metric ones they are mostly rounded, so the two are never mixed.
_IMPERIAL = {
    "inch": 1, "ft": 12, "yd": 36, "mile": 63_360, "oz": 1, "lb": 16, "pint": 1, "quart": 2, "gallon": 8,
}  # fmt: skip
_UNIT = (
    r"seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|mm|cm|m|km|(?:kilo|centi)?met(?:er|re)s?|"
    r"mg|g|kg|(?:kilo)?grams?|ml|mL|l|L|lit(?:er|re)s?|inch(?:es)?|feet|foot|ft|yards?|miles?|pounds?|lbs?|ounces?|oz|"
    r"pints?|quarts?|gallons?"
)
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d{1,4})?|\d{1,9}(?:\.\d{1,4})?"
_CONVERSION = Pattern(
    rf"(?:^|[\pL.,:;(*|>-] |[(*|])(?P<all>(?P<first>{_NUMBER}) ?(?P<unit1>{_UNIT})(?: \+ (?P<second>{_NUMBER}) ?(?P<unit2>{_UNIT}))?"
    rf" ?(?:=|equals|is equal to) ?(?P<result>{_NUMBER}) ?(?P<unit3>{_UNIT}))\*{{0,2}}(?:[.,;!)|]|\s*$)",
    multiline=True,
)
# Where one thing stands for another, a unit need not be its own size.
_STANDS_FOR = Pattern(
    r"\b(?:scales?|maps?|models?|games?|represent\w*|equivalent|class\w*|billable|dreams?|planets?|points?|rates?|ratio|work\w*|business|school|leave|shifts?|vacation|employ\w*|lessons?|therap\w*)\b",
    ignore_case=True,
)
_MONEY = rf"(?P<sign>[$€£₹¥]?)(?P<whole>{_NUMBER})"
_RESULT = (
    rf"(?P<sign2>[$€£₹¥]?)(?P<result>{_NUMBER})(?:[.,;!)]?(?:\s|$)(?:and |so |which )?|[.,;!)]*$)"
)
_IS = r"(?:is|=|equals|gives|yields|makes|comes to|would be|results in)"
_PERCENT = r"(?P<percent>\d{1,3}(?:\.\d{1,2})?)\s?%"
_CHANGED = Pattern(
    rf"\b(?P<how>increasing|raising|decreasing|reducing|lowering) {_MONEY} by {_PERCENT},? {_IS} {_RESULT}",
    ignore_case=True,
)
_PART = r"tip|discount|commission|deposit|down payment|surcharge|sales tax"
_SHARE = Pattern(
    rf"\b{_PERCENT} (?:{_PART}) (?:on|of|off) (?:a )?{_MONEY}(?: bill| purchase| item)?,? {_IS} {_RESULT}",
    ignore_case=True,
)
_SHARE_OF = Pattern(
    rf"\b(?:{_PART}) of {_PERCENT} (?:on|off) (?:a )?{_MONEY}(?: bill| purchase| item)?,? {_IS} {_RESULT}",
    ignore_case=True,
)
_OFF = Pattern(
    rf"\b{_PERCENT} off (?:of )?(?:a )?{_MONEY}(?: bill| purchase| item| price)?,? {_IS} {_RESULT}",
    ignore_case=True,
)
_GROWN = Pattern(
    rf"\b{_PERCENT} (?P<how>increase|raise|rise|mark-?up|decrease|reduction|cut) (?:on|of|in|to) {_MONEY},? {_IS} {_RESULT}",
    ignore_case=True,
)
_COUNTS = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), 1
    )
}
_EACH = Pattern(
    rf"\b(?P<count>\d{{1,4}}|{'|'.join(_COUNTS)}) (?:[\pL-]+ ){{1,3}}(?:at|for) (?P<sign>[$€£₹])(?P<price>{_NUMBER}) (?:each|apiece) "
    rf"(?:costs?|is|comes? to|equals|=|makes?|totals?|would be|would cost|will cost) (?:a total of )?{_RESULT}",
    ignore_case=True,
)
# The result goes on: "$10 to $12", "$5 per person", "$4 less".
_GOES_ON = Pattern(
    r"^[\s*]*(?:to|or|per|each|less|more|off|times|plus|minus|million|billion|thousand|%|[-–+*/×x÷])",
    ignore_case=True,
)
_MAX_MATCHES = 40


def conversions(text: Text) -> Iterator[Check]:
    """Yield a check for every "5 kg = 5000 g" and "10 km + 500 m = 10.5 km"."""
    for match in text.matches(_CONVERSION)[:_MAX_MATCHES]:
        units = [unit_of(match[name]) for name in ("unit1", "unit2", "unit3") if match[name]]
        named = [unit for unit in units if unit is not None]
        sizes = _SIZES if named and named[0][1] in _SIZES else _IMPERIAL
        known = [unit for unit in named if unit[1] in sizes]
        if len(known) < len(units) or len({unit[0] for unit in known}) > 1:
            continue
        start, end = match.span("all")
        sentence = text.sentence_at(start)
        if len({unit[1] for unit in known}) == 1 or text.slice(sentence).count("=") > 1:
            continue
        if _STANDS_FOR.search(text.value[max(0, start - 400) : sentence.end].encode()):
            continue
        worked = _amount(match["first"]) * sizes[known[0][1]]
        if match["second"]:
            worked += _amount(match["second"]) * sizes[known[1][1]]
        yield _check(match, start, end, [worked / sizes[known[-1][1]]])


def shares(text: Text) -> Iterator[Check]:
    """Yield a check for every "increasing 200 by 10% gives 220" and "a 25% tip on $40 is $10"."""
    yield from _priced(text)
    for pattern in (_CHANGED, _SHARE, _SHARE_OF, _OFF, _GROWN):
        for match in text.matches(pattern)[:_MAX_MATCHES]:
            start, end = match.start, match.span("result")[1]
            if _GOES_ON.search(text.value[end : end + 12].encode()):
                continue
            whole, part = _amount(match["whole"]), _amount(match["percent"]) / 100
            if pattern is _CHANGED:
                up = match["how"].lower() in {"increasing", "raising"}
                fair = [whole * (1 + part if up else 1 - part)]
            elif pattern is _OFF:
                fair = [whole * (1 - part), whole * part]
            elif pattern is _GROWN:
                down = match["how"].lower() in {"decrease", "reduction", "cut"}
                fair = [whole * (1 - part if down else 1 + part), whole * part]
            else:
                # "A 20% discount on $50 is $40" gives the price that is left.
                fair = [whole * part, whole * (1 - part), whole * (1 + part)]
            yield _check(match, start, end, fair)


def _priced(text: Text) -> Iterator[Check]:
    """Yield a check for every "3 notebooks at $4 each cost $12"."""
    for match in text.matches(_EACH)[:_MAX_MATCHES]:
        end = match.span("result")[1]
        if match["sign"] != match["sign2"] or _GOES_ON.search(text.value[end : end + 12].encode()):
            continue
        count = Fraction(_COUNTS.get(match["count"].lower(), 0)) or _amount(match["count"])
        yield _check(match, match.start, end, [count * _amount(match["price"])])


def _check(match: Match, start: int, end: int, fair: list[Fraction]) -> Check:
    """Compare with the fairest of the readings; what is near is rounding."""
    written = match["result"]
    places, stated = len(written.partition(".")[2]), _amount(written)
    apart = min(abs(worked - stated) for worked in fair)
    exact = apart == 0 or (apart * 2 <= Fraction(1, 10**places) and places > 0)
    near = (apart < 1 and fair[0].denominator != 1) or apart <= abs(fair[0]) / 50
    outcome: Outcome = "holds" if exact else "rounding" if near else "wrong"
    low, high = match.span("result")
    return Check(start, end, Region(low, high), outcome, _shown(fair[0], places, "," in written))


def _shown(value: Fraction, places: int, grouped: bool) -> str:
    if value.denominator != 1:
        places = next((at for at in range(1, 5) if (value * 10**at).denominator == 1), 2)
    return f"{float(value):{',' if grouped else ''}.{places}f}"


def _amount(text: str) -> Fraction:
    english, _ = readings(text)
    return english[0] if english else Fraction(0)
