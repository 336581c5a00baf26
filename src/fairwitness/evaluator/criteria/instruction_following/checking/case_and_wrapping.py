"""Checks letter case, quotation marks around the response, and titles."""

from __future__ import annotations

from collections.abc import Callable

from fairwitness.evaluator.criteria.instruction_following.checking import counting
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.text import Region

_MAX_SPANS = 5
_MAX_QUOTED_CHARS = 60


def lowercase(demand: Demand, exchange: Exchange) -> Outcome:
    """No capital letter anywhere."""
    suggestion = "Write everything in lower case."
    return _case(exchange, "no capital letters", "capital letter", str.isupper, suggestion)


def uppercase(demand: Demand, exchange: Exchange) -> Outcome:
    """No small letter anywhere."""
    suggestion = "Write everything in capitals."
    return _case(exchange, "capital letters only", "lower-case letter", str.islower, suggestion)


def _case(
    exchange: Exchange, asked: str, wrong: str, is_wrong: Callable[[str], bool], suggestion: str
) -> Outcome:
    value = exchange.response.value
    count = sum(map(is_wrong, value))
    spans: list[Region] = []
    for word in exchange.response.words if count else ():
        if any(map(is_wrong, value[word.start : word.end])):
            spans.append(word)
        if len(spans) == _MAX_SPANS:
            break
    letters = value.lower() != value.upper()
    return Outcome(
        met=not count and letters,
        asked=asked,
        found=counted(count, wrong) if letters else "no letters at all",
        spans=tuple(spans),
        suggestion=suggestion if count else None,
    )


def wrapped(demand: Demand, exchange: Exchange) -> Outcome:
    """The whole response is between quotation marks."""
    value = exchange.response.value
    stripped = value.strip()
    quotes = "'‘’" if demand.terms == ("'",) else '"“”'
    met = len(stripped) > 1 and stripped[0] in quotes and stripped[-1] in quotes
    start = value.find(stripped[:1]) if stripped else 0
    spans = (Region(start, start + 1), Region(start + len(stripped) - 1, start + len(stripped)))
    return Outcome(
        met=met,
        asked="the whole response between quotation marks",
        found=f"{'' if met else 'no '}quotation marks around the whole response",
        spans=spans if len(stripped) > 1 else (),
        suggestion=None if met else "Put quotation marks around the whole response.",
    )


def title(demand: Demand, exchange: Exchange) -> Outcome:
    """Some text is in double angle brackets."""
    found = counting.titles(exchange.response)
    return Outcome(
        met=bool(found),
        asked="a title in double angle brackets",
        found=f"“{exchange.response.slice(found[0])[:_MAX_QUOTED_CHARS]}”" if found else "none",
        spans=tuple(found[:1]),
        suggestion=None if found else "Add a title as <<title>>.",
    )
