"""Checks the number that a short prompt asks for, where its few numbers leave only a handful of results.

Two counts and a question for a percentage, a ratio and an amount, a percentage and an amount, an amount to be shared by
weights, or marks with their weights: each is a form that has so many results and no more, whichever way
round it is meant. A response in which none of them stands is wrong; as the words are free, this is never sure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

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
    DURATION,
    MEASURE,
    MONEY,
    NUMBER,
    PERCENT,
    RATIO,
    WEEKDAY,
    Line,
    Quantity,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text
from fairwitness.evaluator.vocabulary import unit_of

_MAX_GIVEN, _MAX_NEW = 8, 16
_ASKS_PERCENT = Pattern(
    r"\b(?:percent(?:age)?|per cent|rate in %)\b|(?:in|how many|what|which|the) ?%|% ?\?",
    ignore_case=True,
)
_GROWS = Pattern(
    r"\b(?:growth|gr[eo]w\w*|increas\w*|decreas\w*|r[io]se\w*|fell|falls?|drop\w*|chang\w*|declin\w*)\b",
    ignore_case=True,
)
_SHARED = Pattern(
    r"\b(?:split|shar(?:e|ed|ing)|divid(?:e|ed|ing)|who (?:pays|gets|owes))\b", ignore_case=True
)
_BY_WEIGHT = Pattern(
    r"\b(?:by|according to|in proportion to|proportional\w*|based on) (?:\pL+ )?(?:incomes?|hours?|salar\w+|wages?|earnings?|sizes?|areas?|nights?|days?|rooms?|weights?|kilomet\w+|km|miles|use|usage|shares?|what)\b|\bproportional\w*",
    ignore_case=True,
)
_GROSS = Pattern(r"\b(?:gross|brutto|including|incl|inclusive)\b", ignore_case=True)
_NET = Pattern(
    r"\b(?:net|netto|before (?:tax|vat)|without (?:the )?(?:tax|vat)|ex(?:cluding|cl)? (?:tax|vat|gst))\b",
    ignore_case=True,
)
_TAX = Pattern(r"\b(?:vat|tax|gst|mwst|ust|iva|tva|btw|moms)\b", ignore_case=True)
_PARTS = Pattern(
    r"\b(?P<one>\d{1,3}) parts? (?:of )?(?:\pL+ ){1,3}(?:to|and|with|:|per) (?P<other>\d{1,3}) parts?\b",
    ignore_case=True,
)
_YEAR = range(1900, 2101)


class _Given(NamedTuple):
    """What a prompt hands over: its text, amounts, percentages and parts of a ratio."""

    prompt: Text
    numbers: list[Quantity]
    percents: list[Fraction]
    ratio: list[Fraction]
    years: list[Fraction]


def asked_results(exchange: Exchange) -> Iterator[Check]:
    """Yield a check of the first number that the response works out."""
    prompt, response = exchange.prompt, exchange.response
    if not asks_plainly(prompt) or not can_be_compared(response):
        return
    given = _given(prompt)
    if given is None:
        return
    said = Line(response).quantities
    told = {one.value for one in given.numbers} | {*given.percents, *given.ratio}
    new = [one for one in said if one.value not in told]
    if not new or len(new) > _MAX_NEW or any(one.kind in {CLOCK, DATE, WEEKDAY} for one in said):
        return
    for form in _FORMS:
        found = form(given)
        if not found:
            continue
        results, kinds = found
        stated = [one for one in new if one.kind in kinds]
        if not stated:
            return
        if form is _in_ratio and _make_up(stated, given.numbers[0]):
            results = _shares_of(given)
        right = any(_is_right(response.value, one, results, given) for one in stated)
        yield answered(exchange, [one.place for one in stated], right)
        return


def _given(prompt: Text) -> _Given | None:
    numbers: list[Quantity] = []
    percents: list[Fraction] = []
    ratio: list[Fraction] = []
    years: list[Fraction] = []
    parts = prompt.search(_PARTS)
    for one in Line(prompt).quantities:
        if one.kind in {DATE, WEEKDAY} or not one.value:
            return None
        if parts is not None and parts.start <= one.start < parts.end:
            continue
        if one.kind == PERCENT:
            percents.append(one.value)
        elif one.kind in {RATIO, CLOCK}:
            if ratio or one.ratio is None:
                return None
            ratio = [*one.ratio]
        elif _is_year(one):
            years.append(one.value)
        elif not _is_label(prompt, one):
            numbers.append(one)
    if parts is not None:
        if ratio:
            return None
        ratio = [Fraction(int(parts["one"])), Fraction(int(parts["other"]))]
    if not all(ratio) or len(numbers) + len(percents) > _MAX_GIVEN:
        return None
    return _Given(prompt, numbers, percents, ratio, years)


def _is_label(prompt: Text, one: Quantity) -> bool:
    """Tell whether a number belongs to a name, "2-stroke", or is the word "one", which mostly counts nothing."""
    after = prompt.value[one.end : one.end + 8].lower().lstrip(" -")
    return one.text.lower() in {"one", "a"} or after.startswith(("stroke", "st ", "nd ", "rd "))


def _is_year(one: Quantity) -> bool:
    return one.kind == NUMBER and not one.places and one.value in _YEAR and "," not in one.text


_Results = tuple[list[Fraction], frozenset[str]]
_AMOUNTS = frozenset({NUMBER, MONEY, MEASURE})


def _percentage(given: _Given) -> _Results | None:
    """Two counts, and what percentage one is of the other, or is more."""
    if len(given.numbers) != 2 or given.percents or given.ratio:
        return None
    one, two = (quantity.value for quantity in given.numbers)
    if given.prompt.search(_ASKS_PERCENT) is None or one == two:
        return None
    if given.prompt.search(_GROWS) and _in_time(given):
        return [(two - one) / one], frozenset({PERCENT})
    results = [one / two, two / one, one / (one + two), two / (one + two)]
    results += [abs(one - two) / one, abs(one - two) / two, (one + two) / one, (one + two) / two]
    return results, frozenset({PERCENT})


def _in_time(given: _Given) -> bool:
    """Tell whether the first number is the earlier one: "from 40 to 50", or each with its year."""
    one, two = given.numbers
    value = given.prompt.value
    if value[: one.start].rstrip("$€£ ").endswith("from"):
        return value[one.end : two.start].strip(" $€£").split()[-1:] == ["to"]
    return 1 < len(given.years) < 3 and given.years == sorted({*given.years})


def _in_ratio(given: _Given) -> _Results | None:
    """A ratio and an amount, which is the whole or one of its parts."""
    if len(given.numbers) != 1 or given.percents or not given.ratio:
        return None
    (one, two), amount = given.ratio, given.numbers[0].value
    parts = [amount * one / two, amount * two / one]
    return [
        *parts,
        *_shares_of(given),
        *(amount + part for part in parts),
        amount / (one + two),
    ], _AMOUNTS


def _shares_of(given: _Given) -> list[Fraction]:
    return [given.numbers[0].value * part / sum(given.ratio) for part in given.ratio]


def _make_up(stated: list[Quantity], whole: Quantity) -> bool:
    """Tell whether the response takes the amount as the whole: its first two numbers make it up."""
    return len(stated) > 1 and stated[0].value + stated[1].value == whole.value


def _of_percent(given: _Given) -> _Results | None:
    """A percentage and an amount; where a tax is in the amount, it is taken out by dividing."""
    if len(given.numbers) != 1 or len(given.percents) != 1 or given.ratio:
        return None
    amount, part = given.numbers[0].value, given.percents[0]
    back = [amount / (1 + part), amount * part / (1 + part)]
    prompt = given.prompt
    if prompt.search(_TAX) and prompt.search(_GROSS) and prompt.search(_NET):
        return back, _AMOUNTS
    results = [amount * part, amount * (1 - part), amount * (1 + part), *back, amount / part]
    if part < 1:
        results += [amount / (1 - part), amount * part / (1 - part), amount * (1 - part) / part]
    return results, _AMOUNTS


def _by_weights(given: _Given) -> _Results | None:
    """An amount to be shared by weights: any of the numbers may be the amount, the others are the weights."""
    values = [one.value for one in given.numbers]
    if len(values) < 3 or given.percents or given.ratio:
        return None
    if not (given.prompt.search(_SHARED) and given.prompt.search(_BY_WEIGHT)):
        return None
    results: list[Fraction] = []
    for at, whole in enumerate(values):
        weights = [value for n, value in enumerate(values) if n != at]
        results += [whole * weight / sum(weights) for weight in weights]
    return results, _AMOUNTS


def _weighted(given: _Given) -> _Results | None:
    """As many marks as weights, which make up the whole."""
    marks, weights = [one.value for one in given.numbers], given.percents
    if len(weights) < 2 or len(marks) != len(weights) or sum(weights) != 1 or given.ratio:
        return None
    return [sum((m * w for m, w in zip(marks, weights, strict=True)), Fraction(0))], _AMOUNTS


_FORMS: tuple[Callable[[_Given], _Results | None], ...] = (
    _percentage,
    _in_ratio,
    _of_percent,
    _by_weights,
    _weighted,
)
# Thousandths and thousands of a unit, and hundredths of a coin.
_SCALES = tuple(Fraction(10) ** power for power in (0, 2, -2, 3, -3, 6, -6))


def _is_right(response: str, one: Quantity, results: list[Fraction], given: _Given) -> bool:
    number = abs(one.amount) * (100 if one.kind == PERCENT else 1)
    # What has the same kind of unit as the amount needs no other scale.
    kind = unit_of(one.unit) if one.kind == MEASURE else None
    alike = kind and {kind[0]} == {(unit_of(it.unit) or ("",))[0] for it in given.numbers}
    scales = _SCALES[:1] if alike or one.kind in {PERCENT, DURATION} else _SCALES
    return any(
        is_one_of(response, abs(one.value) * scale, number, one.places, results) for scale in scales
    )
