"""Feedback in a SQLite file of its own: one machine, all its workers."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from fairwitness.feedback import rules
from fairwitness.feedback.interface import Entry, Limits, Refusal, Stats
from fairwitness.feedback.rules import Rule, TurnedAway
from fairwitness.store import Migrations
from fairwitness.store.sqlite import SqliteStore

Answer = TypeVar("Answer")


class SqliteFeedback:
    """Runs the rules on one file, each in a transaction under the file's write lock."""

    def __init__(self, path: Path, limits: Limits) -> None:
        """Name the file; it is opened, and made where missing, on first use."""
        migrations = Migrations.packaged(
            "feedback", "schema_sqlite", "fairwitness feedback migrate"
        )
        self._store = SqliteStore(path, migrations)
        self._limits = limits

    async def open(self, *, upgrade: bool = False) -> None:
        await self._store.open(upgrade=upgrade)

    async def close(self) -> None:
        await self._store.close()

    async def add(self, entry: Entry, caller: bytes) -> Refusal | None:
        try:
            await self._write(rules.add(entry, caller, self._limits))
        except TurnedAway as away:
            return away.refusal
        return None

    async def page(
        self, *, start: str = "", oldest_first: bool = False, category: str = "", limit: int = 100
    ) -> list[Entry]:
        return await self._read(rules.page(start, oldest_first, category, limit))

    async def get(self, feedback_id: str) -> Entry | None:
        return await self._read(rules.get(feedback_id))

    async def delete(self, feedback_ids: Sequence[str]) -> int:
        return await self._write(rules.delete(feedback_ids))

    async def delete_before(self, received_ms: int) -> int:
        return await self._write(rules.delete_before(received_ms))

    async def stats(self) -> Stats:
        return await self._read(rules.stats(self._limits))

    async def _write(self, rule: Rule[Answer]) -> Answer:
        def work(db: sqlite3.Connection) -> Answer:
            # What was deleted is overwritten, not only unlinked.
            db.execute("PRAGMA secure_delete = ON")
            return _run(db, rule)

        return await self._store.write(work)

    async def _read(self, rule: Rule[Answer]) -> Answer:
        return await self._store.read(lambda db: _run(db, rule))


def _run(db: sqlite3.Connection, rule: Rule[Answer]) -> Answer:
    try:
        statement, values = next(rule)
        while True:
            named = {str(number): value for number, value in enumerate(values, 1)}
            rows = db.execute(statement, named).fetchall()
            statement, values = rule.send(rows)
    except StopIteration as end:
        answer: Answer = end.value
        return answer
