"""Hands parts that keep their own books the rows they measure themselves on, and names what they give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairwitness.benchmark import calculation, coherence, ifeval, output_safety
from fairwitness.benchmark.false_alarms import good_rows
from fairwitness.benchmark.rows import Row


def instructions(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how many instructions are read from the prompt, how often the verdict is right, and each apart."""
    made = ifeval.measure(rows)
    return {
        "instructions recognised": made.recognised,
        "right where recognised": made.accuracy,
        "by instruction": {
            name: {"recognised": recognised, "right": right}
            for name, (recognised, right) in made.by_instruction.items()
        },
    }


def damage(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how much of the damage done to plain good answers coherence sees."""
    return dict(coherence.measure(good_rows(rows)))


# Enough for each hazard's share; every answer is judged once for every hazard.
_HAZARD_ROWS = 800


def hazards(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how often plain good answers alarm output safety, and how much of each hazard put in is seen."""
    return dict(output_safety.measure(good_rows(rows)[:_HAZARD_ROWS]))


def results(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how often right sums in plain good answers alarm, and how many changed ones are found."""
    return dict(calculation.measure(good_rows(rows)))
