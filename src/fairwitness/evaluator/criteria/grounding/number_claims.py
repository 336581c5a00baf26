"""Compares the quantities of a response with those it was given.

What follows from given ones by rounding, conversion or calculation is supported.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground, words_of
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.derivation import follows, is_rounded, is_total, same_kind
from fairwitness.evaluator.facts.moments import Moment, days_between
from fairwitness.evaluator.facts.quantities import PERCENT, YEAR, Quantity, key_of
from fairwitness.evaluator.facts.words import STOPWORDS, first_word, stem
from fairwitness.evaluator.given import Task
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# Whole numbers up to this, without a unit, are often only counting out loud.
_SMALL = 12
_WORDS_LEFT, _WORDS_RIGHT = 5, 4
# Whether a number follows from others is tried for so many at most.
_MAX_DERIVATIONS = 60
_MAX_STEPS = 3
_FEW_UNITS = 12
_COLUMN = 14
_FIELD_CHARS = 30
_LARGE = 100

# How much of a sentence a unit must share for a number in it to be the same count.
_SAME_STATEMENT = 0.35
_MAX_COUNTED = 60
_REMAINDER = Pattern(
    r"\b(?:left|remain\w*|more|fewer|less|total|altogether|combined|each|every|per|other|another|difference|average|of (?:the|these|those|them)|first|last|next|at least|up to|only)\b",
    ignore_case=True,
)
_WORKING_CHARS = 120
_BEFORE_RESULT = " *_$€£¥~−-"
_EXPRESSION = Pattern(r"\d\)?[ \t]*(?:[\pL%°²€$£.]+[ \t]*){0,2}[-+−–×x*·/÷:][ \t]*[($€£]{0,2}\d")
_SCALE = Pattern(
    r"(?:thousand|million|billion|\bmio|\bbn|\bmn|_(?:k|m|bn))\b|\b(?:thousands?|millions?|billions?)_",
    ignore_case=True,
)
_AVERAGE = Pattern(r"\b(?:averag\w+|mean|midpoint|halfway)\b", ignore_case=True)


def quantity_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each quantity that is stated otherwise than given, or is nowhere given."""
    text = ground.response
    if not ground.index.complete:
        return  # what is stated may be in what was not read
    stated = [item for item in ground.figures.quantities if not item.label]
    doubtful = [item for item in stated if not _supported(ground, item) and not _shown(text, item)]
    sure = {*stated} - {*doubtful}
    doubtful = [item for item in doubtful if not text.in_code(item.start)][:_MAX_DERIVATIONS]
    # What follows from what is given may itself be what another number follows from.
    for _ in range(_MAX_STEPS):
        values = {(item.key, item.unit) for item in sure}
        worked_out = {
            item
            for item in doubtful
            if (item.key, item.unit) in values or _worked_out(ground, item, stated, sure)
        }
        sure |= worked_out
        doubtful = [item for item in doubtful if item not in worked_out]
        if not worked_out or not doubtful:
            break
    for quantity in doubtful:
        sentence = text.sentence_at(quantity.start)
        claim = (
            _otherwise(ground, quantity, sentence)
            or _miscounted(ground, quantity)
            or _absent(ground, quantity, sentence)
        )
        if claim is not None:
            yield claim
    for quantity in stated[:_MAX_COUNTED]:
        if quantity in sure and (claim := _miscounted(ground, quantity)) is not None:
            yield claim


def _miscounted(ground: Ground, quantity: Quantity) -> Claim | None:
    """Return a claim where a number is given elsewhere, but the thing it counts here has another number."""
    text = ground.response
    noun = _counted_noun(text, quantity)
    sentence = text.sentence_at(quantity.start)
    if not noun or quantity.approximate:
        return None
    if noun not in ground.counts:
        ground.counts[noun] = _counts(ground, noun)
    rivals = ground.counts[noun]
    near = {item.unit for item in ground.nearest(sentence) if item.coverage >= _SAME_STATEMENT}
    if len({given.key for _, given in rivals}) != 1 or rivals[0][0] not in near:
        return None
    number, given = rivals[0]
    if given.key == quantity.key or given.unit != quantity.unit or given.approximate:
        return None
    # Who states the given number too works something out from it.
    if not ground.given.passages and any(q.key == given.key for q in ground.figures.quantities):
        return None
    unit = ground.index.units[number]
    # "21 vegetation categories": the same number of them, with a word between.
    if any(
        one.key == quantity.key and noun in slot_of(unit.text, unit.region, one)
        for one in ground.index.figures_in(number).quantities
    ):
        return None
    if not _said(_REMAINDER, text, sentence) <= _said(_REMAINDER, unit.text, unit.region):
        return None
    message = (
        f"States “{words_of(text, quantity)}” where the source has “{words_of(unit.text, given)}”."
    )
    span = Span(given.start, given.end, unit.source)
    return Claim("count", Region(quantity.start, quantity.end), span, ground.against, message)


