"""The relevance score: what says whether a response answers, and what ranks those that do."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fairwitness.evaluator import shipped
from fairwitness.evaluator.criteria import relevance
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.protocol import CriterionSpec
from fairwitness.evaluator.signals import Signal
from tests.evaluator.building import Told, judged

SPEC = shipped().protocol["relevance"]
#: Thresholds on either side of where ranking begins.
SPECS = [SPEC, replace(SPEC, fail_below=75.0, pass_from=85.0), replace(SPEC, pass_from=100.0)]
EXCHANGE = ("How do plants make food?", "From light, water and air.")
share = st.floats(0, 1)


def of(spec: CriterionSpec, *values: float) -> tuple[float, Judgement]:
    said = {name: Signal(value) for name, value in zip(relevance.NEEDS, values, strict=True)}
    found = judged(Told(said), spec, *EXCHANGE)
    assert found.score is not None
    return found.score, found


@pytest.mark.parametrize("spec", SPECS)
@given(answers=share, quality=share, substance=share)
def test_substance_changes_no_verdict_of_any_protocol(
    spec: CriterionSpec, answers: float, quality: float, substance: float
) -> None:
    (least, one), (found, _), (most, other) = (
        of(spec, answers, quality, x) for x in (0.0, substance, 1.0)
    )
    assert least <= found <= most
    assert len({spec.verdict(score) for score in (least, found, most)}) == 1
    assert one.confidence == other.confidence


@pytest.mark.parametrize(("low", "high"), [(0.2, 0.4), (0.4, 0.8)])
def test_of_two_that_answer_the_one_with_more_substance_scores_more(
    low: float, high: float
) -> None:
    assert of(SPEC, 0.98, 0.5, low)[0] + 0.02 < of(SPEC, 0.98, 0.5, high)[0]


def test_what_does_not_answer_is_not_ranked() -> None:
    lowest, highest = (of(SPEC, 0.02, 0.3, substance)[0] for substance in (0.0, 1.0))
    assert lowest == highest
    assert SPEC.verdict(highest) != "pass"


def test_a_ranking_that_begins_where_it_ends_is_refused() -> None:
    with pytest.raises(ValueError, match="`poor` must be less than `excellent`"):
        relevance.Options(ranked_from=0.7, poor=0.5, excellent=0.5)


def test_the_rank_goes_from_poor_to_excellent() -> None:
    poor, excellent = SPEC.options["poor"], SPEC.options["excellent"]
    lowest = SPEC.options["ranked_from"]
    assert of(SPEC, 1.0, poor, poor)[0] == pytest.approx(lowest)
    assert of(SPEC, 1.0, poor / 2, poor)[0] == pytest.approx(lowest)
    surely = sqrt(1 - (1 - excellent) ** 2 / 4)
    assert of(SPEC, 1.0, excellent, excellent)[0] == pytest.approx(surely)
    assert of(SPEC, 1.0, excellent, 1.0)[0] == pytest.approx(surely)
