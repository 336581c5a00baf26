"""Reads amounts and rates with their units: "125 ml per hour" is millilitres by hours, "28 pages a day" pages by days.

A unit is a known one, a currency, or the thing that is counted, so that rates multiply as units do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    DATE,
    DURATION,
    MEASURE,
    MONEY,
    NUMBER,
    WEEKDAY,
    Line,
    Quantity,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import IMPERIAL, SIZES, unit_of

# The thing counted is the next word, or the one after it: "28 pages", "45 free throws".
_THING = Pattern(
    r"^(?P<space>[ -]?)(?P<first>\pL[\pL²³]*)(?: (?P<second>\pL{3,}s)\b)?", ignore_case=True
)
_OF_WHAT = r"(?: (?:of|in) \pL+)?"
_PER = Pattern(
    rf"^{_OF_WHAT}(?: ?/ ?| (?:per|for every|for each|every|an?|each) )(?P<unit>\pL[\pL²³]*)",
    ignore_case=True,
)
_PER_MEASURE = Pattern(
    rf"^{_OF_WHAT} ?(?:per|for every|for each|every|each|/) ?$", ignore_case=True
)
_NO_THING = frozenset(
    "a an and are as at be but by each every for from has have if in is it its left more of off on or out over per "
    "plus so that the then this to was were will with x less fewer extra other others minus times into until".split()
)
_ONE_OF = {"people": "person", "children": "child", "men": "man", "women": "woman", "boxes": "box"}
BARE = "bare"
_MEASURED = frozenset({NUMBER, MONEY, MEASURE, DURATION})
# A speed in one word.
_SPEEDS = {"km/h": ("km", "hour"), "kph": ("km", "hour"), "mph": ("mile", "hour")}
_NOT_PER = frozenset("few bit little lot while day-long whole total half quarter time".split())


_Divided = tuple[str, str, Fraction, int, int]


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount or a rate: its value in the smallest units, what it counts, and by what it is divided."""

    value: Fraction
    of: str
    unit: str
    per: str
    per_unit: str
    # By how much one step of its last written digit would change it.
    step: Fraction
    start: int
    end: int
    # The number as it is written, with its decimals.
    number: Fraction
    places: int

    @property
    def place(self) -> Region:
        """Where it is written."""
        return Region(self.start, self.end)

    @property
    def is_rate(self) -> bool:
        """Whether it is divided by something."""
        return bool(self.per)

    def powers(self, *, named: bool) -> dict[str, int]:
        """Return what it counts, with 1, and what it is divided by, with -1; by the names of units if need be."""
        powers = {self.unit if named else self.of: 1}
        if self.per:
            powers[self.per_unit if named else self.per] = -1
        return powers


def amounts(line: Line) -> list[Amount]:
    """Return the amounts and rates of a line in order; a number that counts nothing named is `of` nothing."""
    found: list[Amount] = []
    used = -1
    for index, quantity in enumerate(line.quantities):
        if index <= used or quantity.kind in {CLOCK, DATE, WEEKDAY}:
            continue
        read = _read(line, index) if quantity.kind in _MEASURED else None
        used, amount = read or (index, _unnamed(quantity))
        found.append(amount)
    return found


def _read(line: Line, index: int) -> tuple[int, Amount] | None:
    quantity = line.quantities[index]
    known = _counted(line.text, quantity)
    if known is None:
        return None
    of, unit, size, end = known
    number, step = quantity.amount, Fraction(1, 10**quantity.places)
    if unit in _SPEEDS:
        far, time = _SPEEDS[unit]
        of = "length imperial" if far in IMPERIAL else "length"
        divided: _Divided | None = ("time", time, Fraction(SIZES[time]), end, 0)
        unit, size = far, SIZES[far]
    else:
        following = line.quantities[index + 1] if index + 1 < len(line.quantities) else None
        divided = _divided(line, end, following)
    # A price by time may be of anything: "45 a day".
    if not of and divided is not None and not divided[0].startswith("time"):
        of = BARE
    per, per_unit, by, end, taken = divided or ("", "", Fraction(1), end, 0)
    if not by:
        return None
    if not of or (of == BARE and per.startswith("time")):
        return None
    return index + taken, Amount(
        number * size / by, of, unit, per, per_unit, step * size / by, quantity.start, end,
        number, quantity.places,
    )  # fmt: skip


