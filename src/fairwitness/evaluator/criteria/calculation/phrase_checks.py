"""What the phrase checks share: amounts as they are written, and when a result counts as rounded."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from statistics import median

from fairwitness.evaluator.criteria.calculation.numbers import readings
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region
from fairwitness.evaluator.vocabulary import COUNT_WORDS, COUNTS

NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d{1,4})?|\d{1,9}(?:\.\d{1,4})?"
_ARTICLES = {
    "a": Fraction(1),
    "an": Fraction(1),
    "half a": Fraction(1, 2),
    "half an": Fraction(1, 2),
}
COUNT = rf"\d{{1,4}}|{COUNT_WORDS}"
# The result goes on: "$10 to $12", "$5 per person", "$4 less".
GOES_ON = Pattern(
    r"^[\s*]*(?:to|or|per|each|less|more|off|times|plus|minus|million|billion|thousand|%|[-–+*/×x÷])",
    ignore_case=True,
)
MAX_MATCHES = 20
_MIN_GROUPED = 10_000


def check(match: Match, start: int, end: int, fair: list[Fraction]) -> Check:
    """Compare with the closest of the possible values; a small difference is rounding."""
    written = match["result"]
    places, stated = decimals(written), amount(written)
    apart = min(abs(worked - stated) for worked in fair)
    exact = apart == 0 or (apart * 2 <= Fraction(1, 10**places) and places > 0)
    near = (apart < 1 and fair[0].denominator != 1) or apart <= abs(fair[0]) / 50
    fixed = shown(fair[0], places, "," in written)
    place = Region(*match.span("result"))
    return Check.of(place, exact, fixed, whole=Region(start, end), rounded=near)


def shown(value: Fraction, places: int, grouped: bool) -> str:
    """Write a result with as many decimals as it needs, or as the stated one has."""
    if value.denominator != 1:
        places = next((at for at in range(1, 5) if (value * 10**at).denominator == 1), 2)
    return f"{float(value):{',' if grouped else ''}.{places}f}"


def added_up(value: Fraction, places: int, like: str) -> str:
    """Write a sum with so many decimals; a large one is grouped, and any where the stated one is."""
    return f"{float(value):{',' if ',' in like or value >= _MIN_GROUPED else ''}.{places}f}"


def decimals(written: str) -> int:
    """Return how many decimals a number shows."""
    return len(written.partition(".")[2])


def amount(text: str) -> Fraction:
    """Read a number in digits or a small one in words."""
    word = text.lower()
    if word in COUNTS or word in _ARTICLES:
        return Fraction(COUNTS.get(word) or _ARTICLES[word])
    english, _ = readings(text)
    return english[0] if english else Fraction(0)


def combine(how: str, values: list[Fraction]) -> Fraction:
    """Work out a sum, product, mean, median or difference by its name."""
    if how in {"average", "mean"}:
        return sum(values, Fraction(0)) / len(values)
    if how == "median":
        return Fraction(median(values))
    if how == "difference":
        return abs(values[0] - values[-1])
    return prod(values, start=Fraction(1)) if how == "product" else sum(values, Fraction(0))
