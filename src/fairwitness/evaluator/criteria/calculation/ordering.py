"""Checks what a text calls larger or smaller: "9.11 is larger than 9.9", "2 kg is lighter than 1,500 g"."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import Line
from fairwitness.evaluator.criteria.calculation.question_numbers import worked_out
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import IMPERIAL, unit_of

# Where a statement may begin and end, so that all of it is read.
FROM = r"(?:^|[.!?;:(|>\n-] ?|, |\b(?:so|and|that|because|since|yes|no|thus|while|but|means) )"
TO = r"(?:[.,;!?)|\n]|$| because| since| and| but| so| as | when| while)"
# Each with its opposite.
_MORE = {
    "bigger": "smaller", "larger": "smaller", "greater": "smaller", "higher": "lower", "more": "less",
    "heavier": "lighter", "longer": "shorter",
}  # fmt: skip
_LESS = {
    "smaller": "larger", "lower": "higher", "less": "more", "lighter": "heavier", "shorter": "longer",
    "fewer": "more",
}  # fmt: skip
_HOW = "|".join([*_MORE, *_LESS])
_NUMBER = r"[-−]?\d[\d,]*(?:\.\d+)?(?:(?:\^|/)\d{1,4})?"
_COMPARED = Pattern(
    rf"(?:^|[.!?;:(>\n] ?|, |\b(?:so|and|that|because|since|yes|no|but|number|value|fraction|decimal) )\*{{0,2}}(?P<one>{_NUMBER})\*{{0,2}} (?:is|are) (?P<how>{_HOW}) than \*{{0,2}}(?P<two>{_NUMBER})\*{{0,2}}(?:[.,;!?)\n]*(?:\s|$))",
    ignore_case=True,
)
MEASURED = Pattern(rf"{FROM}(?P<one>[UD]\d+) (?:is|are) (?P<how>{_HOW}) than (?P<two>[UD]\d+){TO}")
# Numbers with points that are no decimals.
_VERSIONS = Pattern(
    r"\b(?:versions?|release\w*|python|ios|android|node|chapter|section|verse|v\d|update|software|sort\w*|string\w*|alphabetical\w*|lexic\w*|september|game|score)\b",
    ignore_case=True,
)


def measured(line: Line, match: Match) -> Check | None:
    """Return the check of two measures of one kind that are compared."""
    one, two = line[match["one"]], line[match["two"]]
    units = unit_of(one.unit), unit_of(two.unit)
    if None in units or units[0][0] != units[1][0] or one.value == two.value:  # type: ignore[index]
        return None
    if (one.unit in IMPERIAL) != (two.unit in IMPERIAL):
        return None
    start = line.text.lower.find(match["how"], one.end)
    return _ordered(one.value, two.value, match["how"], Region(one.start, two.end), start)


def compared(text: Text) -> Iterator[Check]:
    """Yield a check for every "9.11 is larger than 9.9"; versions and the like are no numbers."""
    if "than" not in text.value or text.search(_VERSIONS):
        return
    for match in text.matches(_COMPARED, limit=20):
        one, two = _value(match["one"]), _value(match["two"])
        if one is not None and two is not None and one != two:
            region = Region(match.span("one")[0], match.span("two")[1])
            check = _ordered(one, two, match["how"].lower(), region, match.span("how")[0])
            if check is not None:
                yield check


def _value(written: str) -> Fraction | None:
    plain_number = Line(Text(written)).quantities
    if len(plain_number) == 1 and plain_number[0].end - plain_number[0].start == len(written):
        return plain_number[0].value
    parsed = worked_out(written)
    return parsed.value.mid if parsed else None


def _ordered(one: Fraction, two: Fraction, how: str, region: Region, at: int) -> Check | None:
    if at < 0:
        return None
    right = (one > two) == (how in _MORE)
    opposite = (_MORE | _LESS)[how]
    return Check.of(Region(at, at + len(how)), right, opposite, whole=region)
