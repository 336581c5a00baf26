"""Finds a closed choice without quotation marks: yes or no, true/false, A to D, "as positive or negative"."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
    END,
    LINE,
    MARK,
    NUMBER,
    WORD,
)
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

UNQUOTED_OPTIONS = Pattern(r"\b(?:or|LETTER) ")
_ASKS = frozenset("answer reply respond output say state return".split())
_PICKS = frozenset("pick choose select".split())
_SORTS = frozenset("classify label categorize categorise tag rate mark grade".split())
_FILL = frozenset(
    "with only just either simply a the letter letters word words single by saying".split()
)
_KNOWN = (frozenset({"yes", "no"}), frozenset({"yes", "no", "maybe"}), frozenset({"true", "false"}))
# What makes an order to answer no order: a condition, a negation, someone else who answers.
_NOT_ASKED = frozenset(
    "if when whether unless not don't never cannot can't without than why how people they to that who which where".split()
)
_ALONE = frozenset("only just simply nothing".split())
_AFTERWARDS = frozenset("and then followed depending based without first please to as with".split())
_STOPS = frozenset({*_ALONE, *_AFTERWARDS})
_MAX_OPTIONS = 8
_MAX_TOKENS_AFTER = 40
_MAX_OPTION_WORDS = 3


class _Lead(NamedTuple):
    """Where the order begins, where its options begin, and whether they may be any words."""

    at: int
    start: int
    free: bool


def unquoted_options(prompt: Prompt) -> Demand | None:
    """Return the first closed choice surely meant, or None."""
    seen = -1
    for match in prompt.find(UNQUOTED_OPTIONS):
        first, last = prompt.sentence_of(prompt.token_index(match.start))
        if first == seen:
            continue
        seen = first
        demand = next(
            filter(None, (_at(prompt, lead, last) for lead in _leads(prompt, first, last))), None
        )
        if demand is not None:
            return demand
    return None


def _leads(prompt: Prompt, first: int, last: int) -> list[_Lead]:
    tokens = prompt.tokens
    found: list[_Lead] = []
    sorts = False
    for index in range(first, last):
        low = tokens[index].low
        if len(found) == _MAX_OPTIONS or (index > first and tokens[index - 1].low in _NOT_ASKED):
            break
        sorts = sorts or low in _SORTS
        if low in _ASKS | _PICKS:
            start = _past_fill(prompt, index + 1, last)
            free = low in _PICKS and prompt.lows(start, start + 2) == ["one", ":"]
            found.append(_Lead(index, start + (2 if free else 0), free))
        elif low == "as" and sorts:
            found.append(_Lead(index, _past_fill(prompt, index + 1, last), True))
    return [*found, _Lead(first, _past_fill(prompt, first, last), False)]


def _past_fill(prompt: Prompt, start: int, last: int) -> int:
    tokens, value = prompt.tokens, prompt.text.value
    while start < last and tokens[start].low in _FILL:
        if tokens[start].low == "a" and value[tokens[start].start] == "A":
            break  # the first of "A or B"
        start += 1
    return start


def _at(prompt: Prompt, lead: _Lead, last: int) -> Demand | None:
    tokens = prompt.tokens
    terms, end = _options(prompt, lead.start, last)
    known = _known(terms)
    if (
        not 2 <= len(terms) <= _MAX_OPTIONS
        or len(set(terms)) < len(terms)
        or not (lead.free or known)
    ):
        return None
    after = prompt.lows(end, min(last, end + _MAX_TOKENS_AFTER))
    if (
        end < last
        and tokens[end].kind not in {END, LINE, MARK}
        and not (known and after[0] in _STOPS)
    ):
        return None
    told = {*prompt.lows(lead.at - 1, lead.start), *after[:1]}
    told |= set(after[:3]) & {"nothing"}
    explained = {"explain", "why", "because", "reason", "followed", "justify"} & set(after)
    alone = bool(_ALONE & told) and not lead.free and not explained
    span = Region(tokens[lead.at].start, tokens[end - 1].end)
    return Demand("options", span, terms=terms, alone=alone)


def _options(prompt: Prompt, start: int, last: int) -> tuple[tuple[str, ...], int]:
    """Find words parted by commas, slashes and "or": the terms, and the token after them."""
    tokens, value = prompt.tokens, prompt.text.value
    terms: list[str] = []
    held: list[int] = []
    at, joined = start, False
    while at < last:
        token = tokens[at]
        if token.low in {",", "/", "or"}:
            if joined and token.low == ",":
                break  # after the last option a comma leads on
            joined = joined or token.low != ","
            if held:
                terms.append(value[tokens[held[0]].start : tokens[held[-1]].end])
            if len(terms) > _MAX_OPTIONS:
                break
            held = []
        elif (
            token.kind in {WORD, NUMBER}
            and token.low not in _STOPS
            and len(held) < _MAX_OPTION_WORDS
        ):
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
    return lows in _KNOWN or (
        len(terms) > 1 and all(len(term) == 1 and term.isupper() for term in terms)
    )
