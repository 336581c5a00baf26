"""Both stores: schemas made, refused and upgraded; faults told apart; nothing half done."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from fairwitness.store import Migrations, SchemaMismatch, StoreUnavailable
from fairwitness.store import sqlite as sqlite_store
from fairwitness.store.key_file import read_or_make
from fairwitness.store.postgres import PostgresStore
from fairwitness.store.sqlite import BUSY_FACTOR, SqliteStore

ONE = Migrations("notes", ("CREATE TABLE note (n INTEGER);",), "notes upgrade")
TWO = Migrations("notes", (*ONE.steps, "ALTER TABLE note ADD COLUMN t TEXT;"), "notes upgrade")
OTHER = Migrations("others", ("CREATE TABLE other (n INTEGER);",), "others upgrade")
BROKEN = Migrations("notes", (*ONE.steps, "CREATE TABLE half (n INTEGER); CREATE nonsense;"), "x")


@pytest.fixture
def place(database_url: str) -> str:
    """The address where a database has one, else its file."""
    return database_url.removeprefix("sqlite:///")


@asynccontextmanager
async def opened(place: str, migrations: Migrations, **how: Any) -> AsyncIterator[Any]:
    store: Any = (
        PostgresStore(place, migrations)
        if place.startswith("postgres")
        else SqliteStore(Path(place), migrations)
    )
    try:
        await store.open(**how)
        yield store
    finally:
        await store.close()


async def columns(place: str, table: str) -> list[str]:
    if place.startswith("postgres"):
        connection = await asyncpg.connect(place)
        rows = await connection.fetch(
            "SELECT column_name FROM information_schema.columns WHERE table_name = $1", table
        )
        await connection.close()
        return sorted(row[0] for row in rows)
    with contextlib.closing(sqlite3.connect(place)) as database:
        return sorted(row[1] for row in database.execute(f"PRAGMA table_info({table})"))


def test_an_empty_database_gets_every_step_once(place: str) -> None:
    async def story() -> None:
        for _ in range(2):
            async with opened(place, TWO):
                pass
        assert await columns(place, "note") == ["n", "t"]

    asyncio.run(story())


def test_an_older_schema_is_an_error_until_it_is_upgraded(place: str) -> None:
    async def story() -> None:
        async with opened(place, ONE):
            pass
        with pytest.raises(SchemaMismatch, match=r"version 1, this program needs 2.*notes upgrade"):
            async with opened(place, TWO):
                pass
        assert await columns(place, "note") == ["n"]
        async with opened(place, TWO, upgrade=True):
            pass
        assert await columns(place, "note") == ["n", "t"]

    asyncio.run(story())


def test_a_newer_schema_is_an_error_and_untouched(place: str) -> None:
    async def story() -> None:
        async with opened(place, TWO):
            pass
        for upgrade in (False, True):
            with pytest.raises(SchemaMismatch, match="version 2, newer than this program's 1"):
                async with opened(place, ONE, upgrade=upgrade):
                    pass

    asyncio.run(story())


def test_rooms_that_share_a_database_have_versions_of_their_own(place: str) -> None:
    async def story() -> None:
        async with opened(place, TWO), opened(place, OTHER):
            pass
        assert await columns(place, "other") == ["n"]

    asyncio.run(story())


def test_many_openers_at_once_make_one_schema(place: str) -> None:
    async def story() -> None:
        async def one() -> None:
            async with opened(place, TWO):
                pass

        await asyncio.gather(*(one() for _ in range(6)))
        assert await columns(place, "note") == ["n", "t"]

    asyncio.run(story())


def test_a_commit_of_another_while_opening_is_no_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(tmp_path / "s")

    async def commit() -> None:
        async with opened(place, ONE) as store:
            await store.write(insert(1))

    asyncio.run(commit())
    read = sqlite_store._version
    met: list[int] = []

    def overtaken(connection: sqlite3.Connection) -> int:
        number = read(connection)
        if not met:
            met.append(number)
            other = threading.Thread(target=asyncio.run, args=(commit(),))
            other.start()
            other.join()
        return number

    monkeypatch.setattr(sqlite_store, "_version", overtaken)
    asyncio.run(commit())
    assert met


def test_a_migration_that_breaks_leaves_nothing_behind(place: str) -> None:
    async def story() -> None:
        async with opened(place, ONE):
            pass
        with pytest.raises(StoreUnavailable):
            async with opened(place, BROKEN, upgrade=True):
                pass
        assert await columns(place, "half") == []
        async with opened(place, ONE):
            pass

    asyncio.run(story())


def insert(number: int) -> Any:
    return lambda db: db.execute("INSERT INTO note VALUES (?)", (number,)).rowcount


def count(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM note").fetchone()[0])


def test_work_that_raises_undoes_its_own_changes_alone(tmp_path: Path) -> None:
    def spoiled(db: sqlite3.Connection) -> None:
        insert(2)(db)
        raise KeyError("mine")

    async def story() -> None:
        async with opened(str(tmp_path / "s"), ONE) as store:
            found = await asyncio.gather(
                *map(store.write, [insert(1), spoiled, insert(3)]), return_exceptions=True
            )
            assert [type(one) for one in found] == [int, KeyError, int]
            assert await store.read(count) == 2

    asyncio.run(story())


def test_a_locked_file_is_unavailable_for_writing_and_still_read(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / "s", ONE, lock_timeout_s=0.3)
        await store.open()
        other = sqlite3.connect(tmp_path / "s", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        before = time.monotonic()
        with pytest.raises(StoreUnavailable, match="locked") as caught:
            await store.write(insert(1))
        assert time.monotonic() - before >= 0.3
        assert not caught.value.maybe_done
        assert await store.read(count) == 0
        other.execute("ROLLBACK")
        other.close()
        await store.write(insert(1))
        assert await store.read(count) == 1
        await store.close()

    asyncio.run(story())


@pytest.mark.parametrize(("held_s", "in_vain"), [(0.7, False), (30.0, True)])
def test_a_file_that_others_go_on_committing_to_is_waited_for_longer(
    tmp_path: Path, held_s: float, in_vain: bool
) -> None:
    # Another's commits are what its mark shows: here it changes while the lock is never free for us.
    async def commits(seconds: float) -> None:
        ends, number = time.monotonic() + seconds, 0
        while time.monotonic() < ends:
            number += 1
            (tmp_path / "s-mark").write_bytes(b"%-11d\n" % -number)
            await asyncio.sleep(0.05)

    async def story() -> None:
        store = SqliteStore(tmp_path / "s", ONE, lock_timeout_s=0.3)
        await store.open()
        other = sqlite3.connect(tmp_path / "s", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(store.write(insert(1)))
        before = time.monotonic()
        going_on = asyncio.create_task(commits(held_s))
        await asyncio.wait([going_on, waiting], return_when=asyncio.FIRST_COMPLETED)
        going_on.cancel()
        other.execute("ROLLBACK")
        if in_vain:
            with pytest.raises(StoreUnavailable, match="locked"):
                await waiting
            assert time.monotonic() - before >= 0.3 * BUSY_FACTOR
        else:
            await waiting
            assert time.monotonic() - before > 0.3
            assert await store.read(count) == 1
        other.close()
        await store.close()

    asyncio.run(story())


def test_a_fault_does_not_end_the_locks_that_keep_others_from_the_log(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / "s", ONE, lock_timeout_s=0.1)
        await store.open()
        assert await store.read(count) == 0
        other = sqlite3.connect(tmp_path / "s", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable):
            await store.write(insert(1))
        other.execute("ROLLBACK")
        other.close()
        await store.write(insert(1))
        # Another process that comes and goes must not take the log with it.
        await asyncio.to_thread(
            subprocess.run,
            [
                sys.executable,
                "-c",
                "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]);"
                "d.execute('INSERT INTO note VALUES (2)'); d.commit(); d.close()",
                str(tmp_path / "s"),
            ],
            check=True,
        )
        assert (tmp_path / "s-wal").exists()
        await store.write(insert(3))
        assert await store.read(count) == 3
        await store.close()

    asyncio.run(story())


def test_a_file_taken_away_is_unavailable_until_it_is_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "s"), ONE) as store:
            await store.write(insert(1))
            assert await store.read(count) == 1
            (tmp_path / "away").mkdir()
            for name in ("s", "s-wal", "s-shm"):
                (tmp_path / name).rename(tmp_path / "away" / name)
            for _ in range(2):
                with pytest.raises(StoreUnavailable):
                    await store.write(insert(2))
                with pytest.raises(StoreUnavailable):
                    await store.read(count)
            assert not (tmp_path / "s").exists()
            for file in (tmp_path / "away").iterdir():
                file.rename(tmp_path / file.name)
            await store.write(insert(3))
            assert await store.read(count) == 2

    asyncio.run(story())


def test_an_empty_file_in_its_place_is_not_taken_for_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "s"), ONE) as store:
            await store.write(insert(1))
            for name in ("s", "s-wal", "s-shm"):
                (tmp_path / name).unlink()
            (tmp_path / "s").touch()
            with pytest.raises(StoreUnavailable, match="it contains no notes tables"):
                await store.write(insert(2))

    asyncio.run(story())


def test_a_file_cut_short_is_unavailable(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "s"), ONE) as store:
            await store.write(insert(1))
            with contextlib.closing(sqlite3.connect(tmp_path / "s")) as other:
                other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (tmp_path / "s").write_bytes(b"not a database")
            with pytest.raises(StoreUnavailable):
                await store.write(insert(2))

    asyncio.run(story())


def overwrite(path: Path) -> bytes:
    """Fill a file with noise where it stands, as a stray writer would; return what it held."""
    held = path.read_bytes()
    with path.open("r+b") as file:
        file.write(os.urandom(len(held)))
    return held


@pytest.mark.parametrize("suffix", ["", "-wal"])
@pytest.mark.parametrize("checkpoint", [False, True])
def test_a_file_overwritten_in_place_is_unavailable_until_it_is_put_back(
    tmp_path: Path, suffix: str, checkpoint: bool
) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "s"), ONE) as store:
            await store.write(insert(1))
            if checkpoint:
                with contextlib.closing(sqlite3.connect(tmp_path / "s")) as other:
                    other.execute("PRAGMA wal_checkpoint")
                await store.write(insert(2))
            assert await store.read(count) == 1 + checkpoint
            held = overwrite(tmp_path / f"s{suffix}")
            for _ in range(3):
                with pytest.raises(StoreUnavailable):
                    await store.write(insert(3))
                with pytest.raises(StoreUnavailable):
                    await store.read(count)
            with (tmp_path / f"s{suffix}").open("r+b") as file:
                file.write(held)
            await store.write(insert(3))
            assert await store.read(count) == 2 + checkpoint

    asyncio.run(story())


def test_pages_overwritten_behind_the_header_are_not_answered_from_memory(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "s"), ONE) as store:
            await store.write(insert(1))
            assert await store.read(count) == 1
            with contextlib.closing(sqlite3.connect(tmp_path / "s")) as other:
                other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            assert (await store.write(count), await store.read(count)) == (1, 1)
            with (tmp_path / "s").open("r+b") as file:
                file.seek(4096)
                file.write(os.urandom((tmp_path / "s").stat().st_size - 4096))
            with pytest.raises(StoreUnavailable, match="malformed"):
                await store.write(count)
            with pytest.raises(StoreUnavailable, match="malformed"):
                await store.read(count)

    asyncio.run(story())


def test_a_file_that_must_be_there_is_never_made(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / "s", ONE, make=False)
        with pytest.raises(StoreUnavailable):
            await store.open()
        assert not (tmp_path / "s").exists()
        async with opened(str(tmp_path / "s"), ONE):
            pass
        await store.write(insert(1))
        await store.close()

    asyncio.run(story())


def _fill_the_disk(path: str, told: Any) -> None:
    """Write until the files may not grow, then let them grow again."""

    async def story() -> tuple[int, int, int]:
        store = SqliteStore(Path(path), ONE)
        await store.open()
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
        written = 0
        with contextlib.suppress(StoreUnavailable):
            while written < 100_000:
                await store.write(insert(written))
                written += 1
        with pytest.raises(StoreUnavailable):
            await store.write(lambda db: [insert(n)(db) for n in range(100_000)])
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        found = await store.read(count)
        await store.write(insert(-1))
        after = await store.read(count)
        await store.close()
        return written, found, after

    told.put(asyncio.run(story()))


def test_a_full_disk_is_unavailable_loses_nothing_and_heals(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    process = context.Process(target=_fill_the_disk, args=(str(tmp_path / "s"), told))
    process.start()
    written, found, after = told.get(timeout=60)
    process.join(60)
    assert 0 < written < 100_000
    assert (found, after) == (written, written + 1)


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "deep" / "s"), ONE):
            pass

    asyncio.run(story())
    assert (tmp_path / "deep" / "s").stat().st_mode & 0o777 == 0o600


def test_a_postgres_that_is_not_there_is_unavailable_at_once() -> None:
    async def story() -> None:
        nowhere = "postgresql://postgres@127.0.0.1:1/none"
        store = PostgresStore(nowhere, ONE, connect_timeout_s=3600)
        with pytest.raises(StoreUnavailable) as caught:
            async with asyncio.timeout(60), store.connection():
                pass
        assert not caught.value.maybe_done
        await store.close()

    asyncio.run(story())


def test_a_statement_that_takes_too_long_is_unavailable(postgres_url: str) -> None:
    async def story() -> None:
        store = PostgresStore(postgres_url, ONE, command_timeout_s=0.3)
        with pytest.raises(StoreUnavailable) as caught:
            async with store.connection() as connection:
                await connection.execute("SELECT pg_sleep(30)")
        assert caught.value.maybe_done
        async with store.connection() as connection:
            assert await connection.fetchval("SELECT 1") == 1
        await store.close()

    asyncio.run(story())


def test_a_key_file_is_made_once_by_many(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "key"
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        keys = set(pool.map(read_or_make, [path] * 16))
    assert len(keys) == 1
    assert len(keys.pop()) == 32
    assert os.listdir(path.parent) == ["key"]
    path.write_bytes(b"short")
    with pytest.raises(StoreUnavailable, match="shorter"):
        read_or_make(path)


def test_a_connection_lost_in_the_middle_of_a_message_is_told(postgres_url: str) -> None:
    async def story() -> None:
        async with opened(postgres_url, ONE) as store:
            with pytest.raises(StoreUnavailable, match="another operation") as told:
                async with store.connection():
                    # As asyncpg says it where the server was killed; when it does is chance.
                    raise asyncpg.InternalClientError("another operation (2) is in progress")
            assert told.value.maybe_done

    asyncio.run(story())
