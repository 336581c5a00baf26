"""The relevance score: what says whether a response answers, and what ranks those that do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairwitness.evaluator import protocol, shipped
from fairwitness.evaluator.criteria import relevance
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.signals import Signal, Signals

SPEC = shipped().protocol["relevance"]
EXCHANGE = Exchange("How do plants make food?", "From light, water and air.")
share = st.floats(0, 1)


class Told:
    """A reader that says what it was told to."""

    signals = relevance.NEEDS

    def __init__(self, *values: float) -> None:
        self.values = values

    def read(self, _: Exchange) -> dict[str, Signal]:
        return {name: Signal(value) for name, value in zip(self.signals, self.values, strict=True)}


def judged(*values: float) -> Judgement:
    spec = next(item for item in shipped()._specs if item.id == "relevance")
    return relevance.judge(EXCHANGE, spec, Signals(EXCHANGE, (Told(*values),)))


@given(share, share, share)
def test_substance_changes_no_verdict(answers: float, quality: float, substance: float) -> None:
    found = judged(answers, quality, substance)
    least, most = judged(answers, quality, 0.0), judged(answers, quality, 1.0)
    assert found.score is not None
    assert least.score is not None
    assert most.score is not None
    assert least.score <= found.score <= most.score
    assert len({SPEC.verdict(one.score or 0.0) for one in (least, found, most)}) == 1
    assert least.confidence == most.confidence


@pytest.mark.parametrize(("low", "high"), [(0.2, 0.4), (0.4, 0.8)])
def test_of_two_that_answer_the_one_with_more_substance_scores_more(
    low: float, high: float
) -> None:
    assert (judged(0.98, 0.5, low).score or 0) + 0.02 < (judged(0.98, 0.5, high).score or 0)


def test_what_does_not_answer_is_not_ranked() -> None:
    assert judged(0.02, 0.3, 0.0).score == judged(0.02, 0.3, 1.0).score
    assert SPEC.verdict(judged(0.02, 0.3, 1.0).score or 0.0) != "pass"
    assert protocol.shipped()["relevance"].pass_from < 70
