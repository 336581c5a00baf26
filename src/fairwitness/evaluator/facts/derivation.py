"""Tells whether a quantity follows from others: rounded, converted, or worked out from two or from all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from fairwitness.evaluator.facts.quantities import YEAR, Quantity
from fairwitness.evaluator.facts.units import MONEY, PERCENT

# Of each unit in its dimension's smallest one. Months and years are rounded, so results are compared loosely.
_SIZES = {
    "ms": 0.001, "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_629_800,
    "year": 31_557_600, "decade": 315_576_000, "decades": 315_576_000, "century": 3_155_760_000,
    "mm": 1, "cm": 10, "dm": 100, "m": 1000, "km": 1_000_000, "inch": 25.4, "ft": 304.8, "yd": 914.4, "mile": 1_609_344,
    "mg": 1, "mcg": 0.001, "g": 1000, "kg": 1_000_000, "tonne": 1e9, "ton": 9.07e8, "oz": 28_349.5, "lb": 453_592,
    "ml": 1, "cl": 10, "dl": 100, "l": 1000, "gallon": 3785.4, "quart": 946.4, "pint": 473.2, "cup": 236.6,
    "tbsp": 14.8, "tsp": 4.93, "tablespoon": 14.8, "teaspoon": 4.93,
    "byte": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "cent": 0.01, "$": 1, "€": 1, "£": 1,
}  # fmt: skip
# How many of one make another: months a year, days a week, minutes an hour.
_FACTORS = (7, 12, 24, 52, 60, 365)
# "61,000 pounds" may be either.
_POUNDS = {"£", "lb"}
_LOOSE = 0.02
_APPROXIMATE = 0.15
_MAX_POOL = 18
# From more numbers than these, three of them give almost any other.
_FEW = 8
_MAX_COUNT = 100
_MAX_LIST = 60


def same_kind(one: Quantity, other: Quantity) -> bool:
    """Tell whether two quantities may be the same thing: of one unit, or one of them without any."""
    return (
        one.unit == other.unit
        or not one.unit
        or not other.unit
        or {one.unit, other.unit} == _POUNDS
    )


def in_unit_of(quantity: Quantity, target: Quantity) -> float | None:
    """Return a quantity's value in the unit of another, or None where it has none."""
    if quantity.unit == target.unit:
        return quantity.value
    if quantity.dimension == target.dimension == "temperature":
        celsius = target.unit == "°C"
        return (quantity.value - 32) / 1.8 if celsius else quantity.value * 1.8 + 32
    if not quantity.unit or not target.unit or quantity.dimension != target.dimension:
        return None
    if quantity.unit not in _SIZES or target.unit not in _SIZES or target.dimension == MONEY:
        return None
    return quantity.value * _SIZES[quantity.unit] / _SIZES[target.unit]


def tolerance(stated: Quantity) -> float:
    """Return how far off a value may be that was rounded to what is stated."""
    exact = stated.step / 2
    digits = stated.value / stated.coarse if stated.coarse else 0
    if stated.coarse > stated.step and (stated.approximate or digits >= 10):
        exact = stated.coarse / 2
    if stated.approximate:
        exact = max(exact, _APPROXIMATE * abs(stated.value))
    return exact * 1.000001


class Values:
    """Quantities in the order of their size, so that near ones are found without looking at all."""

    def __init__(self, quantities: Iterable[Quantity]) -> None:
        """Sort them once."""
        self._sorted = sorted(quantities, key=lambda item: item.value)
        self._keys = [item.value for item in self._sorted]

    def near(self, value: float, off: float) -> Sequence[Quantity]:
        """Return the quantities within a distance of a value; at most a few hundred."""
        first = bisect_left(self._keys, value - off)
        last = bisect_left(self._keys, value + off * 1.000001 + 1e-12)
        return self._sorted[first : min(last, first + 200)]


def is_rounded(stated: Quantity, values: Values, *, same_unit: bool = False) -> bool:
    """Tell whether a stated quantity is a given one, rounded; with `same_unit`, one that has its unit too."""
    return any(
        (given.unit == stated.unit if same_unit else same_kind(given, stated))
        and (given.step < stated.coarse or stated.approximate)
        for given in values.near(stated.value, tolerance(stated))
    )


