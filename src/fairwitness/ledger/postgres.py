"""The ledger in PostgreSQL: many machines as one.

The decisions are functions in the database (schema_postgres/), run while one row is locked; this
file gathers what waits and sends it as one call, one transaction, one round trip. The clock is
the database's, the one clock all machines share.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from fairwitness.contract.errors import ErrorCode
from fairwitness.ledger import reporting
from fairwitness.ledger.interface import (
    KEPT,
    Admitted,
    Ask,
    Figures,
    Limits,
    Outcome,
    Refusal,
    Report,
    Switch,
)
from fairwitness.settings.databases import Database
from fairwitness.store import Migrations
from fairwitness.store.batching import Batcher
from fairwitness.store.clock import Clock
from fairwitness.store.postgres import PostgresStore

_SWITCH = "SELECT stopped, reason, changed_ms, cancel_seq FROM ledger_gate"


class PostgresLedger:
    """A ledger over one database; `clock` replaces the database's own in tests."""

    def __init__(self, url: str, limits: Limits, clock: Clock | None = None) -> None:
        """Name the database; it is connected, and its tables made where missing, on first use."""
        migrations = Migrations.packaged("ledger", "schema_postgres", "fairwitness ledger migrate")
        self._store = PostgresStore(url, migrations)
        self._limits = limits
        self._limits_json = json.dumps(asdict(limits))
        self._clock = clock
        self._batcher: Batcher[dict[str, Any], Any] = Batcher(self._step_all)

    async def open(self, *, upgrade: bool = False) -> None:
        await self._store.open(upgrade=upgrade)

    async def close(self) -> None:
        await self._batcher.drained()
        await self._store.close()

    async def admit(self, ask: Ask) -> Admitted | Refusal:
        step = {
            "do": "admit",
            "id": ask.run_id.hex(),
            "caller": ask.caller.hex(),
            "endpoint": ask.endpoint,
            "duplicate": ask.duplicate.hex(),
            "units": ask.units,
            "worst": ask.worst,
            "charges": [[charge.slot, charge.worst] for charge in ask.charges],
            "lease_ms": ask.lease_ms,
        }
        if ask.quotas:
            # Steps that wait together share their limits, so this one goes alone.
            limits = json.dumps(asdict(replace(self._limits, **ask.quotas)))
            async with self._store.connection() as connection:
                (answer,) = await self._steps(connection, [step], limits)
        else:
            answer = await self._batcher.submit(step)
        if "cancel_seq" in answer:
            return Admitted(answer["cancel_seq"])
        return Refusal(ErrorCode(answer["code"]), answer["limit"], answer["retry_after_s"])

    async def finish(self, outcome: Outcome) -> None:
        await self._batcher.submit(
            {
                "do": "finish",
                "id": outcome.run_id.hex(),
                "costs": outcome.costs,
                "frees_duplicate": outcome.frees_duplicate,
                "refused": outcome.refused,
            }
        )

    async def renew(self, run_ids: Sequence[bytes], lease_ms: int) -> set[bytes]:
        ids = [run_id.hex() for run_id in run_ids]
        held = await self._batcher.submit({"do": "renew", "ids": ids, "lease_ms": lease_ms})
        return {bytes.fromhex(run_id) for run_id in held}

    async def switch(self) -> Switch:
        async with self._store.connection() as connection:
            return Switch(*await connection.fetchrow(_SWITCH))

    async def turn_off(self, reason: str, *, cancel: bool) -> Switch:
        # PostgreSQL's text cannot hold NUL.
        return await self._turn(True, reason.replace("\0", ""), cancel)

    async def turn_on(self) -> Switch:
        return await self._turn(False, "", False)

    async def figures(self) -> Figures:
        return (await self._report(reporting.FIGURES)).figures

    async def report(self) -> Report:
        return await self._report(reporting.EVERYTHING)

    async def prune(self) -> int:
        async with self._store.connection() as connection:
            status = await connection.execute(
                "DELETE FROM ledger_run WHERE id IN (SELECT id FROM ledger_run WHERE admitted_ms <"
                " (SELECT clock_ms FROM ledger_gate) - $1::bigint AND state <> 'open' LIMIT 1000)",
                KEPT,
            )
        return int(status.split()[-1])

    async def accept_clock(self) -> int:
        async with self._store.connection() as connection, connection.transaction():
            wall, now = await self._time(connection)
            await connection.execute("UPDATE ledger_gate SET clock_ms = $1", wall)
        return now - wall

    async def _turn(self, stopped: bool, reason: str, cancel: bool) -> Switch:
        async with self._store.connection() as connection, connection.transaction():
            _, now = await self._time(connection)
            row = await connection.fetchrow(
                "UPDATE ledger_gate SET stopped = $1, reason = $2, changed_ms = $3,"
                " cancel_seq = cancel_seq + $4"
                " RETURNING stopped, reason, changed_ms, cancel_seq",
                stopped,
                reason,
                now,
                int(cancel),
            )
        return Switch(*row)

    async def _report(self, names: Sequence[str]) -> Report:
        # The gate stays locked to the end of the transaction, so every list is of one moment.
        async with self._store.connection() as connection, connection.transaction():
            wall, now = await self._time(connection)
            queries = reporting.queries(names, now)
            rows = {name: await connection.fetch(sql) for name, sql in queries.items()}
            switch = Switch(*await connection.fetchrow(_SWITCH))
        return reporting.assemble(rows, self._limits, switch, now, wall)

    async def _time(self, connection: Any) -> tuple[int, int]:
        ((wall, now),) = await self._steps(connection, [{"do": "time"}])
        return wall, now

    async def _step_all(self, steps: list[dict[str, Any]]) -> list[Any]:
        async with self._store.connection() as connection:
            return await self._steps(connection, steps)

    async def _steps(
        self, connection: Any, steps: list[dict[str, Any]], limits: str | None = None
    ) -> list[Any]:
        test_clock = None if self._clock is None else self._clock()
        answers = await connection.fetchval(
            "SELECT ledger_steps($1::jsonb, $2::jsonb, $3)",
            json.dumps(steps),
            limits or self._limits_json,
            test_clock,
        )
        decoded: list[Any] = json.loads(answers)
        return decoded


def open_ledger(
    database: Database, limits: Limits, clock: Clock | None, *, make: bool
) -> PostgresLedger:
    """Return the ledger at this address; a database is never made here, so `make` changes nothing."""
    return PostgresLedger(database.url, limits, clock)
