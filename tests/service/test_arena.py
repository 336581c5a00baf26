"""Arena: order, ranking and ties."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairwitness.contract.evaluation import StampedEvaluation
from fairwitness.contract.ranking import summarise
from fairwitness.contract.requests import ArenaRequest
from fairwitness.contract.results import (
    ArenaResult,
    CompletedItem,
    FailedItem,
    ProviderError,
    ResultItem,
    Usage,
)
from fairwitness.providers.provider import ProviderFailure
from fairwitness.service.arena import Arena
from tests.service.scripted import CALL, Scripted, house


def item(slot: str, score: float | None) -> ResultItem:
    if score is None:
        error = ProviderError(code="timeout", message="late")
        return FailedItem(provider_id=slot, model="m", error=error, latency_ms=1)
    evaluation = StampedEvaluation(
        evaluation_id=slot,
        overall_score=score,
        overall_verdict="pass",
        reasons=[],
        reason_details=[],
        verdicts=[],
        findings=[],
    )
    usage = Usage(input_tokens=1, output_tokens=1, cost_usd=0.0)
    return CompletedItem(
        provider_id=slot,
        model="m",
        response="x",
        finish_reason="stop",
        evaluation=evaluation,
        latency_ms=1,
        usage=usage,
    )


def ranks(scores: dict[str, float | None], noise: float) -> list[tuple[int, str, bool]]:
    summary = summarise([item(slot, score) for slot, score in scores.items()], noise)
    return [(one.rank, one.provider_id, one.tied) for one in summary.ranking]


def test_the_best_stands_first_and_failures_are_counted_not_ranked() -> None:
    scores = {"a": 50.0, "b": None, "c": 90.0}
    assert ranks(scores, 2.0) == [(1, "c", False), (2, "a", False)]
    summary = summarise([item(slot, score) for slot, score in scores.items()], 2.0)
    assert (summary.completed, summary.failed) == (2, 1)


def test_what_noise_could_explain_is_a_tie() -> None:
    assert ranks({"a": 79.0, "b": 80.5, "c": 70.0}, 2.0) == [
        (1, "b", True),
        (1, "a", True),
        (3, "c", False),
    ]


def test_a_difference_of_the_noise_itself_is_a_difference() -> None:
    assert ranks({"a": 80.0, "b": 78.0}, 2.0) == [(1, "a", False), (2, "b", False)]


def test_ties_do_not_chain_away_from_their_best() -> None:
    assert [rank for rank, _, _ in ranks({"a": 80.0, "b": 78.5, "c": 77.0}, 2.0)] == [1, 1, 3]


def test_equals_tie_without_noise_and_keep_the_order_of_the_request() -> None:
    assert ranks({"b": 80.0, "a": 80.0}, 0.0) == [(1, "b", True), (1, "a", True)]


@given(
    st.lists(st.one_of(st.none(), st.floats(0, 100)), min_size=1, max_size=5),
    st.floats(0, 20),
)
def test_ranks_are_well_formed(scores: list[float | None], noise: float) -> None:
    summary = summarise([item(f"p{i}", score) for i, score in enumerate(scores)], noise)
    assert summary.completed + summary.failed == len(scores)
    assert len(summary.ranking) == summary.completed
    values = [one.overall_score for one in summary.ranking]
    assert values == sorted(values, reverse=True)
    for place, one in enumerate(summary.ranking, 1):
        group = [other for other in summary.ranking if other.rank == one.rank]
        assert one.tied == (len(group) > 1)
        assert one.rank <= place
        assert max(g.overall_score for g in group) - min(g.overall_score for g in group) <= noise


@pytest.mark.parametrize("endpoint", ["/api/arena", "/api/arena-evidence"])
def test_the_story_keeps_failures_in_their_place(tmp_path: Path, endpoint: str) -> None:
    slots = {
        "provider_a": Scripted(text="Plants make food from light by photosynthesis.", delay_s=0.1),
        "provider_d": Scripted(failure=ProviderFailure("unreachable", generated_nothing=True)),
        "provider_g": Scripted(text="Plants make food. " * 40),
    }
    request = ArenaRequest(
        contract_version="1.0.0",
        prompt="How do plants make food?",
        providers=["provider_g", "provider_d", "provider_a"],
        privacy_acknowledged=True,
    )

    async def go() -> ArenaResult:
        async with house(tmp_path, slots) as home:
            arena = Arena(
                home.generation,
                protocol_version="p",
                evaluator_version="e",
                noise=2.0,
                endpoint=endpoint,
            )
            return await arena(request, CALL)

    result = asyncio.run(go())
    assert [one.provider_id for one in result.results] == request.providers
    assert isinstance(result.results[1], FailedItem)
    assert (result.summary.completed, result.summary.failed) == (2, 1)
    assert result.summary.ranking[0].provider_id == "provider_a"