def follows(
    stated: Quantity, pool: Sequence[Quantity], averaged: bool = False, *, known: bool = True
) -> bool:
    """Tell whether a quantity can be worked out from two of the others in one step, or is one of them converted.

    With `known`, also from one of them and what everybody knows: months a year, eggs a dozen.
    """
    pool = list(pool)[:_MAX_POOL]
    off = tolerance(stated)
    for item in pool:
        value = in_unit_of(item, stated)
        loose = off if item.unit == stated.unit else max(off, _LOOSE * stated.value)
        if value is not None and stated.unit and abs(value - stated.value) <= loose:
            return True
        if (
            known
            and stated.dimension != PERCENT
            and same_kind(item, stated)
            and YEAR not in {item.dimension, stated.dimension}
        ):
            results = [item.value * n for n in _FACTORS]
            # By rounding, a part of any large number is some small one: 38 feet of 900 objects.
            if item.unit == stated.unit:
                results += [item.value / n for n in _FACTORS]
            if _near(stated.value, off if stated.approximate else stated.step / 2, *results):
                return True
    return any(
        _worked_out(stated, off, one, other, averaged) for one, other in combinations(pool, 2)
    ) or (len(pool) <= _FEW and stated.dimension != PERCENT and _from_three(stated, pool))


def _from_three(stated: Quantity, pool: Sequence[Quantity]) -> bool:
    """Tell whether a quantity is "so much for a pack of 250 g" from "per 100 g", or "two of these and one of those"."""
    off = stated.step / 2
    alike = [
        item for item in pool if item.unit == stated.unit and item.dimension == stated.dimension
    ]
    for one, other in permutations(pool, 2):
        if one.unit == other.unit != "" and one.dimension != PERCENT and other.value:
            share = one.value / other.value
            if any(_near(stated.value, off, item.value * share) for item in alike):
                return True
    counts = [
        item.value
        for item in pool
        if item.value.is_integer()
        and (
            not item.unit or (stated.dimension == MONEY and item.dimension not in {MONEY, PERCENT})
        )
    ]
    return any(
        1 < count <= _MAX_COUNT and _near(stated.value, off, count * one.value + other.value)
        for count in counts
        for one, other in permutations(alike, 2)
        if count not in {one.value, other.value}
    )


def is_total(stated: Quantity, items: Sequence[Quantity]) -> bool:
    """Tell whether a quantity is the sum, or the mean, of neighbouring ones of a list."""
    if stated.dimension == YEAR:
        return False
    kinds = [
        item
        for item in items[:_MAX_LIST]
        if item.dimension not in {PERCENT, YEAR} or stated.dimension == PERCENT
    ]
    alike = [item for item in kinds if same_kind(item, stated)][:_MAX_POOL]
    off = tolerance(stated)
    for first in range(len(alike)):
        total, units = 0.0, set()
        for count, item in enumerate(alike[first:], 1):
            total += item.value
            units.add(item.unit)
            # An age and a dose have no mean.
            means = (total / count,) if len(units) == 1 else ()
            if count > 2 and _near(stated.value, off, total, *means):
                return True
    return False


def _worked_out(
    stated: Quantity, off: float, one: Quantity, other: Quantity, averaged: bool
) -> bool:
    if stated.dimension == PERCENT:
        return _percentage(stated.value, max(off, 0.5), one, other)
    a, b, target = one.value, other.value, stated.value
    first, second = in_unit_of(one, stated), in_unit_of(other, stated)
    # A sum is as exact as what is added: nothing is rounded on the way.
    exact = off
    if stated.step <= min(one.step, other.step) and not stated.approximate:
        exact = stated.step / 1000
    if first is not None and second is not None:
        if _near(target, exact, first + second, abs(first - second)):
            return True
        if averaged and _near(target, off, (first + second) / 2):
            return True
    years = one.dimension == YEAR and other.dimension == YEAR
    if (years or not (one.unit or other.unit)) and _near(target, exact, abs(a - b), a + b):
        return True
    if stated.dimension == YEAR and sorted((one.unit, other.unit)) == ["", "year"]:
        return YEAR in {one.dimension, other.dimension} and _near(target, exact, abs(a - b), a + b)
    for share, base in ((one, b), (other, a)):
        if share.dimension == PERCENT:
            part = base * share.value / 100
            if _near(target, off, part, base + part, base - part):
                return True
    units = {one.unit, other.unit}
    if not a or not b or 1 in {a, b} or (stated.unit not in units and units != {""}):
        return False
    return _near(target, max(exact, 1e-6 * target), a * b) or _near(target, off, a / b, b / a)


def _percentage(target: float, off: float, one: Quantity, other: Quantity) -> bool:
    a, b = one.value, other.value
    if one.dimension == PERCENT and other.dimension == PERCENT:
        return _near(target, off, a + b, abs(a - b), a * b / 100)
    if PERCENT in {one.dimension, other.dimension}:
        return False
    if not a or not b or (one.unit != other.unit and one.unit and other.unit):
        return False
    ratios = (100 * a / b, 100 * b / a, 100 * abs(a - b) / a, 100 * abs(a - b) / b)
    return _near(target, off, *ratios, 100 * a / (a + b), 100 * b / (a + b))


def _near(target: float, off: float, *values: float) -> bool:
    return any(abs(value - target) <= off for value in values)
