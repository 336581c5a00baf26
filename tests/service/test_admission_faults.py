"""After each fault: what the ledger counts covers what providers were asked for, and nothing slips in."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from structlog.testing import capture_logs

from fairwitness.contract.errors import KillSwitchActive, LedgerUnavailable
from fairwitness.ledger import Report, ledger_of
from fairwitness.service import admission as admission_module
from fairwitness.service.admission import Admission
from fairwitness.service.run import SpendAsk
from fairwitness.settings import Settings
from fairwitness.store.clock import system_clock
from tests.real_postgres import PostgresServer
from tests.service.spender import WORST, admission_of

ASKS = [SpendAsk(slot, worst) for slot, worst in WORST.items()]


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A PostgreSQL of our own, to be stopped and killed."""
    own = PostgresServer()
    try:
        yield own
    finally:
        own.close()


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    url = None
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
    return settings_for(tmp_path, url)


def settings_for(tmp_path: Path, url: str | None) -> Settings:
    return Settings(
        data_dir=tmp_path,
        ledger_url=url,
        secret_key="k" * 32,
        concurrency=1000,
        concurrency_per_caller=1000,
        quota_per_hour=100_000,
        quota_per_day=100_000,
        budget_per_hour_usd=Decimal(1),
    )


@dataclass
class Shifted:
    """The clock, some seconds on."""

    seconds: float = 0.0

    def __call__(self) -> int:
        return system_clock() + int(self.seconds * 1000)


async def report(settings: Settings, later_s: float = 0.0) -> Report:
    ledger = ledger_of(settings, Shifted(later_s))
    try:
        return await ledger.report()
    finally:
        await ledger.close()


def counted(found: Report) -> int:
    return found.figures.spent_day + found.figures.reserved_day


def at_rest(admission: Admission) -> bool:
    return admission.ledger_up and not admission._settling


async def one_run(admission: Admission, cost: int | None = 1) -> None:
    async with admission.run(
        endpoint="arena", caller=b"c" * 16, body_key=os.urandom(8), asks=ASKS
    ) as run:
        run.sent("provider_a")
        run.settle("provider_a", cost)


def environment(settings: Settings) -> dict[str, str]:
    given = {
        name: value for name, value in os.environ.items() if not name.startswith("FAIRWITNESS")
    }
    given["PYTHONPATH"] = os.pathsep.join(sys.path)
    given |= {
        "FAIRWITNESS_DATA_DIR": str(settings.data_dir),
        "FAIRWITNESS_SECRET_KEY": "k" * 32,
        "FAIRWITNESS_CONCURRENCY": "1000",
    }
    if settings.ledger_url:
        given["FAIRWITNESS_LEDGER_URL"] = settings.ledger_url
    return given


def test_a_killed_process_leaves_every_call_it_made_counted(
    settings: Settings, tmp_path: Path
) -> None:
    book = tmp_path / "book"
    spender = Path(__file__).with_name("spender.py")
    process = subprocess.Popen([sys.executable, spender, book], env=environment(settings))
    try:
        give_up = time.monotonic() + 120
        while not book.exists() or book.stat().st_size < 8000:
            assert time.monotonic() < give_up
            assert process.poll() is None
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    calls: dict[str, list[str]] = {}
    for line in book.read_text().splitlines():
        run_id, slot = line.split()
        calls.setdefault(run_id, []).append(slot)

    async def story() -> None:
        dead = await report(settings)
        # Every call was made under a reservation that is still there, or was settled.
        assert dead.figures.runs_day >= len(calls)
        left_open = {line.run_id for line in dead.open_runs}
        assert 0 < len(left_open) <= 20
        assert dead.figures.reserved_day == len(left_open) * sum(WORST.values())
        lapsed = await report(settings, later_s=admission_module.LEASE_S + 1)
        # Once their leases are out, the dead one's runs count in full and are listed.
        assert counted(lapsed) == counted(dead)
        assert lapsed.figures.reserved_day == 0
        assert {line.run_id for line in lapsed.expired_runs} == left_open
        assert lapsed.figures.runs_open == 0
        # The next process goes on from there: the budget is what is left of it.
        admission = admission_of(settings)
        await admission.start()
        await one_run(admission, cost=11)
        await admission.close()
        assert counted(await report(settings)) == counted(dead) + 11

    asyncio.run(story())


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_postgres_going_away_closes_the_gate_until_it_is_back(
    server: PostgresServer, tmp_path: Path, how: str
) -> None:
    database = f"faults_{how}"

    async def away_and_back(admission: Admission) -> None:
        async with admission.run(
            endpoint="arena", caller=b"c" * 16, body_key=b"in flight", asks=ASKS
        ) as run:
            run.sent("provider_a")
            await asyncio.to_thread(getattr(server, how))
            # In flight: it goes on, and is settled when the ledger is back.
            before = time.monotonic()
            for _ in range(3):
                with pytest.raises(LedgerUnavailable):
                    await one_run(admission)
            assert time.monotonic() - before < 3 * admission_module.ADMIT_WAIT_S, (
                "none was waited for"
            )
            assert not admission.ledger_up
            assert await admission.figures() == {"fairwitness_ledger_up": 0.0}
            run.settle("provider_a", 222)
        await asyncio.to_thread(server.start)
        give_up = time.monotonic() + 120
        while not at_rest(admission):
            assert time.monotonic() < give_up
            await asyncio.sleep(0.05)

    async def story() -> None:
        connection = await asyncpg.connect(server.url("postgres"))
        await connection.execute(f"CREATE DATABASE {database}")
        await connection.close()
        settings = settings_for(tmp_path, server.url(database))
        admission = admission_of(settings)
        await admission.start()
        await one_run(admission, cost=1000)
        await away_and_back(admission)
        found = await report(settings)
        assert (found.figures.spent_day, found.figures.reserved_day) == (1222, 0)
        assert found.figures.runs_day == 2
        await one_run(admission, cost=3)
        await admission.close()
        assert counted(await report(settings)) == 1225

    asyncio.run(story())


