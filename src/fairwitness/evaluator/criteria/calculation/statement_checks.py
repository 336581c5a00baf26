"""What checks of statements in words share: the words between quantities, and a check made of what was found."""

from __future__ import annotations

from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import Line, Quantity
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import SIZES

IS = r"(?:is|are|=|equals|is equal to|makes?|comes? to|gives|was|will be|would be|is the same as|is exactly|takes|lasts|costs?)"
ABOUT = r"(?:about |around |approximately |roughly |exactly |just |a total of )?"


def checked(
    line: Line,
    match: Match,
    worked: Fraction,
    stated: Fraction,
    fixed: str,
    *,
    slack: Fraction = Fraction(0),
) -> Check:
    """Make a check of a statement: its first quantity to its result."""
    result = line[match["result"]]
    symbols = [line[found.text] for found in Text(match.text).matches(_SYMBOL)]
    apart = abs(worked - stated)
    whole = Region(min(q.start for q in symbols), max(q.end for q in symbols))
    near = apart <= abs(worked) / 50
    return Check.of(result.place, apart <= slack, fixed, whole=whole, rounded=near)


_SYMBOL = Pattern(r"[A-Z]\d+")


def slack_of(result: Quantity) -> Fraction:
    """Return how far a result given to so many decimals may be off."""
    size = SIZES.get(result.unit, 1)
    return Fraction(size, 2 * 10**result.places) if result.places else Fraction(0)
