"""Checks a total or an average that the prompt asks for, where the prompt itself lists the amounts.

Some of the amounts may be what is meant, so only a result that no choice of them adds up to is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.listed_amounts import (
    listed_amounts,
    shown,
    unit_size,
)
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    NUMBER,
    RATIO,
    Line,
    Quantity,
)
from fairwitness.evaluator.criteria.calculation.silent_words import CHARGES, CODE, MADE_UP
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS = 1_500, 2_000
_ALL_OF_THEM = Pattern(
    r"(?:^|[^f] )(?:the|all|her|his|your|their|our|\pL+['’]s) $", ignore_case=True
)
_MAX_BEFORE, _MAX_BEHIND = 4, 20
_ASKS_TOTAL = Pattern(
    r"\b(?:totals?|altogether|in all|sum|combined|together|add(?:s|ed)? up)\b", ignore_case=True
)
_ASKS_AVERAGE = Pattern(r"\b(?:average|mean)\b", ignore_case=True)
_SAYS_TOTAL = Pattern(
    r"\b(?:totals?|totall?ed|altogether|in all|all together|together|combined|sum|adds? up to|added up to)\b",
    ignore_case=True,
)
_SAYS_AVERAGE = Pattern(r"\b(?:average[ds]?|averaging|mean)\b", ignore_case=True)
# More is to be done than to add up some of what is listed.
_MORE_TO_IT = Pattern(
    rf"\d\s?%|\b(?:{CHARGES}|{CODE}|{MADE_UP}|\d+ per ?cent|off (?:the|each|every|all)|\d off|interest|per|each|apiece|rate|convert\w*|half|double[ds]?|twice|triple[ds]?|times|"
    r"estimate\w*|guess|forecast|budget|plan|left|remain\w*|change|round(?:ed)?|extra|plus|another|add(?:ed|ing)?|"
    r"(?:an?|for) (?:\pL+ )?(?:hour|day|week|month|year)|weekly|monthly|yearly|daily|annual\w*|weighted|median|increase[ds]?|decrease[ds]?)\b",
    ignore_case=True,
)
# Who multiplies brings in numbers that are not listed: what a quarter is worth.
_MULTIPLIES = Pattern(r"\d\s?(?:\pL+\s?)?(?:×|\* ?[$€£\d])|\btimes\b|\bmultipl", ignore_case=True)
_ROUGHLY = Pattern(
    r"(?:\b(?:about|around|roughly|nearly|almost|over|under|approximately|some|than)|[~≈])\s*$",
    ignore_case=True,
)


def listed_totals(exchange: Exchange) -> Iterator[Check]:
    """Yield a check for the total, or the average, of the amounts that the prompt lists."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) > _MAX_PROMPT_CHARS or len(response) > _MAX_RESPONSE_CHARS:
        return
    if prompt.search(_MORE_TO_IT) is not None or response.search(_MULTIPLIES) is not None:
        return
    items, told = listed_amounts(prompt)
    average, total = (prompt.search(asks) is not None for asks in (_ASKS_AVERAGE, _ASKS_TOTAL))
    of_all = _speaks_of_all(response, items)
    total = total or (not average and of_all)
    if not items or average == total:
        return
    whole = sum((item.value for item in items), Fraction(0))
    wanted = whole / len(items) if average else whole
    known = {item.value for item in told} | {Fraction(len(items))}
    known |= {whole} if average else set()  # beside an average its total may stand
    known -= {wanted}
    stated = _stated(response, _SAYS_AVERAGE if average else _SAYS_TOTAL, known, items[0])
    if stated is None:
        return
    off = unit_size(stated) / 10**stated.places / 2 if average else Fraction(0)
    right = abs(stated.value - wanted) <= off
    others = set() if of_all else {*_sums([item.value for item in items], average)}
    if right or not any(abs(stated.value - other) <= off for other in others):
        yield Check.of(stated.place, right, shown(wanted, [*items, stated]))


def _speaks_of_all(response: Text, items: list[Quantity]) -> bool:
    """Tell whether the response itself gives a total of as many things as are listed: "the five bags together"."""
    amounts = {item.value for item in items}
    return any(
        item.value == len(items)
        and item.value not in amounts
        and _ALL_OF_THEM.search(response.value[max(0, item.start - 12) : item.start].encode())
        and _SAYS_TOTAL.search(response.slice(response.sentence_at(item.start)).encode())
        for item in Line(response).of(NUMBER)
    )


def _stated(response: Text, says: Pattern, known: set[Fraction], like: Quantity) -> Quantity | None:
    """Return the one new amount where the response speaks of a total, or the only one it has; else None."""
    read = Line(response).quantities
    # "35:20" is a length like the others, and no time of day.
    if like.kind == CLOCK and any(item.kind == RATIO for item in read):
        return None
    new = [
        item
        for item in read
        if item.kind in {like.kind, NUMBER}
        and item.value not in known
        and not response.in_code(item.start)
        and response.value[item.end : item.end + 2].strip()[:1] not in {"÷", "/"}
        and not _ROUGHLY.search(response.value[max(0, item.start - 20) : item.start].encode())
    ]
    there = [
        item
        for item in new
        if says.search(response.slice(response.sentence_at(item.start)).encode())
    ]
    alike = [item for item in new if item.kind == like.kind != NUMBER]
    found = {item.value: item for item in reversed(there or alike or new)}
    if len(found) > 1:
        found = _beside_word(response, there, says)
    one = next(iter(found.values())) if len(found) == 1 else None
    return one if one is not None and one.kind == like.kind else None


def _beside_word(response: Text, there: list[Quantity], says: Pattern) -> dict[Fraction, Quantity]:
    """Return the amounts right beside the word: "add up to 410, so the average is 82", "weigh 53.4 kg together"."""
    before = _MAX_BEFORE if says is _SAYS_TOTAL else 0
    near = [
        (gap, item)
        for item in there
        for word in response.matches(says)
        for gap in [max(item.start - word.end, word.start - item.end)]
        if 0 <= gap <= (_MAX_BEHIND if item.start >= word.end else before)
    ]
    nearest = min(near, key=lambda one: one[0], default=None)
    return {nearest[1].value: nearest[1]} if nearest else {}


def _sums(amounts: list[Fraction], average: bool) -> Iterator[Fraction]:
    """Yield what some of the amounts add up to, or their average."""
    sums: set[tuple[Fraction, int]] = {(Fraction(0), 0)}
    for amount in amounts:
        sums |= {(total + amount, count + 1) for total, count in sums}
    return (total / count if average else total for total, count in sums if count > 1)
