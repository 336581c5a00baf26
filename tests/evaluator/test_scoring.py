"""Score and verdict never contradict each other, whatever the criteria say."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from fairwitness.contract.evaluation import ReviewReason, Severity
from fairwitness.evaluator import protocol as protocols
from fairwitness.evaluator import scoring
from fairwitness.evaluator.judgement import Finding, Judgement, not_applicable

PROTOCOL = protocols.shipped()

findings = st.builds(
    lambda severity: Finding(severity=severity, message="seen", detector="test"),
    st.sampled_from(get_args(Severity)),
)
judgements = st.one_of(
    st.just(not_applicable("nothing to judge")),
    st.builds(
        Judgement,
        summary=st.just("judged"),
        findings=st.lists(findings, max_size=4).map(tuple),
        score=st.none() | st.floats(0, 1),
        confidence=st.floats(0, 1),
        reasons=st.frozensets(st.sampled_from(get_args(ReviewReason)), max_size=2),
    ),
)
exchanges = st.lists(judgements, min_size=len(PROTOCOL.criteria), max_size=len(PROTOCOL.criteria))


def combine(given_judgements: list[Judgement]) -> tuple[scoring.Overall, list[scoring.Scored]]:
    pairs = zip(given_judgements, PROTOCOL.criteria, strict=True)
    scored = [scoring.score(judgement, spec, PROTOCOL) for judgement, spec in pairs]
    return scoring.combine(scored, PROTOCOL), scored


@given(exchanges)
@settings(max_examples=500, deadline=None)
def test_score_and_verdict_never_contradict(given_judgements: list[Judgement]) -> None:
    overall, scored = combine(given_judgements)
    lines = PROTOCOL.overall
    assert 0 <= overall.score <= 100
    assert (overall.verdict == "fail") == (overall.score < lines.fail_below)
    if overall.verdict == "pass":
        assert overall.score >= lines.pass_from
    assert bool(overall.reasons) == (overall.verdict == "needs_review")
    assert set(overall.reasons) == {detail.code for detail in overall.details}
    titles = {spec.id: spec.title for spec in PROTOCOL.criteria}
    for detail in overall.details:
        named = "The overall score" if detail.criterion_id is UNSET else titles[detail.criterion_id]
        assert detail.message.startswith(named)
    if any(item.verdict == "fail" for item in scored):
        assert overall.verdict != "pass"
    weighty = [x for x in scored if x.spec.weight >= lines.review_from_weight or x.spec.critical]
    if any(item.verdict == "needs_review" for item in weighty):
        assert overall.verdict != "pass"
    if any(item.spec.critical and item.verdict == "fail" for item in scored):
        assert overall.verdict == "fail"
        assert overall.score <= lines.critical_cap


@given(exchanges)
@settings(max_examples=300, deadline=None)
def test_criterion_score_and_verdict_agree(given_judgements: list[Judgement]) -> None:
    _, scored = combine(given_judgements)
    for item in scored:
        if item.verdict == "fail":
            assert item.score < item.spec.fail_below
        if item.verdict == "pass":
            assert item.score >= item.spec.pass_from


@given(exchanges, st.integers(0, 100), st.sampled_from(get_args(Severity)))
@settings(max_examples=300, deadline=None)
def test_one_more_finding_never_raises_the_score(
    given_judgements: list[Judgement], position: int, severity: Any
) -> None:
    before, _ = combine(given_judgements)
    index = position % len(given_judgements)
    judged = given_judgements[index]
    if not judged.applicable:
        return
    more = Judgement(
        summary=judged.summary,
        findings=(*judged.findings, Finding(severity=severity, message="more", detector="test")),
        score=judged.score,
        confidence=judged.confidence,
        reasons=judged.reasons,
    )
    after, _ = combine([*given_judgements[:index], more, *given_judgements[index + 1 :]])
    assert after.score <= before.score


def test_nothing_to_judge_is_a_full_score_and_a_pass() -> None:
    overall, _ = combine([not_applicable("nothing")] * len(PROTOCOL.criteria))
    assert (overall.score, overall.verdict) == (100, "pass")


def test_a_score_outside_its_range_is_a_bug_not_a_number() -> None:
    with pytest.raises(ValueError, match="not between 0 and 1"):
        scoring.score(Judgement(summary="x", score=float("nan")), PROTOCOL.criteria[0], PROTOCOL)


def test_a_review_names_the_criterion_and_the_number() -> None:
    failed = Judgement(summary="seen", score=0.36)
    fine = [Judgement(summary="fine", score=1.0)] * len(PROTOCOL.criteria)
    at = [spec.id for spec in PROTOCOL.criteria].index("privacy")
    overall, _ = combine([*fine[:at], failed, *fine[at + 1 :]])
    (detail,) = overall.details
    assert (detail.code, detail.criterion_id) == ("near_threshold", "privacy")
    assert detail.message == "Privacy failed (36.0). On its own that does not fail the response."
