"""Admit+settle pairs a second on each engine, beside bare durable transactions of the same engine.

Run: python perf/ledger.py [--seconds 3] [--json]. The bare pair is the least a durable record of a
run could cost: one transaction that inserts a row, one that updates it, by the same driver over as
many connections as the ledger uses. PostgreSQL is started for the run with its durable defaults, or
named by FAIRWITNESS_TEST_POSTGRES_URL.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import secrets
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import asyncpg

sys.path.insert(0, str(Path(__file__).parents[1]))

from fairwitness.ledger import Admitted, Ask, Charge, Ledger, Limits, Outcome
from fairwitness.ledger.postgres import PostgresLedger
from fairwitness.ledger.sqlite import SqliteLedger
from fairwitness.service.admission import Admission
from fairwitness.service.run import SpendAsk
from tests import real_postgres

Pair = Callable[[], Awaitable[None]]

ENDLESS = Limits(
    quota_per_hour=10**9,
    quota_per_day=10**9,
    units_per_day=10**9,
    concurrency=10**6,
    concurrency_per_caller=10**6,
    budget_per_hour=10**15,
    budget_per_day=10**15,
    duplicate_window_ms=10_000,
)
CALLERS = [secrets.token_bytes(16) for _ in range(1000)]
ROUNDS = 9
CREATE_BARE = "CREATE TABLE bare (id INTEGER PRIMARY KEY, cost INTEGER)"


async def measure(pair: Pair, tasks: int, seconds: float) -> dict[str, float]:
    """Run pairs from `tasks` tasks at once; return the rate and the time one pair takes."""
    took: list[float] = []
    stop = time.perf_counter() + seconds

    async def work() -> None:
        while (began := time.perf_counter()) < stop:
            await pair()
            took.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(tasks)))
    rate = len(took) / (time.perf_counter() - began)
    ordered = sorted(took)
    return {
        "pairs_s": rate,
        "median_ms": statistics.median(ordered) * 1000,
        "p95_ms": ordered[int(len(ordered) * 0.95)] * 1000,
    }


def ledger_pair(ledger: Ledger) -> Pair:
    """Return one admit and one settle."""
    callers = itertools.cycle(CALLERS)

    async def pair() -> None:
        run_id = time.time_ns().to_bytes(8, "big") + secrets.token_bytes(8)
        charges = (Charge("provider_a", 900), Charge("provider_d", 900))
        ask = Ask(run_id, next(callers), "arena", secrets.token_bytes(16), charges, 20_000)
        assert isinstance(await ledger.admit(ask), Admitted)
        await ledger.finish(Outcome(run_id, (("provider_a", 5), ("provider_d", 7)), False))

    return pair


def admission_pair(admission: Admission) -> Pair:
    """Return a whole run as a request makes it, with nothing done inside."""
    callers = itertools.cycle(CALLERS)
    asks = [SpendAsk("provider_a", 900), SpendAsk("provider_d", 900)]

    async def pair() -> None:
        async with admission.run(
            endpoint="arena", caller=next(callers), body_key=secrets.token_bytes(16), asks=asks
        ) as run:
            for ask in asks:
                run.sent(ask.slot)
                run.settle(ask.slot, 5)

    return pair


@contextlib.asynccontextmanager
async def bare_sqlite(folder: Path) -> AsyncIterator[Pair]:
    """Yield a pair of bare transactions: one thread, one connection, the ledger's durability."""
    database = sqlite3.connect(folder / "bare", isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute(CREATE_BARE)
    numbers = itertools.count()
    thread = ThreadPoolExecutor(1)

    def insert(number: int) -> None:
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO bare VALUES (?, NULL)", (number,))
        database.execute("COMMIT")

    def update(number: int) -> None:
        database.execute("BEGIN IMMEDIATE")
        database.execute("UPDATE bare SET cost = 5 WHERE id = ?", (number,))
        database.execute("COMMIT")

    async def pair() -> None:
        number, loop = next(numbers), asyncio.get_running_loop()
        await loop.run_in_executor(thread, insert, number)
        await loop.run_in_executor(thread, update, number)

    yield pair
    thread.shutdown()
    database.close()


@contextlib.asynccontextmanager
async def bare_postgres(url: str) -> AsyncIterator[Pair]:
    """Yield a pair of bare transactions over a pool of the ledger's size."""
    numbers = itertools.count()
    async with asyncpg.create_pool(url, min_size=4, max_size=4) as pool:
        await pool.execute(CREATE_BARE)

        async def pair() -> None:
            number = next(numbers)
            await pool.execute("INSERT INTO bare VALUES ($1, NULL)", number)
            await pool.execute("UPDATE bare SET cost = 5 WHERE id = $1", number)

        yield pair


async def engine(
    bare: contextlib.AbstractAsyncContextManager[Pair], ledger: Ledger, seconds: float
) -> dict[str, Any]:
    """Measure one engine: bare, ledger and whole admission, alone and with 64 at once."""
    found: dict[str, Any] = {}
    admission = Admission(ledger, secret=b"k" * 32, spend_enabled=True, provider_deadline_s=60)
    await admission.start()
    async with bare as bare_pair:
        kinds = {
            "bare": bare_pair,
            "ledger": ledger_pair(ledger),
            "admission": admission_pair(admission),
        }
        for tasks in (1, 64):
            measured: dict[str, list[dict[str, float]]] = {name: [] for name in kinds}
            # Short turns: a busy moment of the machine then falls on all alike.
            for _ in range(ROUNDS):
                for name, pair in kinds.items():
                    measured[name].append(await measure(pair, tasks, seconds / ROUNDS))
            for name, rounds in measured.items():
                found[f"{name} x{tasks}"] = {
                    figure: statistics.median(one[figure] for one in rounds) for figure in rounds[0]
                }
    await admission.close()
    return found


async def main(seconds: float) -> dict[str, Any]:
    """Measure both engines."""
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="fairwitness-bench-") as name:
        folder = Path(name)
        ledger: Ledger = SqliteLedger(folder / "ledger.sqlite3", ENDLESS)
        results["SQLite"] = await engine(bare_sqlite(folder), ledger, seconds)
    given = os.environ.get(real_postgres.VARIABLE)
    server = None if given else real_postgres.PostgresServer(durable=True)
    admin = given or (server.url("postgres") if server else "")
    try:
        connection = await asyncpg.connect(admin)
        await connection.execute("CREATE DATABASE fairwitness_bench")
        await connection.close()
        url = admin.rpartition("/")[0] + "/fairwitness_bench"
        ledger = PostgresLedger(url, ENDLESS)
        results["PostgreSQL"] = await engine(bare_postgres(url), ledger, seconds)
        connection = await asyncpg.connect(admin)
        await connection.execute("DROP DATABASE fairwitness_bench WITH (FORCE)")
        await connection.close()
    finally:
        if server is not None:
            server.close()
    return results


def show(results: dict[str, Any]) -> None:
    """Print the table of the documents."""
    print("| engine | concurrency | what | pairs/s | relative to bare | median ms | 95% ms |")
    print("|---|---|---|---|---|---|---|")
    for name, found in results.items():
        for label, one in found.items():
            what, tasks = label.split(" x")
            share = one["pairs_s"] / found[f"bare x{tasks}"]["pairs_s"]
            print(
                f"| {name} | {tasks} | {what} | {one['pairs_s']:.0f} | {share:.2f} |"
                f" {one['median_ms']:.2f} | {one['p95_ms']:.2f} |"
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="for each line of the table")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    measured = asyncio.run(main(given.seconds))
    print(json.dumps(measured)) if given.json else show(measured)
