"""An empty database of every engine in the table, so that one suite runs over each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairwitness.settings.databases import ENGINES

ENGINE_NAMES = sorted({engine.module for engine in ENGINES.values()})


@pytest.fixture(params=ENGINE_NAMES)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database; a test that asks for it runs once for each engine."""
    addresses = {
        "sqlite": lambda: f"sqlite:///{tmp_path / 'test.sqlite3'}",
        "postgres": lambda: str(request.getfixturevalue("postgres_url")),
    }
    return addresses[request.param]()
