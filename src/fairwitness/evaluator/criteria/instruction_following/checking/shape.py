"""Checks form: case, wrapping, titles."""

from __future__ import annotations

from collections.abc import Callable

from fairwitness.evaluator.criteria.instruction_following.checking import counting
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.text import Region

_SHOWN = 5


def lowercase(demand: Demand, exchange: Exchange) -> Outcome:
    """No capital letter anywhere."""
    return _case(
        exchange,
        "no capital letters",
        "capital letters",
        str.isupper,
        "Write it all in lower case.",
    )


def uppercase(demand: Demand, exchange: Exchange) -> Outcome:
    """No small letter anywhere."""
    return _case(
        exchange, "capital letters only", "small letters", str.islower, "Write it all in capitals."
    )


def _case(
    exchange: Exchange, asked: str, wrong: str, is_wrong: Callable[[str], bool], suggestion: str
) -> Outcome:
    value = exchange.response.value
    count = sum(map(is_wrong, value))
    spans: list[Region] = []
    for word in exchange.response.words if count else ():
        if any(map(is_wrong, value[word.start : word.end])):
            spans.append(word)
        if len(spans) == _SHOWN:
            break
    letters = value.lower() != value.upper()
    return Outcome(
        met=not count and letters,
        asked=asked,
        found=f"{count} {wrong}" if letters else "no letters at all",
        spans=tuple(spans),
        suggestion=suggestion if count else None,
    )


def wrapped(demand: Demand, exchange: Exchange) -> Outcome:
    """The whole response stands between quotation marks."""
    value = exchange.response.value
    stripped = value.strip()
    quotes = "'‘’" if demand.terms == ("'",) else '"“”'
    met = len(stripped) > 1 and stripped[0] in quotes and stripped[-1] in quotes
    start = value.find(stripped[:1]) if stripped else 0
    spans = (Region(start, start + 1), Region(start + len(stripped) - 1, start + len(stripped)))
    return Outcome(
        met=met,
        asked="the whole response between quotation marks",
        found="it is" if met else "it is not",
        spans=spans if len(stripped) > 1 else (),
        suggestion=None if met else "Put quotation marks around the whole response.",
    )


def title(demand: Demand, exchange: Exchange) -> Outcome:
    """Something stands in double angular brackets."""
    found = counting.titles(exchange.response)
    return Outcome(
        met=bool(found),
        asked="text in double angular brackets",
        found="found" if found else "none",
        spans=tuple(found[:1]),
        suggestion=None if found else "Add it as <<...>>.",
    )
