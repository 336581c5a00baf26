"""Finds the demand for a number and nothing else: "reply with only a number", "just the number"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import Quantity
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
    END,
    LINE,
    MARK,
    NUMBER,
)
from fairwitness.evaluator.patterns import Match, Pattern

_ONE = (
    r"(?:single|final|numeric|numerical|whole|plain|correct|resulting|bare|exact|total|port|page|line|option|"
    r"question|chapter|Q\d+)"
)
_NUMBER = rf"(?:{_ONE} ){{0,2}}(?P<number>number|integer|numeral|figure|digit) "
_SAYS = r"(?:WRITE|RESP|SAY|REPEAT|print|output|type|enter|state)"
_LEAD = rf"{_SAYS} (?:RESP |back )?(?:with |in |USE |as )?"
# "reply with only a number", "only reply with a number", "a number only", "just one number", "Just the number".
NUMBER_ONLY = tuple(
    Pattern(source)
    for source in (
        rf"\b{_LEAD}only (?:with |as |WRITE )?{_NUMBER}",
        rf"\bonly (?:{_SAYS} ){{1,2}}(?:with |as )?{_NUMBER}",
        rf"\b{_LEAD}{_NUMBER}(?:and )?only ",
        rf"\b{_LEAD}(?P<only>Q\d+) {_NUMBER}",
        rf"(?:^|\| |, ){_NUMBER}only ",
        rf"(?:^|\| )only {_NUMBER}",
    )
)
PATTERNS = NUMBER_ONLY

_CONDITIONS = frozenset("if when whenever unless whether where otherwise".split())
_SEVERAL = frozenset("numbers integers digits numerals figures".split())
_SHARED = frozenset("each every per".split())
_SPELLED = frozenset({("in", "words"), ("in", "letters")})
# What may go on from the number without asking for more than it.
_MAY_FOLLOW = frozenset(
    "between from in for as with without no not nothing which that representing corresponding".split()
)
_JUST_ONE = PATTERNS[3]
_MAX_TOKENS_BEFORE = 40
_MAX_TOKENS_TO_RANGE = 4  # tokens between the number and its range


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield that one demand, with the range the number must lie in where one is given."""
    for pattern in PATTERNS:
        for match in prompt.find(pattern):
            if "NEG" in prompt.clause_before(match)[:3] or not _meant(prompt, match):
                continue
            ones = [int(symbol[1:]) for symbol in match.text.split() if _is_quantity(symbol)]
            if any(not _is_one(prompt.quantities[number]) for number in ones):
                continue
            if pattern is _JUST_ONE and not _is_only(prompt, int(match["only"][1:])):
                continue
            number, bounds = _range(prompt, match)
            consumed.quantities.update(ones if number is None else [*ones, number])
            yield Demand("number_only", prompt.span(match), bounds, alone=True)
            return


def _meant(prompt: Prompt, match: Match) -> bool:
    """Tell one number asked for from numbers to write in, and from what is asked under a condition."""
    first, named = prompt.token_index(match.start), _named(prompt, match)
    begins, ends = prompt.sentence_of(first)
    if _CONDITIONS & set(prompt.lows(max(begins, first - _MAX_TOKENS_BEFORE), first)):
        return False
    if prompt.tokens[named].low in _SEVERAL:
        return False
    after = named + 1
    while after < ends and prompt.tokens[after].low in {"only", "and", "alone", "please"}:
        after += 1
    following = prompt.lows(after, min(ends, after + _MAX_TOKENS_TO_RANGE))
    if any(pair in _SPELLED for pair in pairwise(following)) or _SHARED & set(following):
        return False
    if after >= ends or prompt.tokens[after].kind in {END, LINE, MARK, NUMBER}:
        return True
    if following[0] == "of":  # "the number of apples", not "a number of apples"
        return prompt.lows(named - 1, named) == ["the"]
    return following[0] in _MAY_FOLLOW


def _named(prompt: Prompt, match: Match) -> int:
    """Return the token of the word "number" itself."""
    return prompt.token_index(match.span("number")[0])


def _is_quantity(symbol: str) -> bool:
    return symbol[0] == "Q" and symbol[1:].isdecimal()


def _is_one(quantity: Quantity) -> bool:
    return quantity.bounds == Bounds(1, 1)


def _is_only(prompt: Prompt, number: int) -> bool:
    """Tell "just one number" from "one number": the first word of the quantity says it."""
    return prompt.tokens[prompt.quantities[number].first].low in {"just", "only"}


def _range(prompt: Prompt, match: Match) -> tuple[int | None, Bounds | None]:
    """Find the "between 1 and 10" that follows the number right away."""
    named = _named(prompt, match)
    for number, quantity in enumerate(prompt.quantities):
        if named < quantity.first <= named + _MAX_TOKENS_TO_RANGE:
            bounds = quantity.bounds
            ranged = bounds.at_least != bounds.at_most and not (quantity.rough or quantity.vague)
            both = None not in (bounds.at_least, bounds.at_most)
            return (number, bounds) if ranged and both else (None, None)
    return None, None