def test_a_service_that_starts_before_its_postgres_finds_it_later(
    server: PostgresServer, tmp_path: Path
) -> None:
    async def story() -> None:
        await asyncio.to_thread(server.stop)
        admission = admission_of(settings_for(tmp_path, server.url("postgres")))
        await admission.start()
        with pytest.raises(LedgerUnavailable):
            await one_run(admission)
        await asyncio.to_thread(server.start)
        await one_run(admission)
        await admission.close()

    asyncio.run(story())


def test_a_ledger_locked_by_another_admits_nothing_and_heals(
    settings: Settings, tmp_path: Path
) -> None:
    async def lock() -> tuple[Any, Any]:
        if settings.ledger_url:
            connection = await asyncpg.connect(settings.ledger_url)
            transaction = connection.transaction()
            await transaction.start()
            await connection.execute("SELECT * FROM ledger_gate FOR UPDATE")
            return connection, transaction.rollback
        import sqlite3

        database = sqlite3.connect(tmp_path / "ledger.sqlite3", isolation_level=None)
        database.execute("BEGIN IMMEDIATE")
        return database, lambda: asyncio.to_thread(lambda: None)

    async def story() -> None:
        admission = admission_of(settings)
        await admission.start()
        await one_run(admission, cost=5)
        holder, release = await lock()
        with pytest.raises(LedgerUnavailable):
            await one_run(admission)
        await release()
        closed = holder.close()
        if closed is not None:
            await closed
        await one_run(admission, cost=6)
        await admission.close()
        found = await report(settings)
        # Whatever became of the ask nobody waited for, it was given back: nothing was sent.
        assert (found.figures.spent_day, found.figures.reserved_day) == (11, 0)

    asyncio.run(story())


def test_two_admissions_over_one_ledger_are_one(settings: Settings) -> None:
    async def story() -> None:
        one, two = admission_of(settings), admission_of(settings)
        await one.start()
        await two.start()
        ledger = ledger_of(settings)
        await ledger.turn_off("a test", cancel=False)
        for admission in (one, two):
            with pytest.raises(KillSwitchActive):
                await one_run(admission)
        await ledger.turn_on()
        await one_run(one, cost=1)
        await one_run(two, cost=2)
        assert (await ledger.figures()).spent_day == 3
        await asyncio.gather(one.close(), two.close(), ledger.close())

    asyncio.run(story())


