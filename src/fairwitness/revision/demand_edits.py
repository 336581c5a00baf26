"""Operators for demands of the prompt that can be fixed safely without understanding the text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise

from fairwitness.evaluator.criteria.instruction_following import Demand, demands
from fairwitness.evaluator.criteria.instruction_following.checking import counting
from fairwitness.revision.edits import Case, Edit, Operator, joined, removal

_MAX_JSON_STARTS = 20
_MAX_CHAT_CHARS = 90
Fix = Callable[[Case, Demand], Iterator[Edit]]


def _replace_all(case: Case, text: str) -> Edit:
    return Edit(0, len(case.text), text)


def _lowered(case: Case, demand: Demand) -> Iterator[Edit]:
    yield _replace_all(case, case.text.lower())


def _raised(case: Case, demand: Demand) -> Iterator[Edit]:
    yield _replace_all(case, case.text.upper())


def _marks_dropped(case: Case, demand: Demand) -> Iterator[Edit]:
    marks = demand.terms or (",",)
    places = [index for index, char in enumerate(case.text) if char in marks]
    if places and all(len(mark) == 1 for mark in marks):
        yield joined(case.text, [(place, place + 1, "") for place in places])


def _words_dropped(case: Case, demand: Demand) -> Iterator[Edit]:
    """Remove the forbidden words, all in one edit."""
    spans = case.spans
    if spans:
        changes = [removal(case.text, start, end) for start, end in spans]
        apart = all(first.end <= second.start for first, second in pairwise(changes))
        if apart:
            yield joined(case.text, [(edit.start, edit.end, "") for edit in changes])


def _ending_added(case: Case, demand: Demand) -> Iterator[Edit]:
    if demand.terms:
        trimmed = len(case.text.rstrip())
        yield Edit(trimmed, len(case.text), f"\n\n{demand.terms[0]}")


def _opening_added(case: Case, demand: Demand) -> Iterator[Edit]:
    if demand.terms:
        yield Edit(0, 0, f"{demand.terms[0]} ")


def _wrapped(case: Case, demand: Demand) -> Iterator[Edit]:
    mark = demand.terms[0] if demand.terms else '"'
    if len(mark) == 1:
        yield _replace_all(case, f"{mark}{case.text.strip().strip(mark)}{mark}")


def _unfenced(case: Case, demand: Demand) -> Iterator[Edit]:
    """Keep only the JSON of the response, where there is JSON in it."""
    blocks = [
        case.exchange.response.slice(block.body) for block in case.exchange.response.code_blocks
    ]
    for source in (*blocks, case.text):
        for at in [at for at, char in enumerate(source) if char in "{["][:_MAX_JSON_STARTS]:
            found = _json_at(source, at)
            # More words around it than that are an answer of their own.
            if found is not None and len(case.text) - len(found) <= max(
                _MAX_CHAT_CHARS, len(found)
            ):
                yield _replace_all(case, found)
                return


def _json_at(source: str, at: int) -> str | None:
    try:
        value, end = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode(source, at)
    except (ValueError, RecursionError):
        return None
    return source[at:end] if value else None


def _repeated(case: Case, demand: Demand) -> Iterator[Edit]:
    if demand.terms:
        yield Edit(0, 0, f"{demand.terms[0]}\n\n")


def _surplus_bullets(case: Case, demand: Demand) -> Iterator[Edit]:
    """Remove bullets from the end until there are no more than were asked for."""
    most = demand.bounds.at_most if demand.bounds else None
    found = counting.bullets(case.exchange.response)
    if most is None or len(found) <= most or most == 0:
        return
    lines = case.exchange.response.lines
    for start, _ in (found[most],):
        line = next((line for line in lines if line.start <= start <= line.end), None)
        last = next((line for line in lines if line.start <= found[-1][0] <= line.end), None)
        if line is not None and last is not None:
            yield removal(case.text, line.start, last.end)


_FIXES: dict[str, tuple[str, Fix]] = {
    "lowercase": ("letters lowered", _lowered),
    "uppercase": ("letters raised", _raised),
    "forbidden_marks": ("marks dropped", _marks_dropped),
    "forbidden_words": ("forbidden words dropped", _words_dropped),
    "ends_with": ("ending added", _ending_added),
    "starts_with": ("opening added", _opening_added),
    "wrapped": ("wrapped in marks", _wrapped),
    "json": ("JSON unfenced", _unfenced),
    "repeated_request": ("request repeated", _repeated),
    "bullet_count": ("surplus bullets dropped", _surplus_bullets),
}


def _for_demand(kind: str, fix: Fix) -> Callable[[Case], Iterator[Edit]]:
    def propose(case: Case) -> Iterator[Edit]:
        asked = [quote for quote in case.finding.evidence if quote.source == "prompt"]
        for demand in demands(case.exchange.prompt):
            if demand.kind == kind and any(quote.start == demand.span.start for quote in asked):
                yield from fix(case, demand)

    return propose


OPERATORS = tuple(
    Operator(
        name,
        (f"instruction_following.{kind}",),
        _for_demand(kind, fix),
        removes_content=kind != "json",
    )
    for kind, (name, fix) in _FIXES.items()
)
