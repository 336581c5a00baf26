"""Reads which mark must stand between the parts of a response, and how many parts there are."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.lexicon import SYMBOLS
from fairwitness.evaluator.criteria.instruction_following.reading.quantities import Quantity
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import (
    NUMBER,
    STRING,
    SYMBOL,
)
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

SEPARATED = Pattern(
    r"\bSEP (?:[^ |]+ ){0,14}?(?:RULE|S|asterisk|STAR) "
    r"|\b(?:RULE|S) (?:[^ |]+ ){0,4}?(?:SEP|between) "
    r"|\bbetween (?:[^ |]+ ){0,10}?(?:RULE|S|asterisk|STAR) "
    r"|\bSEP (?:[^ |]+ ){0,8}?(?:below|:) "
)
RULE = Pattern(r"\bRULE ")
PATTERNS = (SEPARATED, RULE)

_SIX = "******"
_FIRST = 4  # rules looked at; a separator is named early or drawn in a layout
_TWO = frozenset("apart second another twice both".split())
_PARTED = frozenset(
    """paragraph paragraphs section sections part parts response responses version versions answer
    answers poems jokes stories options alternatives replies letters emails steps step movies songs
    haikus limericks essays riddles suggestions names chapters stanzas verses tweets summaries outputs
    variations slogans titles ideas examples itineraries headlines captions pitches ads advertisements
    recipes tips quotes""".split()
)
_NOT_PARTED = frozenset(
    """words word sentences times placeholders minutes years year days bullet asterisk asterisks stars
    symbols new lines line people characters hashtags bullets hours miles dollars
    weeks months kids students""".split()
)


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the demands on parts."""
    yield from _separated(reading, taken)


def _separated(reading: Reading, taken: Taken) -> Iterator[Demand]:
    seen = -1
    for match in reading.find(SEPARATED):
        index = reading.token_index(match.start)
        if reading.sentence_of(index)[0] == seen:
            continue
        seen = reading.sentence_of(index)[0]
        separator = _separator(reading, index)
        if not separator or {"above", "text"} <= reading.sentence_words(index):
            continue  # nothing, or how a text handed over is set off
        span = reading.span(match)
        parts, number = _how_many(reading, index)
        if number is not None:
            taken.quantities.add(number)
        if parts is None:
            parts = _template_parts(reading, separator)
        if separator == _SIX:
            yield Demand("separated_parts", span, parts or Bounds(2, 2), separator=separator)
        elif separator == "***":
            yield Demand("paragraph_count", span, parts or Bounds(at_least=2), separator=separator)
        else:
            yield Demand("separated_parts", span, parts or Bounds(at_least=2), separator=separator)
        return
    at = reading.text.value.find(_SIX)
    pair = _template_parts(reading, _SIX) or (_lone_rule(reading) if at >= 0 else None)
    if pair is not None:
        yield Demand("separated_parts", Region(at, at + 6), pair, separator=_SIX)
        return
    template = _template_parts(reading, "***")
    if template is not None and "***" in reading.text.value and "format" in reading.text.lower:
        at = reading.text.value.index("***")
        yield Demand("paragraph_count", Region(at, at + 3), template, separator="***")


def _lone_rule(reading: Reading) -> Bounds | None:
    """Read six asterisks that stand among words of two things: "keep them apart with ******"."""
    for match in reading.find(RULE)[:_FIRST]:
        before, _ = reading.around(match)
        index = reading.token_index(match.start)
        raw = reading.text.value[reading.tokens[index].start : reading.tokens[index].end]
        if not raw.startswith(_SIX) or "NEG" in before[:4]:
            continue
        parts, _ = _how_many(reading, index)
        if parts == Bounds(2, 2) or _TWO & reading.sentence_words(index):
            return parts or Bounds(2, 2)
    return None


def _separator(reading: Reading, index: int) -> str:
    """Return the mark named near a token: a rule of its own, or "six asterisks" in words."""
    first, last = reading.sentence_of(index)
    tokens, value = reading.tokens, reading.text.value
    stop = min(last + 8, len(tokens))
    asterisks = 0
    for at in range(first, stop):
        token = tokens[at]
        if token.kind == SYMBOL and token.low == "RULE":
            raw = value[token.start : token.end]
            return _SIX if raw[0] == "*" and len(raw) >= 5 else raw
        if token.low.startswith("asterisk") and at and at < last:
            asterisks = next(
                (t.value for t in reversed(tokens[max(at - 3, first) : at]) if t.kind == NUMBER), 0
            )
        if token.kind == STRING and at < last:
            raw = value[token.start + 1 : token.end - 1].strip()
            if len(raw) >= 3 and not raw.strip("*-=#|~_+/<>"):
                return raw
    return "*" * asterisks if asterisks >= 3 else ""


def _how_many(reading: Reading, index: int) -> tuple[Bounds | None, int | None]:
    """Find the number of parts in the sentence of the separator, or in the two before it."""
    first, _ = reading.sentence_of(index)
    places = [n for n, (start, _) in enumerate(reading.sentences) if start <= first]
    for place in places[-1:-4:-1]:
        start, stop = reading.sentences[place]
        counting = [
            (abs(quantity.first - index), number)
            for number, quantity in enumerate(reading.quantities)
            if start <= quantity.first < stop and _counts_parts(reading, quantity)
        ]
        if counting:
            number = min(counting)[1]
            return reading.quantities[number].bounds, number
    return None, None


def _counts_parts(reading: Reading, quantity: Quantity) -> bool:
    """Tell whether a quantity counts the things a separator stands between."""
    if quantity.often or quantity.vague:
        return False
    nouns = reading.lows(quantity.last, quantity.last + 3)
    highlighted = any(
        SYMBOLS.get(word) == "highlight"
        for word in reading.lows(quantity.first - 3, quantity.last + 3)
    )
    if reading.lows(quantity.first - 1, quantity.first) in (["every"], ["each"], ["any"]):
        return False
    plural = any(noun.endswith("s") and len(noun) > 3 for noun in nouns[:2])
    return (
        (bool(_PARTED & set(nouns)) or plural)
        and not _NOT_PARTED & set(nouns[:2])
        and not highlighted
    )


def _template_parts(reading: Reading, separator: str) -> Bounds | None:
    """Count the parts of an example layout: lines that are nothing but the separator."""
    lines = [line.strip() for line in reading.text.value.split("\n")]
    rules = sum(1 for line in lines if line == separator)
    if not rules or any(line.strip(". …") == "" and line for line in lines):
        return None
    return Bounds(rules + 1, rules + 1)
