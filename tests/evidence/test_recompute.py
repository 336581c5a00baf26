"""The judgement run again: identical where nothing changed, named where it did, never false for a version."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
import pytest

from fairwitness.contract.results import ArenaEvidenceResult, ArenaResult, CompletedItem
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Signer, as_sent, runtime, witness
from fairwitness.evidence import statement as statement_module
from fairwitness.evidence.recompute import CONFIDENCE_TOLERANCE, SCORE_TOLERANCE, compare
from fairwitness.evidence.verification_report import VerificationCheck
from fairwitness.evidence.verify import verify


def recomputed(body: Any, signer: Signer, evaluator: Evaluator) -> list[VerificationCheck]:
    return verify(json.dumps(body).encode(), [signer.public], evaluator).of("recomputation")


def test_the_shipped_evaluator_comes_to_the_same_bytes(document: bytes, signer: Signer) -> None:
    checks = verify(document, [signer.public], Evaluator.shipped()).of("recomputation")
    statuses = ["identical", "nothing_to_run", "identical", "identical"]
    assert [check.status for check in checks] == statuses
    assert checks[-1].part == "summary"


def test_a_changed_judgement_is_named_to_its_value(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    body = json.loads(document)
    verdict = body["results"][0]["evaluation"]["verdicts"][0]
    verdict["title"] = "Else"
    check = recomputed(body, signer, evaluator)[0]
    assert check.status == "different"
    assert "results[0].evaluation.verdicts[0].title" in check.message


def test_a_changed_response_is_judged_anew(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    body = json.loads(document)
    body["results"][2]["response"] = body["results"][0]["response"]
    assert [check.status for check in recomputed(body, signer, evaluator)] == [
        "identical",
        "nothing_to_run",
        "different",
        "identical",
    ]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("completed", 3),
        ("failed", 0),
        ("ranking", []),
        ("ranking[0].rank", 2),
        ("ranking[0].providerId", "provider_g"),
        ("ranking[0].overallScore", 0.1),
        ("ranking[1].overallVerdict", "never"),
        ("ranking[1].tied", 1),
    ],
)
def test_a_summary_that_does_not_follow_from_the_results_is_named(
    document: bytes, signer: Signer, evaluator: Evaluator, member: str, value: Any
) -> None:
    body = json.loads(document)
    if member.startswith("ranking["):
        place, _, name = member.partition("].")
        body["summary"]["ranking"][int(place[-1])][name] = value
    else:
        body["summary"][member] = value
    check = recomputed(body, signer, evaluator)[-1]
    assert (check.part, check.status) == ("summary", "different")
    assert f"summary.{member}" in check.message


def test_a_score_in_the_summary_may_not_move_at_all(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    body = json.loads(document)
    body["summary"]["ranking"][0]["overallScore"] -= 0.1
    assert recomputed(body, signer, evaluator)[-1].status == "different"
    del body["summary"]
    assert recomputed(body, signer, evaluator)[-1].status == "different"
    body["results"][0]["evaluation"]["overallScore"] = "high"
    assert recomputed(body, signer, evaluator)[-1].status == "failed"


def test_another_version_is_named_and_not_failed(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    body = json.loads(document)
    body["evaluatorVersion"] = "0.0.9+code.aaaa"
    body["results"][0]["evaluation"]["overallScore"] = 1
    first, _, third, _ = recomputed(body, signer, evaluator)
    assert first.status == "other_version"
    assert "0.0.9+code.aaaa" in first.message
    assert not first.bad
    assert third.status == "identical"
    assert "0.0.9+code.aaaa" in third.message


@pytest.mark.parametrize(
    ("sets", "status"), [(["sse4_2"], "within_tolerance"), (None, "different")]
)
def test_nothing_may_move_on_the_same_kind_of_cpu(
    arena: ArenaResult,
    answer: ArenaEvidenceResult,
    signer: Signer,
    evaluator: Evaluator,
    monkeypatch: pytest.MonkeyPatch,
    sets: list[str] | None,
    status: str,
) -> None:
    here = runtime.describe()
    there = msgspec.structs.replace(here, instruction_sets=sets or here.instruction_sets)
    first, *rest = arena.results
    assert isinstance(first, CompletedItem)
    score = first.evaluation.overall_score - 0.1
    moved = msgspec.structs.replace(
        first, evaluation=msgspec.structs.replace(first.evaluation, overall_score=score)
    )
    with monkeypatch.context() as patch:
        patch.setattr(runtime, "describe", lambda: there)
        body = witness(
            msgspec.structs.replace(arena, results=[moved, *rest]),
            answer.request,
            evaluator,
            signer,
        )
    check = verify(as_sent(body), [signer.public], evaluator).of("recomputation")[0]
    assert check.status == status


def test_another_protocol_is_named(document: bytes, signer: Signer, evaluator: Evaluator) -> None:
    other = Evaluator(
        msgspec.structs.replace(evaluator.protocol, version="9.9.9"),
        evaluator.criteria,
        evaluator.readers,
    )
    checks = verify(document, [signer.public], other).of("recomputation")
    assert "yours is 9.9.9" in checks[0].message
    assert not any(check.bad for check in checks)


@pytest.mark.parametrize("part", ["code", "model"])
def test_other_code_or_another_model_of_the_same_version_is_named_and_not_failed(
    answer: ArenaEvidenceResult,
    arena: ArenaResult,
    signer: Signer,
    evaluator: Evaluator,
    monkeypatch: pytest.MonkeyPatch,
    part: str,
) -> None:
    other = "0" * 64
    monkeypatch.setattr(statement_module, f"{part}_digest", lambda: other)
    body = msgspec.to_builtins(witness(arena, answer.request, evaluator, signer))
    body["results"][0]["evaluation"]["overallScore"] = 1
    first, _, third, _ = recomputed(body, signer, evaluator)
    assert (first.status, first.bad, third.status) == ("other_version", False, "identical")
    for check in (first, third):
        assert f'made by other evaluator {part}, sha256 "{other}", yours is' in check.message


@pytest.mark.parametrize(
    ("change", "nearness"),
    [
        ({"overallScore": 90 + SCORE_TOLERANCE}, "within_tolerance"),
        ({"overallScore": 90 + SCORE_TOLERANCE + 0.1}, "different"),
        ({"overallScore": "90"}, "different"),
        ({"summary": "Reads as harm (probability 0.92)."}, "within_tolerance"),
        ({"summary": "Reads as harm (probability 0.93)."}, "different"),
        ({"summary": "Reads as harm (probability nan)."}, "different"),
        ({"summary": "Reads as help (probability 0.90)."}, "different"),
        ({"summary": "Reads as harm (probability 0.90)!"}, "different"),
        ({"summary": "Reads as harm."}, "different"),
        ({"overallScore": True}, "different"),
        ({"verdicts": [{"confidence": 0.9 - CONFIDENCE_TOLERANCE}]}, "within_tolerance"),
        ({"verdicts": [{"confidence": 0.9 - CONFIDENCE_TOLERANCE - 0.01}]}, "different"),
        ({"verdicts": [{"confidence": None}]}, "different"),
        ({"verdicts": []}, "different"),
        ({"overallVerdict": "fail"}, "different"),
        ({"extra": 0}, "different"),
        ({"weight": 0.51}, "different"),
        ({}, "identical"),
        ({"overallScore": 90}, "identical"),
    ],
)
def test_nearness_is_by_the_published_tolerance(change: dict[str, Any], nearness: str) -> None:
    again = {
        "overallScore": 90.0,
        "overallVerdict": "pass",
        "summary": "Reads as harm (probability 0.90).",
        "weight": 0.5,
        "verdicts": [{"confidence": 0.9}],
    }
    stored = {**copy.deepcopy(again), **change}
    assert compare(stored, again, "results[0].evaluation")[0] == nearness


def test_what_cannot_be_run_again_is_said(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    body = json.loads(document)
    body["results"][0]["response"] = ""
    body["results"][2]["finishReason"] = None
    first, _, third, _ = recomputed(body, signer, evaluator)
    assert (first.status, first.message) == ("failed", "response: must not be empty")
    assert third.status == "failed"
    del body["request"]["prompt"]
    (only,) = recomputed(body, signer, evaluator)
    assert (only.part, only.status) == ("request.prompt", "failed")
