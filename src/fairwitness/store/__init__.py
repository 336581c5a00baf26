"""Two engines' plumbing: SQLite with group commit, PostgreSQL with a pool, versioned migrations; it knows no meaning."""

from fairwitness.store.errors import SchemaMismatch, StoreError, StoreUnavailable
from fairwitness.store.migrations import Migrations
from fairwitness.store.postgres import PostgresStore
from fairwitness.store.sqlite import SqliteStore

__all__ = [
    "Migrations",
    "PostgresStore",
    "SchemaMismatch",
    "SqliteStore",
    "StoreError",
    "StoreUnavailable",
]
