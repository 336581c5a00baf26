"""The rules one by one, at their edges, on both engines."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from fairwitness.contract.errors import ErrorCode
from fairwitness.ledger import Admitted, Ask, Charge, Refusal
from tests.ledger.asking import DAY, HOUR, LEASE, SECOND, ask, ended
from tests.ledger_engines import NOON, Bench

Run = Any


def test_retry_after_of_a_quota_is_exact_to_the_second(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(quota_per_hour=2) as ledger:
            await ledger.admit(ask(1))
            bench.now += 1500
            await ledger.admit(ask(1))
            bench.now += 250
            refused = await ledger.admit(ask(1))
            # The first run leaves the window 3600 s after it came, 1.75 s ago.
            assert refused == Refusal(ErrorCode.QUOTA_EXCEEDED, "quota_per_hour", 3599)
            bench.now += 3598 * SECOND
            assert isinstance(await ledger.admit(ask(1)), Refusal)
            bench.now += SECOND
            assert isinstance(await ledger.admit(ask(1)), Admitted)

    run(story())


def test_retry_after_is_never_zero(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(quota_per_hour=1) as ledger:
            await ledger.admit(ask(1))
            bench.now += HOUR - 1
            assert await ledger.admit(ask(1)) == Refusal(
                ErrorCode.QUOTA_EXCEEDED, "quota_per_hour", 1
            )

    run(story())


def test_a_run_on_the_edge_of_the_window_has_left_it(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(quota_per_hour=1) as ledger:
            await ledger.admit(ask(1))
            bench.now += HOUR
            assert isinstance(await ledger.admit(ask(1)), Admitted)
            assert await ledger.admit(ask(1)) == Refusal(
                ErrorCode.QUOTA_EXCEEDED, "quota_per_hour", 3600
            )

    run(story())


def test_a_duplicate_is_refused_to_the_last_moment_of_its_window(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger() as ledger:
            first = ask(1, same="this")
            await ledger.admit(first)
            bench.now += 5 * SECOND
            await ledger.finish(ended(first))
            bench.now += 10 * SECOND - 1
            assert await ledger.admit(ask(1, same="this")) == Refusal(
                ErrorCode.DUPLICATE_REQUEST, "duplicate_window_s", 1
            )
            bench.now += 1
            assert isinstance(await ledger.admit(ask(1, same="this")), Admitted)

    run(story())


def test_the_longest_wait_is_told_where_several_quotas_are_used_up(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(quota_per_hour=1, quota_per_day=1, units_per_day=3) as ledger:
            await ledger.admit(ask(1, 1))
            assert await ledger.admit(ask(1)) == Refusal(
                ErrorCode.QUOTA_EXCEEDED, "quota_per_day", DAY // SECOND
            )
            # Four generations can never fit in three units: no time would help.
            assert await ledger.admit(ask(1, 1, 1, 1)) == Refusal(
                ErrorCode.QUOTA_EXCEEDED, "units_per_day", None
            )

    run(story())


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"quota_per_hour": 0}, ErrorCode.QUOTA_EXCEEDED),
        ({"concurrency": 0}, ErrorCode.CONCURRENCY_LIMIT),
        ({"budget_per_hour": 0}, ErrorCode.BUDGET_EXHAUSTED),
        ({"budget_per_day": 9}, ErrorCode.BUDGET_EXHAUSTED),
    ],
)
def test_no_retry_is_promised_where_none_would_help(
    bench: Bench, run: Run, changed: dict[str, Any], code: ErrorCode
) -> None:
    async def story() -> None:
        async with bench.ledger(**changed) as ledger:
            refused = await ledger.admit(ask(10))
            assert isinstance(refused, Refusal)
            assert (refused.code, refused.retry_after_s) == (code, None)

    run(story())


def test_only_admitted_runs_count_against_quotas(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(quota_per_hour=2, concurrency=1) as ledger:
            first = ask(1)
            await ledger.admit(first)
            for _ in range(5):
                assert isinstance(await ledger.admit(ask(1)), Refusal)
            await ledger.finish(ended(first))
            assert isinstance(await ledger.admit(ask(1)), Admitted)

    run(story())


def test_budgets_reset_on_the_utc_hour_and_day(bench: Bench, run: Run) -> None:
    async def story() -> None:
        bench.now = NOON + HOUR - 90_500
        async with bench.ledger(budget_per_hour=100, budget_per_day=150) as ledger:
            assert isinstance(await ledger.admit(ask(100)), Admitted)
            assert await ledger.admit(ask(1)) == Refusal(
                ErrorCode.BUDGET_EXHAUSTED, "budget_per_hour_usd", 91
            )
            bench.now = NOON + HOUR
            assert isinstance(await ledger.admit(ask(50)), Admitted)
            assert await ledger.admit(ask(1)) == Refusal(
                ErrorCode.BUDGET_EXHAUSTED, "budget_per_day_usd", 11 * 3600
            )
            bench.now = NOON + 12 * HOUR
            assert isinstance(await ledger.admit(ask(100)), Admitted)

    run(story())


def test_the_true_cost_frees_what_the_worst_case_held(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(budget_per_hour=100) as ledger:
            first = ask(60, 40)
            await ledger.admit(first)
            assert isinstance(await ledger.admit(ask(1)), Refusal)
            await ledger.finish(ended(first, 10, None))
            assert isinstance(await ledger.admit(ask(90)), Admitted)
            assert isinstance(await ledger.admit(ask(1)), Refusal)

    run(story())


def test_settling_twice_counts_once(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger() as ledger:
            first = ask(60)
            await ledger.admit(first)
            await ledger.finish(ended(first, 10))
            await ledger.finish(ended(first, 20))
            await ledger.finish(ended(ask(5), 5))
            figures = await ledger.figures()
            assert (figures.spent_hour, figures.reserved_hour) == (10, 0)

    run(story())


def test_a_holder_that_died_counts_in_full_and_is_listed(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(concurrency=1) as ledger:
            lost = ask(60, 40)
            await ledger.admit(lost)
            bench.now += LEASE - 1
            assert isinstance(await ledger.admit(ask(1)), Refusal)
            bench.now += 1
            assert isinstance(await ledger.admit(ask(1)), Admitted)
            report = await ledger.report()
            assert report.figures.spent_hour == 100
            assert [line.run_id for line in report.expired_runs] == [lost.run_id.hex()]
            assert report.expired_runs[0].charges == {"slot_0": 60, "slot_1": 40}
            # It was only slow: its true cost takes the place of the full one.
            await ledger.finish(ended(lost, 30, 0))
            assert (await ledger.figures()).spent_hour == 30

    run(story())


def test_a_renewed_lease_lasts(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger() as ledger:
            first = ask(60)
            await ledger.admit(first)
            bench.now += LEASE - 1
            assert await ledger.renew([first.run_id], LEASE) == {first.run_id}
            assert await ledger.renew([first.run_id], 1) == {first.run_id}  # never shortened
            bench.now += LEASE - 1
            assert (await ledger.figures()).runs_open == 1
            bench.now += 1
            assert await ledger.renew([first.run_id], LEASE) == set()

    run(story())


def test_money_belongs_to_the_hour_of_admission(bench: Bench, run: Run) -> None:
    async def story() -> None:
        bench.now = NOON + HOUR - 1
        async with bench.ledger() as ledger:
            first = ask(60)
            await ledger.admit(first)
            bench.now += 5 * SECOND
            await ledger.finish(ended(first, 50))
            figures = await ledger.figures()
            assert (figures.spent_hour, figures.spent_day) == (0, 50)

    run(story())


def test_a_clock_that_steps_back_admits_nothing_new(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(budget_per_hour=100, quota_per_hour=2) as ledger:
            await ledger.admit(ask(50))
            await ledger.admit(ask(50))
            bench.now -= HOUR
            # An hour back is another UTC hour: a budget by the clock alone would begin anew.
            refused = await ledger.admit(ask(50))
            # The first run leaves its window an hour after noon: two hours by this clock.
            assert refused == Refusal(ErrorCode.QUOTA_EXCEEDED, "quota_per_hour", 7200)
            assert await ledger.admit(ask(50, caller="another")) == Refusal(
                ErrorCode.BUDGET_EXHAUSTED, "budget_per_hour_usd", 7200
            )
            assert (await ledger.figures()).clock_behind_ms == HOUR
            bench.now += 2 * HOUR
            assert isinstance(await ledger.admit(ask(50)), Admitted)

    run(story())


def test_many_asks_at_once_share_commits_and_never_overshoot(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(budget_per_hour=70) as one, bench.ledger(budget_per_hour=70) as two:
            answers = await asyncio.gather(
                *(ledger.admit(ask(10)) for _ in range(40) for ledger in (one, two))
            )
            assert sum(isinstance(answer, Admitted) for answer in answers) == 7
            assert (await one.figures()).reserved_hour == 70

    run(story())


def test_the_switch_survives_its_process(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger() as ledger:
            await ledger.turn_off("too dear", cancel=False)
        async with bench.ledger() as ledger:
            assert (await ledger.switch()).reason == "too dear"
            assert await ledger.admit(ask(1)) == Refusal(ErrorCode.KILL_SWITCH_ACTIVE, "switch")
            await ledger.turn_on()
            assert isinstance(await ledger.admit(ask(1)), Admitted)

    run(story())


@pytest.mark.parametrize("worst", [-1, 1.5, None, True])
def test_a_price_nobody_knows_is_never_zero(worst: Any) -> None:
    with pytest.raises(ValueError, match="whole micro-dollars"):
        Charge("provider_a", worst)


def test_callers_and_refusals_are_reported(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(quota_per_hour=2) as ledger:
            first = ask(7, 7, caller="A")
            await ledger.admit(first)
            await ledger.finish(ended(first, 3, 4))
            await ledger.admit(ask(5, caller="A"))
            await ledger.admit(ask(5, caller="A"))
            await ledger.admit(ask(2, caller="B"))
            report = await ledger.report()
            assert [
                (line.caller, line.runs_hour, line.runs_day, line.units_day, line.cost_day)
                for line in report.callers
            ] == [(first.caller.hex(), 2, 2, 3, 12), (ask(caller="B").caller.hex(), 1, 1, 1, 2)]
            assert report.figures.refusals_day == {"quota_exceeded": 1}
            assert report.figures.runs_day == 3

    run(story())


def test_an_overrun_is_counted_truly_and_shown(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger(budget_per_hour=100) as ledger:
            first = ask(60)
            await ledger.admit(first)
            await ledger.finish(ended(first, 99))
            figures = await ledger.figures()
            assert (figures.spent_hour, figures.overruns_day) == (99, 1)
            assert isinstance(await ledger.admit(ask(2)), Refusal)

    run(story())


def test_old_runs_are_forgotten_and_their_money_is_not_miscounted(bench: Bench, run: Run) -> None:
    async def story() -> None:
        async with bench.ledger() as ledger:
            first = ask(60)
            await ledger.admit(first)
            await ledger.finish(ended(first, 50))
            bench.now += 2 * DAY + 1
            await ledger.figures()
            assert await ledger.prune() == 1
            assert await ledger.prune() == 0
            await ledger.finish(ended(first, 10))
            assert (await ledger.figures()).spent_day == 0

    run(story())


def test_a_callers_own_quotas_replace_the_limits(bench: Bench, run: Run) -> None:
    own = {"quota_per_hour": 2, "units_per_day": 3}

    def keyed(*worst: int) -> Ask:
        return replace(ask(*worst, caller="keyed"), quotas=own)

    async def story() -> None:
        async with bench.ledger(quota_per_hour=1, units_per_day=1000) as ledger:
            assert isinstance(await ledger.admit(keyed(1, 1)), Admitted)
            refused = await ledger.admit(keyed(1, 1))
            assert isinstance(refused, Refusal)
            assert refused.limit == "units_per_day"
            assert isinstance(await ledger.admit(keyed(1)), Admitted)
            refused = await ledger.admit(keyed())
            assert isinstance(refused, Refusal)
            assert (refused.code, refused.limit) == (ErrorCode.QUOTA_EXCEEDED, "quota_per_hour")
            assert isinstance(await ledger.admit(ask(1)), Admitted)
            assert isinstance(await ledger.admit(ask(1)), Refusal)

    run(story())
