"""Finds which mark must separate the parts of a response, and how many parts there are."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import SYMBOLS
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import Quantity
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
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

_SIX_ASTERISKS = "******"
_MAX_RULES = 4  # a separator is named early or drawn in a layout
_TWO_PART_WORDS = frozenset("apart second another twice both".split())
_SEPARATED = frozenset(
    """paragraph paragraphs section sections part parts response responses version versions answer
    answers poems jokes stories options alternatives replies letters emails steps step movies songs
    haikus limericks essays riddles suggestions names chapters stanzas verses tweets summaries outputs
    variations slogans titles ideas examples itineraries headlines captions pitches ads advertisements
    recipes tips quotes""".split()
)
_NOT_SEPARATED = frozenset(
    """words word sentences times placeholders minutes years year days bullet asterisk asterisks stars
    symbols new lines line people characters hashtags bullets hours miles dollars
    weeks months kids students""".split()
)


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the demand on separated parts, at most one."""
    seen = -1
    for match in prompt.find(SEPARATED):
        index = prompt.token_index(match.start)
        if prompt.sentence_of(index)[0] == seen:
            continue
        seen = prompt.sentence_of(index)[0]
        separator = _separator(prompt, index)
        if not separator or {"above", "text"} <= prompt.sentence_words(index):
            continue  # nothing, or how a pasted text is marked
        span = prompt.span(match)
        parts, number = _how_many(prompt, index)
        if number is not None:
            consumed.quantities.add(number)
        if parts is None:
            parts = _template_parts(prompt, separator)
        kind: Kind = "paragraph_count" if separator == "***" else "separated_parts"
        several = Bounds(2, 2) if separator == _SIX_ASTERISKS else Bounds(at_least=2)
        yield Demand(kind, span, parts or several, separator=separator)
        return
    at = prompt.text.value.find(_SIX_ASTERISKS)
    pair = _template_parts(prompt, _SIX_ASTERISKS) or (_lone_rule(prompt) if at >= 0 else None)
    if pair is not None:
        yield Demand("separated_parts", Region(at, at + 6), pair, separator=_SIX_ASTERISKS)
        return
    template = _template_parts(prompt, "***")
    if template is not None and "***" in prompt.text.value and "format" in prompt.text.lower:
        at = prompt.text.value.index("***")
        yield Demand("paragraph_count", Region(at, at + 3), template, separator="***")


def _lone_rule(prompt: Prompt) -> Bounds | None:
    """Find six asterisks in a sentence about two things: "keep them apart with ******"."""
    for match in prompt.find(RULE)[:_MAX_RULES]:
        before, _ = prompt.around(match)
        index = prompt.token_index(match.start)
        raw = prompt.text.value[prompt.tokens[index].start : prompt.tokens[index].end]
        if not raw.startswith(_SIX_ASTERISKS) or "NEG" in before[:4]:
            continue
        parts, _ = _how_many(prompt, index)
        if parts == Bounds(2, 2) or _TWO_PART_WORDS & prompt.sentence_words(index):
            return parts or Bounds(2, 2)
    return None


def _separator(prompt: Prompt, index: int) -> str:
    """Return the mark named near a token: a rule of its own, or "six asterisks" in words."""
    first, last = prompt.sentence_of(index)
    tokens, value = prompt.tokens, prompt.text.value
    stop = min(last + 8, len(tokens))
    asterisks = 0
    for at in range(first, stop):
        token = tokens[at]
        if token.kind == SYMBOL and token.low == "RULE":
            raw = value[token.start : token.end]
            return _SIX_ASTERISKS if raw[0] == "*" and len(raw) >= 5 else raw
        if token.low.startswith("asterisk") and at and at < last:
            asterisks = next(
                (t.value for t in reversed(tokens[max(at - 3, first) : at]) if t.kind == NUMBER), 0
            )
        if token.kind == STRING and at < last:
            raw = value[token.start + 1 : token.end - 1].strip()
            if len(raw) >= 3 and not raw.strip("*-=#|~_+/<>"):
                return raw
    return "*" * asterisks if asterisks >= 3 else ""


def _how_many(prompt: Prompt, index: int) -> tuple[Bounds | None, int | None]:
    """Find the number of parts in the sentence of the separator, or in the two before it."""
    first, _ = prompt.sentence_of(index)
    places = [n for n, (start, _) in enumerate(prompt.sentences) if start <= first]
    for place in places[-1:-4:-1]:
        start, stop = prompt.sentences[place]
        counting = [
            (abs(quantity.first - index), number)
            for number, quantity in enumerate(prompt.quantities)
            if start <= quantity.first < stop and _counts_parts(prompt, quantity)
        ]
        if counting:
            number = min(counting)[1]
            return prompt.quantities[number].bounds, number
    return None, None


def _counts_parts(prompt: Prompt, quantity: Quantity) -> bool:
    """Tell whether a quantity counts the things that a separator separates."""
    if quantity.often or quantity.vague:
        return False
    nouns = prompt.lows(quantity.last, quantity.last + 3)
    highlighted = any(
        SYMBOLS.get(word) == "highlight"
        for word in prompt.lows(quantity.first - 3, quantity.last + 3)
    )
    if prompt.lows(quantity.first - 1, quantity.first) in (["every"], ["each"], ["any"]):
        return False
    plural = any(noun.endswith("s") and len(noun) > 3 for noun in nouns[:2])
    return (
        (bool(_SEPARATED & set(nouns)) or plural)
        and not _NOT_SEPARATED & set(nouns[:2])
        and not highlighted
    )


def _template_parts(prompt: Prompt, separator: str) -> Bounds | None:
    """Count the parts of an example layout: lines that are nothing but the separator."""
    lines = [line.strip() for line in prompt.text.value.split("\n")]
    rules = sum(1 for line in lines if line == separator)
    if not rules or any(line.strip(". …") == "" and line for line in lines):
        return None
    return Bounds(rules + 1, rules + 1)
