"""Checks a total or an average that the prompt asks for, where the prompt itself lists the amounts.

Some of the amounts may be what is meant, so only a result that no choice of them adds up to is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from fairwitness.evaluator.criteria.calculation.comparison import Outcome
from fairwitness.evaluator.criteria.calculation.equations import Check
from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    DURATION,
    MEASURE,
    MONEY,
    NUMBER,
    Line,
    Quantity,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# From more amounts than these almost any number can be added up.
_MIN_ITEMS, _MAX_ITEMS = 3, 12
_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS = 1_500, 2_000
# Times among them are lengths, in hours and minutes or in minutes and seconds: they add up the same way.
_KINDS = frozenset({NUMBER, MONEY, MEASURE, DURATION, CLOCK})
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
    r"%|\b(?:per ?cent|discount\w*|off (?:the|each|every|all)|\d off|tips?|vat|interest|per|each|apiece|rate|convert\w*|half|double[ds]?|twice|triple[ds]?|times|"
    r"estimate\w*|guess|forecast|budget|plan|left|remain\w*|change|round(?:ed)?|extra|plus|another|add(?:ed|ing)?|"
    r"(?:an?|for) (?:\pL+ )?(?:hour|day|week|month|year)|weekly|monthly|yearly|daily|annual\w*|weighted|median|increase[ds]?|decrease[ds]?|code|function|script|formula|python|stor(?:y|ies)|poem)\b",
    ignore_case=True,
)
# Who multiplies brings in numbers that are not listed: what a quarter is worth.
_MULTIPLIES = Pattern(r"\d\s?(?:\pL+\s?)?(?:×|\* ?[$€£\d])|\btimes\b|\bmultipl", ignore_case=True)
# "in two or three sentences" is said of the answer.
_OF_THE_ANSWER = Pattern(
    r"^(?: (?:or|to) [\pL\d]+)? (?:short )?(?:sentence|line|word|paragraph|bullet)",
    ignore_case=True,
)
_ROUGHLY = Pattern(
    r"(?:\b(?:about|around|roughly|nearly|almost|over|under|approximately|some|than)|[~≈])\s*$",
    ignore_case=True,
)
# Between two amounts of one list in a sentence: a comma or "and", and the name of the next.
_BETWEEN = Pattern(r"^[^.?!:\n]{0,60}[,;][^.?!:\n]{0,60}$|^[^.?!:\n]{0,30}\band\b[^.?!:\n]{0,60}$")


def listed_totals(exchange: Exchange) -> Iterator[Check]:
    """Yield a check for the total, or the average, of the amounts that the prompt lists."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) > _MAX_PROMPT_CHARS or len(response) > _MAX_RESPONSE_CHARS:
        return
    average, total = (prompt.search(asks) is not None for asks in (_ASKS_AVERAGE, _ASKS_TOTAL))
    if average == total or prompt.search(_MORE_TO_IT) is not None:
        return
    if response.search(_MULTIPLIES) is not None:
        return
    told = [item for item in Line(prompt).quantities if item.kind in _KINDS]
    items = _listed(prompt, told)
    if items is None or _besides(prompt, told, items):
        return
    whole = sum((item.value for item in items), Fraction(0))
    wanted = whole / len(items) if average else whole
    known = {item.value for item in told} | {Fraction(len(items))}
    known |= {whole} if average else set()  # beside an average its total may stand
    stated = _stated(response, _SAYS_AVERAGE if average else _SAYS_TOTAL, known, items[0])
    if stated is None:
        return
    off = _size(stated) / 10**stated.places / 2 if average else Fraction(0)
    right = abs(stated.value - wanted) <= off
    others = {*_sums([item.value for item in items], average)}
    if right or not any(abs(stated.value - other) <= off for other in others):
        region = Region(stated.start, stated.end)
        outcome: Outcome = "correct" if right else "wrong"
        yield Check(region.start, region.end, region, outcome, _shown(wanted, [*items, stated]))


