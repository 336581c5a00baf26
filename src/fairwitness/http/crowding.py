"""Keeps account of a worker's open connections: how many an address has, which are idle, whose bodies are slow.

Where there are too many it names who makes room: of one address among its own, of all among all; idle ones first, the
longest idle before others, then the body that has been longest on its way. It knows nothing of HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

# A body that has been on its way for less is not slow: it is never cut off to make room.
SLOW_AFTER_S = 1.0


class Connection(Protocol):
    """What a connection does when it must make room."""

    def leave_idle(self) -> None:
        """Close: nothing was asked, nothing is owed."""

    def leave_unfinished(self) -> None:
        """Refuse the request that is still being sent, and close."""


C = TypeVar("C", bound=Connection)


class Crowd(Generic[C]):
    """The connections of one process."""

    def __init__(
        self,
        *,
        most: int,
        most_of_address: int,
        most_slow_bodies: int,
        clock: Callable[[], float],
    ) -> None:
        """Take the bounds: of all connections, of one address, and of one caller's unfinished bodies."""
        self._most = most
        self._most_of_address = most_of_address
        self._most_slow_bodies = most_slow_bodies
        self._clock = clock
        self._open: dict[C, str | None] = {}
        self._of_address: dict[str, dict[C, None]] = {}
        self._idle: dict[C, None] = {}
        # When each unfinished body began, the oldest first, and whose it is.
        self._unfinished: dict[C, tuple[float, str]] = {}
        self._of_caller: dict[str, dict[C, None]] = {}

    def __len__(self) -> int:
        """How many are open and were let in."""
        return len(self._open)

    def let_in(self, connection: C, address: str | None) -> bool:
        """Take in a connection, where need be in the place of another; False where none makes room.

        Connections without an address (a listed proxy's) are bounded only together with all others.
        """
        own = self._of_address.get(address, {}) if address is not None else {}
        if len(own) >= self._most_of_address and not self._make_room(own):
            return False
        if len(self._open) >= self._most and not self._make_room(None):
            return False
        self._open[connection] = address
        if address is not None:
            self._of_address.setdefault(address, {})[connection] = None
        self._idle[connection] = None
        return True

    def left(self, connection: C) -> None:
        """Forget a connection."""
        self.at_work(connection)
        self.body_ended(connection)
        address = self._open.pop(connection, None)
        if address is not None:
            _discard(self._of_address, address, connection)

    def at_work(self, connection: C) -> None:
        """Note that a connection has a request in hand."""
        self._idle.pop(connection, None)

    def at_rest(self, connection: C) -> None:
        """Note that a connection has nothing to ask; it is then the last to make room."""
        if connection in self._open:
            self._idle[connection] = None

    def body_began(self, connection: C, caller: str) -> None:
        """Note a body that is not whole yet; the caller's slowest is cut off where it has too many."""
        if connection in self._unfinished or connection not in self._open:
            return
        own = self._of_caller.setdefault(caller, {})
        if len(own) >= self._most_slow_bodies:
            self._cut_slowest(own)
            own = self._of_caller.setdefault(caller, {})
        own[connection] = None
        self._unfinished[connection] = (self._clock(), caller)

    def body_ended(self, connection: C) -> None:
        """Note that a body is whole, or will never be."""
        found = self._unfinished.pop(connection, None)
        if found is not None:
            _discard(self._of_caller, found[1], connection)

    def _make_room(self, among: dict[C, None] | None) -> bool:
        idle = _first(self._idle if among is None else filter(self._idle.__contains__, among))
        if idle is not None:
            self.left(idle)
            idle.leave_idle()
            return True
        return self._cut_slowest(self._unfinished if among is None else among)

    def _cut_slowest(self, among: Iterable[C]) -> bool:
        """Cut off the body that has been longest on its way, if it is slow."""
        if among is self._unfinished:
            slowest = _first(among)
        else:
            unfinished = [one for one in among if one in self._unfinished]
            slowest = min(unfinished, key=lambda one: self._unfinished[one][0], default=None)
        if slowest is None or self._clock() - self._unfinished[slowest][0] < SLOW_AFTER_S:
            return False
        self.left(slowest)
        slowest.leave_unfinished()
        return True


def _first(items: Iterable[C]) -> C | None:
    return next(iter(items), None)


def _discard(groups: dict[str, dict[C, None]], name: str, connection: C) -> None:
    group = groups.get(name, {})
    group.pop(connection, None)
    if not group:
        groups.pop(name, None)
