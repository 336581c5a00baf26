"""Feedback on both engines: what was kept comes back equal, bounds hold under load, deletion deletes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairwitness.feedback import DAY_MS, Entry, Refusal
from fairwitness.feedback.interface import ROW_OVERHEAD
from fairwitness.service.ids_and_times import new_id
from fairwitness.settings.databases import Database
from fairwitness.store import SchemaMismatch
from tests.feedback.conftest import Engine

NOON = 1_767_268_800_000
ME, YOU = b"m" * 16, b"y" * 16
Run = Callable[[Coroutine[Any, Any, Any]], Any]

ODD_TEXTS = [
    "\0",
    "a\0b\0",
    "\u0301",
    "\u200d",
    "\ufffe\uffff",
    "\U0010ffff",
    "\u202eabc",
    "\x1b[2J\x07",
    "'; DROP TABLE feedback; --",
    "$1 %s ? :name {0} \\",
    "=HYPERLINK(1)",
    "é" * 2000,
]


def entry(message: str = "It works.", at: int = NOON, **fields: Any) -> Entry:
    return Entry(
        feedback_id=new_id(),
        received_ms=at,
        category=fields.pop("category", "other"),
        message=message,
        **fields,
    )


def test_what_was_kept_comes_back_equal(engine: Engine, run: Run) -> None:
    given_entries = [
        entry(text, request_id=text[:64], rating=rating, contact=text.encode()[:40] or b"x")
        for rating, text in enumerate(ODD_TEXTS, 1)
        for rating in [rating % 5 + 1]
    ] + [entry()]

    async def story() -> None:
        async with engine.store() as store:
            for one in given_entries:
                assert await store.add(one, ME) is None
        async with engine.store() as store:
            for one in given_entries:
                assert await store.get(one.feedback_id) == one
            assert await store.page(limit=1000) == given_entries[::-1]
            assert await store.page(limit=1000, oldest_first=True) == given_entries

    run(story())


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(message=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_any_text_survives(engine: Engine, message: str) -> None:
    async def story() -> Entry | None:
        async with engine.store() as store:
            one = entry(message, request_id=message)
            await store.add(one, ME)
            found = await store.get(one.feedback_id)
            assert found == one
            return found

    assert asyncio.run(story()) is not None


def test_pages_walk_everything_once(engine: Engine, run: Run) -> None:
    async def story() -> None:
        async with engine.store() as store:
            ids = []
            for number in range(25):
                one = entry(str(number), category="bug" if number % 5 == 0 else "other")
                await store.add(one, ME)
                ids.append(one.feedback_id)
            seen: list[str] = []
            start = ""
            while page := await store.page(start=start, oldest_first=True, limit=7):
                seen += [one.feedback_id for one in page]
                start = page[-1].feedback_id
            assert seen == ids
            newest = await store.page(limit=3)
            assert [one.feedback_id for one in newest] == ids[:-4:-1]
            older = await store.page(start=newest[-1].feedback_id, limit=2)
            assert [one.feedback_id for one in older] == ids[-4:-6:-1]
            bugs = await store.page(category="bug")
            assert [one.message for one in bugs] == ["20", "15", "10", "5", "0"]

    run(story())


def test_a_caller_may_send_so_much_in_any_day(engine: Engine, run: Run) -> None:
    async def story() -> None:
        async with engine.store(per_day=2) as store:
            assert await store.add(entry(at=NOON), ME) is None
            assert await store.add(entry(at=NOON + 60_000), ME) is None
            refusal = await store.add(entry(at=NOON + 120_500), ME)
            assert refusal == Refusal("quota", DAY_MS // 1000 - 120)
            assert await store.add(entry(at=NOON + 120_500), YOU) is None
            # The window slides: the first falls out of it, the second does not.
            assert await store.add(entry(at=NOON + DAY_MS), ME) is None
            assert await store.add(entry(at=NOON + DAY_MS + 1), ME) == Refusal("quota", 60)
            assert (await store.stats()).entries == 4

    run(story())


def test_deleting_does_not_give_a_caller_more(engine: Engine, run: Run) -> None:
    async def story() -> None:
        async with engine.store(per_day=1) as store:
            one = entry()
            await store.add(one, ME)
            await store.delete([one.feedback_id])
            assert isinstance(await store.add(entry(), ME), Refusal)

    run(story())


def test_nobody_may_send_where_none_is_allowed(engine: Engine, run: Run) -> None:
    async def story() -> None:
        async with engine.store(per_day=0) as store:
            assert await store.add(entry(), ME) == Refusal("quota", None)

    run(story())


def test_all_feedback_together_is_bounded_and_frees_its_room(engine: Engine, run: Run) -> None:
    async def story() -> None:
        room = 3 * (ROW_OVERHEAD + 100)
        async with engine.store(max_bytes=room) as store:
            kept = [entry("x" * 100) for _ in range(3)]
            for one in kept:
                assert await store.add(one, ME) is None
            assert await store.add(entry("x"), ME) == Refusal("full", None)
            assert (await store.stats()).bytes == room
            assert await store.delete([kept[0].feedback_id, "unknown"]) == 1
            assert await store.add(entry("x"), ME) is None
            assert await store.delete_before(NOON + 1) == 3
            assert (await store.stats()).bytes == 0

    run(story())


def test_bounds_hold_when_many_send_at_once(engine: Engine, run: Run) -> None:
    async def story() -> None:
        async with (
            engine.store(per_day=5, max_bytes=20 * (ROW_OVERHEAD + 1)) as one,
            engine.store(per_day=5, max_bytes=20 * (ROW_OVERHEAD + 1)) as other,
        ):
            answers = await asyncio.gather(
                *(
                    (one, other)[number % 2].add(entry("x"), bytes([number % 10]) * 16)
                    for number in range(100)
                )
            )
            assert answers.count(None) == 20
            assert (await one.stats()).entries == 20
            pages = await one.page(limit=1000)
            assert len({found.feedback_id for found in pages}) == 20

    run(story())


def test_one_caller_among_many_stays_in_its_bound(engine: Engine, run: Run) -> None:
    async def story() -> None:
        async with engine.store(per_day=7) as one, engine.store(per_day=7) as other:
            answers = await asyncio.gather(
                *((one, other)[number % 2].add(entry(), ME) for number in range(40))
            )
            assert answers.count(None) == 7

    run(story())


def test_old_feedback_goes_with_its_contact(engine: Engine, run: Run) -> None:
    async def story() -> None:
        async with engine.store() as store:
            old = entry(at=NOON - 1, contact=b"sealed")
            new = entry(at=NOON, contact=b"sealed")
            await store.add(old, ME)
            await store.add(new, ME)
            assert await store.delete_before(NOON) == 1
            assert await store.get(old.feedback_id) is None
            assert (await store.stats()).with_contact == 1
            assert await store.delete([new.feedback_id, new.feedback_id]) == 1
            found = await store.stats()
            assert (found.entries, found.with_contact, found.bytes) == (0, 0, 0)

    run(story())


def test_numbers_are_counted(engine: Engine, run: Run) -> None:
    async def story() -> None:
        async with engine.store(max_bytes=10**6) as store:
            empty = await store.stats()
            assert (empty.entries, empty.oldest_ms, empty.by_rating) == (0, None, {})
            await store.add(entry(at=NOON, rating=5, category="bug"), ME)
            await store.add(entry(at=NOON + 9, rating=5), ME)
            await store.add(entry(at=NOON + 5, rating=1, contact=b"c"), ME)
            found = await store.stats()
            assert (found.entries, found.with_contact) == (3, 1)
            assert (found.oldest_ms, found.newest_ms) == (NOON, NOON + 9)
            assert found.by_category == {"bug": 1, "other": 2}
            assert found.by_rating == {1: 1, 5: 2}
            assert 0 < found.bytes < found.max_bytes == 10**6

    run(story())


def test_deleted_text_is_gone_from_the_file(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "feedback.sqlite3"
    engine = Engine(Database.at(None, file))
    secret = "deleted-and-never-seen-again"

    async def story() -> None:
        async with engine.store() as store:
            one = entry(secret * 20)
            await store.add(one, ME)
            await store.add(entry("something else"), ME)
            await store.delete([one.feedback_id])

    run(story())
    files = [path.read_bytes() for path in tmp_path.iterdir()]
    assert files
    assert not any(secret.encode() in content for content in files)


def test_the_file_stays_within_its_bound(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "feedback.sqlite3"
    engine = Engine(Database.at(None, file))
    bound = 512 * 1024

    async def story() -> None:
        async with engine.store(per_day=10**6, max_bytes=bound) as store:
            kept = 0
            while await store.add(entry("x", rating=3, contact=b"c" * 60), ME) is None:
                kept += 1
            assert kept > 500

    run(story())
    assert (tmp_path / "feedback.sqlite3").stat().st_size <= bound


def test_the_file_is_its_owners_alone(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "feedback.sqlite3"
    engine = Engine(Database.at(None, file))

    async def story() -> None:
        async with engine.store() as store:
            await store.add(entry(), ME)

    run(story())
    assert (tmp_path / "feedback.sqlite3").stat().st_mode & 0o077 == 0


def test_tables_of_a_newer_program_are_left_alone(tmp_path: Path, run: Run) -> None:
    import sqlite3

    file = tmp_path / "feedback.sqlite3"
    engine = Engine(Database.at(None, file))

    async def keep() -> None:
        async with engine.store() as store:
            await store.add(entry(), ME)

    run(keep())
    with sqlite3.connect(file) as db:
        db.execute("UPDATE fairwitness_schema SET version = 99")
    db.close()
    with pytest.raises(SchemaMismatch, match="newer"):
        run(keep())
