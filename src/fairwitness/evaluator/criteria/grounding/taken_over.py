"""Tells where the words of a source can be expected in a response as they are, and what was told beside the source."""

from __future__ import annotations

from functools import cached_property

from fairwitness.evaluator.criteria.grounding.ground import Ground, beside_source
from fairwitness.evaluator.facts.moments import agree
from fairwitness.evaluator.facts.quantities import figures
from fairwitness.evaluator.given.task import speaks_of_change
from fairwitness.evaluator.text import Text

_MAX_UNITS = 2000
# A longer sentence is none, or a list.
MAX_CHARS = 600


class TakenOver:
    """A response whose words may be the source's own, beside what the caller said of the source."""

    def __init__(self, ground: Ground) -> None:
        """Keep the ground; what was told is read when it is first asked for."""
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
            and not speaks_of_change(self._told.value)
        )

    @cached_property
    def brings_numbers(self) -> bool:
        """Whether a number, a date or a time was told beside the source: others may follow from it."""
        told, index = figures(self._told), self._ground.index
        given = [moment for _, moment in index.moments]
        return any(item.key not in index.by_value for item in told.quantities) or any(
            not any(agree(moment, one) for one in given) for moment in told.moments
        )

    @cached_property
    def _told(self) -> Text:
        """All that was said beside the passages, in the prompt or before it."""
        pieces = []
        for part in self._ground.given.beside:
            at = part.region.start
            inside = [one.region for one in self._ground.given.passages if one.text is part.text]
            for region in sorted(inside):
                pieces.append(part.text.value[at : region.start])
                at = max(at, region.end)
            pieces.append(part.text.value[at : part.region.end])
        return beside_source("\n".join(pieces), self._ground.index)
