"""The ledger in a SQLite file: for one machine, shared by all its worker processes.

Every write holds the file's one write lock from its first read to its commit, so a decision sees
everything decided before it. The clock is the machine's, never let run backwards: the ledger's
time is the latest any process has seen.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from fairwitness.ledger import reporting
from fairwitness.ledger import sqlite_decisions as decisions
from fairwitness.ledger.interface import (
    Admitted,
    Ask,
    Figures,
    Limits,
    Outcome,
    Refusal,
    Report,
    Switch,
)
from fairwitness.ledger.sqlite_decisions import Moment
from fairwitness.settings.databases import Database
from fairwitness.store import Migrations
from fairwitness.store.clock import Clock, system_clock
from fairwitness.store.sqlite import SqliteStore

Answer = TypeVar("Answer")


class SqliteLedger:
    """A ledger over one file."""

    def __init__(
        self, path: Path, limits: Limits, clock: Clock = system_clock, *, make: bool = True
    ) -> None:
        """Name the file; it is opened on first use, and where `make` says so made if missing."""
        migrations = Migrations.packaged("ledger", "schema_sqlite", "fairwitness ledger migrate")
        self._store = SqliteStore(path, migrations, make=make)
        self._limits = limits
        self._clock = clock

    async def open(self, *, upgrade: bool = False) -> None:
        await self._store.open(upgrade=upgrade)

    async def close(self) -> None:
        await self._store.close()

    async def admit(self, ask: Ask) -> Admitted | Refusal:
        limits = replace(self._limits, **ask.quotas)
        return await self._write(lambda moment: decisions.admit(moment, ask, limits))

    async def finish(self, outcome: Outcome) -> None:
        await self._write(lambda moment: decisions.finish(moment, outcome))

    async def renew(self, run_ids: Sequence[bytes], lease_ms: int) -> set[bytes]:
        return await self._write(lambda moment: decisions.renew(moment, run_ids, lease_ms))

    async def switch(self) -> Switch:
        return await self._store.read(decisions.read_switch)

    async def turn_off(self, reason: str, *, cancel: bool) -> Switch:
        return await self._write(lambda moment: decisions.turn(moment, True, reason, cancel))

    async def turn_on(self) -> Switch:
        return await self._write(lambda moment: decisions.turn(moment, False, "", False))

    async def figures(self) -> Figures:
        return (await self._report(reporting.FIGURES)).figures

    async def report(self) -> Report:
        return await self._report(reporting.EVERYTHING)

    async def prune(self) -> int:
        return await self._write(decisions.prune)

    async def accept_clock(self) -> int:
        def accept(moment: Moment) -> int:
            moment.db.execute("UPDATE ledger_gate SET clock_ms = ?", (moment.wall,))
            return moment.now - moment.wall

        return await self._write(accept)

    async def _report(self, names: Sequence[str]) -> Report:
        def ask(moment: Moment) -> Report:
            queries = reporting.queries(names, moment.now)
            rows = {name: moment.db.execute(sql).fetchall() for name, sql in queries.items()}
            return reporting.assemble(rows, self._limits, moment.switch, moment.now, moment.wall)

        return await self._write(ask)

    async def _write(self, work: Callable[[Moment], Answer]) -> Answer:
        def timed(db: sqlite3.Connection) -> Answer:
            return work(decisions.begin(db, self._clock()))

        return await self._store.write(timed)


def open_ledger(
    database: Database, limits: Limits, clock: Clock | None, *, make: bool
) -> SqliteLedger:
    """Return the ledger at this address."""
    assert database.file is not None
    return SqliteLedger(database.file, limits, clock or system_clock, make=make)
