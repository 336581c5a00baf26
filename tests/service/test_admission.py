"""Admission over a real ledger: reserved before, settled after, however the run ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairwitness.contract.errors import (
    BudgetExhausted,
    ConcurrencyLimit,
    DuplicateRequest,
    KillSwitchActive,
    LedgerUnavailable,
    QuotaExceeded,
    ServiceError,
    SpendDisabled,
)
from fairwitness.ledger import Figures, Limits, Switch
from fairwitness.ledger.sqlite import SqliteLedger
from fairwitness.service import admission as admission_module
from fairwitness.service.admission import Admission
from fairwitness.service.run import Run, SpendAsk
from fairwitness.settings import Settings
from fairwitness.store import SchemaMismatch
from fairwitness.store.clock import system_clock

ASKS = (SpendAsk("provider_a", 600), SpendAsk("provider_d", 300))
LIMITS = Limits.of(Settings())
# Ten past noon when the tests begin: far from the turn of any hour.
_AHEAD = 1_767_269_400_000 - system_clock()


def clock() -> int:
    return system_clock() + _AHEAD


class House:
    """One ledger file, and as many processes' admissions over it as a test opens."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @asynccontextmanager
    async def admission(self, *, enabled: bool = True, **limits: Any) -> AsyncIterator[Admission]:
        opened = Admission(
            SqliteLedger(self.path, replace(LIMITS, **limits), clock),
            secret=b"k" * 32,
            spend_enabled=enabled,
            provider_deadline_s=60.0,
        )
        await opened.start()
        try:
            yield opened
        finally:
            await opened.close()

    async def figures(self) -> Figures:
        ledger = SqliteLedger(self.path, LIMITS, clock)
        try:
            return await ledger.figures()
        finally:
            await ledger.close()

    async def off(self, *, cancel: bool) -> Switch:
        ledger = SqliteLedger(self.path, LIMITS, clock)
        try:
            return await ledger.turn_off("a test", cancel=cancel)
        finally:
            await ledger.close()

    async def on(self) -> Switch:
        ledger = SqliteLedger(self.path, LIMITS, clock)
        try:
            return await ledger.turn_on()
        finally:
            await ledger.close()

    async def money(self) -> tuple[int, int, int]:
        found = await self.figures()
        return found.spent_hour, found.reserved_hour, found.runs_open


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "ledger.sqlite3")


def ask(admission: Admission, body: str = "{}", **changed: Any) -> Any:
    said = {
        "endpoint": "arena",
        "caller": b"c" * 16,
        "body_key": body.encode(),
        "asks": ASKS,
    } | changed
    return admission.run(**said)


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(story)


def test_what_was_sent_is_settled_and_what_was_not_is_released(house: House) -> None:
    async def story() -> None:
        async with house.admission() as admission:
            async with ask(admission) as one:
                assert await house.money() == (0, 900, 1)
                one.sent("provider_a")
                one.settle("provider_a", cost_micro_usd=123)
            assert await house.money() == (123, 0, 0)

    run(story())


@pytest.mark.parametrize("cost", [None, "never said"])
def test_an_unknown_cost_counts_the_whole_reservation(house: House, cost: Any) -> None:
    async def story() -> None:
        async with house.admission() as admission:
            async with ask(admission) as one:
                one.sent("provider_a")
                if cost is None:
                    one.settle("provider_a", cost_micro_usd=None)
            assert await house.money() == (600, 0, 0)

    run(story())


def test_an_unknown_cost_of_what_was_never_sent_is_nothing(house: House) -> None:
    async def story() -> None:
        async with house.admission() as admission:
            async with ask(admission) as one:
                one.sent("provider_a")
                one.settle("provider_d", None)
                one.settle("provider_a", 9)
            assert await house.money() == (9, 0, 0)

    run(story())


def test_each_refusal_has_its_own_error(house: House) -> None:
    async def refused(**limits: Any) -> ServiceError:
        async with house.admission(**limits) as admission:
            with pytest.raises(ServiceError) as caught:
                async with ask(admission, "other"):
                    pass
            return caught.value

    async def story() -> None:
        async with house.admission() as admission, ask(admission, "first"):
            quota = await refused(quota_per_hour=1)
            assert isinstance(quota, QuotaExceeded)
            assert quota.retry_after in {3599, 3600}
            assert quota.details == ("limit: quota_per_hour",)
            budget = await refused(budget_per_hour=1000)
            assert isinstance(budget, BudgetExhausted)
            assert budget.retry_after is not None
            assert 1 <= budget.retry_after <= 3600
            concurrency = await refused(concurrency=1)
            assert isinstance(concurrency, ConcurrencyLimit)
            assert concurrency.retry_after is None
            await house.off(cancel=False)
            assert isinstance(await refused(), KillSwitchActive)

    run(story())


