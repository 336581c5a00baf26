"""Every engine behind one fixture, with a clock the test holds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from fairwitness.ledger import Ledger, Limits, open_ledger
from fairwitness.settings.databases import Database, engine_of

NOON = 1_767_268_800_000  # 2026-01-01T12:00:00Z

LIMITS = Limits(
    quota_per_hour=1000,
    quota_per_day=1000,
    units_per_day=10_000,
    concurrency=1000,
    concurrency_per_caller=1000,
    budget_per_hour=1_000_000,
    budget_per_day=5_000_000,
    duplicate_window_ms=10_000,
)


@dataclass
class Bench:
    """An engine to open ledgers of, any number over the same data, and the clock they all read."""

    place: str
    now: int = NOON

    def clock(self) -> int:
        return self.now

    @asynccontextmanager
    async def ledger(self, limits: Limits = LIMITS, **changed: Any) -> AsyncIterator[Ledger]:
        found = ledger_at(self.place, replace(limits, **changed), self.clock)
        await found.open()
        try:
            yield found
        finally:
            await found.close()


def ledger_at(place: str, limits: Limits, clock: Callable[[], int]) -> Ledger:
    return open_ledger(Database(engine_of(place), place), limits, clock)


@pytest.fixture
def bench(database_url: str) -> Bench:
    return Bench(database_url)


@pytest.fixture
def run() -> Iterator[Callable[[Coroutine[Any, Any, Any]], Any]]:
    """Run coroutines one after another in one event loop."""
    with asyncio.Runner() as runner:
        yield runner.run
