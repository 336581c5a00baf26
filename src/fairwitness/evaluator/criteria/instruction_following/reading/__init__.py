"""Reads the checkable demands out of a prompt: symbols first, then one family of patterns after another."""

from __future__ import annotations

from functools import cache

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.reading import (
    counts,
    edges,
    languages,
    parts,
    shape,
    wording,
)
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading
from fairwitness.evaluator.patterns import PatternSet
from fairwitness.evaluator.text import Text

# The order matters: a quantity belongs to the first family that understands it, and the families
# with the narrower meaning come first.
_FAMILIES = (wording, parts, shape, edges, languages, counts)


@cache
def _patterns() -> PatternSet:
    return PatternSet([pattern for family in _FAMILIES for pattern in family.PATTERNS])


def demands(prompt: Text) -> list[Demand]:
    """Return every demand surely understood, in the order of the prompt."""
    reading = Reading(prompt)
    occurring = set(map(id, _patterns().occurring(reading.utf8)))
    taken: set[int] = set()
    found: list[Demand] = []
    for family in _FAMILIES:
        if any(id(pattern) in occurring for pattern in family.PATTERNS):
            found.extend(family.read(reading, taken))
    return sorted(dict.fromkeys(found), key=lambda demand: (demand.span.start, demand.span.end))