def test_disabled_spending_never_reaches_the_ledger(house: House) -> None:
    async def story() -> None:
        async with house.admission(enabled=False) as admission:
            with pytest.raises(SpendDisabled):
                async with ask(admission):
                    pass
            assert (await house.figures()).refusals_day == {}

    run(story())


def test_a_duplicate_is_refused_while_in_flight_and_after(house: House) -> None:
    async def repeat(admission: Admission, **changed: Any) -> int | None:
        with pytest.raises(DuplicateRequest) as caught:
            async with ask(admission, **changed):
                pass
        return caught.value.retry_after

    async def story() -> None:
        async with house.admission() as admission:
            async with ask(admission) as one:
                one.sent("provider_a")
                assert await repeat(admission) is None
            assert await repeat(admission) in {9, 10}
            # Another endpoint, caller or body is another request.
            for changed in ({"endpoint": "evaluate"}, {"caller": b"d" * 16}, {"body": "{ }"}):
                async with ask(admission, **changed):
                    pass

    run(story())


@pytest.mark.parametrize("how", ["said so", "an exception", "nothing sent"])
def test_a_run_that_came_to_nothing_frees_its_key(house: House, how: str) -> None:
    async def story() -> None:
        async with house.admission() as admission:
            with suppress(ZeroDivisionError):
                async with ask(admission) as one:
                    if how != "nothing sent":
                        one.sent("provider_a")
                    if how == "said so":
                        one.failed_wholesale()
                    if how == "an exception":
                        raise ZeroDivisionError
            async with ask(admission):
                pass

    run(story())


def test_what_a_provider_has_no_room_for_is_a_refusal_and_uses_no_quota(house: House) -> None:
    async def story() -> None:
        async with house.admission(quota_per_hour=1) as admission:
            for _ in range(3):
                with pytest.raises(ConcurrencyLimit):
                    async with ask(admission):
                        raise ConcurrencyLimit
            found = await house.figures()
            assert found.refusals_day == {"concurrency_limit": 3}
            assert found.runs_day == 0
            assert await house.money() == (0, 0, 0)
            async with ask(admission) as one:
                one.sent("provider_a")
                one.settle("provider_a", 5)
            assert await house.money() == (5, 0, 0)

    run(story())


def test_what_began_and_then_lacked_room_counts(house: House) -> None:
    async def story() -> None:
        async with house.admission(quota_per_hour=1) as admission:
            with suppress(ConcurrencyLimit):
                async with ask(admission) as one:
                    one.sent("provider_a")
                    raise ConcurrencyLimit
            assert await house.money() == (600, 0, 0)
            with pytest.raises(QuotaExceeded):
                async with ask(admission, "another"):
                    pass

    run(story())


def test_a_cancelled_request_is_settled_all_the_same(house: House) -> None:
    async def story() -> None:
        async with house.admission() as admission:
            sent = asyncio.Event()

            async def request() -> None:
                async with ask(admission) as one:
                    one.sent("provider_a")
                    sent.set()
                    await asyncio.sleep(60)

            task = asyncio.create_task(request())
            await sent.wait()
            task.cancel()
            await asyncio.sleep(0)
            task.cancel()  # a server out of patience cancels again, while it is settling
            with pytest.raises(asyncio.CancelledError):
                await task
        assert await house.money() == (600, 0, 0)

    run(story())


def test_cancelling_at_any_moment_leaves_nothing_reserved(house: House) -> None:
    async def request(admission: Admission, number: int) -> None:
        async with ask(admission, str(number)):
            await asyncio.sleep(60)

    async def story() -> None:
        async with house.admission(concurrency=1000, concurrency_per_caller=1000) as admission:
            for number in range(60):
                task = asyncio.create_task(request(admission, number))
                for _ in range(number % 4):
                    await asyncio.sleep(0)
                await asyncio.sleep(0.0001 * (number % 20))
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
        assert await house.money() == (0, 0, 0)

    run(story())


def test_off_now_cancels_runs_in_flight_within_a_second(house: House) -> None:
    async def story() -> None:
        async with house.admission() as one, house.admission() as two:
            started: list[Run] = []

            async def request(admission: Admission, body: str) -> float:
                try:
                    async with ask(admission, body) as mine:
                        mine.sent("provider_a")
                        started.append(mine)
                        await asyncio.sleep(60)
                except KillSwitchActive:
                    return time.monotonic()
                return 0.0

            tasks = [
                asyncio.create_task(request(admission, body))
                for admission, body in ((one, "1"), (two, "2"))
            ]
            while len(started) < 2:
                await asyncio.sleep(0.01)
            before = time.monotonic()
            await house.off(cancel=True)
            stopped_at = await asyncio.gather(*tasks)
            assert all(0 < moment - before < 1.0 for moment in stopped_at)
            # What was sent counts; what the cancel came before can no longer be sent.
            assert await house.money() == (1200, 0, 0)
            with pytest.raises(KillSwitchActive):
                started[0].sent("provider_d")
            # Nobody got an answer, so the same request is no duplicate once the switch is on again.
            await house.on()
            async with ask(one, "1"), ask(two, "2"):
                pass

    run(story())


