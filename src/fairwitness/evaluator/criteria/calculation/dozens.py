"""Checks dozens: two dozen are 24."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import (
    COUNT,
    MAX_MATCHES,
    amount,
    check,
)
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_END = r"\*{0,2}(?:[.,;!)|]|\s*$)"
_DOZENS = Pattern(
    rf"\b(?P<first>{COUNT}|half an?|an?) dozen(?: (?P<what>\pL{{3,20}}))? (?:=|equals?|is|are|makes?|is equal to) (?P<result>\d{{1,6}})(?: (?P<same>\pL{{3,20}}))?{_END}",
    ignore_case=True,
    multiline=True,
)


def dozens(text: Text) -> Iterator[Check]:
    """Yield a check for every "2 dozen eggs are 24 eggs"; what dozens cost or weigh is not counted."""
    for match in text.matches(_DOZENS, limit=MAX_MATCHES):
        what, same = match["what"].lower(), match["same"].lower()
        if same and what and what != same:
            continue
        worked = 12 * amount(match["first"])
        yield check(match, match.start, match.span("result")[1], [worked])
