"""What feedback is to the rest of the house: an entry, the limits, and a store with two engines behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fairwitness.settings import Settings

DAY_MS = 86_400_000
# What a row takes on disk beyond its texts, indexes included, rounded up generously.
ROW_OVERHEAD = 512


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of feedback; `contact` is sealed already and opens only with the operator's key."""

    feedback_id: str
    received_ms: int
    category: str
    message: str
    rating: int | None = None
    request_id: str | None = None
    contact: bytes | None = None

    @property
    def size(self) -> int:
        """What it counts against the disk all feedback may take."""
        texts = len(self.message.encode()) + len((self.request_id or "").encode())
        return texts + len(self.contact or b"") + ROW_OVERHEAD


@dataclass(frozen=True, slots=True)
class Limits:
    """What one caller may send in any day, and what all feedback may take on disk."""

    per_day: int
    max_bytes: int

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """Read the limits from the settings."""
        return cls(settings.feedback_per_day, settings.feedback_max_mb * 1024 * 1024)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an entry was not kept, and in how many seconds a retry may help."""

    reason: str
    retry_after_s: int | None


@dataclass(frozen=True, slots=True)
class Stats:
    """What is kept, in numbers."""

    entries: int
    with_contact: int
    bytes: int
    max_bytes: int
    oldest_ms: int | None
    newest_ms: int | None
    by_category: dict[str, int]
    by_rating: dict[int, int]


@dataclass(frozen=True, slots=True)
class Expiry:
    """What one pass of retention did, and how far ahead the clock is where it was not believed."""

    deleted: int
    clock_ahead_ms: int


class FeedbackStore(Protocol):
    """Durable feedback. Every method may raise StoreError; what returned was committed."""

    async def open(self, *, upgrade: bool = False) -> None:
        """Open now rather than on first use; `upgrade` migrates older tables."""

    async def close(self) -> None:
        """Finish what was begun and let go."""

    async def add(self, entry: Entry, caller: bytes) -> Refusal | None:
        """Keep an entry durably, or say why not; one transaction decides."""

    async def page(
        self, *, start: str = "", oldest_first: bool = False, category: str = "", limit: int = 100
    ) -> list[Entry]:
        """Return entries in order of arrival, newest first by default, beyond the id `start`."""

    async def get(self, feedback_id: str) -> Entry | None:
        """Return one entry."""

    async def delete(self, feedback_ids: Sequence[str]) -> int:
        """Delete entries and their contacts; return how many there were."""

    async def delete_before(self, received_ms: int) -> int:
        """Delete everything received before a moment; return how many there were."""

    async def expire(self, wall_ms: int, keep_ms: int) -> Expiry:
        """Delete what has been kept for `keep_ms`, by a clock that may be wrong."""

    async def stats(self) -> Stats:
        """Return what is kept, in numbers."""
