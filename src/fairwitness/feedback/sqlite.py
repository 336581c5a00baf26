"""Feedback in a SQLite file of its own: one machine, all its workers."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TypeVar

from fairwitness.feedback.interface import Limits
from fairwitness.feedback.ruled import RuledFeedback
from fairwitness.feedback.rules import Rule
from fairwitness.settings.databases import Database
from fairwitness.store import Migrations
from fairwitness.store.sqlite import SqliteStore

Answer = TypeVar("Answer")


class SqliteFeedback(RuledFeedback):
    """Runs the rules on one file, each in a transaction under the file's write lock."""

    def __init__(self, path: Path, limits: Limits) -> None:
        """Name the file; it is opened, and made where missing, on first use."""
        migrations = Migrations.packaged(
            "feedback", "schema_sqlite", "fairwitness feedback migrate"
        )
        self._store = SqliteStore(path, migrations)
        super().__init__(self._store, limits)

    async def _change(self, rule: Rule[Answer]) -> Answer:
        def work(db: sqlite3.Connection) -> Answer:
            # What was deleted is overwritten, not only unlinked.
            db.execute("PRAGMA secure_delete = ON")
            return _run(db, rule)

        return await self._store.write(work)

    async def _ask(self, rule: Rule[Answer]) -> Answer:
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


def open_feedback(database: Database, limits: Limits) -> SqliteFeedback:
    """Return the feedback store at this address."""
    assert database.file is not None
    return SqliteFeedback(database.file, limits)
