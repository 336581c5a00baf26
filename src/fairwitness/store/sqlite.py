"""A SQLite file behind one writer thread: durable commits, many jobs a commit, safe among processes.

Work is a plain function over a connection. It runs inside a transaction it neither begins nor
ends; where it raises, its own changes alone are undone.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from fairwitness.store import mark
from fairwitness.store.batching import Batcher
from fairwitness.store.errors import SchemaMismatch, StoreUnavailable
from fairwitness.store.file_watch import FileWatch
from fairwitness.store.migrations import CREATE_VERSIONS, VERSIONS_TABLE, Migrations, statements
from fairwitness.store.savepoints import Work, run_all
from fairwitness.store.wal import LogAudit

Answer = TypeVar("Answer")

# Checking the whole log takes some milliseconds, so that not every commit does it.
AUDIT_EVERY_S = 1.0
# Nine seconds in all, which is less than admission waits for the ledger.
BUSY_FACTOR = 3
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class SqliteStore:
    """One file, opened on first use and again after a fault."""

    def __init__(
        self,
        path: Path,
        migrations: Migrations,
        *,
        make: bool = True,
        lock_timeout_s: float = 3.0,
    ) -> None:
        """Name the file and its schema; a lock held longer than `lock_timeout_s` is a fault.

        While other processes commit it is waited for `BUSY_FACTOR` times as long.

        One store a file in a process: closing a second one would end the first one's locks.
        Where it is missing it is made, once: a file that was there and is gone is a fault, for an
        empty one in its place would know nothing of what was kept. Without `make`, it must be there.
        """
        self._path = path
        self._migrations = migrations
        self._make = make
        self._lock_timeout_s = lock_timeout_s
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._writes_to = FileWatch(path)
        self._reads_from = FileWatch(path)
        self._mark = mark.Mark(path)
        self._committed: int | None = None
        self._audit = LogAudit(path)
        self._audited = float("-inf")
        self._log_damaged = self._corrupt = False
        self._upgrade = False
        self._ready = False
        self._write_thread = ThreadPoolExecutor(1, "sqlite-write")
        self._read_thread = ThreadPoolExecutor(1, "sqlite-read")
        self._batcher: Batcher[Work[Any], Any] = Batcher(self._execute)

    async def open(self, *, upgrade: bool = False) -> None:
        """Open and check the file now rather than on first use; `upgrade` migrates an older one."""
        self._upgrade = upgrade
        await self.write(lambda _: None)
        self._ready = True

    async def write(self, work: Work[Answer]) -> Answer:
        """Run `work` in a durable transaction, shared with the work that waits beside it."""
        answer: Answer = await self._batcher.submit(work)
        return answer

    async def read(self, work: Work[Answer]) -> Answer:
        """Run `work` on a connection that only reads, never waiting for writers."""
        if not self._ready:
            await self.open()
        return await asyncio.get_running_loop().run_in_executor(
            self._read_thread, self._read_now, work
        )

    async def close(self) -> None:
        """Finish what was submitted and close the file."""
        await self._batcher.drained()
        loop = asyncio.get_running_loop()
        if self._log_damaged:
            # The last to close copies the log into the file, unless it may only read.
            await loop.run_in_executor(self._read_thread, self._hold_open)
            await loop.run_in_executor(self._write_thread, self._drop_writer)
        await loop.run_in_executor(self._read_thread, self._drop_reader)
        await loop.run_in_executor(self._write_thread, self._drop_writer)
        self._write_thread.shutdown()
        self._read_thread.shutdown()
        for held in (self._writes_to, self._reads_from, self._audit, self._mark):
            held.end()

    async def _execute(self, works: list[Work[Any]]) -> list[Any]:
        return await asyncio.get_running_loop().run_in_executor(
            self._write_thread, self._commit, works
        )

    def _commit(self, works: list[Work[Any]]) -> list[Any]:
        committing = False
        try:
            connection = self._connected()
            self._forget(connection, self._writes_to)
            self._when_free(connection, "BEGIN IMMEDIATE")
            self._check_log(connection)
            number = self._number(connection)
            answers = run_all(connection, works)
            committing = connection.in_transaction
            if committing:
                connection.execute("COMMIT")
                self._committed = number
                self._mark.write(number)
        except (sqlite3.Error, OSError) as error:
            self._note(error)
            self._drop_writer()
            message = f"{self._path.name}: {error}"
            raise StoreUnavailable(message, maybe_done=committing) from error
        except SchemaMismatch:
            self._drop_writer()
            raise
        return answers

    def _read_now(self, work: Work[Answer]) -> Answer:
        if self._log_damaged:
            raise StoreUnavailable(f"{self._path.name}: its log was overwritten")
        try:
            if not self._reads_from.unchanged():
                self._drop_reader()
            if self._reader is None:
                self._reads_from.begin()
                self._reader = self._connect("ro")
            self._forget(self._reader, self._reads_from)
            return work(self._reader)
        except (sqlite3.Error, OSError) as error:
            self._note(error)
            self._drop_reader()
            raise StoreUnavailable(f"{self._path.name}: {error}") from error

    def _connected(self) -> sqlite3.Connection:
        if not self._writes_to.unchanged():
            self._drop_writer()
        if self._writer is not None:
            return self._writer
        if self._make:
            self._make_file()
        # SQLite would open it for reading, and leave a log beside it that stays unwritable when the
        # file no longer is.
        if self._path.exists() and not os.access(self._path, os.W_OK, effective_ids=True):
            raise PermissionError("it cannot be written")
        self._writer = self._connect("rw")
        # Two that turn to the log at once would deadlock, so SQLite refuses one without waiting.
        self._when_free(self._writer, "PRAGMA journal_mode = WAL")
        # FULL: a commit has reached the disk before anyone is told of it.
        self._writer.execute("PRAGMA synchronous = FULL")
        self._writer.execute("PRAGMA busy_timeout = 0")
        self._migrate(self._writer)
        # The mark before the file: another process may commit between the two, and is not a loss.
        noted = self._mark.read()
        self._expect(0 if noted is None else mark.behind(_version(self._writer), noted))
        self._writes_to.begin()
        self._make = False
        return self._writer

    def _make_file(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # It may hold hashes of callers: its owner's alone from the first byte. One that is there is
        # not opened: closing it again would end the locks our other connection holds on it.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))

    def _connect(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=self._lock_timeout_s,
            isolation_level=None,
            check_same_thread=False,
        )

    def _forget(self, connection: sqlite3.Connection, watch: FileWatch) -> None:
        # What was read before may no longer be what the files say: every page is read, and checked
        # by SQLite, again. Not closed on this fault: the last to close would write over the file.
        if not watch.intact():
            raise StoreUnavailable(f"{self._path.name}: it was overwritten")
        connection.execute("PRAGMA shrink_memory")
        # Where a page was found broken, whoever does not meet it would go on as if all were well.
        if self._corrupt:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise sqlite3.DatabaseError("database disk image is malformed")
            self._corrupt = False

    def _note(self, error: Exception) -> None:
        if isinstance(error, sqlite3.Error):
            self._corrupt |= getattr(error, "sqlite_errorcode", 0) & 0xFF in _CORRUPT

    def _check_log(self, connection: sqlite3.Connection) -> None:
        if not self._log_damaged and time.monotonic() - self._audited < AUDIT_EVERY_S:
            return
        self._log_damaged = not self._audit.intact()
        self._audited = time.monotonic()
        if self._log_damaged:
            connection.execute("ROLLBACK")
            raise StoreUnavailable(f"{self._path.name}: its log was overwritten")

    def _number(self, connection: sqlite3.Connection) -> int:
        found = _version(connection)
        self._expect(0 if self._committed is None else mark.behind(found, self._committed))
        number = mark.after(found)
        connection.execute(f"PRAGMA user_version = {number}")
        return number

    def _expect(self, missing: int) -> None:
        if missing:
            raise sqlite3.DatabaseError(
                f"{missing} commit{'' if missing == 1 else 's'} that were made are missing: restore the file"
                f" and its log, or remove {self._mark.path.name} to go on without them"
            )

    def _hold_open(self) -> None:
        with contextlib.suppress(sqlite3.Error, OSError):
            self._reader = self._reader or self._connect("ro")
            self._reader.execute("SELECT count(*) FROM sqlite_master").fetchone()

    def _when_free(self, connection: sqlite3.Connection, statement: str) -> None:
        # SQLite's own waiting (switched off once connected) backs off to 100 ms, which starves a process
        # among busy others.
        give_up = time.monotonic() + self._lock_timeout_s
        at_last = time.monotonic() + self._lock_timeout_s * BUSY_FACTOR
        seen = self._mark.noted()
        while True:
            try:
                connection.execute(statement)
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                # Waiters are not served in turn, and a holder's own process may be short of processor time:
                # where commits go on, the store is busy and not stuck, and this one's turn will come.
                if time.monotonic() > give_up:
                    before, seen = seen, self._mark.noted()
                    if seen == before or time.monotonic() > at_last:
                        raise
                    give_up = time.monotonic() + self._lock_timeout_s
            time.sleep(random.uniform(0.0002, 0.001))  # noqa: S311 - spreads waiters, guards nothing

    def _migrate(self, connection: sqlite3.Connection) -> None:
        self._when_free(connection, "BEGIN IMMEDIATE")
        try:
            connection.execute(CREATE_VERSIONS)
            row = connection.execute(
                f"SELECT version FROM {VERSIONS_TABLE} WHERE room = ?",  # noqa: S608 - a constant
                (self._migrations.room,),
            ).fetchone()
            found = None if row is None else int(row[0])
            if found is None and not self._make:
                raise sqlite3.DatabaseError(f"it contains no {self._migrations.room} tables")
            steps = self._migrations.pending(found, upgrade=self._upgrade)
            for statement in (part for step in steps for part in statements(step)):
                connection.execute(statement)
            if steps:
                connection.execute(
                    f"INSERT OR REPLACE INTO {VERSIONS_TABLE} VALUES (?, ?)",  # noqa: S608
                    (self._migrations.room, self._migrations.version),
                )
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _drop_writer(self) -> None:
        # Closing rolls back whatever is open; the next work starts from a fresh connection.
        if self._writer is not None:
            self._writer.close()
        self._writer = None

    def _drop_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
        self._reader = None


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
