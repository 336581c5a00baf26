"""What a store can answer instead of data; drivers' own errors never leave this room."""

from __future__ import annotations


class StoreError(Exception):
    """The base of everything a store raises."""


class StoreUnavailable(StoreError):
    """The database could not be reached, or could not commit."""

    def __init__(self, message: str, *, maybe_done: bool = False) -> None:
        """Say what happened; `maybe_done` where the work may have been committed all the same."""
        super().__init__(message)
        self.maybe_done = maybe_done


class SchemaMismatch(StoreError):
    """The tables are older or newer than this program; the message says what to do."""
