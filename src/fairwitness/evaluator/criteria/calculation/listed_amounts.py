"""Reads the one list of amounts that a prompt gives: on lines of their own, or between commas."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    DURATION,
    MEASURE,
    MONEY,
    NUMBER,
    Line,
    Quantity,
)
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# From more amounts than these almost any number can be added up.
_MIN_ITEMS, _MAX_ITEMS = 3, 12
# Times among them are lengths, in hours and minutes or in minutes and seconds: they add up the same way.
_KINDS = frozenset({NUMBER, MONEY, MEASURE, DURATION, CLOCK})
# "in two or three sentences" is said of the answer.
_OF_THE_ANSWER = Pattern(
    r"^(?: (?:or|to) [\pL\d]+)? (?:short )?(?:sentence|line|word|paragraph|bullet)",
    ignore_case=True,
)
# What the whole is held against is no part of it.
_LIMIT = Pattern(
    r"\b(?:limit|maximum|max|at most|needed|required|requires?|budget|target|threshold|pass mark|goal|allowed|allowance|up to)\b",
    ignore_case=True,
)
_UNIT = Pattern(r"^[\pL°%/]{1,10}$")
# Between two amounts of one list in a sentence: a comma or "and", and the name of the next.
_BETWEEN = Pattern(r"^[^.?!:\n]{0,60}[,;][^.?!:\n]{0,60}$|^[^.?!:\n]{0,30}\band\b[^.?!:\n]{0,60}$")


def listed_amounts(prompt: Text, *, bare: bool = True) -> tuple[list[Quantity], list[Quantity]]:
    """Return the amounts of the only list that a prompt has and no amount beside, and all its amounts; else none and these.

    `bare` numbers beside a list of measures, such as an age, count as such amounts too.
    """
    told = [
        item
        for item in Line(prompt).quantities
        if item.kind in _KINDS and item.text.lower() != "one"  # "the next one"
        if not _marks_item(prompt, item)
    ]
    items = _listed(prompt, told)
    return (items if items is not None and not _besides(prompt, told, items, bare) else [], told)


def _listed(prompt: Text, told: list[Quantity]) -> list[Quantity] | None:
    """Return the one list of amounts of a kind that the prompt has; None where there is none, or more than one."""
    found = [*_in_lines(prompt, told)] or [*_in_a_sentence(prompt, told)]
    return found[0] if len(found) == 1 and len(found[0]) <= _MAX_ITEMS else None


def _besides(prompt: Text, told: list[Quantity], items: list[Quantity], bare: bool) -> bool:
    """Tell whether the prompt has an amount of the kind that is not in the list: there is more to it than the list."""
    start = items[0].start
    if "\n" in prompt.value[start : items[-1].start]:  # in lines, of which each is one item's
        start = prompt.value.rfind("\n", 0, start) + 1
    return any(
        item.kind in {items[0].kind, NUMBER if bare else ""}
        and not start <= item.start < items[-1].end
        for item in told
        if not (item.value == len(items) and item.start < start)
        and not _OF_THE_ANSWER.search(prompt.value[item.end : item.end + 40].encode())
        and not _LIMIT.search(prompt.value[max(0, item.start - 30) : item.end + 20].encode())
    )


def _marks_item(prompt: Text, item: Quantity) -> bool:
    """Tell the "1." that marks an item of a list from an amount."""
    alone = not prompt.value[prompt.value.rfind("\n", 0, item.start) + 1 : item.start].strip()
    return alone and item.kind == NUMBER and prompt.value[item.end : item.end + 2] in {". ", ") "}


def _in_lines(prompt: Text, told: list[Quantity]) -> Iterator[list[Quantity]]:
    """Yield the amounts that neighbouring lines end in."""
    run: list[Quantity] = []
    unit = ""
    for line in [*prompt.lines, Region(len(prompt), len(prompt))]:
        inside = [item for item in told if line.start <= item.start < line.end]
        # Two numbers in a line may be a count and a price, or two columns.
        last = inside[0] if len(inside) == 1 else None
        tail = prompt.value[last.end : line.end].strip(" .,;*|)") if last is not None else ""
        other = (tail and not _UNIT.search(tail.encode())) or (run and tail != unit)
        last = None if other else last
        unit = tail
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


def shown(wanted: Fraction, like: list[Quantity]) -> str:
    """Write the right result as the amounts are written."""
    stated = like[-1]
    if stated.kind == CLOCK:
        return f"{int(wanted) // 3600}:{int(wanted) // 60 % 60:02}"
    places = max(item.places for item in like)
    return f"{float(wanted / unit_size(stated)):,.{places}f}"


def unit_size(item: Quantity) -> Fraction:
    """Return the size of an amount's unit."""
    return item.value / item.amount if item.amount else Fraction(1)
