"""Fixtures every room may use: a real PostgreSQL, and the two engines side by side."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import real_postgres
from ledger_engines import bench, run

__all__ = ["bench", "postgres_admin_url", "postgres_url", "run"]

# It is no setting of the service: kept out of the environment that servers under test inherit.
_given_postgres = os.environ.pop(real_postgres.VARIABLE, None)


@pytest.fixture(scope="session")
def postgres_admin_url() -> Iterator[str]:
    """The address of a PostgreSQL where databases may be made: the given one, or one of our own."""
    if _given_postgres:
        yield _given_postgres
        return
    server = real_postgres.PostgresServer()
    try:
        yield server.url("postgres")
    finally:
        server.close()


@pytest.fixture
def postgres_url(postgres_admin_url: str) -> Iterator[str]:
    """An empty database of this test's own."""
    with real_postgres.fresh_database(postgres_admin_url) as url:
        yield url
