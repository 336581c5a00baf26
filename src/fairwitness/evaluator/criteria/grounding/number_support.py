"""Tells which quantities of a response are supported by those it was given.

What follows from given ones by rounding, conversion or calculation is supported, and so is a result whose working is
written out: whether that is right is not asked here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import combinations

from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.facts.data_blocks import in_program
from fairwitness.evaluator.facts.derivation import (
    follows,
    in_unit_of,
    is_rounded,
    is_total,
    same_kind,
)
from fairwitness.evaluator.facts.moments import Moment, days_between
from fairwitness.evaluator.facts.quantities import Quantity, key_of
from fairwitness.evaluator.facts.rounding import Step, told_step
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

# Whether a number follows from others is tried for so many at most.
_MAX_DERIVATIONS = 60
_MAX_STEPS = 3
_MAX_OF_SENTENCE = 60
_FEW_UNITS = 12
_MAX_ASKED = 8
_COLUMN = 14
# The units that a key or a heading may name for bare numbers.
_KEYED_UNITS = {
    "length": ("mm", "cm", "m"), "mass": ("mg", "g"), "volume": ("ml", "cl"), "time": ("ms", "second", "minute", "hour"),
}  # fmt: skip
_COUNTED = 3  # whatever is worked out, so few are also counted
_MAX_SCALED = 1000
_ROUND_FROM, _ROUND_SHARE = 1000, 0.01
_WORKING_CHARS = 120
_DAYS_A_YEAR, _DAYS_IN_FOUR_YEARS = 365, 1461
_BEFORE_RESULT = " *_$€£¥~−-"
_RESULT_VERBS = frozenset({"is", "are", "equals", "gives", "makes"})
_EXPRESSION = Pattern(r"\d\)?[ \t]*(?:[\pL%°²€$£.]+[ \t]*){0,2}[-+−–×x*·/÷:][ \t]*[($€£]{0,2}\d")
_SCALE = Pattern(
    r"(?:thousand|million|billion|\bmio|\bbn|\bmn|_(?:k|m|bn))\b|\b(?:thousands?|millions?|billions?)_",
    ignore_case=True,
)
_AVERAGE = Pattern(r"\b(?:averag\w+|mean|midpoint|halfway)\b", ignore_case=True)


def unsupported(ground: Ground, stated: list[Quantity]) -> list[Quantity]:
    """Return the quantities of a response that neither stand in the source nor follow from what does."""
    text = ground.response
    doubtful = [
        item for item in stated if not _supported(ground, item) and not is_shown(text, item)
    ]
    sure = {*stated} - {*doubtful}
    doubtful = [item for item in doubtful if not in_program(text, item.start)][:_MAX_DERIVATIONS]
    # What follows from what is given may itself be what another number follows from.
    results: set[float] = set()
    steps = _told_steps(ground) if doubtful else set()
    for _ in range(_MAX_STEPS):
        values = {(item.key, item.unit) for item in sure}
        worked_out = {
            item
            for item in doubtful
            if (item.key, item.unit) in values
            or item.key in results
            or _worked_out(ground, item, stated, sure, steps)
        }
        sure |= worked_out
        # A result without its unit in the working is said with it above or below.
        results |= {item.key for item in worked_out if not item.unit and item.value > _COUNTED}
        doubtful = [item for item in doubtful if item not in worked_out]
        if not worked_out or not doubtful:
            break
    return doubtful


def is_given(ground: Ground, quantity: Quantity) -> bool:
    """Tell whether a quantity stands in the source, with its unit where it is rounded, or its working is written out."""
    return (
        any(same_kind(found, quantity) for found in ground.occurrences(quantity))
        or is_rounded(quantity, ground.values, same_unit=True)
        or is_shown(ground.response, quantity)
    )


def _supported(ground: Ground, quantity: Quantity) -> bool:
    if any(same_kind(found, quantity) for found in ground.occurrences(quantity)):
        return True
    if is_rounded(quantity, ground.values):
        return True
    near = ground.values.near(quantity.value, _ROUND_SHARE * abs(quantity.value))
    if any(in_round_figures(quantity, given) for given in near):
        return True
    return (
        _scaled(ground, quantity)
        or _converted(ground, quantity)
        or (not ground.both_in_english and _in_other_words(ground, quantity))
    )


def in_round_figures(stated: Quantity, given: Quantity) -> bool:
    """Tell whether a large number is a given one in round figures: 5,000 for 4,987."""
    near = abs(stated.value - given.value) <= _ROUND_SHARE * given.value
    rounder = stated.coarse > given.coarse and stated.unit == given.unit
    return stated.value >= _ROUND_FROM and rounder and near and not same_digits(given, stated)


def same_digits(given: Quantity, stated: Quantity) -> bool:
    """Tell whether a number has the digits of another in another order: 81,000 for 18,000."""
    one, other = (str(item.value).rstrip("0").rstrip(".") for item in (given, stated))
    return one != other and len(one) > 1 and sorted(one) == sorted(other)


def _scaled(ground: Ground, quantity: Quantity) -> bool:
    """Tell whether a number is a given one in thousands or millions, as a heading or a key says."""
    if quantity.value >= _MAX_SCALED or not ground.response.search(_SCALE):
        return False
    return any(
        same_kind(found, quantity)
        for scale in (1e3, 1e6, 1e9)
        for _, found in ground.index.by_value.get(key_of(quantity.value * scale), ())
    )


def _converted(ground: Ground, quantity: Quantity) -> bool:
    """Tell whether a bare number is a given measure in another unit, as a key or a heading may say: 1500 for 1.5 kg."""
    if quantity.unit or quantity.spelled:
        return False
    return any(
        (value := in_unit_of(given, quantity._replace(unit=unit, dimension=given.dimension)))
        and key_of(value) == quantity.key
        for _, given in ground.index.quantities[:_MAX_DERIVATIONS]
        for unit in _KEYED_UNITS.get(given.dimension, ())
    )


def _in_other_words(ground: Ground, quantity: Quantity) -> bool:
    """Tell whether another language has a number as a part of a date or a time: "às 16h15" for 4:15 p.m."""
    number = int(quantity.value)
    if number != quantity.value:
        return False
    return any(
        str(number) in told.words
        or any(not moment.is_date and moment.minutes // 60 == number for _, moment in told.moments)
        for told in (ground.index, ground.beside)
    )


def is_shown(text: Text, quantity: Quantity) -> bool:
    """Tell whether a number is the result of a calculation that is written out: whether it is right is not asked here."""
    return ends_working(text, quantity.start)


def ends_working(text: Text, start: int) -> bool:
    """Tell whether a calculation is written out right before a place, with an equals sign after it."""
    line = text.value[max(0, start - _WORKING_CHARS) : start].rpartition("\n")[2]
    left = line.rstrip(_BEFORE_RESULT)
    if left.endswith("|"):  # the result in one cell, the working in the cell before it
        return _EXPRESSION.search(left[:-1].rpartition("|")[2].encode())
    leads = left[-1:] in {"=", "≈"} or left.rpartition(" ")[2] in _RESULT_VERBS
    return leads and _EXPRESSION.search(left.encode())


def _worked_out(
    ground: Ground,
    quantity: Quantity,
    stated: list[Quantity],
    sure: set[Quantity],
    steps: set[Step],
) -> bool:
    sentence = ground.response.sentence_at(quantity.start)
    averaged = _AVERAGE.search(ground.response.slice(sentence).encode())
    pool = _pool(ground, quantity, stated, sure)
    if any(item.key == quantity.key and item.unit == quantity.unit for item in pool):
        return True
    if follows(quantity, pool, averaged, known=not ground.given.strict):
        return True
    exact = [
        item.value
        for item in pool
        if not item.label and (item.unit == quantity.unit or not item.unit or not quantity.unit)
    ]
    if any(step.leads(value, quantity.value) for step in steps for value in exact):
        return True
    lists = [ground.index.figures_in(near.unit).quantities for near in ground.nearest(sentence)]
    lists += ground.index.columns
    lists.append([q for q in ground.figures_within(sentence)[:_MAX_OF_SENTENCE] if q in sure])
    if len(ground.index.units) <= _FEW_UNITS:
        lists.append([item for _, item in ground.index.quantities[:40]])
    # A total under a column that the response itself lists.
    at = bisect_left(stated, quantity.start, key=lambda item: item.start)
    lists.append([item for item in stated[max(0, at - _COLUMN) : at] if item in sure])
    return any(is_total(quantity, items) for items in lists)


def _told_steps(ground: Ground) -> set[Step]:
    """Return the steps to which the prompt and the sources say that results are rounded."""
    texts = {id(part.text): part.text for part in ground.given.passages}
    texts[id(ground.prompt)] = ground.prompt
    return {step for step in map(told_step, texts.values()) if step is not None}


def _pool(
    ground: Ground, quantity: Quantity, stated: list[Quantity], sure: set[Quantity]
) -> list[Quantity]:
    """Return the quantities a stated one may come from: supported ones beside it, and those of the nearest units."""
    at = bisect_left(stated, quantity.start, key=lambda item: item.start)
    found = ground.asked_quantities[:_MAX_ASKED]
    found += [item for item in stated[max(0, at - 6) : at + 5] if item in sure]
    for near in ground.nearest(ground.response.sentence_at(quantity.start)):
        found += ground.index.figures_in(near.unit).quantities[:6]
        found += _spans_of_time(ground.index.figures_in(near.unit).moments[:4])
    if len(ground.index.units) <= _FEW_UNITS or not ground.many_figures:
        found += [item for _, item in ground.index.quantities[:12]]
        found += _spans_of_time([item for _, item in ground.index.moments[:6]])
    unique = {(item.value, item.unit): item for item in found}
    return list(unique.values())


def _spans_of_time(moments: list[Moment]) -> Iterator[Quantity]:
    """Yield how long it is from each of a few dates and times to each later one, whole and as it is said in parts."""
    for one, other in combinations(moments, 2):
        if one.is_date and other.is_date:
            days = days_between(one, other)
            if days:
                yield Quantity(one.start, other.end, float(days), "day", "time")
                yield Quantity(one.start, other.end, float(days + 1), "day", "time")
            if days and days > _DAYS_A_YEAR:
                years = float(days * 4 // _DAYS_IN_FOUR_YEARS)
                yield Quantity(one.start, other.end, years, "year", "time")
                yield Quantity(one.start, other.end, years)
        elif not one.is_date and not other.is_date:
            minutes = (other.minutes - one.minutes) % 1440
            yield Quantity(one.start, other.end, float(minutes), "minute", "time")
            hours, rest = divmod(minutes, 60)
            if hours and rest:
                yield Quantity(one.start, other.end, float(hours), "hour", "time")
                yield Quantity(one.start, other.end, float(rest), "minute", "time")
