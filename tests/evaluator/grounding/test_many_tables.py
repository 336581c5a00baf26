"""However many tables are given, a response is held against a few of them: each costs a reading of every sentence."""

from __future__ import annotations

import pytest

from fairwitness.evaluator.criteria.grounding.grid_given import Grids
from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.given import given
from fairwitness.evaluator.inputs import exchange_of


def table(passage: int) -> str:
    rows = (f"| Row {passage}-{row} | {row} | {passage} |" for row in range(3))
    return "\n".join(("| Name | Weight | Size |", "|---|---|---|", *rows))


@pytest.mark.parametrize(("passages", "read"), [(2, 2), (40, 6)])
def test_no_more_than_a_few_are_read(passages: int, read: int) -> None:
    exchange = exchange_of(
        "Which is the heaviest?",
        "Row 1-2 is the heaviest.",
        None,
        context=[{"text": table(number)} for number in range(passages)],
    )
    assert len(Grids(Ground(exchange, given(exchange))).readings) == read