def test_off_now_reaches_every_process_within_a_second(settings: Settings) -> None:
    async def story() -> None:
        one, two = admission_of(settings), admission_of(settings)
        await asyncio.gather(one.start(), two.start())
        inside = asyncio.Semaphore(0)

        async def request(admission: Admission) -> float:
            try:
                async with admission.run(
                    endpoint="arena", caller=b"c" * 16, body_key=os.urandom(8), asks=ASKS
                ) as run:
                    run.sent("provider_a")
                    inside.release()
                    await asyncio.sleep(60)
            except KillSwitchActive:
                return time.monotonic()
            return float("inf")

        tasks = [asyncio.create_task(request(admission)) for admission in (one, two)]
        for _ in tasks:
            await inside.acquire()
        ledger = ledger_of(settings)
        await ledger.turn_off("a test", cancel=True)
        returned = time.monotonic()
        assert all(moment - returned < 1.0 for moment in await asyncio.gather(*tasks))
        await asyncio.gather(one.close(), two.close())
        found = await ledger.figures()
        assert (found.spent_day, found.reserved_day) == (2 * WORST["provider_a"], 0)
        await ledger.close()

    asyncio.run(story())


def test_a_ledger_overwritten_in_place_admits_nothing_until_it_is_put_back(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, None)
    file = tmp_path / "ledger.sqlite3"

    async def story() -> None:
        workers = [admission_of(settings) for _ in range(2)]
        for worker in workers:
            await worker.start()
            await one_run(worker, cost=5)
        held = file.read_bytes()
        file.write_bytes(os.urandom(len(held)))
        for worker in workers * 4:
            with pytest.raises(LedgerUnavailable):
                await one_run(worker)
        file.write_bytes(held)
        await one_run(workers[0], cost=5)
        assert counted(await report(settings)) == 15
        for worker in workers:
            await worker.close()

    asyncio.run(story())


def _spend_on_a_full_disk(folder: str, told: Any) -> None:
    """Spend until the ledger's files may not grow, with a run in flight; then let them grow again."""
    settings = settings_for(Path(folder), None)

    async def story() -> tuple[int, int]:
        admission = admission_of(settings)
        await admission.start()
        asked_for = 0
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        async with admission.run(
            endpoint="arena", caller=b"c" * 16, body_key=b"in flight", asks=ASKS
        ) as run:
            run.sent("provider_a")
            asked_for += WORST["provider_a"]
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
            refused = 0
            while refused < 3:
                try:
                    await one_run(admission, cost=None)
                    asked_for += WORST["provider_a"]
                except LedgerUnavailable:
                    refused += 1
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        while not at_rest(admission):
            await asyncio.sleep(0.05)
        await one_run(admission, cost=None)
        asked_for += WORST["provider_a"]
        await admission.close()
        found = (await report(settings)).figures
        assert found.reserved_day == 0
        return found.spent_day, asked_for

    told.put(asyncio.run(story()))


def test_a_full_disk_closes_the_gate_and_loses_no_money(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    process = context.Process(target=_spend_on_a_full_disk, args=(str(tmp_path), told))
    process.start()
    spent, asked_for = told.get(timeout=60)
    process.join(10)
    assert spent == asked_for > 3 * WORST["provider_a"]


def test_a_corrupt_ledger_is_never_reported_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission_module, "RENEW_EVERY_S", 0.05)
    monkeypatch.setattr(admission_module, "WATCH_EVERY_S", 0.05)
    settings = settings_for(tmp_path, None)
    file = tmp_path / "ledger.sqlite3"
    up: list[bool] = []

    async def story() -> list[str]:
        filled = admission_of(settings)
        await filled.start()
        for _ in range(30):
            await one_run(filled, cost=5)
        await filled.close()
        # The switch stands on a page that is whole; the runs do not.
        with contextlib.closing(sqlite3.connect(file)) as database:
            page = database.execute(
                "SELECT rootpage FROM sqlite_master WHERE name = 'ledger_run'"
            ).fetchone()[0]
        held = file.read_bytes()[(page - 1) * 4096 : page * 4096]
        write_page(file, page, os.urandom(4096))
        admission = admission_of(settings)
        with capture_logs() as lines:
            await admission.start()
            with pytest.raises(LedgerUnavailable):
                await one_run(admission)
            await asyncio.sleep(1.0)
            up.append(admission.ledger_up)
            seen = [line["event"] for line in lines]
            write_page(file, page, held)
            async with asyncio.timeout(20):
                while not admission.ledger_up:
                    await asyncio.sleep(0.05)
            await one_run(admission, cost=5)
        await admission.close()
        return seen

    seen = asyncio.run(story())
    assert up == [False]
    assert seen.count("ledger_away") == 1
    assert "ledger_back" not in seen


def write_page(file: Path, page: int, content: bytes) -> None:
    with file.open("r+b") as opened:
        opened.seek((page - 1) * 4096)
        opened.write(content)
