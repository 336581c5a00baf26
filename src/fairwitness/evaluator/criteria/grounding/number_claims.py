"""Compares the quantities of a response with those it was given."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.grounding.bounds import is_limit
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground, words_of
from fairwitness.evaluator.criteria.grounding.number_support import (
    in_round_figures,
    is_given,
    is_shown,
    same_digits,
    unsupported,
)
from fairwitness.evaluator.criteria.grounding.restated import restates
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.quantities import YEAR, Quantity
from fairwitness.evaluator.facts.units import PERCENT
from fairwitness.evaluator.facts.words import STOPWORDS, first_word, stem
from fairwitness.evaluator.given import Task
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# Whole numbers up to this, without a unit, are often only counting out loud.
_SMALL = 12
_WORDS_LEFT, _WORDS_RIGHT = 5, 4
_FIELD_CHARS = 30
_LARGE = 100
# Two places so much alike are the same, whatever else was told.
_SURELY_THE_SAME = 3.0

# How much of a sentence a unit must share for a number in it to be the same count.
_SAME_STATEMENT = 0.35
_MAX_COUNTED = 60
_PER = Pattern(
    r"\b(?:per|an?|each|every) (?:kilo|kg|kilogram|lit(?:er|re)|gram|g\b|ml|100|unit|item|piece|head|person|hour|day|week|month|year|mile|km|metre|meter|bottle|pack)",
    ignore_case=True,
)
_REMAINDER = Pattern(
    r"\b(?:left|remain\w*|more|fewer|less|total|altogether|combined|each|every|per|other|another|difference|average|of (?:the|these|those|them)|first|last|next|at least|up to|only)\b",
    ignore_case=True,
)


def quantity_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each quantity that is stated otherwise than given, or is nowhere given."""
    text = ground.response
    if not ground.index.complete:
        return  # what is stated may be in what was not read
    stated = [item for item in ground.figures.quantities if not item.label]
    doubtful = unsupported(ground, stated)
    sure = {*stated} - {*doubtful}
    for quantity in doubtful:
        sentence = text.sentence_at(quantity.start)
        claim = (
            _otherwise(ground, quantity, sentence)
            or _exchanged_in_data(ground, quantity)
            or _miscounted(ground, quantity)
            or _absent(ground, quantity, sentence)
        )
        if claim is not None:
            yield claim
    for quantity in stated[:_MAX_COUNTED]:
        if quantity not in sure:
            continue
        claim = _miscounted(ground, quantity) or _in_its_place(ground, quantity)
        if claim is not None:
            yield claim


def _exchanged_in_data(ground: Ground, quantity: Quantity) -> Claim | None:
    """Return a claim for a bare value of data that has the digits of a given one, whatever its unit, in another order."""
    if quantity.unit or not ground.response.in_code(quantity.start):
        return None
    alike = [
        (number, given)
        for number, given in ground.index.quantities
        if same_digits(given, quantity) and given.key != quantity.key
    ]
    if len(alike) != 1:
        return None
    return _differs(ground, "number", quantity, alike[0], ground.against)


def _in_its_place(ground: Ground, quantity: Quantity) -> Claim | None:
    """Return a claim for a number that might be worked out, but has the digits of the given one in another order."""
    if not (ground.given.passages and ground.compared) or ground.given.works_out:
        return None
    if is_given(ground, quantity):
        return None
    sentence = ground.response.sentence_at(quantity.start)
    return _otherwise(ground, quantity, sentence, exchanged=True)


def _miscounted(ground: Ground, quantity: Quantity) -> Claim | None:
    """Return a claim where a number is given elsewhere, but the thing it counts here has another number."""
    text = ground.response
    noun = _counted_noun(text, quantity)
    sentence = text.sentence_at(quantity.start)
    if not noun or quantity.approximate or is_shown(text, quantity):
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
    if in_round_figures(quantity, given):
        return None
    # Who states the given number too works something out from it.
    if not ground.given.passages and any(q.key == given.key for q in ground.figures.quantities):
        return None
    unit = ground.index.units[number]
    # "21 vegetation categories" has the same number of categories, and "640 rows read, 8 rejected" of rows.
    if any(one.key == quantity.key for one in ground.index.figures_in(number).quantities):
        return None
    if is_limit(unit.text, given) and not is_limit(text, quantity):
        return None
    if not _said(_REMAINDER, text, sentence) <= _said(_REMAINDER, unit.text, unit.region):
        return None
    return _differs(ground, "count", quantity, (number, given), ground.against_worked_out)


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


