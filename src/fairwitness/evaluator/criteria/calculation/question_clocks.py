"""Checks the time of day, or the length of time, that a prompt asks for, where it follows from the times that it gives.

Any of the times and lengths may be what is meant, forwards or backwards, and any shift between time zones that is told: only
where nothing that the response states can be reached from them, it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.clock_zones import Zone, signed_sums, zones
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    DAY,
    DURATION,
    NUMBER,
    Line,
    Quantity,
)
from fairwitness.evaluator.criteria.calculation.silent_words import OPEN, OTHER_TIMES, ROUGHLY
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text
from fairwitness.evaluator.vocabulary import COUNT_WORDS

_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS = 1_500, 2_000
_MAX_CLOCKS, _MAX_SPANS, _MAX_SPANNED, _MAX_SHIFTS, _MAX_NEW = 5, 5, 4, 13, 12
_HALF = DAY // 2
_ASKS_TIME = Pattern(
    r"\b(?:what time|when|(?:arrival|departure|start|end|finish\w*|landing|local) times?|by when|until when|times? for)\b",
    ignore_case=True,
)
_ASKS_LENGTH = Pattern(
    r"\b(?:how long|how many (?:\pL+ )?(?:hours|minutes)|how much (?:\pL+ )?time|slack|time (?:is|was|do I have) left|duration)\b",
    ignore_case=True,
)
# So many for each of so much, or times that come again: more is to be worked out than to add.
_MORE_TO_IT = Pattern(
    rf"\b(?:{OTHER_TIMES}|each|per|an hour|a minute|times (?:a|per)|twice|half|mph|rate|faster|slower|percent|alternat\w*|schedule|slot|suits?|agenda|earliest|propose|recommend\w*|"
    r"plan|free|available|opens?|opening|closes?|deadline|buffer|should (?:I|we) (?:leave|go|start|set)|early|earlier|enough time|spare|charge\w*|meter)\b|%",
    ignore_case=True,
)
# Lengths written like times of day, several of them together, or a length that has another source.
_NOT_BETWEEN = Pattern(
    rf"\b(?:{OTHER_TIMES}|total|altogether|in all|sum|add(?:s|ed)? up|overall|weekly|sleep|delay\w*|days|night bonus)\b",
    ignore_case=True,
)
_SEVERAL = Pattern(r"\b(?:two|three|four|both|[234] (?:x|×|breaks|stops))\b", ignore_case=True)
# A time of day that is not read.
_IN_WORDS = Pattern(
    rf"\b(?:noon|midnight|half past|quarter (?:past|to)|o['’]clock|(?:past|to) (?:{COUNT_WORDS}))\b",
    ignore_case=True,
)
_LOOSE = 20 * 60
_FEW_SPANS = 2
_BARE_MINUTES = range(5, 100, 5)


def question_clocks(exchange: Exchange) -> Iterator[Check]:
    """Yield a check of the times of day, or of the lengths of time, that the response gives."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) > _MAX_PROMPT_CHARS or len(response) > _MAX_RESPONSE_CHARS:
        return
    if response.search(OPEN):
        return
    line, said = Line(prompt), Line(response)
    clocks = line.of(CLOCK)
    spans = [*dict.fromkeys(_span(one) for one in line.quantities if _is_span(one))]
    if not clocks or len(clocks) > _MAX_CLOCKS or len(spans) > _MAX_SPANS:
        return
    in_words = response.search(_IN_WORDS) or prompt.search(_IN_WORDS)
    if prompt.search(_ASKS_TIME) and not (in_words or prompt.search(_MORE_TO_IT)):
        yield from _times(prompt, response, clocks, spans, said)
    if prompt.search(_ASKS_LENGTH) and not prompt.search(_NOT_BETWEEN):
        yield from _lengths(prompt, response, clocks, spans, said)


def _is_span(one: Quantity) -> bool:
    return one.kind == DURATION or (one.kind == NUMBER and one.value in _BARE_MINUTES)


def _span(one: Quantity) -> int:
    """Return a length of time; a number alone may be minutes: "breakfast 20 min, shower 15"."""
    return int(one.value if one.kind == DURATION else one.value * 60)


def _times(
    prompt: Text, response: Text, clocks: list[Quantity], spans: list[int], said: Line
) -> Iterator[Check]:
    """Compare the times of day that are new in the response."""
    given = {one.value % _HALF for one in clocks}
    new = [one for one in said.of(CLOCK) if one.value % _HALF not in given]
    own = {int(one.value) for one in said.of(DURATION)} - {*spans}
    told = zones(prompt)
    if not new or (not spans and len(told) < 2) or len(spans) + len(own) > _MAX_SPANS:
        return
    # What the response adds of its own, ten minutes to park, is taken as told.
    sums = _sums(prompt, [*spans, *own])
    shifts = _shifts(told)
    if len(shifts) > _MAX_SHIFTS:
        return
    if spans or own:
        sums.discard(0)
    reached = {
        (int(clock.value) + total + shift) % _HALF
        for clock in clocks
        for total in (sums | {0} if len(shifts) > 1 else sums)
        for shift in shifts
    }
    yield from _found(response, new, reached, clocks[0])


def _shifts(told: list[Zone]) -> set[int]:
    offsets = {int(zone.offset) for zone in told} | ({0} if told else set())
    return {one - other for one in offsets for other in offsets} | {0}


def _sums(prompt: Text, spans: list[int]) -> set[int]:
    """Return what lengths add up to; few of them may come several times."""
    several = len(spans) <= _FEW_SPANS and prompt.search(_SEVERAL)
    return {int(total) for total in signed_sums([*map(Fraction, spans)], 3 if several else 1)}


def _lengths(
    prompt: Text, response: Text, clocks: list[Quantity], spans: list[int], said: Line
) -> Iterator[Check]:
    """Compare the lengths of time that are new in the response."""
    new = [one for one in said.of(DURATION) if one.value not in spans and one.value < DAY]
    if len(clocks) < 2 or len(clocks) > _MAX_SPANNED or len(spans) > _MAX_SPANNED or not new:
        return
    shifts = _shifts(zones(prompt))
    if len(shifts) > _MAX_SHIFTS:
        return
    sums = _sums(prompt, spans)
    reached = {
        (int(two.value - one.value) + total + shift) % _HALF
        for one in clocks
        for two in clocks
        for total in sums
        for shift in shifts
    } - {0}
    yield from _found(response, new, reached, clocks[0])


def _found(
    response: Text, new: list[Quantity], reached: set[int], given: Quantity
) -> Iterator[Check]:
    if len(new) > _MAX_NEW:
        return
    right = any(_is_reached(response, one, reached) for one in new)
    yield Check.of(new[0].place, right, sure=False, given=given.place)


def _is_reached(response: Text, one: Quantity, reached: set[int]) -> bool:
    """Tell whether a time is one of those; to the last digit it shows, or nearly where it is called rough."""
    value, slack = int(one.value) % _HALF, 59
    if one.kind == DURATION:
        simple = len(one.text.replace("-", " ").split()) <= 2
        size = {"hour": 3600, "minute": 60, "second": 1}.get(one.unit, 3600)
        slack = max(30, size // (2 * 10**one.places)) if simple else 30
    if response.search(ROUGHLY):
        slack = max(slack, _LOOSE)
    return value in reached or any(
        (value - each) % _HALF <= slack or (each - value) % _HALF <= slack for each in reached
    )
