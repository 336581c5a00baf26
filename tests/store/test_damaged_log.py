"""A write-ahead log that was overwritten is noticed while it is used, and what it lost after a crash."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from fairwitness.store import Migrations, StoreUnavailable
from fairwitness.store import sqlite as sqlite_module
from fairwitness.store.mark import Mark
from fairwitness.store.sqlite import SqliteStore
from fairwitness.store.wal import LogAudit

ONE = Migrations("notes", ("CREATE TABLE note (n INTEGER);",), "notes upgrade")
FRAME = 24 + 4096

WRITER = """
import asyncio, os, signal, sys
from pathlib import Path
from fairwitness.store import Migrations
from fairwitness.store.sqlite import SqliteStore
ONE = Migrations("notes", ("CREATE TABLE note (n INTEGER);",), "notes upgrade")

async def main():
    store = SqliteStore(Path(sys.argv[1]), ONE)
    for number in range(int(sys.argv[2])):
        await store.write(lambda db: db.execute("INSERT INTO note VALUES (?)", (number,)).rowcount)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def crashed_after(path: Path, writes: int) -> None:
    """Write from a process that is killed with its log not yet in the file."""
    subprocess.run([sys.executable, "-c", WRITER, str(path), str(writes)], check=False)


def count(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM note").fetchone()[0])


def insert(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO note VALUES (1)")


def overwrite(path: Path, offset: int, size: int) -> bytes:
    with path.open("r+b") as file:
        file.seek(offset)
        held = file.read(size)
        file.seek(offset)
        file.write(os.urandom(len(held)))
    return held


def put_back(path: Path, offset: int, held: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(held)


def test_a_crash_alone_loses_nothing_and_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "s"
    crashed_after(path, 20)

    async def story() -> int:
        store = SqliteStore(path, ONE)
        found = await store.write(count)
        await store.close()
        return found

    assert asyncio.run(story()) == 20


@pytest.mark.parametrize("frame", [3, 10, -1])
def test_commits_lost_to_a_damaged_log_are_missed_after_a_crash(tmp_path: Path, frame: int) -> None:
    path, log = tmp_path / "s", tmp_path / "s-wal"
    crashed_after(path, 20)
    frames = (log.stat().st_size - 32) // FRAME
    overwrite(log, 32 + (frame % frames) * FRAME + 2000, 100)

    async def story() -> None:
        for _ in range(2):  # and a restart makes it no better
            store = SqliteStore(path, ONE)
            for _ in range(2):
                with pytest.raises(StoreUnavailable, match="missing"):
                    await store.write(insert)
                with pytest.raises(StoreUnavailable):
                    await store.read(count)
            await store.close()
        Mark(path).path.unlink()  # the operator accepts the loss
        store = SqliteStore(path, ONE)
        assert await store.write(count) < 20
        await store.close()

    asyncio.run(story())


def test_an_older_copy_in_its_place_is_missed_too(tmp_path: Path) -> None:
    path = tmp_path / "s"

    async def story() -> None:
        store = SqliteStore(path, ONE)
        await store.write(insert)
        await store.close()
        older = path.read_bytes()
        store = SqliteStore(path, ONE)
        await store.write(insert)
        await store.close()
        path.write_bytes(older)
        store = SqliteStore(path, ONE)
        with pytest.raises(StoreUnavailable, match="missing"):
            await store.write(insert)
        await store.close()

    asyncio.run(story())


@pytest.mark.parametrize("offset", [16, 100, 4000])
def test_a_log_overwritten_while_it_is_used_is_unavailable_until_it_is_put_back(
    tmp_path: Path, offset: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_module, "AUDIT_EVERY_S", 0.0)
    path, log = tmp_path / "s", tmp_path / "s-wal"

    async def story() -> None:
        store = SqliteStore(path, ONE)
        for _ in range(5):
            await store.write(insert)
        # An old frame of a page that newer ones replace: nothing of it is ever read again.
        at = 32 + FRAME + offset
        held = overwrite(log, at, 8)
        for _ in range(3):
            with pytest.raises(StoreUnavailable, match="overwritten"):
                await store.write(insert)
            with pytest.raises(StoreUnavailable):
                await store.read(count)
        put_back(log, at, held)
        await store.write(insert)
        assert await store.read(count) == 6
        await store.close()

    asyncio.run(story())


def test_closing_over_a_damaged_log_copies_nothing_of_it_into_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_module, "AUDIT_EVERY_S", 0.0)
    path, log = tmp_path / "s", tmp_path / "s-wal"

    async def story() -> None:
        store = SqliteStore(path, ONE)
        for _ in range(5):
            await store.write(insert)
        before = path.read_bytes()
        held = overwrite(log, 32 + FRAME + 100, 8)
        with pytest.raises(StoreUnavailable):
            await store.write(insert)
        await store.close()
        assert path.read_bytes() == before
        put_back(log, 32 + FRAME + 100, held)
        store = SqliteStore(path, ONE)
        assert await store.write(count) == 5
        await store.close()

    asyncio.run(story())


def test_the_audit_agrees_with_sqlite_on_logs_of_any_length(tmp_path: Path) -> None:
    path = tmp_path / "s"
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE note (n BLOB)")
    audit = LogAudit(path)
    for size in (1, 5000, 300_000, 3_000_000, 10):  # through more than one checkpoint
        database.execute("INSERT INTO note VALUES (?)", (os.urandom(size),))
        database.execute("BEGIN IMMEDIATE")
        assert audit.intact()
        database.execute("ROLLBACK")
    database.close()
    audit.end()


def test_a_corrupt_page_closes_the_store_for_work_that_does_not_meet_it_too(tmp_path: Path) -> None:
    path = tmp_path / "s"
    two = Migrations("notes", (*ONE.steps, "CREATE TABLE other (n INTEGER);"), "notes upgrade")

    def fill(db: sqlite3.Connection) -> None:
        db.executemany("INSERT INTO note VALUES (?)", [(number,) for number in range(3000)])

    def others(db: sqlite3.Connection) -> int:
        return int(db.execute("SELECT count(*) FROM other").fetchone()[0])

    async def story() -> None:
        store = SqliteStore(path, two)
        await store.write(fill)
        await store.close()
        held = overwrite(path, path.stat().st_size - 4096, 4096)
        store = SqliteStore(path, two)
        assert await store.write(others) == 0  # nobody has met the page yet
        with pytest.raises(StoreUnavailable, match="malformed"):
            await store.write(count)
        for _ in range(3):
            with pytest.raises(StoreUnavailable):
                await store.write(others)
            with pytest.raises(StoreUnavailable):
                await store.read(others)
        put_back(path, path.stat().st_size - 4096, held)
        assert (await store.write(others), await store.read(count)) == (0, 3000)
        await store.close()

    asyncio.run(story())
