"""Reads that the answer is to be a number and nothing else: "reply with only a number", "just the number"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.patterns import Match, Pattern

_ONE = r"(?:single|final|numeric|numerical|whole|plain|correct|resulting|bare|Q\d+)"
_NUMBER = rf"(?:{_ONE} ){{0,2}}(?:number|integer|numeral|figure|digit)"
_SAYS = r"(?:WRITE|RESP|SAY|REPEAT|print|output|type|enter|state)"
_LEAD = rf"{_SAYS} (?:RESP |back )?(?:with |in |USE |as )?"
_ENDS = r"(?:\||,|:|\(|(?:and |only |with )?NEG|and only|between|from|in|for|as|Q\d)"
NUMBER_ONLY = Pattern(
    rf"\b{_LEAD}only (?:with |as |WRITE )?{_NUMBER} {_ENDS}"
    rf"|\bonly (?:{_SAYS} ){{1,2}}(?:with |as )?{_NUMBER} {_ENDS}"
    rf"|\b{_LEAD}{_NUMBER} (?:and )?only {_ENDS}"
    rf"|(?:^|\| |, ){_NUMBER} only {_ENDS}"
    rf"|(?:^|\| )only {_NUMBER} (?:\||,|and NEG|NEG)"
)
PATTERNS = (NUMBER_ONLY,)

_CONDITIONS = frozenset("if when whenever unless whether where otherwise".split())
_SEVERAL = frozenset("numbers integers digits numerals figures".split())
_SHARED = frozenset("each every per".split())
_SPELLED = frozenset({("in", "words"), ("in", "letters")})
_FAR = 40  # tokens
_NEAR = 4  # tokens between the number and its range


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield that one demand, with the range the number must lie in where one is given."""
    for match in reading.find(NUMBER_ONLY):
        if "NEG" in reading.clause_before(match)[:3] or not _meant(reading, match):
            continue
        ones = [int(symbol[1:]) for symbol in match.text.split()[:-1] if _is_quantity(symbol)]
        if any(reading.quantities[number].bounds != Bounds(1, 1) for number in ones):
            continue
        number, bounds = _range(reading, match)
        taken.quantities.update(ones if number is None else [*ones, number])
        yield Demand("number_only", reading.span(match), bounds, alone=True)
        return


def _meant(reading: Reading, match: Match) -> bool:
    """Tell one number asked for from numbers to write in, and from what is asked under a condition."""
    first, last = _tokens(reading, match)
    begins, _ = reading.sentence_of(first)
    if _CONDITIONS & set(reading.lows(max(begins, first - _FAR), first)):
        return False
    several = _SEVERAL & set(reading.lows(first, last + 1))
    after = reading.lows(last, last + _NEAR)
    spelled = any(pair in _SPELLED for pair in pairwise(after))
    return not several and not spelled and not _SHARED & set(after)


def _is_quantity(symbol: str) -> bool:
    return symbol[0] == "Q" and symbol[1:].isdecimal()


def _tokens(reading: Reading, match: Match) -> tuple[int, int]:
    return reading.token_index(match.start), reading.token_index(max(match.end - 2, match.start))


def _range(reading: Reading, match: Match) -> tuple[int | None, Bounds | None]:
    """Find the "between 1 and 10" that follows the number right away."""
    _, last = _tokens(reading, match)
    for number, quantity in enumerate(reading.quantities):
        if last - 1 <= quantity.first <= last + _NEAR:
            bounds = quantity.bounds
            ranged = bounds.at_least != bounds.at_most and not (quantity.rough or quantity.vague)
            both = None not in (bounds.at_least, bounds.at_most)
            return (number, bounds) if ranged and both else (None, None)
    return None, None
