"""Generate and evaluate over a real ledger; only the providers are the test's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fairwitness.contract.errors import (
    BudgetExhausted,
    ConcurrencyLimit,
    DuplicateRequest,
    KillSwitchActive,
    LedgerUnavailable,
    Overloaded,
    ProvidersFailed,
)
from fairwitness.contract.evaluation import Evaluation
from fairwitness.contract.results import CompletedItem, FailedItem, GenerateResult
from fairwitness.providers.provider import Completion, Provider, ProviderFailure
from tests.service.scripted import Scripted, evaluate, house


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def test_results_stand_in_the_order_asked_for(tmp_path: Path) -> None:
    async def go() -> GenerateResult:
        slots = {
            "provider_a": Scripted(delay_s=0.3, model="slow"),
            "provider_b": Scripted(failure=ProviderFailure("rate_limited", generated_nothing=True)),
            "provider_c": Scripted(model="quick"),
        }
        async with house(tmp_path, slots) as home:
            return await home.ask("provider_c", "provider_b", "provider_a", "provider_d")

    result = run(go())
    assert (result.request_id, result.protocol_version, result.evaluator_version) == (
        "request-1",
        "p",
        "e",
    )
    quick, limited, slow, absent = result.results
    assert isinstance(quick, CompletedItem)
    assert isinstance(slow, CompletedItem)
    assert (quick.model, slow.model) == ("quick", "slow")
    assert slow.latency_ms >= 300
    assert quick.latency_ms < slow.latency_ms
    assert (quick.usage.input_tokens, quick.usage.output_tokens, quick.usage.cost_usd) == (
        7,
        9,
        4e-05,
    )
    assert quick.evaluation.evaluation_id != slow.evaluation.evaluation_id
    assert isinstance(limited, FailedItem)
    assert isinstance(absent, FailedItem)
    assert (limited.error.code, limited.model) == ("rate_limited", "scripted-1")
    assert (absent.error.code, absent.model) == ("not_configured", None)


def test_they_run_at_the_same_time(tmp_path: Path) -> None:
    """Each waits for all the others before it ends: one after another they would never."""

    @dataclass
    class Meeting(Scripted):
        all_here: asyncio.Barrier | None = None

        async def complete(self, *args: Any, **options: Any) -> Completion:
            assert self.all_here is not None
            await self.all_here.wait()
            return await super().complete(*args, **options)

    async def go() -> GenerateResult:
        barrier = asyncio.Barrier(6)
        slots = {f"provider_{name}": Meeting(all_here=barrier) for name in "abcdef"}
        async with house(tmp_path, slots, deadline_s=60) as home:
            return await asyncio.wait_for(home.ask(*slots), 60)

    assert all(isinstance(item, CompletedItem) for item in run(go()).results)


def test_one_deadline_holds_for_all_and_the_rest_is_whole(tmp_path: Path) -> None:
    async def go() -> tuple[GenerateResult, int]:
        slots = {"provider_a": Scripted(delay_s=60), "provider_b": Scripted()}
        async with house(tmp_path, slots, deadline_s=1.5) as home:
            return await home.ask("provider_a", "provider_b"), await home.spent()

    result, spent = run(go())
    late, whole = result.results
    assert late.error.code == "timeout"
    assert whole.response.startswith("Plants")
    assert spent == 1000 + 40  # what a time-out used is unknown, so all of it counts


def test_all_failed_is_an_error_with_each_reason_and_frees_its_key(tmp_path: Path) -> None:
    async def go() -> ProvidersFailed:
        slots: dict[str, Provider | None] = {
            "provider_a": Scripted(failure=ProviderFailure("unauthorised", generated_nothing=True)),
            "provider_b": None,
        }
        async with house(tmp_path, slots) as home:
            for _ in range(2):  # the second is no duplicate
                with pytest.raises(ProvidersFailed) as caught:
                    await home.ask("provider_a", "provider_b")
            assert await home.spent() == 0
            return caught.value

    assert run(go()).details == (
        "provider_a: unauthorised: The provider did not accept the service's credentials.",
        "provider_b: not_configured: This provider is not configured on this service.",
    )


@pytest.mark.parametrize(
    ("script", "spent"),
    [
        (Scripted(cost=40), 40),
        (Scripted(cost=None), 1000),
        (Scripted(cost=0, worst=0), 0),
        (Scripted(failure=ProviderFailure("unreachable")), 1000),
        (Scripted(failure=ProviderFailure("invalid_answer", cost_micro_usd=55)), 55),
        (Scripted(failure=ProviderFailure("unreachable", generated_nothing=True)), 0),
        (Scripted(failure=ZeroDivisionError("our own mistake")), 1000),
        (Scripted(text=""), 40),
    ],
)
def test_what_was_used_is_what_counts(tmp_path: Path, script: Scripted, spent: int) -> None:
    async def go() -> int:
        slots = {"provider_a": script, "provider_b": Scripted(cost=0)}
        async with house(tmp_path, slots) as home:
            await home.ask("provider_a", "provider_b")
            return await home.spent()

    assert run(go()) == spent


def test_a_broken_provider_is_a_failed_item_not_a_500(tmp_path: Path) -> None:
    async def go() -> GenerateResult:
        slots = {"provider_a": Scripted(failure=RuntimeError("x")), "provider_b": Scripted()}
        async with house(tmp_path, slots) as home:
            return await home.ask("provider_a", "provider_b")

    broken, whole = run(go()).results
    assert broken.error.code == "invalid_answer"
    assert isinstance(whole, CompletedItem)


def test_a_long_text_is_cut_marked_and_judged_as_cut(tmp_path: Path) -> None:
    seen: list[str | None] = []

    async def judge(prompt: str, response: str, *, finish_reason: str | None = None) -> Evaluation:
        seen.append(finish_reason)
        return await evaluate(prompt, response, finish_reason=finish_reason)

    async def go() -> GenerateResult:
        slots = {"provider_a": Scripted(text="word " * 3000)}
        async with house(tmp_path, slots, judge=judge) as home:
            return await home.ask("provider_a")

    (item,) = run(go()).results
    assert (len(item.response), item.truncated, item.finish_reason) == (8000, True, "length")
    assert seen == ["length"]


def test_a_run_without_room_is_refused_whole_and_sends_nothing(tmp_path: Path) -> None:
    first, full = Scripted(), Scripted(no_room=True)

    async def go() -> int:
        async with house(tmp_path, {"provider_a": first, "provider_b": full}) as home:
            for _ in range(2):
                with pytest.raises(ConcurrencyLimit):
                    await home.ask("provider_a", "provider_b")
            return await home.spent()

    assert run(go()) == 0
    assert (first.asked, full.asked) == (0, 0)


def test_refusals_of_admission_send_nothing(tmp_path: Path) -> None:
    script = Scripted(worst=600)

    async def go() -> None:
        async with house(tmp_path, {"provider_a": script}, budget_per_hour=1000) as home:
            await home.ask("provider_a")
            with pytest.raises(DuplicateRequest):
                await home.ask("provider_a")
            script.worst = 2000
            with pytest.raises(BudgetExhausted):
                await home.ask("provider_a", prompt="Another?")
            await home.ledger.turn_off("test", cancel=False)
            with pytest.raises(KillSwitchActive):
                await home.ask("provider_a", prompt="A third?")

    run(go())
    assert script.asked == 1


def test_a_caller_who_leaves_stops_every_provider(tmp_path: Path) -> None:
    slots = {"provider_a": Scripted(delay_s=60), "provider_b": Scripted(delay_s=60)}

    async def go() -> tuple[float, int]:
        async with house(tmp_path, slots, deadline_s=60) as home:
            task = asyncio.create_task(home.ask("provider_a", "provider_b"))
            while not all(one.asked for one in slots.values()):
                await asyncio.sleep(0.01)
            started = asyncio.get_running_loop().time()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return asyncio.get_running_loop().time() - started, await home.spent()

    took, spent = run(go())
    assert took < 30  # 60 s would be not stopping
    assert spent == 2000  # nobody knows what was used
    assert [one.cancelled for one in slots.values()] == [1, 1]


def test_the_kill_switch_stops_runs_in_flight(tmp_path: Path) -> None:
    script = Scripted(delay_s=60)

    async def go() -> None:
        async with house(tmp_path, {"provider_a": script}, deadline_s=60) as home:
            task = asyncio.create_task(home.ask("provider_a"))
            while not script.asked:
                await asyncio.sleep(0.01)
            await home.ledger.turn_off("test", cancel=True)
            with pytest.raises(KillSwitchActive):
                await task

    run(go())
    assert script.cancelled == 1


def limited(seconds: float | None) -> Scripted:
    failure = ProviderFailure("rate_limited", generated_nothing=True, retry_after_s=seconds)
    return Scripted(failure=failure)


@pytest.mark.parametrize(
    ("waits", "told"), [((40.2, 90.0), 41), ((None, 7.0), 7), ((None, None), None), ((0.0,), None)]
)
def test_where_all_failed_the_soonest_known_retry_is_told(
    tmp_path: Path, waits: tuple[float | None, ...], told: int | None
) -> None:
    async def go() -> ProvidersFailed:
        slots = dict(zip(("provider_a", "provider_b"), map(limited, waits), strict=False))
        async with house(tmp_path, slots) as home:
            with pytest.raises(ProvidersFailed) as caught:
                await home.ask(*slots)
            return caught.value

    assert run(go()).retry_after == told


def failing(error: Exception, *, for_text: str = "") -> Callable[..., Any]:
    async def judge(prompt: str, response: str, *, finish_reason: str | None = None) -> Evaluation:
        if for_text in response:
            raise error
        return await evaluate(prompt, response, finish_reason=finish_reason)

    return judge


async def never(prompt: str, response: str, *, finish_reason: str | None = None) -> Evaluation:
    await asyncio.sleep(3600)
    raise AssertionError


@pytest.mark.parametrize("error", [Overloaded(retry_after=1), ZeroDivisionError("a bug")])
def test_a_response_that_cannot_be_judged_takes_no_other_with_it(
    tmp_path: Path, error: Exception
) -> None:
    slow = Scripted(delay_s=0.8)  # still generating when the other's judgement is given up

    async def go() -> tuple[GenerateResult, int]:
        slots = {"provider_a": Scripted(text="Unjudgeable."), "provider_b": slow}
        judge = failing(error, for_text="Unjudgeable")
        async with house(tmp_path, slots, judge=judge, judge_within_s=0.3) as home:
            return await home.ask("provider_a", "provider_b"), await home.spent()

    result, spent = run(go())
    lost, whole = result.results
    assert isinstance(lost, FailedItem)
    assert (lost.error.code, lost.model) == ("timeout", "scripted-1")
    assert "generated but could not be evaluated" in lost.error.message
    assert isinstance(whole, CompletedItem)
    assert slow.cancelled == 0
    assert spent == 40 + 40  # both were generated, at what they reported


def test_where_nothing_is_judged_in_time_the_whole_is_overloaded(tmp_path: Path) -> None:
    async def go() -> tuple[Overloaded, int]:
        slots: dict[str, Provider | None] = {"provider_a": Scripted(), "provider_b": None}
        async with house(tmp_path, slots, judge=never, judge_within_s=0.3) as home:
            for _ in range(2):  # the second is no duplicate
                with pytest.raises(Overloaded) as caught:
                    await home.ask("provider_a", "provider_b")
            return caught.value, await home.spent()

    refused, spent = run(go())
    assert refused.retry_after
    assert spent == 2 * 40


def test_a_judge_that_breaks_on_everything_is_our_own_fault(tmp_path: Path) -> None:
    async def go() -> None:
        broken = failing(ZeroDivisionError("a bug"))
        async with house(tmp_path, {"provider_a": Scripted()}, judge=broken) as home:
            with pytest.raises(ZeroDivisionError):
                await home.ask("provider_a")

    run(go())


def test_the_kill_switch_stops_a_run_that_waits_to_be_judged(tmp_path: Path) -> None:
    async def go() -> None:
        async with house(tmp_path, {"provider_a": Scripted()}, judge=never) as home:
            task = asyncio.create_task(home.ask("provider_a"))
            await asyncio.sleep(0.3)
            await home.ledger.turn_off("test", cancel=True)
            with pytest.raises(KillSwitchActive):
                await asyncio.wait_for(task, 60)

    run(go())


@pytest.mark.parametrize(
    ("error", "stops"),
    [(KillSwitchActive(), True), (LedgerUnavailable(), True), (ConcurrencyLimit(), False)],
)
def test_only_the_switch_and_the_ledger_stop_the_others(
    tmp_path: Path, error: Exception, *, stops: bool
) -> None:
    other = Scripted(delay_s=0.3)

    async def go() -> None:
        slots = {"provider_a": Scripted(failure=error), "provider_b": other}
        async with house(tmp_path, slots) as home:
            if stops:
                with pytest.raises(type(error)):
                    await home.ask("provider_a", "provider_b")
            else:
                refused, whole = (await home.ask("provider_a", "provider_b")).results
                assert isinstance(refused, FailedItem)
                assert isinstance(whole, CompletedItem)

    run(go())
    assert other.cancelled == int(stops)
