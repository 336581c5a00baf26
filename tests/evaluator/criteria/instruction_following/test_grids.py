"""Demands put together from pieces are read whatever pieces meet: the grammar knows pieces, not sentences."""

from __future__ import annotations

import pytest

from fairwitness.evaluator.criteria.instruction_following import Demand, demands
from fairwitness.evaluator.text import Text
from tests.evaluator.criteria.instruction_following.grids import (
    COMPARISONS,
    FAMILIES,
    FRAMES,
    UNITS,
)

_N, _M = 6, 8


def _moved(offset: int | None) -> int | None:
    return None if offset is None else _N + offset


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("comparison", COMPARISONS)
def test_every_comparison_in_every_frame(comparison: str, unit: str) -> None:
    counted = comparison.replace("N", str(_N)).replace("M", str(_M))
    low, high = map(_moved, COMPARISONS[comparison])
    for frame in FRAMES:
        prompt = frame.format(f"{counted} {unit}")
        found = [demand for demand in demands(Text(prompt)) if demand.kind == UNITS[unit]]
        bounds = [
            demand.bounds and (demand.bounds.at_least, demand.bounds.at_most) for demand in found
        ]
        assert bounds == [(low, high)], prompt


def _written(demand: Demand) -> str:
    if demand.bounds is None:
        return demand.kind
    low, high = demand.bounds.at_least, demand.bounds.at_most
    return f"{demand.kind} {'' if low is None else low}..{'' if high is None else high}"


@pytest.mark.parametrize(("kind", "leads", "ways"), FAMILIES, ids=lambda value: str(value)[:20])
def test_every_way_after_every_lead(
    kind: str, leads: tuple[str, ...], ways: tuple[str, ...]
) -> None:
    for lead in leads:
        for way in ways:
            found = [_written(demand) for demand in demands(Text(lead + way))]
            assert found == [kind], lead + way


@pytest.mark.parametrize(
    ("kind", "terms"),
    [
        ("forbidden_words", {"snow", "ice"}),
        ("ends_with", {"stay safe"}),
        ("paragraph_start", {"however"}),
    ],
)
def test_the_terms_are_the_same_in_every_way(kind: str, terms: set[str]) -> None:
    for family, leads, ways in FAMILIES:
        for prompt in (lead + way for lead in leads for way in ways if family == kind):
            (demand,) = demands(Text(prompt))
            assert {term.lower().rstrip(".") for term in demand.terms} == terms, prompt
