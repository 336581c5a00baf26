"""Finds which word one paragraph must start with, and which paragraph that is."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.numerals import ordinal_of
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
    LINE,
    NUMBER,
    STRING,
    WORD,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region

_PLACE = r"(?P<place>(?:ORD|last|final) paragraph|paragraph (?:number |HASH )?Q\d+)"
_OF_IT = r"(?:in |RESP |WORK |Q\d+ paragraph ){0,3}"


def _place(name: str) -> str:
    return _PLACE.replace("place", name)


OPENERS = Pattern(
    rf"\b{_place('place')} {_OF_IT}(?:[^ |Q]+ ){{0,3}}?STARTS (?:with |by |off )?"
    rf"|\bSTARTS {_place('place2')} {_OF_IT}with "
    rf"|\bORD words? (?:in |at )?{_place('place3')} (?:USE )?"
    rf"|\b{_place('place4')} (?:in |RESP |WORK |with |USE |, ){{0,3}}(?P<first>ORD) words? (?:USE )?"
    rf"|\b(?:word (?P<named>[^ |]+)|(?P<quoted>S)) STARTS (?:off )?{_place('place5')} "
    rf"|\b(?P<quoted2>S) (?:as |USE )?(?P<first2>ORD) words? (?:in |at )?{_place('place7')} "
    r"|\bparagraph (?:[^ |]+ ){0,10}?(?P<place6>ORD (?P<one>Q\d+ )?)(?:[^ |Q]+ ){0,2}?STARTS (?:with |by |off )?"
)
PATTERNS = (OPENERS,)

_PLACES = ("place", *(f"place{n}" for n in range(2, 8)))
_BEFORE_WORD = frozenset(
    "should must be is being with the word words a an phrase exact of off as".split()
)


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the first words of paragraphs, and take the numbers that only say which paragraph."""
    for match in prompt.find(OPENERS):
        name = next(name for name in _PLACES if match[name])
        index = prompt.token_index(match.span(name)[0])
        place = _position(prompt, index, match[name])
        if any(match[n] and _ordinal(prompt, match.span(n)[0]) != 1 for n in ("first", "first2")):
            continue
        if match["one"] and prompt.tokens[prompt.quantity(match["one"].strip()).first].low != "one":
            continue
        word, end = _word(prompt, match)
        if place and word:
            consumed.quantities.update(
                n for n, q in enumerate(prompt.quantities) if index <= q.first < index + 3
            )
            span = Region(prompt.span(match).start, max(end, prompt.span(match).end))
            yield Demand("paragraph_start", span, terms=(word,), position=place)


def _ordinal(prompt: Prompt, offset: int) -> int:
    token = prompt.tokens[prompt.token_index(offset)]
    return ordinal_of(token.low) or (token.value if token.low == "ORD" else 0)


def _position(prompt: Prompt, index: int, place: str) -> int:
    """Return the number of the paragraph meant, -1 the last, 0 where none is surely meant."""
    if place.startswith(("last", "final")):
        return -1
    token = prompt.tokens[index]
    position = ordinal_of(token.low) or (token.value if token.low == "ORD" else 0)
    if position:
        return position
    number = next((t for t in prompt.tokens[index : index + 4] if t.kind == NUMBER), None)
    return number.value if number else 0


def _word(prompt: Prompt, match: Match) -> tuple[str, int]:
    """Return the word asked for and where it ends: before the verb in "the word X opens", else after it."""
    for name in ("named", "quoted", "quoted2"):
        if match[name]:
            return _first_word(prompt, prompt.token_index(match.span(name)[0]))
    return _first_word(prompt, prompt.token_index(match.end - 1) + 1)


def _first_word(prompt: Prompt, index: int) -> tuple[str, int]:
    value = prompt.text.value
    for token in prompt.tokens[index : index + 6]:
        if token.kind == STRING:
            return value[token.start + 1 : token.end - 1].strip(), token.end
        if token.kind == WORD and token.low not in _BEFORE_WORD:
            return value[token.start : token.end], token.end
        if token.kind == LINE:
            break
    return "", 0
