"""Retention goes by a clock that is doubted for a day where it jumped ahead; both engines alike."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from fairwitness.feedback import DAY_MS, Entry
from tests.feedback.conftest import Engine

NOON = 1_800_000_000_000
HOUR_MS = DAY_MS // 24
KEEP = 90 * DAY_MS


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def entry(number: int, received_ms: int) -> Entry:
    return Entry(f"id-{number:03}", received_ms, "other", "A note.")


def test_a_clock_years_ahead_at_start_deletes_nothing(engine: Engine) -> None:
    async def story() -> None:
        async with engine.store() as store:
            await store.add(entry(1, NOON), b"c")
            await store.add(entry(2, NOON - 91 * DAY_MS), b"c")
            # Nothing was ever noted: the newest entry is the latest time anybody has seen.
            found = await store.expire(NOON + 3650 * DAY_MS, KEEP)
            assert (found.deleted, found.clock_ahead_ms) == (1, 3650 * DAY_MS)
            assert (await store.stats()).entries == 1
        async with engine.store() as store:  # started again, the clock put right
            assert (await store.expire(NOON + HOUR_MS, KEEP)).clock_ahead_ms == 0
            assert (await store.stats()).entries == 1

    run(story())


def test_a_clock_ahead_after_a_quiet_month_deletes_nothing(engine: Engine) -> None:
    async def story() -> None:
        async with engine.store() as store:
            await store.add(entry(1, NOON), b"c")
            for day in range(30):
                assert (await store.expire(NOON + day * DAY_MS, KEEP)).clock_ahead_ms == 0
            found = await store.expire(NOON + 1000 * DAY_MS, KEEP)
            assert (found.deleted, found.clock_ahead_ms) == (0, 971 * DAY_MS)

    run(story())


def test_a_clock_that_stays_ahead_for_a_day_is_believed(engine: Engine) -> None:
    async def story() -> None:
        async with engine.store() as store:
            await store.add(entry(1, NOON), b"c")
            await store.expire(NOON, KEEP)
            late = NOON + 100 * DAY_MS  # stopped for that long
            for hour in range(24):
                found = await store.expire(late + hour * HOUR_MS, KEEP)
                assert (found.deleted, found.clock_ahead_ms > 0) == (0, True)
            found = await store.expire(late + DAY_MS, KEEP)
            assert (found.deleted, found.clock_ahead_ms) == (1, 0)

    run(story())


def test_two_short_errors_do_not_add_up(engine: Engine) -> None:
    async def story() -> None:
        async with engine.store() as store:
            await store.add(entry(1, NOON), b"c")
            await store.expire(NOON, KEEP)
            await store.expire(NOON + 400 * DAY_MS, KEEP)
            await store.expire(NOON + HOUR_MS, KEEP)  # put right: the doubt is over
            found = await store.expire(NOON + 402 * DAY_MS, KEEP)
            assert found.deleted == 0
            assert (await store.stats()).entries == 1

    run(story())


def test_a_clock_put_back_keeps_retention_going(engine: Engine) -> None:
    async def story() -> None:
        async with engine.store() as store:
            await store.add(entry(1, NOON), b"c")
            await store.expire(NOON, KEEP)
            await store.expire(NOON + 400 * DAY_MS, KEEP)
            await store.expire(NOON + 401 * DAY_MS, KEEP)  # believed, wrongly, after a day
            await store.add(entry(2, NOON + DAY_MS), b"c")
            assert (await store.expire(NOON + 2 * DAY_MS, KEEP)).clock_ahead_ms == 0
            found = await store.expire(NOON + 400 * DAY_MS, KEEP)  # and doubted again from there
            assert (found.deleted, found.clock_ahead_ms) == (0, 398 * DAY_MS)

    run(story())


@pytest.mark.parametrize("hours", [1, 24])
def test_ordinary_passes_delete_on_the_day(engine: Engine, hours: int) -> None:
    async def story() -> None:
        async with engine.store() as store:
            await store.add(entry(1, NOON), b"c")
            deleted = [
                (await store.expire(NOON + passed * hours * HOUR_MS, KEEP)).deleted
                for passed in range(92 * 24 // hours)
            ]
            assert deleted.index(1) * hours == 90 * 24 + hours

    run(story())
