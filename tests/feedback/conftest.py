"""Every engine behind one fixture."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from fairwitness.feedback import FeedbackStore, Limits, open_feedback
from fairwitness.settings.databases import Database, engine_of


@dataclass(frozen=True)
class Engine:
    """A database to open feedback stores on, any number over the same data."""

    database: Database

    @asynccontextmanager
    async def store(
        self, per_day: int = 1000, max_bytes: int = 10**9
    ) -> AsyncIterator[FeedbackStore]:
        limits = Limits(per_day, max_bytes)
        store = open_feedback(self.database, limits)
        try:
            yield store
        finally:
            await store.close()


@pytest.fixture
def engine(database_url: str) -> Engine:
    return Engine(Database(engine_of(database_url), database_url))
