"""A reader that has read already, so that what is left to measure is the criteria's own work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.signals import Reader, Signal


class KnownReader:
    """Says of every exchange what a reader said of one."""

    def __init__(self, reader: Reader, exchange: Exchange) -> None:
        """Read once."""
        self.signals: Sequence[str] = reader.signals
        self._said = reader.read(exchange)

    def read(self, exchange: Exchange) -> Mapping[str, Signal]:
        """Return what was said."""
        return self._said


def reading_once(evaluator: Evaluator, exchange: Exchange) -> Evaluator:
    """Return the evaluator whose readers have read this exchange and read no other."""
    return replace(evaluator, readers=[KnownReader(one, exchange) for one in evaluator.readers])
