"""Closes connections that have been idle too long: one timer for all of them, set for the one that is due first."""

from __future__ import annotations

import asyncio
from typing import Protocol

# uvloop runs the timers that are due before it reads what has arrived. After the loop has stood still for long, a
# request may be waiting that came in time: one that is out of time is given this much longer, which is one more read.
LATE_READS_S = 0.01


class Connection(Protocol):
    """What can be idle."""

    def idle_too_long(self) -> None:
        """Close: nothing was asked, nothing is owed."""


class IdleTimer:
    """The idle connections of one process, and since when.

    All may be idle equally long, so they are due in the order they came in. A request takes its connection out and puts
    it back at the end, which costs less than a timer of its own.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, most_s: float) -> None:
        """Close what was idle for `most_s`."""
        self._loop = loop
        self._most_s = most_s
        self._since: dict[Connection, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        """How many are idle."""
        return len(self._since)

    def begin(self, connection: Connection) -> None:
        """Note that a connection is idle from now on."""
        self.end(connection)
        self._since[connection] = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_later(self._most_s, self._due)

    def end(self, connection: Connection) -> None:
        """Note that a connection is idle no longer."""
        self._since.pop(connection, None)

    def _due(self) -> None:
        self._timer = self._loop.call_later(LATE_READS_S, self._look)

    def _look(self) -> None:
        """Close what is due, and look again when the next one is."""
        self._timer = None
        while self._since:
            connection, since = next(iter(self._since.items()))
            if since + self._most_s > self._loop.time():
                self._timer = self._loop.call_at(since + self._most_s, self._due)
                return
            del self._since[connection]
            connection.idle_too_long()
