"""Four processes of fifty tasks at one ledger: exactly what the limits allow, never one more."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fairwitness.ledger import Figures, Limits
from tests import real_postgres
from tests.ledger.contender import TASKS, WORST, Account, Contest, contend
from tests.ledger_engines import LIMITS, NOON, ledger_at

PROCESSES = 4
ASKED = PROCESSES * TASKS
MANY = 10**9


def contests(places: list[str]) -> dict[str, Contest]:
    """Each limit in turn as the one that binds."""

    def one(limits: Limits, **how: object) -> Contest:
        spread = {"requests": MANY, "callers": MANY, "settles": None} | how
        return Contest(places.pop(), limits, **spread)  # type: ignore[arg-type]

    return {
        "budget_settled": one(replace(LIMITS, budget_per_hour=37 * WORST + 999), settles=1.0),
        "budget_reserved": one(replace(LIMITS, budget_per_day=23 * WORST)),
        "leases": one(replace(LIMITS, concurrency=17)),
        "leases_per_caller": one(replace(LIMITS, concurrency_per_caller=3), callers=4),
        "quotas": one(replace(LIMITS, quota_per_hour=5), callers=6, settles=1.0),
        "duplicates": one(LIMITS, requests=9),
        "churn": one(replace(LIMITS, budget_per_hour=60 * WORST), settles=0.5, rounds=3),
    }


@contextlib.contextmanager
def places(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[str]]:
    with contextlib.ExitStack() as stack:
        if engine == "sqlite":
            yield [f"sqlite:///{tmp_path}/{number}.sqlite3" for number in range(7)]
        else:
            admin = request.getfixturevalue("postgres_admin_url")
            fresh = real_postgres.fresh_database
            yield [stack.enter_context(fresh(admin)) for _ in range(7)]


async def figures(contest: Contest) -> Figures:
    ledger = ledger_at(contest.place, contest.limits, lambda: NOON)
    try:
        return await ledger.figures()
    finally:
        await ledger.close()


def run_all(planned: list[Contest]) -> list[list[Account]]:
    context = multiprocessing.get_context("spawn")
    barrier, accounts = context.Barrier(PROCESSES), context.Queue()
    processes = [
        context.Process(target=contend, args=(planned, barrier, accounts)) for _ in range(PROCESSES)
    ]
    for process in processes:
        process.start()
    try:
        found = [accounts.get(timeout=60) for _ in processes]
        for process in processes:
            process.join(10)
    finally:
        for process in processes:
            process.kill()
    return [list(together) for together in zip(*found, strict=True)]


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_exactly_what_the_limits_allow(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    with places(engine, request, tmp_path) as free:
        planned = contests(free)
        told = dict(zip(planned, run_all(list(planned.values())), strict=True))
        kept = {name: asyncio.run(figures(contest)) for name, contest in planned.items()}
    admitted = {name: sum(account.admitted for account in told[name]) for name in told}
    churned = admitted.pop("churn")
    assert admitted == {
        "budget_settled": 37,
        "budget_reserved": 23,
        "leases": 17,
        "leases_per_caller": 4 * 3,
        "quotas": 6 * 5,
        "duplicates": 9,
    }
    for name, count in admitted.items():
        reasons = Counter(code for account in told[name] for code in account.refused)
        assert sum(reasons.values()) == ASKED - count
        assert dict(reasons) == kept[name].refusals_day
        assert len(reasons) == 1, name
        assert kept[name].spent_hour + kept[name].reserved_hour == count * WORST
        assert kept[name].spent_day + kept[name].reserved_day <= planned[name].limits.budget_per_day
    # Runs that come and go: what the ledger kept is what the processes say it cost, to the last.
    assert kept["churn"].spent_hour == sum(account.cost for account in told["churn"])
    assert kept["churn"].reserved_hour == 0
    assert churned == kept["churn"].runs_day > 60
    assert kept["churn"].spent_hour <= 60 * WORST