def _listed(prompt: Text, told: list[Quantity]) -> list[Quantity] | None:
    """Return the one list of amounts of a kind that the prompt has; None where there is none, or more than one."""
    found = [*_in_lines(prompt, told)] or [*_in_a_sentence(prompt, told)]
    return found[0] if len(found) == 1 and len(found[0]) <= _MAX_ITEMS else None


def _besides(prompt: Text, told: list[Quantity], items: list[Quantity]) -> bool:
    """Tell whether the prompt has an amount of the kind that is not in the list: there is more to it than the list."""
    start = items[0].start
    if "\n" in prompt.value[start : items[-1].start]:  # in lines, of which each is one item's
        start = prompt.value.rfind("\n", 0, start) + 1
    return any(
        item.kind in {items[0].kind, NUMBER} and not start <= item.start < items[-1].end
        for item in told
        if not (item.value == len(items) and item.start < start)
        and not _OF_THE_ANSWER.search(prompt.value[item.end : item.end + 40].encode())
    )


def _in_lines(prompt: Text, told: list[Quantity]) -> Iterator[list[Quantity]]:
    """Yield the amounts that neighbouring lines end in."""
    run: list[Quantity] = []
    for line in [*prompt.lines, Region(len(prompt), len(prompt))]:
        inside = [item for item in told if line.start <= item.start < line.end]
        # Two numbers in a line may be a count and a price, or two columns.
        last = inside[0] if len(inside) == 1 else None
        if last is not None and prompt.value[last.end : line.end].strip(" .,;*|)"):
            last = None
        if last is not None and (not run or _alike(run[-1], last)):
            run.append(last)
            continue
        if len(run) >= _MIN_ITEMS:
            yield run
        run = [] if last is None else [last]


def _in_a_sentence(prompt: Text, told: list[Quantity]) -> Iterator[list[Quantity]]:
    """Yield the amounts of a kind that commas part from each other."""
    run = told[:1]
    for one, other in pairwise(told):
        between = prompt.value[one.end : other.start]
        if _alike(one, other) and _BETWEEN.search(between.encode()):
            run.append(other)
            continue
        if len(run) >= _MIN_ITEMS:
            yield run
        run = [other]
    if len(run) >= _MIN_ITEMS:
        yield run


def _alike(one: Quantity, other: Quantity) -> bool:
    """Tell whether two amounts may stand in one list; a year, which looks like a number, is none."""
    years = one.kind == NUMBER and all(1800 <= item.value <= 2100 for item in (one, other))
    return one.kind == other.kind and one.unit == other.unit and not years


def _stated(response: Text, says: Pattern, known: set[Fraction], like: Quantity) -> Quantity | None:
    """Return the one new amount where the response speaks of a total, or the only one it has; else None."""
    new = [
        item
        for item in Line(response).quantities
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
    found = {item.value: item for item in reversed(there or new)}
    one = next(iter(found.values())) if len(found) == 1 else None
    return one if one is not None and one.kind == like.kind else None


def _sums(amounts: list[Fraction], average: bool) -> Iterator[Fraction]:
    """Yield what some of the amounts add up to, or their average."""
    sums: set[tuple[Fraction, int]] = {(Fraction(0), 0)}
    for amount in amounts:
        sums |= {(total + amount, count + 1) for total, count in sums}
    return (total / count if average else total for total, count in sums if count > 1)


def _shown(wanted: Fraction, like: list[Quantity]) -> str:
    """Write the right result as the amounts are written."""
    stated = like[-1]
    if stated.kind == CLOCK:
        return f"{int(wanted) // 3600}:{int(wanted) // 60 % 60:02}"
    places = max(item.places for item in like)
    return f"{float(wanted / _size(stated)):,.{places}f}"


def _size(item: Quantity) -> Fraction:
    """Return the size of an amount's unit."""
    return item.value / item.amount if item.amount else Fraction(1)
