"""Runs pieces of work in one SQLite transaction: where one raises, its own changes alone are undone."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

Answer = TypeVar("Answer")
Work = Callable[[sqlite3.Connection], Answer]

# What one piece of work can get wrong by itself; every other fault is the database's.
_WORKS_OWN_FAULT = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError)


def run_all(connection: sqlite3.Connection, works: list[Work[Any]]) -> list[Any]:
    """Return each work's answer, or the exception that it raised; the database's own faults are raised."""
    if len(works) > 1:
        return [_one(connection, work, "SAVEPOINT work", "RELEASE work") for work in works]
    # Alone, a piece of work needs no savepoint: the transaction is its own.
    return [_one(connection, works[0], None, None)]


def _one(
    connection: sqlite3.Connection, work: Work[Any], save: str | None, release: str | None
) -> Any:
    if save:
        connection.execute(save)
    try:
        answer = work(connection)
    except Exception as error:
        if isinstance(error, sqlite3.Error) and not isinstance(error, _WORKS_OWN_FAULT):
            raise
        connection.execute("ROLLBACK TO work" if save else "ROLLBACK")
        answer = error
    if release:
        connection.execute(release)
    return answer
