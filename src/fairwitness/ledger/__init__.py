"""Admission's state: what was admitted, reserved, spent and refused; one interface, two engines."""

from __future__ import annotations

from collections.abc import Callable

from fairwitness.ledger.interface import (
    Admitted,
    Ask,
    Charge,
    Figures,
    Ledger,
    Limits,
    Outcome,
    Refusal,
    Report,
    Switch,
)
from fairwitness.settings import Settings
from fairwitness.settings.databases import Database
from fairwitness.store.clock import Clock

__all__ = [
    "Admitted",
    "Ask",
    "Charge",
    "Figures",
    "Ledger",
    "Limits",
    "Outcome",
    "Refusal",
    "Report",
    "Switch",
    "ledger_database",
    "ledger_of",
    "open_ledger",
]


def ledger_database(settings: Settings) -> Database:
    """Return the database the settings name, there or not."""
    return Database.at(settings.ledger_url, settings.data_dir / "ledger.sqlite3")


def ledger_of(settings: Settings, clock: Clock | None = None, *, make: bool = True) -> Ledger:
    """Return the ledger the settings name, not yet opened; `clock` replaces the engine's own.

    Without `make`, a file that is not there stays away rather than begin anew with nothing spent.
    """
    return open_ledger(ledger_database(settings), Limits.of(settings), clock, make=make)


def open_ledger(
    database: Database, limits: Limits, clock: Clock | None = None, *, make: bool = True
) -> Ledger:
    """Return the ledger kept in a database, not yet opened."""
    open_with: Callable[..., Ledger] = database.engine.of_room("ledger").open_ledger
    return open_with(database, limits, clock, make=make)