def test_off_lets_runs_in_flight_finish_and_admits_nothing(house: House) -> None:
    async def story() -> None:
        async with house.admission() as admission:
            async with ask(admission) as one:
                await house.off(cancel=False)
                with pytest.raises(KillSwitchActive):
                    async with ask(admission, "another"):
                        pass
                await asyncio.sleep(2 * admission_module.WATCH_EVERY_S)
                one.sent("provider_a")
                one.settle("provider_a", 5)
            assert await house.money() == (5, 0, 0)

    run(story())


def test_leases_of_living_runs_are_renewed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission_module, "LEASE_S", 1.5)
    monkeypatch.setattr(admission_module, "RENEW_EVERY_S", 0.1)

    async def story() -> None:
        async with house.admission() as admission, ask(admission) as one:
            await asyncio.sleep(2.0)
            one.sent("provider_a")
            assert await house.money() == (0, 900, 1)

    run(story())


def test_nothing_is_sent_on_a_lease_that_ran_out(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission_module, "LEASE_S", 0.2)
    monkeypatch.setattr(admission_module, "RENEW_EVERY_S", 60)

    async def story() -> None:
        async with house.admission() as admission:
            async with ask(admission) as one:
                await asyncio.sleep(0.3)
                with pytest.raises(LedgerUnavailable):
                    one.sent("provider_a")
                assert await house.money() == (900, 0, 0)
            # It says so itself: nothing was sent, so nothing was spent.
            assert await house.money() == (0, 0, 0)

    run(story())


def test_a_run_that_hangs_loses_its_lease(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission_module, "LEASE_S", 0.3)
    monkeypatch.setattr(admission_module, "RENEW_EVERY_S", 0.1)
    monkeypatch.setattr(admission_module, "GRACE_S", -59.8)

    async def story() -> None:
        async with house.admission(concurrency=1) as admission, ask(admission, "hangs") as one:
            one.sent("provider_a")
            await asyncio.sleep(0.8)
            async with ask(admission, "next"):
                assert await house.money() == (900, 900, 1)

    run(story())


def test_a_ledger_that_is_away_closes_the_gate_and_opens_it_again(
    house: House, tmp_path: Path
) -> None:
    async def story() -> None:
        house.path = tmp_path / "folder" / "ledger.sqlite3"
        (tmp_path / "folder").write_text("a file where a folder should be")
        async with house.admission() as admission:
            assert not admission.ledger_up
            with pytest.raises(LedgerUnavailable):
                async with ask(admission):
                    pass
            assert await admission.figures() == {"fairwitness_ledger_up": 0.0}
            (tmp_path / "folder").unlink()
            async with ask(admission):
                assert admission.ledger_up

    run(story())


def test_a_ledger_of_another_version_stops_the_start(house: House) -> None:
    async def story() -> None:
        async with house.admission() as admission:
            pass
        ledger = SqliteLedger(house.path, LIMITS)
        await ledger._store.write(
            lambda db: db.execute("UPDATE fairwitness_schema SET version = 99")
        )
        await ledger.close()
        with pytest.raises(SchemaMismatch, match="newer than this program"):
            async with house.admission() as admission:
                await admission.figures()

    run(story())


def test_figures_are_plain_numbers_that_name_nobody(house: House) -> None:
    async def story() -> None:
        async with house.admission(quota_per_hour=1) as admission:
            async with ask(admission) as one:
                one.sent("provider_a")
                one.settle("provider_a", 250_000)
            with pytest.raises(QuotaExceeded):
                async with ask(admission, "another"):
                    pass
            found = await admission.figures()
        assert found["fairwitness_ledger_up"] == 1
        assert found["fairwitness_ledger_spent_hour_usd"] == 0.25
        assert found["fairwitness_ledger_budget_day_usd"] == 5
        assert found['fairwitness_ledger_refusals_day{code="quota_exceeded"}'] == 1
        assert all(isinstance(value, float) for value in found.values())
        assert (b"c" * 16).hex() not in str(found)

    run(story())


def test_a_slot_outside_the_run_is_a_fault(house: House) -> None:
    async def story() -> None:
        async with house.admission() as admission, ask(admission) as one:
            with pytest.raises(ValueError, match="not a slot"):
                one.sent("provider_z")
            with pytest.raises(ValueError, match="negative"):
                one.settle("provider_a", -1)

    run(story())