def _otherwise(
    ground: Ground, quantity: Quantity, sentence: Region, *, exchanged: bool = False
) -> Claim | None:
    """Return a claim where a near unit has another quantity in the same place."""
    slot = slot_of(ground.response, sentence, quantity)
    said = ground.values_within(sentence)
    limit = is_limit(ground.response, quantity)
    small = not quantity.unit and quantity.value <= _SMALL
    noun = _counted_noun(ground.response, quantity)
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
            slip = same_digits(given, quantity)
            if exchanged and not (given.unit == quantity.unit and slip):
                continue
            restated = restates(ground, quantity, sentence, near.unit, given)
            # What is asked for by "how much do I need?" may well be another number than any given one.
            worked_out = ground.many_figures or ground.given.works_out
            if worked_out and not (slip or other_unit or restated):
                continue
            if small and not slip and noun != _counted_noun(unit.text, given):
                continue  # how many of something else there are
            # "A parcel of 15 kg" where it may have "up to 20 kg" is a case of it.
            if is_limit(unit.text, given) and not limit:
                continue
            place = slot_of(unit.text, unit.region, given)
            shared = len(slot & place)
            # All that a short line such as "Beds: 28" says of its number.
            shared += place <= slot and unit.region.end - unit.region.start <= _FIELD_CHARS
            score = shared + near.coverage + (given.unit == quantity.unit != "")
            score += 1.5 * other_unit + slip + 2 * restated
            if best is None or score > best[0]:
                best = (score, near.unit, given)
    if best is None or best[0] < _needed(quantity) + exchanged:
        return None
    # The same number of something else is no result of a calculation.
    other_unit = best[2].key == quantity.key and quantity.value > _SMALL
    surely = best[0] >= _SURELY_THE_SAME or (other_unit and not ground.brings_numbers)
    severity = _against(ground, sentence, surely=surely)
    return _differs(ground, "number", quantity, best[1:], severity)


def _differs(
    ground: Ground, kind: str, quantity: Quantity, given: tuple[int, Quantity], severity: Severity
) -> Claim:
    """Return the claim that a quantity is stated where the source has another."""
    unit, other = ground.index.units[given[0]], given[1]
    stated, source = words_of(ground.response, quantity), words_of(unit.text, other)
    span = Span(other.start, other.end, unit.source)
    message = f"States “{stated}” where the source has “{source}”."
    return Claim(kind, Region(quantity.start, quantity.end), span, severity, message)


def _against(ground: Ground, sentence: Region, *, surely: bool) -> Severity:
    """How severe it is: what a prompt states by the way is there to be worked with, as a price per kilo."""
    if ground.given.passages:
        return ground.against if surely else ground.against_worked_out
    per = _PER.search(ground.response.slice(sentence).encode())
    return "low" if per else ground.against_worked_out


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
    text = ground.response
    counted = quantity.value <= _SMALL and quantity.value.is_integer()
    marks = not text.value[text.value.rfind("\n", 0, quantity.start) + 1 : quantity.start].strip()
    bare = not quantity.unit and (counted or quantity.spelled or marks)  # "2.1. ..." marks an item
    if not ground.closed or bare:
        return None
    rough = quantity.approximate and quantity.dimension != PERCENT and not ground.given.strict
    # A rate that is asked for is worked out.
    if quantity.spelled or rough or (quantity.dimension == PERCENT and ground.given.works_out):
        return None
    stated = Region(quantity.start, quantity.end)
    if text.value[quantity.start - 1 : quantity.start] == "+":
        return None  # the code of a country
    return Claim(
        "absent_number",
        stated,
        ground.nearest_span(stated),
        "medium"
        if ground.strict
        and not (ground.to_change or ground.brings_numbers)
        and not (ground.many_figures and not ground.given.strict)
        and not _is_case(ground, quantity)
        and _telling(ground, quantity)
        else "low",
        f"States “{words_of(text, quantity)}”, which is not in the source.",
    )


def _is_case(ground: Ground, quantity: Quantity) -> bool:
    """Tell whether a number may be a case that a given limit of its kind is applied to."""
    return quantity.unit in ground.limited and not is_limit(ground.response, quantity)


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
