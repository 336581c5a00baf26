"""Compares a response with the tables of what was given: their cells, their extremes, their bands and their marks."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.grounding.grid_bands import band_faults
from fairwitness.evaluator.criteria.grounding.grid_cells import cell_faults
from fairwitness.evaluator.criteria.grounding.grid_extremes import extreme_faults
from fairwitness.evaluator.criteria.grounding.grid_given import Grids
from fairwitness.evaluator.criteria.grounding.grid_marks import mark_faults
from fairwitness.evaluator.criteria.grounding.grid_selected import selected_faults
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground


def grid_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each statement that a table contradicts."""
    if ground.invents or not ground.both_in_english:
        return
    grids = Grids(ground)
    if grids.readings:
        yield from cell_faults(grids)
        yield from extreme_faults(grids)
        yield from band_faults(grids)
        yield from mark_faults(grids)
        yield from selected_faults(grids)
