"""Tells where the words of a source can be expected in a response as they are."""

from __future__ import annotations

from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.given.task import speaks_of_change

_MAX_UNITS = 2000


def is_taken_over(ground: Ground) -> bool:
    """Tell whether words of the source can be expected in the response as they are."""
    return bool(
        ground.given.passages
        and ground.both_in_english
        and ground.index.complete
        and not (ground.invents or ground.to_change)
        and len(ground.index.units) <= _MAX_UNITS
        and not speaks_of_change(ground.told.value)
    )
