"""How sure a rule's decision is: the share of right ones among labelled rows, from the table beside the protocol.

`fairwitness benchmark DATA --confidence FILE` measures the table anew. Half of its rows have the fault and
half have not, so that a criterion that sees nothing is right half of the time and says so.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from math import floor

import msgspec
from msgspec import Struct

# What is published where nothing was measured: no better than a coin.
UNMEASURED = 0.5
TABLE = "confidence.json"


class Measured(Struct, frozen=True, kw_only=True):
    """The labelled rows of one criterion: how many passed and how many of those rightly; the same of the others."""

    sets: list[str]
    passed: int
    rightly_passed: int
    alarmed: int
    rightly_alarmed: int

    def share(self, *, passed: bool) -> float:
        """Return the share of right decisions of one kind; of none at all nothing is known."""
        rows, right = (
            (self.passed, self.rightly_passed) if passed else (self.alarmed, self.rightly_alarmed)
        )
        # Laplace's rule, rounded down: rows that were all right are not certainty.
        return floor(100 * (right + 1) / (rows + 2)) / 100


class Table(Struct, frozen=True, kw_only=True):
    """The measured criteria, and the run they were measured in."""

    date: str
    evaluator_version: str
    criteria: dict[str, Measured]


@cache
def table() -> Table:
    """Return the table this version ships."""
    file = resources.files("fairwitness.evaluator").joinpath("protocols", TABLE)
    return msgspec.json.decode(file.read_bytes(), type=Table)


def measured(criterion: str, *, passed: bool) -> float:
    """Return how often such a decision of a criterion was right."""
    found = table().criteria.get(criterion)
    return UNMEASURED if found is None else found.share(passed=passed)