def _unnamed(quantity: Quantity) -> Amount:
    value = quantity.value
    return Amount(value, "", "", "", "", Fraction(1), quantity.start, quantity.end, value, 0)


def _counted(text: Text, quantity: Quantity) -> tuple[str, str, int, int] | None:
    """Return what a quantity counts, its unit, the unit's size, and where it ends."""
    if quantity.kind in {MEASURE, DURATION}:
        if quantity.unit in _SPEEDS:
            return "", quantity.unit, 1, quantity.end
        known = unit_of(quantity.unit)
        if known is None or quantity.unit not in SIZES:
            return None
        power = text.value[quantity.end : quantity.end + 1]
        if power in {"²", "³"}:
            return f"thing {known[1]}{power}", f"{known[1]}{power}", 1, quantity.end + 1
        return _kind(known), known[1], SIZES[quantity.unit], quantity.end
    if quantity.kind == MONEY:
        return f"money {quantity.unit}", quantity.unit, 1, quantity.end
    match = _first(_THING, text.value[quantity.end : quantity.end + 40])
    if match is None or match["first"].lower() in _NO_THING:
        # Two decimals are money without its name, and so is what stands before "per".
        return (BARE if quantity.places == 2 else ""), "", 1, quantity.end
    word, end = match["first"], quantity.end + match.span("first")[1]
    if word.lower() in _SPEEDS:
        return "", word.lower(), 1, end
    known = unit_of(word)
    if known is not None and known[0] != "count":
        return _kind(known), known[1], SIZES.get(known[1], 1), end
    if match["second"] and not word.endswith("s") and match["second"].lower() not in _NO_THING:
        word, end = match["second"], quantity.end + match.span("second")[1]
    stem = _stem(word)
    return f"thing {stem}", stem, 1, end


def _divided(line: Line, end: int, following: Quantity | None) -> _Divided | None:
    """Return by what a rate is divided: kind, unit, how much of it, where that ends, and how many quantities it took."""
    match = _first(_PER, line.text.value[end : end + 60])
    if following is not None and following.kind in {MEASURE, DURATION}:
        # "1.75 euros a litre", "6 litres per 100 km"
        between = line.text.value[end : following.start]
        article = following.text.lower().split()[0] in {"a", "an", "one"} and not between.strip()
        if article or _PER_MEASURE.search(between.encode()):
            known = unit_of(following.unit)
            if known is not None and following.unit in SIZES:
                return _kind(known), known[1], following.value, following.end, 1
    if match is None or not match["unit"] or match["unit"].lower() in _NO_THING | _NOT_PER:
        return None
    stop = end + match.span("unit")[1]
    known = unit_of(match["unit"])
    if known is not None and known[0] != "count":
        if known[1] not in SIZES and known[0] in {"length", "mass", "volume"}:
            return None
        return _kind(known), known[1], Fraction(SIZES.get(known[1], 1)), stop, 0
    stem = _stem(match["unit"])
    return f"thing {stem}", stem, Fraction(1), stop, 0


def _kind(unit: tuple[str, str]) -> str:
    """Return the kind of a unit; those without an exact size are a kind of their own."""
    if unit[0] == "money":
        return f"money {unit[1]}"
    if unit[1] not in SIZES:
        return f"{unit[0]} {unit[1]}"
    return f"{unit[0]} imperial" if unit[1] in IMPERIAL else unit[0]


def _stem(word: str) -> str:
    low = word.lower()
    return _ONE_OF.get(low) or low.rstrip("s")


def _first(pattern: Pattern, value: str) -> Match | None:
    return Text(value).search(pattern)
