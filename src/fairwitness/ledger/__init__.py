"""Admission's state: what was admitted, reserved, spent and refused; one interface, two engines."""

from __future__ import annotations

from pathlib import Path

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
from fairwitness.store.clock import Clock, system_clock

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
    "ledger_file",
    "ledger_of",
]


def ledger_file(settings: Settings) -> Path | None:
    """Return the SQLite file the settings name, there or not; None where it is PostgreSQL."""
    url = settings.ledger_url or ""
    if url.startswith("postgres"):
        return None
    return Path(url.removeprefix("sqlite:///")) if url else settings.data_dir / "ledger.sqlite3"


def ledger_of(settings: Settings, clock: Clock | None = None, *, make: bool = True) -> Ledger:
    """Return the ledger the settings name, not yet opened; `clock` replaces the engine's own.

    Without `make`, a file that is not there stays away rather than begin anew with nothing spent.
    """
    file = ledger_file(settings)
    if file is None:
        from fairwitness.ledger.postgres import PostgresLedger

        return PostgresLedger(settings.ledger_url or "", Limits.of(settings), clock)
    from fairwitness.ledger.sqlite import SqliteLedger

    return SqliteLedger(file, Limits.of(settings), clock or system_clock, make=make)
