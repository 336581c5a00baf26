"""Tells a limit, a difference or an average from a value: none of them is what a thing has."""

from __future__ import annotations

from fairwitness.evaluator.facts.moments import Moment
from fairwitness.evaluator.facts.quantities import Quantity
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_CHARS = 24
_LIMIT = Pattern(
    r"(?:\b(?:(?:up|down|limited|restricted|capped) (?:to|at)|at (?:least|most)|than|under|over|above|below|beyond|within|after|before|until|till|max(?:imum)?|min(?:imum)?|limit|exceed\w*)[ :.]{0,2}(?:of |the |an? )?|\d ?[-–—] ?|[<>≤≥] ?)[$€£¥(]?$",
    ignore_case=True,
)
_OF_TWO = Pattern(
    r"\b(?:by|from|to|averag\w+|mean)(?: (?:of|only|just|about))?[ :]{0,2}[$€£¥(]?$",
    ignore_case=True,
)
_APART = Pattern(
    r"^[\s*_]{0,3}(?:\w+ ){0,2}(?:below|above|(?:too )?late|later|early|earlier|short|spare|left|over|under|more|less|fewer|cheaper|dearer|behind|ahead|apart|o[’']clock)\b",
    ignore_case=True,
)


def is_limit(text: Text, item: Quantity | Moment) -> bool:
    """Tell whether a number, a date or a time says how far something goes: "up to 20 kg", "after 1 April"."""
    return _LIMIT.search(_before(text, item))


def is_bound(text: Text, item: Quantity | Moment) -> bool:
    """Tell whether it is a limit, or how far two things are apart: "by £11", "35 minutes too late", "averages 61.8"."""
    after = text.value[item.end : item.end + _CHARS].encode()
    return is_limit(text, item) or _OF_TWO.search(_before(text, item)) or _APART.search(after)


def _before(text: Text, item: Quantity | Moment) -> bytes:
    return text.value[max(0, item.start - _CHARS) : item.start].encode()