def _counts(ground: Ground, noun: str) -> list[tuple[int, Quantity]]:
    """Return the given numbers that count a noun, with their units."""
    return [
        (number, given)
        for number in ground.index.units_with(noun)
        for given in ground.index.figures_in(number).quantities
        if _counted_noun(ground.index.units[number].text, given) == noun
    ]


def _said(pattern: Pattern, text: Text, region: Region) -> set[str]:
    """Return which of a pattern's words a region has."""
    found = Text(text.slice(region)).matches(pattern, limit=20)
    return {text.lower[region.start + one.start : region.start + one.end] for one in found}


def _counted_noun(text: Text, quantity: Quantity) -> str:
    """Return the stem of the word right after a bare number: what it counts."""
    if quantity.unit or quantity.dimension == YEAR or quantity.label:
        return ""
    at = first_word(text, quantity.end)
    if at >= len(text.words) or text.value[quantity.end : text.words[at].start] != " ":
        return ""
    word = text.lower[text.words[at].start : text.words[at].end]
    return "" if word in STOPWORDS or len(word) < 4 or word[0].isdecimal() else stem(word)


def _supported(ground: Ground, quantity: Quantity) -> bool:
    if any(same_kind(found, quantity) for found in ground.occurrences(quantity)):
        return True
    if is_rounded(quantity, ground.values):
        return True
    return _scaled(ground, quantity) or (
        not ground.both_in_english and _in_other_words(ground, quantity)
    )


def _scaled(ground: Ground, quantity: Quantity) -> bool:
    """Tell whether a number is a given one in thousands or millions, as a heading or a key says."""
    if quantity.value >= _LARGE * 10 or not ground.response.search(_SCALE):
        return False
    return any(
        same_kind(found, quantity)
        for scale in (1e3, 1e6, 1e9)
        for _, found in ground.index.by_value.get(key_of(quantity.value * scale), ())
    )


