"""Feedback in PostgreSQL: many machines, one set of tables."""

from __future__ import annotations

from typing import Any, TypeVar

from fairwitness.feedback.interface import Limits
from fairwitness.feedback.ruled import RuledFeedback
from fairwitness.feedback.rules import Rule
from fairwitness.settings.databases import Database
from fairwitness.store import Migrations
from fairwitness.store.postgres import PostgresStore

Answer = TypeVar("Answer")


class PostgresFeedback(RuledFeedback):
    """Runs the rules on one database, each in a transaction of its own."""

    def __init__(self, url: str, limits: Limits) -> None:
        """Name the database; it is connected, and its tables made where missing, on first use."""
        migrations = Migrations.packaged(
            "feedback", "schema_postgres", "fairwitness feedback migrate"
        )
        self._store = PostgresStore(url, migrations)
        super().__init__(self._store, limits)

    async def _change(self, rule: Rule[Answer]) -> Answer:
        async with self._store.connection() as connection, connection.transaction():
            # Whoever is told "kept" is told so after the disk has it, whatever the server's default.
            await connection.execute("SET LOCAL synchronous_commit = on")
            return await _run(connection, rule)

    async def _ask(self, rule: Rule[Answer]) -> Answer:
        async with self._store.connection() as connection, connection.transaction():
            return await _run(connection, rule)


async def _run(connection: Any, rule: Rule[Answer]) -> Answer:
    try:
        statement, values = next(rule)
        while True:
            rows = await connection.fetch(statement, *values)
            statement, values = rule.send([tuple(row) for row in rows])
    except StopIteration as end:
        answer: Answer = end.value
        return answer


def open_feedback(database: Database, limits: Limits) -> PostgresFeedback:
    """Return the feedback store at this address."""
    return PostgresFeedback(database.url, limits)
