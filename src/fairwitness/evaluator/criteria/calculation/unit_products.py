"""Tells whether amounts whose units cancel multiply as they should, within how precisely they are written."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import shown
from fairwitness.evaluator.criteria.calculation.question_times import duration_of
from fairwitness.evaluator.criteria.calculation.silent_words import ROUGHLY
from fairwitness.evaluator.criteria.calculation.unit_amounts import Amount
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

Three = tuple[Amount, Amount, Amount]
Signs = tuple[int, int, int]
_DIGITS = Pattern(r"\d(?:[\d,.]*\d)?")
# How far off a rough number may be, one with decimals or many digits, and any.
_LOOSE, _ABOUT, NEAR = Fraction(15, 100), Fraction(4, 100), Fraction(1, 100)
_FEW_DIGITS = 100
_COUNTED_WHOLE = frozenset("day week month year".split())


def cancelling(parts: Three) -> Signs | None:
    """Return with which signs the units of three amounts cancel, or None where they do not."""
    # "5 mg per kg" has two masses, which differ only by name.
    named = any(part.is_rate and part.of == part.per for part in parts)
    powers = [part.powers(named=named) for part in parts]
    units = {unit for each in powers for unit in each}
    if len(units) < 2 or any(sum(unit in each for each in powers) < 2 for unit in units):
        return None
    for second, third in product((1, -1), repeat=2):
        ways = (1, second, third)
        if all(
            sum(way * each.get(unit, 0) for way, each in zip(ways, powers, strict=True)) == 0
            for unit in units
        ):
            return ways
    return None


def compared(
    value: str, parts: Three, signs: Signs, given: frozenset[Amount], *, beside: tuple[Amount, ...]
) -> Check | None:
    """Make the check: the last of the parts is the result, what the prompt has `given` is exact, what stands `beside` is quoted.

    A "top speed" may be no rate of the two amounts, so none is sure.
    """
    if any(not part.value for part in parts):
        return None
    result = parts[-1]
    wanted = [_wanted(parts, signs, at) for at in range(len(parts))]
    whole = Region(min(part.start for part in beside), max(part.end for part in beside))
    place = result.place
    if _agree(value, parts, wanted, given):
        return Check.of(place, True, whole=whole)
    worked = result.number * wanted[-1] / result.value
    numbers = Text(value[result.start : result.end]).matches(_DIGITS)
    if result.of == "time" and not result.is_rate and len(numbers) > 1:
        return Check.of(place, False, duration_of(wanted[-1]), whole=whole, sure=False)
    if numbers:
        place = Region(result.start + numbers[0].start, result.start + numbers[0].end)
    fixed = shown(worked, result.places, "," in value[place.start : place.end])
    return Check.of(place, False, fixed, whole=whole, sure=False)


def _wanted(parts: Three, signs: Signs, at: int) -> Fraction:
    """Return what one part would be, by the others."""
    worked = Fraction(1)
    for index, (part, sign) in enumerate(zip(parts, signs, strict=True)):
        if index != at:
            worked *= part.value ** (-sign * signs[at])
    return worked


def _agree(value: str, parts: Three, wanted: list[Fraction], given: frozenset[Amount]) -> bool:
    result = parts[-1]
    off = abs(wanted[-1] - result.value) / result.value
    loose = _LOOSE if result.number < _FEW_DIGITS and not result.places else _ABOUT
    if off <= NEAR or (off <= loose and ROUGHLY.search(value.encode())):
        return True
    for part, right in zip(parts, wanted, strict=True):
        if part in given and part is not result:
            continue
        # A whole number that is worked out may be rounded either way.
        whole = part is result and not part.places
        if abs(right - part.value) < part.step * (1 if whole else Fraction(1, 2)):
            return True
        rounded_up = 0 <= part.value - right < part.step
        if rounded_up and not part.places and _is_whole(part):
            return True
    # All that are written with decimals may be rounded at once.
    slack = sum((part.step / 2 / part.value for part in parts if part.places), Fraction(0))
    return off <= slack


def _is_whole(part: Amount) -> bool:
    return part.of.startswith("thing") or {part.unit, part.per_unit} & _COUNTED_WHOLE != set()
