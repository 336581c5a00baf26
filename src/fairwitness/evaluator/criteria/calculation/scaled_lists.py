"""Checks a list that the response multiplies throughout: a recipe for 10 people instead of 4, where one amount is not multiplied like the rest.

And what goes with an amount in a ratio: at 50:1, 5 litres of petrol take 100 ml of oil.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import shown
from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    MEASURE,
    NUMBER,
    RATIO,
    Line,
    Quantity,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import SIZES, unit_of

_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS, _MAX_ITEMS = 2_000, 3_000, 24
_MIN_ALIKE = 2
_SERVES = Pattern(
    r"\b(?:serv(?:es|ings?)|recipes?|for \d+ (?:people|persons|guests|portions)|makes|scale|portions?|batch\w*)\b",
    ignore_case=True,
)
_THING = Pattern(
    r"^ (?:of )?(?:(?:plain|fresh|large|small|medium|whole|self-raising|caster|brown|white|unsalted|melted|minced|chopped|ground|grated|cold|warm) )?(?P<thing>\pL{3,})",
    ignore_case=True,
)
_BESIDE = Pattern(r"^[ ]?\(")
_NO_THINGS = frozenset(
    "and for per with people persons guests portions the each minutes hours times about".split()
)
_RATIO_WORDS = Pattern(r"\b(?:mix\w*|ratio|parts?|oil|concentrate|dilut\w*)\b", ignore_case=True)
_PAIR = Pattern(
    r"(?P<one>U\d+)(?: \(U\d+\))? of (?P<first>\pL+)(?:[:,]| needs?| takes?| =| →| add)? (?P<two>U\d+) of (?P<second>\pL+)"
)
# One of them is not to be multiplied like the rest, and the response says so.
_ON_PURPOSE = Pattern(
    r"\b(?:keep|stays?|only|enough|less|fully|same|reduc\w+|still|slightly|little|I['’]d|rather|not|n['’]t|taste|round\w*|about|roughly|or so)\b|[~≈]",
    ignore_case=True,
)
_NEAR = Fraction(4, 100)


def scaled_lists(exchange: Exchange) -> Iterator[Check]:
    """Yield a check for each amount of a list that is multiplied, and for amounts in a ratio that the prompt gives."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) > _MAX_PROMPT_CHARS or len(response) > _MAX_RESPONSE_CHARS:
        return
    if prompt.search(_SERVES):
        yield from _scaled(prompt, response)
    if prompt.search(_RATIO_WORDS):
        yield from _in_ratio(prompt, response)


def _scaled(prompt: Text, response: Text) -> Iterator[Check]:
    before, after = _items(prompt), _items(response)
    pairs = [(before[name], after[name]) for name in before if name in after and before[name].value]
    factors = Counter(new.value / old.value for old, new in pairs)
    if not factors:
        return
    factor, alike = factors.most_common(1)[0]
    numbers = [one.value for one in Line(prompt).of(NUMBER) if one.value][:_MAX_ITEMS]
    meant = any(one / other == factor for one in numbers for other in numbers)
    others = len(pairs) - alike
    if factor == 1 or alike < _MIN_ALIKE or not meant or not 1 <= others <= alike:
        return
    for old, new in pairs:
        wanted = old.value * factor
        off = abs(new.value - wanted)
        # What comes in pieces is rounded to a half; "use two tins" is no ingredient.
        pieces = new.kind == NUMBER and (off < 1 or new.value == old.value)
        if off <= wanted * _NEAR or pieces:
            continue
        sentence = response.slice(response.sentence_at(new.place.start))
        if _ON_PURPOSE.search(sentence.encode()):
            continue
        fixed = shown(new.amount * wanted / new.value, new.places, "," in new.text)
        yield Check.of(new.place, False, fixed, sure=False, given=old.place)


def _items(text: Text) -> dict[tuple[str, str], Quantity]:
    """Return the amounts of a text by what they are of; a thing that comes twice is left out."""
    found: dict[tuple[str, str], Quantity] = {}
    twice: set[tuple[str, str]] = set()
    for one in Line(text).of(NUMBER, MEASURE)[: 3 * _MAX_ITEMS]:
        end = one.end
        # "1,200 ml (1.2 litres) milk"
        if (
            _BESIDE.search(text.value[end : end + 3].encode())
            and (close := text.value.find(")", end, end + 30)) > 0
        ):
            end = close + 1
        match = Text(text.value[end : end + 40]).search(_THING)
        if match is None or match["thing"].lower() in _NO_THINGS:
            continue
        known = unit_of(one.unit) if one.kind == MEASURE else None
        if one.kind == MEASURE and (known is None or one.unit not in SIZES):
            continue
        name = (known[0] if known else "", match["thing"].lower().rstrip("s"))
        if name in found:
            twice.add(name)
        found[name] = one
    return {name: item for name, item in found.items() if name not in twice}


def _in_ratio(prompt: Text, response: Text) -> Iterator[Check]:
    """Compare "5 litres of petrol: 100 ml of oil" with the only ratio that the prompt gives, either way round."""
    ratios = {_ratio(one) for one in Line(prompt).of(RATIO, CLOCK)} - {None}
    ratio = ratios.pop() if len(ratios) == 1 else None
    if ratio is None:
        return
    line = Line(response)
    for match in line.find(_PAIR):
        one, two = line[match["one"]], line[match["two"]]
        kinds = {unit_of(one.unit), unit_of(two.unit)}
        if len({unit[0] for unit in kinds if unit}) != 1 or not one.value or not two.value:
            continue
        told = max(one.value, two.value) / min(one.value, two.value)
        # Of the whole, a part of 50 is one in 51.
        right = any(abs(told - way) <= way * _NEAR for way in (ratio, ratio + 1))
        worked = one.value / ratio if one.value > two.value else one.value * ratio
        fixed = f"{shown(worked / SIZES.get(two.unit, 1), two.places, False)} {two.unit}"
        whole = Region(one.start, two.end)
        yield Check.of(two.place, right, fixed, whole=whole, sure=False)


def _ratio(one: Quantity) -> Fraction | None:
    parts = one.ratio
    return max(parts) / min(parts) if parts and all(parts) else None
