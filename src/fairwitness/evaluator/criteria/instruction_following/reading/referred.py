"""Reads a count said of what the sentence before named, as "it must appear twice" after "use the word fog".

A sentence is taken so only where it holds nothing beside the count and words that point back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.lexicon import SYMBOLS
from fairwitness.evaluator.criteria.instruction_following.reading.quantities import Quantity
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import (
    END,
    LINE,
    MARK,
    WORD,
)
from fairwitness.evaluator.text import Region

_POINTS_BACK = frozenset(
    """it this that they them these those word words phrase phrases term keyword there must should shall has have
    had needs need to be is are appear appears occur occurs show shows up used use using include included
    mentioned repeated the of in your my response answer text essay story poem make sure please and also but
    total altogether overall time times each do so exactly want i not no don't them""".split()
)
_POINTERS = frozenset("it this that they them these there".split())
_LONGEST = 24  # tokens; a longer sentence says more
_COUNTED: dict[str, Kind] = {
    "bullet": "bullet_count",
    "hashtag": "hashtag_count",
    "paragraph": "paragraph_count",
    "sentence": "sentence_count",
    "emoji": "emoji_count",
    "placeholder": "placeholder_count",
    "heading": "heading_count",
    "line": "line_count",
}


class _Reference(NamedTuple):
    """A sentence that is nothing but a count of something named before."""

    number: int
    quantity: Quantity
    first: int
    last: int
    timed: bool


def resolve(reading: Reading, taken: Taken, found: list[Demand]) -> list[Demand]:
    """Return the demands with counts that point back put where they belong."""
    for reference in _references(reading, taken):
        found = (
            _times(reading, reference, found)
            if reference.timed
            else _things(reading, reference, found)
        )
    return found


def _references(reading: Reading, taken: Taken) -> list[_Reference]:
    found = []
    for number, quantity in enumerate(reading.quantities):
        if number in taken.quantities or quantity.vague or quantity.rough:
            continue
        first, last = reading.sentence_of(quantity.first)
        if last - first > _LONGEST:
            continue
        rest = [*reading.tokens[first : quantity.first], *reading.tokens[quantity.last : last]]
        if not first or any(_says_more(token.kind, token.low) for token in rest):
            continue
        lows = [token.low for token in rest]
        timed = quantity.often or "times" in lows or "time" in lows
        lone = not (timed or quantity.bare or lows[:-1])
        if _POINTERS & set(lows) or lone:
            found.append(_Reference(number, quantity, first, last, timed))
    return found


def _says_more(kind: int, low: str) -> bool:
    return (
        kind not in {END, LINE}
        and not (kind == MARK and low in ",-")
        and not (kind == WORD and low in _POINTS_BACK)
    )


def _span(reading: Reading, reference: _Reference) -> Region:
    end = reference.last - 1
    while end > reference.first and reading.tokens[end].kind in {END, LINE}:
        end -= 1
    return Region(reading.tokens[reference.first].start, reading.tokens[end].end)


def _times(reading: Reading, reference: _Reference, found: list[Demand]) -> list[Demand]:
    """Turn "use the word X" of the sentence before into how often it must be there."""
    begins = reading.tokens[reference.first].start
    before = _sentence_before(reading, reference.first)
    for at, demand in enumerate(found):
        fitting = demand.kind in {"required_words", "letter_count"} and len(demand.terms) == 1
        if fitting and before <= demand.span.start < begins:
            kind: Kind = "letter_count" if demand.kind == "letter_count" else "keyword_count"
            counted = replace(
                demand, kind=kind, bounds=reference.quantity.bounds, span=_span(reading, reference)
            )
            return [*found[:at], counted, *found[at + 1 :]]
    return found


def _things(reading: Reading, reference: _Reference, found: list[Demand]) -> list[Demand]:
    """Read "there should be five of them" after bullet points or the like were asked for."""
    before = _sentence_before(reading, reference.first)
    begins = reading.tokens[reference.first].start
    named = [
        SYMBOLS.get(token.low, "")
        for token in reading.tokens
        if before <= token.start < begins and token.kind == WORD
    ]
    kinds = {_COUNTED[name] for name in named if name in _COUNTED}
    if len(kinds) != 1 or _counted_already(found, *kinds):
        return found
    (kind,) = kinds
    return [*found, Demand(kind, _span(reading, reference), reference.quantity.bounds)]


def _counted_already(found: Sequence[Demand], kind: Kind) -> bool:
    return any(demand.kind == kind and demand.bounds != Bounds(at_least=1) for demand in found)


def _sentence_before(reading: Reading, first: int) -> int:
    start, _ = reading.sentence_of(max(first - 1, 0))
    return reading.tokens[start].start
