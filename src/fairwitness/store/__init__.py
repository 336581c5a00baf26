"""Two engines' plumbing: SQLite with group commit, PostgreSQL with a pool, versioned migrations; it knows no meaning.

The engines are imported by name (store.sqlite, store.postgres), so that nobody loads a driver unused.
"""

from fairwitness.store.errors import SchemaMismatch, StoreError, StoreUnavailable
from fairwitness.store.migrations import Migrations

__all__ = ["Migrations", "SchemaMismatch", "StoreError", "StoreUnavailable"]
