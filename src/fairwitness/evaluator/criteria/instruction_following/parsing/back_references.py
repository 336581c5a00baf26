"""Finds a count of what the sentence before named, as "it must appear twice" after "use the word fog".

A sentence counts only where it has nothing beside the count and words that point back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import SYMBOLS
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import Quantity
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
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
_MAX_SENTENCE_TOKENS = 24  # a longer sentence says more
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


def resolve_back_references(
    prompt: Prompt, consumed: Consumed, found: list[Demand]
) -> list[Demand]:
    """Return the demands with counts that point back put where they belong."""
    for reference in _references(prompt, consumed):
        found = (
            _times(prompt, reference, found)
            if reference.timed
            else _things(prompt, reference, found)
        )
    return found


def _references(prompt: Prompt, consumed: Consumed) -> list[_Reference]:
    found = []
    for number, quantity in enumerate(prompt.quantities):
        if number in consumed.quantities or quantity.vague or quantity.rough:
            continue
        first, last = prompt.sentence_of(quantity.first)
        if last - first > _MAX_SENTENCE_TOKENS:
            continue
        rest = [*prompt.tokens[first : quantity.first], *prompt.tokens[quantity.last : last]]
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


def _span(prompt: Prompt, reference: _Reference) -> Region:
    end = reference.last - 1
    while end > reference.first and prompt.tokens[end].kind in {END, LINE}:
        end -= 1
    return Region(prompt.tokens[reference.first].start, prompt.tokens[end].end)


def _times(prompt: Prompt, reference: _Reference, found: list[Demand]) -> list[Demand]:
    """Turn "use the word X" of the sentence before into how often it must be there."""
    begins = prompt.tokens[reference.first].start
    before = _sentence_before(prompt, reference.first)
    for at, demand in enumerate(found):
        fitting = demand.kind in {"required_words", "letter_count"} and len(demand.terms) == 1
        if fitting and before <= demand.span.start < begins:
            kind: Kind = "letter_count" if demand.kind == "letter_count" else "keyword_count"
            counted = replace(
                demand, kind=kind, bounds=reference.quantity.bounds, span=_span(prompt, reference)
            )
            return [*found[:at], counted, *found[at + 1 :]]
    return found


def _things(prompt: Prompt, reference: _Reference, found: list[Demand]) -> list[Demand]:
    """Find "there should be five of them" after bullet points or the like were asked for."""
    before = _sentence_before(prompt, reference.first)
    begins = prompt.tokens[reference.first].start
    named = [
        SYMBOLS.get(token.low, "")
        for token in prompt.tokens
        if before <= token.start < begins and token.kind == WORD
    ]
    kinds = {_COUNTED[name] for name in named if name in _COUNTED}
    if len(kinds) != 1 or _counted_already(found, *kinds):
        return found
    (kind,) = kinds
    return [*found, Demand(kind, _span(prompt, reference), reference.quantity.bounds)]


def _counted_already(found: Sequence[Demand], kind: Kind) -> bool:
    return any(demand.kind == kind and demand.bounds != Bounds(at_least=1) for demand in found)


def _sentence_before(prompt: Prompt, first: int) -> int:
    start, _ = prompt.sentence_of(max(first - 1, 0))
    return prompt.tokens[start].start
