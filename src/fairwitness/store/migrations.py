"""Versioned schemas: the steps of one room's tables, and what to do with the version a database has.

An empty database gets every step. A database of an older version is touched only where the
operator asked for it, for other machines may still be using it; a newer one never.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from importlib.resources import files

from fairwitness.store.errors import SchemaMismatch

# Rooms may share one database, so each one's version stands in a row of its own.
VERSIONS_TABLE = "fairwitness_schema"
CREATE_VERSIONS = (
    f"CREATE TABLE IF NOT EXISTS {VERSIONS_TABLE} (room TEXT PRIMARY KEY, version INTEGER NOT NULL)"
)


@dataclass(frozen=True)
class Migrations:
    """One room's schema: step i (from 0) brings version i to version i + 1."""

    room: str
    steps: tuple[str, ...]
    upgrade_command: str

    @classmethod
    def packaged(cls, room: str, folder: str, upgrade_command: str) -> Migrations:
        """Read the numbered .sql files of a folder inside the package `fairwitness.<room>`."""
        found = sorted(
            (entry.name, entry.read_text(encoding="utf-8"))
            for entry in (files(f"fairwitness.{room}") / folder).iterdir()
            if entry.name.endswith(".sql")
        )
        return cls(room, tuple(text for _, text in found), upgrade_command)

    @property
    def version(self) -> int:
        """The version this program needs."""
        return len(self.steps)

    def pending(self, found: int | None, *, upgrade: bool) -> tuple[str, ...]:
        """Return the steps to run on a database of version `found`, or raise SchemaMismatch."""
        if found is None:
            return self.steps
        if found > self.version:
            raise SchemaMismatch(
                f"the {self.room} tables are of version {found}, newer than this program's "
                f"{self.version}: use the newer program"
            )
        if found < self.version and not upgrade:
            raise SchemaMismatch(
                f"the {self.room} tables are of version {found}, this program needs "
                f"{self.version}: stop every server, then run `{self.upgrade_command}`"
            )
        return self.steps[found:]


def statements(script: str) -> list[str]:
    """Return a script's statements for SQLite, whose executescript() would commit first."""
    found: list[str] = []
    current = ""
    for line in script.splitlines():
        current += line + "\n"
        if sqlite3.complete_statement(current):
            found.append(current)
            current = ""
    return found
