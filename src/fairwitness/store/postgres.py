"""A PostgreSQL database behind a small pool that reconnects by itself and fails fast.

It connects on first use, so a service starts while its database is away and finds it later.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fairwitness.extras import require_extra
from fairwitness.store.errors import StoreUnavailable
from fairwitness.store.migrations import CREATE_VERSIONS, VERSIONS_TABLE, Migrations

require_extra("postgres", "A postgresql:// address")

import asyncpg  # noqa: E402 - after the line that explains its absence

# The last of the driver's own: what it says of a connection that was lost in the middle of a message.
_DRIVER_FAULTS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)


class PostgresStore:
    """One database: connections are pooled, and every driver fault becomes StoreUnavailable."""

    def __init__(
        self,
        url: str,
        migrations: Migrations,
        *,
        connect_timeout_s: float = 5.0,
        command_timeout_s: float = 6.0,
        pool_size: int = 4,
    ) -> None:
        """Name the database and its schema; nothing is connected yet."""
        self._url = url
        self._migrations = migrations
        self._connect_timeout_s = connect_timeout_s
        self._command_timeout_s = command_timeout_s
        self._pool_size = pool_size
        self._pool: Any = None
        self._opening = asyncio.Lock()

    async def open(self, *, upgrade: bool = False) -> None:
        """Connect and check the schema now rather than on first use; `upgrade` migrates an older one."""
        async with self._opening:
            if self._pool is not None:
                return
            try:
                pool = await asyncpg.create_pool(
                    self._url,
                    min_size=0,
                    max_size=self._pool_size,
                    timeout=self._connect_timeout_s,
                    command_timeout=self._command_timeout_s,
                )
            except (ValueError, *_DRIVER_FAULTS) as error:
                raise _unavailable(error) from error
            try:
                async with _lent(pool, self._connect_timeout_s) as connection:
                    await self._migrate(connection, upgrade=upgrade)
            except BaseException:
                pool.terminate()
                raise
            self._pool = pool

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Any]:
        """Lend a connection; each statement on it is its own transaction unless one is begun."""
        if self._pool is None:
            await self.open()
        async with _lent(self._pool, self._connect_timeout_s) as connection:
            yield connection

    async def close(self) -> None:
        """Close every connection."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            try:
                await asyncio.wait_for(pool.close(), self._command_timeout_s)
            except _DRIVER_FAULTS:
                pool.terminate()

    async def _migrate(self, connection: Any, *, upgrade: bool) -> None:
        room = self._migrations.room
        async with connection.transaction():
            # One migrates at a time, whichever room or machine; the lock ends with the transaction.
            await connection.execute(
                "SELECT pg_advisory_xact_lock($1)", zlib.crc32(b"fairwitness schema")
            )
            await connection.execute("SET LOCAL client_min_messages = warning")
            await connection.execute(CREATE_VERSIONS)
            found = await connection.fetchval(
                f"SELECT version FROM {VERSIONS_TABLE} WHERE room = $1",  # noqa: S608 - a constant
                room,
            )
            steps = self._migrations.pending(found, upgrade=upgrade)
            for step in steps:
                await connection.execute(step)
            if steps:
                await connection.execute(
                    f"INSERT INTO {VERSIONS_TABLE} VALUES ($1, $2) "  # noqa: S608
                    "ON CONFLICT (room) DO UPDATE SET version = EXCLUDED.version",
                    room,
                    self._migrations.version,
                )


@asynccontextmanager
async def _lent(pool: Any, timeout_s: float) -> AsyncIterator[Any]:
    lent = False
    try:
        async with pool.acquire(timeout=timeout_s) as connection:
            lent = True
            yield connection
    except _DRIVER_FAULTS as error:
        raise _unavailable(error, maybe_done=lent) from error


def _unavailable(error: BaseException, *, maybe_done: bool = False) -> StoreUnavailable:
    # The driver's text can quote the address and user, never the password.
    return StoreUnavailable(f"PostgreSQL: {type(error).__name__}: {error}", maybe_done=maybe_done)
