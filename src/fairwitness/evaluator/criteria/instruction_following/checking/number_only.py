"""Checks that a response is one number and nothing else, in the range asked for."""

from __future__ import annotations

from math import isnan, nan

from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.criteria.instruction_following.parsing.numerals import number_of
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

_FIGURE = Pattern(
    r"[-+−–~≈]?\s?[$€£¥₹]?\s?\d+(?:[.,' \x{a0}]\d+)*(?:\s?/\s?\d+)?(?:[eE][-+]?\d+)?\s?[%$€£¥₹°]?"
)
_AROUND = "()[]*_`\"'“”‘’#> \t\r\n"
_MAX_SPAN_CHARS = 80
_MAX_NUMBER_CHARS = 20
_MAX_UNIT_WORDS = 3  # a number with its unit may be meant


def number_only(demand: Demand, exchange: Exchange) -> Outcome:
    """The whole response is one number; a number with a word or two beside it is not judged."""
    text = exchange.response
    body = text.value.strip(_AROUND).rstrip(".").rstrip(_AROUND)
    value = _value(body)
    alone = value is not None
    within = value is not None and _holds(demand, value)
    start = text.value.find(body) if body else 0
    beside = len(text.words) <= _MAX_UNIT_WORDS and any(map(str.isdecimal, body))
    found = "text that is not one number" if not alone else f"the number {body[:_MAX_NUMBER_CHARS]}"
    ranged = f" from {demand.bounds}" if demand.bounds else ""
    return Outcome(
        met=within,
        asked=f"a number{ranged} and nothing else",
        found=found,
        spans=(Region(start, start + min(len(body), _MAX_SPAN_CHARS)),) if body else (),
        suggestion=None if within else "Answer with the number alone.",
        unchecked="The response has words beside its number" if beside and not alone else "",
    )


def _holds(demand: Demand, value: float) -> bool:
    """Tell whether a number is in the range; a fraction or a date always is."""
    bounds = demand.bounds
    if bounds is None or isnan(value):
        return True
    return (bounds.at_least is None or value >= bounds.at_least) and (
        bounds.at_most is None or value <= bounds.at_most
    )


def _value(body: str) -> float | None:
    """Return the number a text is, in figures or in words, or None; not-a-number for one like "3/4"."""
    spelled = number_of(body.lower().replace("-", " "))
    if spelled is not None:
        return float(spelled)
    if not _FIGURE.fullmatch(body):
        return None
    plain = body.strip("~≈ +%$€£¥₹°").replace(",", "").replace("−", "-").replace("–", "-")
    try:
        return float(plain)
    except ValueError:
        return nan
