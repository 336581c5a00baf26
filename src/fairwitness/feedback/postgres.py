"""Feedback in PostgreSQL: many machines, one set of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from fairwitness.feedback import rules
from fairwitness.feedback.interface import Entry, Limits, Refusal, Stats
from fairwitness.feedback.rules import Rule, TurnedAway
from fairwitness.store import Migrations
from fairwitness.store.postgres import PostgresStore

Answer = TypeVar("Answer")


class PostgresFeedback:
    """Runs the rules on one database, each in a transaction of its own."""

    def __init__(self, url: str, limits: Limits) -> None:
        """Name the database; it is connected, and its tables made where missing, on first use."""
        migrations = Migrations.packaged(
            "feedback", "schema_postgres", "fairwitness feedback migrate"
        )
        self._store = PostgresStore(url, migrations)
        self._limits = limits

    async def open(self, *, upgrade: bool = False) -> None:
        await self._store.open(upgrade=upgrade)

    async def close(self) -> None:
        await self._store.close()

    async def add(self, entry: Entry, caller: bytes) -> Refusal | None:
        try:
            await self._run(rules.add(entry, caller, self._limits))
        except TurnedAway as away:
            return away.refusal
        return None

    async def page(
        self, *, start: str = "", oldest_first: bool = False, category: str = "", limit: int = 100
    ) -> list[Entry]:
        return await self._run(rules.page(start, oldest_first, category, limit))

    async def get(self, feedback_id: str) -> Entry | None:
        return await self._run(rules.get(feedback_id))

    async def delete(self, feedback_ids: Sequence[str]) -> int:
        return await self._run(rules.delete(feedback_ids))

    async def delete_before(self, received_ms: int) -> int:
        return await self._run(rules.delete_before(received_ms))

    async def stats(self) -> Stats:
        return await self._run(rules.stats(self._limits))

    async def _run(self, rule: Rule[Answer]) -> Answer:
        async with self._store.connection() as connection, connection.transaction():
            # Whoever is told "kept" is told so after the disk has it, whatever the server's default.
            await connection.execute("SET LOCAL synchronous_commit = on")
            return await _steps(connection, rule)


async def _steps(connection: Any, rule: Rule[Answer]) -> Answer:
    try:
        statement, values = next(rule)
        while True:
            rows = await connection.fetch(statement, *values)
            statement, values = rule.send([tuple(row) for row in rows])
    except StopIteration as end:
        answer: Answer = end.value
        return answer
