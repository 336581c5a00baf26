"""Both engines behind one fixture."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairwitness.feedback import FeedbackStore, Limits
from fairwitness.feedback.postgres import PostgresFeedback
from fairwitness.feedback.sqlite import SqliteFeedback


@dataclass(frozen=True)
class Engine:
    """A place to open feedback stores at, any number over the same data."""

    place: str

    @asynccontextmanager
    async def store(
        self, per_day: int = 1000, max_bytes: int = 10**9
    ) -> AsyncIterator[FeedbackStore]:
        limits = Limits(per_day, max_bytes)
        store: FeedbackStore = (
            PostgresFeedback(self.place, limits)
            if self.place.startswith("postgres")
            else SqliteFeedback(Path(self.place), limits)
        )
        try:
            yield store
        finally:
            await store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    if request.param == "postgres":
        return Engine(request.getfixturevalue("postgres_url"))
    return Engine(str(tmp_path / "feedback.sqlite3"))
