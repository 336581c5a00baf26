"""Checks the amount that a short prompt asks for by its units: litres an hour, a price by the litre and days make a price.

Of the amounts and rates of the prompt, each taken at most once, only a few products have the unit of what the response
states. A response none of whose amounts is one of these, or one of these more or less than an amount of the same unit, is wrong.
As the words are free, this is never sure.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fairwitness.evaluator.criteria.calculation.asked_plainly import (
    answered,
    asks_plainly,
    can_be_compared,
    is_one_of,
)
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    DATE,
    PERCENT,
    RATIO,
    WEEKDAY,
    Line,
)
from fairwitness.evaluator.criteria.calculation.unit_amounts import BARE, Amount, amounts
from fairwitness.evaluator.exchange import Exchange

_MIN_GIVEN, _MAX_GIVEN, _MAX_STATED = 2, 4, 12
_NOT_AMOUNTS = frozenset({CLOCK, DATE, PERCENT, RATIO, WEEKDAY})
_Units = frozenset[tuple[str, int]]


def asked_amounts(exchange: Exchange) -> Iterator[Check]:
    """Yield a check of the first amount that the response works out."""
    prompt, response = exchange.prompt, exchange.response
    if not asks_plainly(prompt) or not can_be_compared(response):
        return
    line = Line(prompt)
    if any(one.kind in _NOT_AMOUNTS or not one.value for one in line.quantities):
        return
    given = [one for one in amounts(line) if one.number != 1 or one.of]
    if not _MIN_GIVEN <= len(given) <= _MAX_GIVEN or not any(one.is_rate for one in given):
        return
    # A number that counts nothing named may be anything.
    if any(not one.of or one.of == BARE or one.value <= 0 for one in given):
        return
    said = Line(response)
    if any(one.kind in _NOT_AMOUNTS for one in said.quantities):
        return
    told = {(one.value, _units([one], (1,))) for one in given}
    stated = [
        one
        for one in amounts(said)
        if one.of and one.value and (one.value, _units([one], (1,))) not in told
    ]
    if not stated or len(stated) > _MAX_STATED:
        return
    results = _results(given)
    right = [_follows(response.value, one, results) for one in stated]
    if right[0] is None:
        return
    yield answered(exchange, [one.place for one in stated], any(right))


def _follows(response: str, stated: Amount, results: dict[_Units, set[Fraction]]) -> bool | None:
    """Tell whether an amount is one of the results of its unit; None where there is none of its unit."""
    units = _units([stated], (1,))
    if stated.of == BARE:
        money = [values for key, values in results.items() if any("money" in k for k, _ in key)]
        found = set[Fraction]().union(*money)
    else:
        found = results.get(units, set())
    if not found:
        return None
    return is_one_of(response, stated.value, stated.number, stated.places, [*found])


def _units(parts: list[Amount], powers: tuple[int, ...]) -> _Units:
    total: dict[str, int] = {}
    for part, power in zip(parts, powers, strict=True):
        total[part.of] = total.get(part.of, 0) + power
        if part.per:
            total[part.per] = total.get(part.per, 0) - power
    return frozenset((unit, power) for unit, power in total.items() if power)


def _results(given: list[Amount]) -> dict[_Units, set[Fraction]]:
    """Return by unit what the amounts lead to; what is counted, so many hens, may also be left out of the unit."""
    found: dict[_Units, set[Fraction]] = {}
    for powers in product((1, 0, -1), repeat=len(given)):
        if sum(map(abs, powers)) < 2:
            continue
        value = Fraction(1)
        for part, power in zip(given, powers, strict=True):
            value *= part.value**power
        units = _units(given, powers)
        counted = frozenset(key for key in units if not key[0].startswith("thing"))
        for key in {units, counted}:
            found.setdefault(key, set()).add(value)
    for one in given:
        units = _units([one], (1,))
        if units in found:
            found[units] |= {
                abs(value + sign * one.value) for value in found[units] for sign in (1, -1)
            }
    return found
