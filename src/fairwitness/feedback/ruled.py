"""What both engines share: each method is a rule, run in one transaction that an engine provides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol, TypeVar

from fairwitness.feedback import rules
from fairwitness.feedback.interface import Entry, Expiry, Limits, Refusal, Stats
from fairwitness.feedback.rules import Rule, TurnedAway

Answer = TypeVar("Answer")


class Openable(Protocol):
    """The store an engine keeps its tables in."""

    async def open(self, *, upgrade: bool = False) -> None:
        """Open now; `upgrade` migrates older tables."""

    async def close(self) -> None:
        """Let go."""


class RuledFeedback(ABC):
    """Feedback kept by the rules; an engine says how one is run."""

    def __init__(self, store: Openable, limits: Limits) -> None:
        """Take where the tables are, and what may be kept in them."""
        self._tables = store
        self._limits = limits

    @abstractmethod
    async def _change(self, rule: Rule[Answer]) -> Answer:
        """Run a rule that writes; what it wrote is on the disk when this returns."""

    @abstractmethod
    async def _ask(self, rule: Rule[Answer]) -> Answer:
        """Run a rule that only reads."""

    async def open(self, *, upgrade: bool = False) -> None:
        """Open now rather than on first use; `upgrade` migrates older tables."""
        await self._tables.open(upgrade=upgrade)

    async def close(self) -> None:
        """Finish what was begun and let go."""
        await self._tables.close()

    async def add(self, entry: Entry, caller: bytes) -> Refusal | None:
        """Keep an entry durably, or say why not."""
        try:
            await self._change(rules.add(entry, caller, self._limits))
        except TurnedAway as away:
            return away.refusal
        return None

    async def page(
        self, *, start: str = "", oldest_first: bool = False, category: str = "", limit: int = 100
    ) -> list[Entry]:
        """Return entries in order of arrival, beyond the id `start`."""
        return await self._ask(rules.page(start, oldest_first, category, limit))

    async def get(self, feedback_id: str) -> Entry | None:
        """Return one entry."""
        return await self._ask(rules.get(feedback_id))

    async def delete(self, feedback_ids: Sequence[str]) -> int:
        """Delete entries and their contacts; return how many there were."""
        return await self._change(rules.delete(feedback_ids))

    async def delete_before(self, received_ms: int) -> int:
        """Delete everything received before a moment; return how many there were."""
        return await self._change(rules.delete_before(received_ms))

    async def expire(self, wall_ms: int, keep_ms: int) -> Expiry:
        """Delete what has been kept for `keep_ms`, by a clock that may be wrong."""
        return await self._change(rules.expire(wall_ms, keep_ms))

    async def stats(self) -> Stats:
        """Return what is kept, in numbers."""
        return await self._ask(rules.stats(self._limits))
