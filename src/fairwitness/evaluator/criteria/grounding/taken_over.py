"""Tells where the words of a source can be expected in a response as they are."""

from __future__ import annotations

from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.given.task import speaks_of_change

_MAX_UNITS = 2000
# A longer sentence is none, or a list.
MAX_CHARS = 600


class TakenOver:
    """A response whose words may be the source's own, beside what the caller said of the source."""

    def __init__(self, ground: Ground) -> None:
        """Keep the ground."""
        self._ground = ground

    @property
    def expected(self) -> bool:
        """Whether words of the source can be expected in the response as they are."""
        ground = self._ground
        return bool(
            ground.given.passages
            and ground.both_in_english
            and ground.index.complete
            and not (ground.invents or ground.to_change)
            and len(ground.index.units) <= _MAX_UNITS
            and not speaks_of_change(ground.told.value)
        )
