"""Reads a closed choice that stands unquoted: yes or no, true or false, A to D, "pick one: tea or coffee"."""

from __future__ import annotations

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import (
    END,
    LINE,
    MARK,
    NUMBER,
    WORD,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region

CLOSED = Pattern(
    r"\b(?:RESP|WRITE|pick|choose|select) (?:(?:with|only|either|Q\d+|:) ){0,4}"
    r"(?:[^ |]+ ){0,12}?or "
)
_ASKS = frozenset("answer reply respond output".split())
_PICKS = frozenset("pick choose select".split())
_FILL = frozenset("with only just either simply".split())
_KNOWN = (frozenset({"yes", "no"}), frozenset({"yes", "no", "maybe"}), frozenset({"true", "false"}))
# What makes an order to answer no order: a condition, a negation, someone else who answers.
_NOT_ASKED = frozenset(
    "if when whether unless not don't never cannot can't without than why how people they".split()
)
_ALONE = frozenset({"only", "just", "simply"})
_MOST = 8
_LONGEST = 3  # words of an option


def closed(reading: Reading) -> Demand | None:
    """Return the first closed choice surely meant, or None."""
    for match in reading.find(CLOSED):
        demand = _at(reading, match)
        if demand is not None:
            return demand
    return None


def _at(reading: Reading, match: Match) -> Demand | None:
    tokens, index = reading.tokens, reading.token_index(match.start)
    first, last = reading.sentence_of(index)
    verb = tokens[index].low
    if _NOT_ASKED & set(reading.lows(first, index)) or verb not in _ASKS | _PICKS:
        return None
    start = index + 1
    while start < last and tokens[start].low in _FILL:
        start += 1
    free = verb in _PICKS and reading.lows(start, start + 2) == ["one", ":"]
    start += 2 if free else 0
    terms, end = _options(reading, start, last)
    if not free and not _known(terms):
        return None
    if not 2 <= len(terms) <= _MOST or len(set(terms)) < len(terms):
        return None
    trailing = bool(_ALONE & set(reading.lows(end, end + 1)))
    alone = trailing or bool(_ALONE & set(reading.lows(index, start)))
    after = end + trailing
    if after < last and tokens[after].kind not in {END, LINE, MARK}:
        return None
    span = Region(tokens[index].start, tokens[end - 1].end)
    return Demand("options", span, terms=terms, alone=alone and not free)


def _options(reading: Reading, start: int, last: int) -> tuple[tuple[str, ...], int]:
    """Read words parted by commas, slashes and "or": the terms, and the token after them."""
    tokens, value = reading.tokens, reading.text.value
    terms: list[str] = []
    held: list[int] = []
    at, joined = start, False
    while at < last:
        token = tokens[at]
        if token.low in {",", "/", "or"}:
            joined = joined or token.low != ","
            if held:
                terms.append(value[tokens[held[0]].start : tokens[held[-1]].end])
            held = []
        elif token.kind in {WORD, NUMBER} and token.low not in _ALONE and len(held) < _LONGEST:
            held.append(at)
        else:
            break
        at += 1
    if not held or not joined:
        return (), at
    terms.append(value[tokens[held[0]].start : tokens[held[-1]].end])
    return tuple(terms), at


def _known(terms: tuple[str, ...]) -> bool:
    lows = frozenset(term.lower() for term in terms)
    return lows in _KNOWN or all(len(term) == 1 and term.isupper() for term in terms)
