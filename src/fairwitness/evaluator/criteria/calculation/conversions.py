"""Checks units turned into one another, where the factor is exact: 1 hour = 60 minutes, two dozen are 24."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.equations import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import (
    COUNT,
    MAX_MATCHES,
    NUMBER,
    amount,
    check,
)
from fairwitness.evaluator.criteria.calculation.vocabulary import unit_of
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Text

# Only exact, universal factors: no months, no cups, no currencies.
_SIZES = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800,
    "mm": 1, "cm": 10, "m": 1000, "km": 1_000_000, "mg": 1, "g": 1000, "kg": 1_000_000, "ml": 1, "l": 1000,
}  # fmt: skip
# Exact among themselves; to metric ones they are mostly rounded, so the two are never mixed.
_IMPERIAL = {
    "inch": 1, "ft": 12, "yd": 36, "mile": 63_360, "oz": 1, "lb": 16, "pint": 1, "quart": 2, "gallon": 8,
}  # fmt: skip
_UNIT = (
    r"seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|mm|cm|m|km|(?:kilo|centi|milli)?met(?:er|re)s?|"
    r"mg|g|kg|(?:kilo|milli)?grams?|ml|mL|l|L|(?:milli)?lit(?:er|re)s?|inch(?:es)?|feet|foot|ft|yards?|miles?|pounds?|lbs?|ounces?|oz|"
    r"pints?|quarts?|gallons?"
)
_EQUAL = r"(?:=|equals|is equal to|equates to|is the same as|is exactly|is|are|makes|comes to)"
_END = r"\*{0,2}(?:[.,;!)|]|\s*$)"
_FROM = r"(?:^|[\pL.,:;(*|>-] |[(*|])"
_CONVERSION = Pattern(
    rf"{_FROM}(?P<all>(?P<first>{NUMBER}) ?(?P<unit1>{_UNIT})(?: \+ (?P<second>{NUMBER}) ?(?P<unit2>{_UNIT}))?"
    rf" ?{_EQUAL} ?(?P<result>{NUMBER}) ?(?P<unit3>{_UNIT})){_END}",
    multiline=True,
)
# "12 km (12,000 m)", "2.5 hours, or 150 minutes": said beside it, not as an equation.
_BESIDE = Pattern(
    rf"{_FROM}(?P<all>(?P<first>{NUMBER}) ?(?P<unit1>{_UNIT})(?: \(|, or )(?P<result>{NUMBER}) ?(?P<unit3>{_UNIT}))(?P<end>\)|[.;!]|,? |\s*$)",
    multiline=True,
)
# "There are 500 grams in half a kilogram."
_HELD = Pattern(
    rf"\b(?:[Tt]here are|has|contains|holds) (?:exactly )?(?P<result>{NUMBER}) (?P<unit3>{_UNIT}) in (?P<first>an?|one|half an?|{NUMBER}) (?P<unit1>{_UNIT}){_END}",
    multiline=True,
)
_DOZENS = Pattern(
    rf"\b(?P<first>{COUNT}|half an?|an?) dozen(?: (?P<what>\pL{{3,20}}))? (?:=|equals?|is|are|makes?|is equal to) (?P<result>\d{{1,6}})(?: (?P<same>\pL{{3,20}}))?{_END}",
    ignore_case=True,
    multiline=True,
)
# Where one thing represents another, a unit need not have its own size.
_STANDS_FOR = Pattern(
    r"\b(?:scales?|maps?|drawings?|plans?|blueprints?|diagrams?|charts?|models?|games?|represent\w*|equivalent|class\w*|billable|dreams?|planets?|points?|rates?|ratio|work\w*|business|school|leave|shifts?|vacation|employ\w*|lessons?|therap\w*|mars|venus|jupiter|moon)\b",
    ignore_case=True,
)


def conversions(text: Text) -> Iterator[Check]:
    """Yield a check for every "5 kg = 5000 g", "10 km + 500 m = 10.5 km" and "3 hours is 180 minutes"."""
    for pattern in (_CONVERSION, _BESIDE, _HELD):
        for match in text.matches(pattern, limit=MAX_MATCHES):
            if (worked := _worked(match, pattern)) is None:
                continue
            start, end = (
                match.span("all") if pattern is not _HELD else (match.start, match.span("unit1")[1])
            )
            sentence = text.sentence_at(start)
            if text.slice(sentence).count("=") > 1:
                continue
            if _STANDS_FOR.search(text.value[max(0, start - 400) : sentence.end].encode()):
                continue
            yield check(match, start, end, [worked])


def _worked(match: Match, pattern: Pattern) -> Fraction | None:
    """Return what the first quantity comes to in the unit of the result; None where no exact factor is known."""
    names = ("unit1", "unit2", "unit3") if pattern is _CONVERSION else ("unit1", "unit3")
    units = [unit_of(match[name]) for name in names if match[name]]
    named = [unit for unit in units if unit is not None]
    sizes = _SIZES if named and named[0][1] in _SIZES else _IMPERIAL
    known = [unit for unit in named if unit[1] in sizes]
    if len(known) < len(units) or len({unit[0] for unit in known}) > 1:
        return None
    if len({unit[1] for unit in known}) == 1:
        return None
    if pattern is _BESIDE and not _said_beside(match, [unit[1] for unit in known]):
        return None
    worked = amount(match["first"]) * sizes[known[0][1]]
    if pattern is _CONVERSION and match["second"]:
        worked += amount(match["second"]) * sizes[known[1][1]]
    return worked / sizes[known[-1][1]]


def _said_beside(match: Match, units: list[str]) -> bool:
    """Tell "12 km (12,000 m)" from "a day (8 hours)" and "1 hour, or 30 minutes if you hurry"."""
    if "day" in units or "week" in units:
        return False
    bracket = "(" in match.text
    return (
        match["end"] == ")"
        if bracket
        else match["end"].strip() in {"", ".", ";", "!"} and match["end"] != " "
    )


def dozens(text: Text) -> Iterator[Check]:
    """Yield a check for every "2 dozen eggs are 24 eggs"; what dozens cost or weigh is not counted."""
    for match in text.matches(_DOZENS, limit=MAX_MATCHES):
        what, same = match["what"].lower(), match["same"].lower()
        if same and what and what != same:
            continue
        worked = 12 * amount(match["first"])
        yield check(match, match.start, match.span("result")[1], [worked])