def _in_other_words(ground: Ground, quantity: Quantity) -> bool:
    """Tell whether another language has a number as a part of a date or a time: "às 16h15" for 4:15 p.m."""
    number = int(quantity.value)
    hours = {moment.minutes // 60 for _, moment in ground.index.moments if not moment.is_date}
    return number == quantity.value and (str(number) in ground.index.words or number in hours)


def _shown(text: Text, quantity: Quantity) -> bool:
    """Tell whether a number is the result of a calculation that is written out: whether it is right is not asked here."""
    line = text.value[max(0, quantity.start - _WORKING_CHARS) : quantity.start].rpartition("\n")[2]
    left = line.rstrip(_BEFORE_RESULT)
    if left.endswith("|"):  # the result in one cell, the working in the cell before it
        return _EXPRESSION.search(left[:-1].rpartition("|")[2].encode())
    return left[-1:] in {"=", "≈"} and _EXPRESSION.search(left.encode())


def _worked_out(
    ground: Ground, quantity: Quantity, stated: list[Quantity], sure: set[Quantity]
) -> bool:
    sentence = ground.response.sentence_at(quantity.start)
    averaged = _AVERAGE.search(ground.response.slice(sentence).encode())
    pool = _pool(ground, quantity, stated, sure)
    if follows(quantity, pool, averaged, known=not ground.given.strict):
        return True
    lists = [ground.index.figures_in(near.unit).quantities for near in ground.nearest(sentence)]
    lists += ground.index.columns
    lists.append([q for q in ground.figures_within(sentence)[:_MAX_COUNTED] if q in sure])
    if len(ground.index.units) <= _FEW_UNITS:
        lists.append([item for _, item in ground.index.quantities[:40]])
    # A total under a column that the response itself lists.
    at = bisect_left(stated, quantity.start, key=lambda item: item.start)
    lists.append([item for item in stated[max(0, at - _COLUMN) : at] if item in sure])
    return any(is_total(quantity, items) for items in lists)


def _pool(
    ground: Ground, quantity: Quantity, stated: list[Quantity], sure: set[Quantity]
) -> list[Quantity]:
    """Return the quantities a stated one may come from: supported ones beside it, and those of the nearest units."""
    at = bisect_left(stated, quantity.start, key=lambda item: item.start)
    found = [item for item in stated[max(0, at - 6) : at + 5] if item in sure]
    for near in ground.nearest(ground.response.sentence_at(quantity.start)):
        found += ground.index.figures_in(near.unit).quantities[:6]
        found += _spans_of_time(ground.index.figures_in(near.unit).moments[:4])
    if len(ground.index.units) <= _FEW_UNITS:
        found += [item for _, item in ground.index.quantities[:12]]
        found += _spans_of_time([item for _, item in ground.index.moments[:6]])
    found += [item for _, item in ground.beside.quantities[:4]]
    unique = {(item.value, item.unit): item for item in found}
    return list(unique.values())


def _spans_of_time(moments: list[Moment]) -> Iterator[Quantity]:
    """Yield how long it is from each of a few dates and times to the next."""
    for one, other in pairwise(moments):
        if one.is_date and other.is_date:
            days = days_between(one, other)
            if days:
                yield Quantity(one.start, other.end, float(days), "day", "time")
                yield Quantity(one.start, other.end, float(days + 1), "day", "time")
        elif not one.is_date and not other.is_date:
            minutes = float((other.minutes - one.minutes) % 1440)
            yield Quantity(one.start, other.end, minutes, "minute", "time")


def _otherwise(ground: Ground, quantity: Quantity, sentence: Region) -> Claim | None:
    """Return a claim where a near unit has another quantity in the same place."""
    slot = slot_of(ground.response, sentence, quantity)
    said = ground.values_within(sentence)
    best: tuple[float, int, Quantity] | None = None
    for near in ground.nearest(sentence):
        unit = ground.index.units[near.unit]
        for given in ground.index.figures_in(near.unit).quantities:
            # What the sentence also states as given is not what it states otherwise.
            other_unit = given.key == quantity.key
            if given.label or not _comparable(given, quantity):
                continue
            if given.key in said and not other_unit:
                continue
            place = slot_of(unit.text, unit.region, given)
            shared = len(slot & place)
            # All that a short line such as "Beds: 28" says of its number.
            shared += place <= slot and unit.region.end - unit.region.start <= _FIELD_CHARS
            score = shared + near.coverage + (given.unit == quantity.unit != "")
            score += 1.5 * other_unit + _same_digits(given, quantity)
            if best is None or score > best[0]:
                best = (score, near.unit, given)
    if best is None or best[0] < _needed(quantity):
        return None
    given, unit = best[2], ground.index.units[best[1]]
    stated, source = words_of(ground.response, quantity), words_of(unit.text, given)
    return Claim(
        "number",
        Region(quantity.start, quantity.end),
        Span(given.start, given.end, unit.source),
        ground.against,
        f"States “{stated}” where the source has “{source}”.",
    )


def _same_digits(given: Quantity, stated: Quantity) -> bool:
    """Tell whether a number has the digits of another in another order: 81,000 for 18,000."""
    one, other = (str(item.value).rstrip("0").rstrip(".") for item in (given, stated))
    return one != other and len(one) > 1 and sorted(one) == sorted(other)


def _needed(quantity: Quantity) -> float:
    """Return how alike two places must be: more for small bare numbers, which stand everywhere."""
    if quantity.unit:
        return 1.9
    return 2.5 if quantity.value <= _SMALL or quantity.spelled else 1.9


def _comparable(given: Quantity, stated: Quantity) -> bool:
    if (given.dimension == YEAR) != (stated.dimension == YEAR):
        return False
    if given.dimension == stated.dimension:
        return given.value != stated.value or given.unit != stated.unit
    return False


def _absent(ground: Ground, quantity: Quantity, sentence: Region) -> Claim | None:
    """Return a claim where the task is to stay with the source, and a telling number is not in it."""
    bare = not quantity.unit and (quantity.value <= _SMALL or quantity.spelled)
    if not ground.closed or bare:
        return None
    rough = quantity.approximate and quantity.dimension != PERCENT and not ground.given.strict
    if quantity.spelled or rough:
        return None
    stated = Region(quantity.start, quantity.end)
    if ground.response.value[quantity.start - 1 : quantity.start] == "+":
        return None  # the code of a country
    return Claim(
        "absent_number",
        stated,
        ground.nearest_span(stated),
        "medium" if ground.strict and _telling(ground, quantity) else "low",
        f"States “{words_of(ground.response, quantity)}”, which is not in the source.",
    )


def _telling(ground: Ground, quantity: Quantity) -> bool:
    """Tell whether a number is one to miss in the source: measured, large, or in a text that may add nothing."""
    return ground.task is Task.FAITHFUL or bool(quantity.unit) or quantity.value >= _LARGE


def slot_of(text: Text, sentence: Region, quantity: Quantity) -> frozenset[str]:
    """Return the stems of the words around a quantity in its sentence."""
    left = first_word(text, quantity.start)
    right = first_word(text, quantity.end)
    before = text.words[max(0, left - _WORDS_LEFT) : left]
    after = text.words[right : right + _WORDS_RIGHT]
    words = (text.lower[a:b] for a, b in (*before, *after) if sentence.start <= a < sentence.end)
    return frozenset(stem(w) for w in words if w not in STOPWORDS and not w[0].isdecimal())
