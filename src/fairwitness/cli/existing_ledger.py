"""The ledger a command works on: the one servers use, never a new one that nobody looks at."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fairwitness.ledger import Ledger, ledger_database, ledger_of
from fairwitness.settings import PREFIX, Settings
from fairwitness.store import StoreError


class NoLedger(StoreError):
    """There is no ledger where the settings say, so no server with these settings has run."""


@asynccontextmanager
async def existing_ledger(settings: Settings) -> AsyncIterator[Ledger]:
    """Yield the ledger the settings name, or raise NoLedger rather than make one."""
    if not is_there(settings):
        raise NoLedger(f"no ledger here: {place(settings)}; is {PREFIX}DATA_DIR right?")
    ledger = ledger_of(settings, make=False)
    try:
        yield ledger
    finally:
        await ledger.close()


def is_there(settings: Settings) -> bool:
    """Say whether the ledger's file is there; of a database elsewhere only asking it can tell."""
    file = ledger_database(settings).file
    return file is None or os.path.exists(file)


def place(settings: Settings) -> str:
    """Return where the ledger is, for people, without user or password."""
    return ledger_database(settings).place
