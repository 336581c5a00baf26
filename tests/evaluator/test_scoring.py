"""Score and verdict never contradict each other, whatever the criteria say."""

from __future__ import annotations

from itertools import combinations
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from fairwitness.contract.evaluation import ReviewReason, Severity
from fairwitness.evaluator import protocol as protocols
from fairwitness.evaluator import scoring
from fairwitness.evaluator.confidence import UNMEASURED, measured, table
from fairwitness.evaluator.judgement import Finding, Judgement, not_applicable

PROTOCOL = protocols.shipped()

findings = st.sampled_from(
    [Finding(severity=severity, message="seen", detector="test") for severity in get_args(Severity)]
)
REASONS = [
    frozenset(some) for count in range(3) for some in combinations(get_args(ReviewReason), count)
]
judgements = st.one_of(
    st.just(not_applicable("nothing to judge")),
    st.builds(
        Judgement,
        summary=st.just("judged"),
        findings=st.lists(findings, max_size=4).map(tuple),
        score=st.none() | st.floats(0, 1),
        confidence=st.none() | st.floats(0, 1),
        reasons=st.sampled_from(REASONS),
    ),
)
exchanges = st.lists(judgements, min_size=len(PROTOCOL.criteria), max_size=len(PROTOCOL.criteria))


def combine(given_judgements: list[Judgement]) -> tuple[scoring.Overall, list[scoring.Scored]]:
    pairs = zip(given_judgements, PROTOCOL.criteria, strict=True)
    scored = [scoring.score(judgement, spec, PROTOCOL) for judgement, spec in pairs]
    return scoring.combine(scored, PROTOCOL), scored


@given(exchanges)
@settings(max_examples=200, deadline=None)
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
        assert named in detail.message
        # Only a score that no criterion lowered, such as that of the rest of a text, has no criterion to name.
        assert detail.criterion_id is not UNSET or all(item.kept == 1 for item in scored)
    if any(item.verdict == "fail" for item in scored):
        assert overall.verdict != "pass"
    else:
        assert overall.verdict != "fail"
    weighty = [x for x in scored if x.spec.weight >= lines.review_from_weight or x.critical]
    if any(item.verdict == "needs_review" for item in weighty):
        assert overall.verdict != "pass"
    if any(item.critical and item.verdict == "fail" for item in scored):
        assert overall.verdict == "fail"
        assert overall.score <= lines.critical_cap


@given(exchanges)
@settings(max_examples=100, deadline=None)
def test_criterion_score_and_verdict_agree(given_judgements: list[Judgement]) -> None:
    _, scored = combine(given_judgements)
    for item in scored:
        if item.verdict == "fail":
            assert item.score < item.spec.fail_below
        if item.verdict == "pass":
            assert item.score >= item.spec.pass_from


@given(exchanges, st.integers(0, 100), st.sampled_from(get_args(Severity)))
@settings(max_examples=100, deadline=None)
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


def test_several_doubts_do_not_fail_a_response() -> None:
    doubt = Judgement(summary="in doubt", score=0.5)
    overall, scored = combine([doubt] * len(PROTOCOL.criteria))
    assert {item.verdict for item in scored} == {"needs_review"}
    assert (overall.score, overall.verdict) == (PROTOCOL.overall.fail_below, "needs_review")


@pytest.mark.parametrize(
    ("detector", "verdict"),
    [("calculation.wrong_answer", "fail"), ("calculation.wrong_result", "needs_review")],
)
def test_a_criterion_may_be_critical_only_with_some_findings(detector: str, verdict: str) -> None:
    wrong = Judgement(summary="wrong", findings=(Finding("high", "wrong", detector),))
    fine = [Judgement(summary="fine", score=1.0)] * len(PROTOCOL.criteria)
    at = [spec.id for spec in PROTOCOL.criteria].index("calculation")
    overall, _ = combine([*fine[:at], wrong, *fine[at + 1 :]])
    assert overall.verdict == verdict
    assert (overall.score <= PROTOCOL.overall.critical_cap) == (verdict == "fail")


def judged(**given: Judgement) -> list[Judgement]:
    """Return a good judgement for every criterion but those given."""
    fine = Judgement(summary="fine", score=1.0, confidence=0.9)
    return [given.get(spec.id, fine) for spec in PROTOCOL.criteria]


UNREAD = Judgement(
    "unread", score=0.99, confidence=0.0, reasons=frozenset({"language_unsupported"})
)


def test_what_could_not_be_judged_caps_the_score() -> None:
    overall, scored = combine(judged(harm_avoidance=UNREAD))
    lines = PROTOCOL.overall
    assert overall.verdict == "needs_review"
    assert lines.fail_below <= overall.score <= lines.unjudged_cap < lines.pass_from
    assert [detail.criterion_id for detail in overall.details] == ["harm_avoidance"]
    assert "limited to 64" in overall.details[0].message
    (item,) = [item for item in scored if item.spec.id == "harm_avoidance"]
    assert item.score == lines.unjudged_cap
    assert item.confidence == 0.0


def test_what_could_not_be_judged_keeps_its_order_and_never_fails() -> None:
    scores = []
    for value in (0.0, 0.4, 0.8, 1.0):
        unread = Judgement("unread", score=value, reasons=frozenset({"language_unsupported"}))
        overall, _ = combine(judged(harm_avoidance=unread, relevance=unread))
        assert overall.verdict == "needs_review"
        scores.append(overall.score)
    assert scores == sorted(set(scores))


def test_a_light_criterion_that_could_not_judge_caps_nothing() -> None:
    overall, _ = combine(judged(independence=UNREAD))
    assert overall.score > PROTOCOL.overall.pass_from


def test_a_known_fault_fails_in_any_language() -> None:
    threat = Finding("critical", "seen", "privacy.secret")
    known = Judgement("found", (threat,), score=0.0)
    overall, _ = combine(judged(harm_avoidance=UNREAD, output_safety=known))
    assert overall.verdict == "fail"


def test_a_rule_is_as_sure_as_it_was_measured_to_be() -> None:
    _, scored = combine(judged(honesty=Judgement("nothing found")))
    (item,) = [item for item in scored if item.spec.id == "honesty"]
    assert item.confidence == measured("honesty", passed=True) < 0.8
    overall, _ = combine(judged(honesty=Judgement("nothing found")))
    assert overall.verdict == "pass"


def test_every_rule_criterion_was_measured_on_as_many_faulty_rows_as_good_ones() -> None:
    for name in (
        "privacy",
        "honesty",
        "independence",
        "coherence",
        "instruction_following",
        "calculation",
        "output_safety",
    ):
        found = table().criteria[name]
        faulty = found.rightly_alarmed + found.passed - found.rightly_passed
        # Of what is learned, only lessons that no training saw count: there are fewer.
        assert found.passed + found.alarmed >= (200 if name == "honesty" else 500)
        assert abs(2 * faulty - found.passed - found.alarmed) <= 10
        assert found.sets
        assert not any(each.startswith("bench") for each in found.sets)
    assert measured("unheard_of", passed=True) == UNMEASURED
