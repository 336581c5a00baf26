"""Decides which waiting work is next: fair between callers, short work first for each, paid work ahead in bounded measure.

Start-time fair queueing: a caller's tag is the work it has been given, never less than the virtual time at which it came
back, and the lowest tag is next. Virtual time grows with the work done for the average caller, so that no stream of new
callers keeps an old one waiting. Pure: no clock, no thread, no lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, TypeVar

T = TypeVar("T")

# Among one caller's waiting work a piece is passed over until this many times its cost was done for that caller.
PATIENCE = 4.0
# While direct work waits, so many pieces of paid work go first, then one direct.
PAID_IN_A_ROW = 3


@dataclass(eq=False, slots=True)
class Entry(Generic[T]):
    """One piece of work: whose it is, what it is expected to cost, and whether a provider was paid for it."""

    caller: bytes
    cost: float
    work: T
    paid: bool = False
    order: tuple[float, int] = (0.0, 0)


@dataclass(slots=True)
class _Caller(Generic[T]):
    tag: float = 0.0
    done: float = 0.0
    running: int = 0
    running_cost: float = 0.0
    last_taken: int = 0
    waiting: list[Entry[T]] = field(default_factory=list)

    @property
    def inside(self) -> int:
        return len(self.waiting) + self.running


class Lane(Generic[T]):
    """Work of one kind, shared fairly between callers; without a bound of its own."""

    def __init__(self) -> None:
        """Begin empty."""
        self.waiting = 0
        self.running = 0
        self._callers: dict[bytes, _Caller[T]] = {}
        self._virtual = 0.0
        self._numbers = count(1)

    def add(self, entry: Entry[T]) -> None:
        """Let an entry wait."""
        caller = self._callers.setdefault(entry.caller, _Caller())
        if not caller.waiting:
            caller.tag = max(caller.tag, self._virtual)
        entry.order = (caller.done + PATIENCE * entry.cost, next(self._numbers))
        caller.waiting.append(entry)
        self.waiting += 1

    def take(self) -> Entry[T]:
        """Remove the entry that is next; it runs until `finish`."""
        # Of equal tags the caller whose last turn is longest ago.
        caller = min(self._with_waiting(), key=lambda one: (one.tag, one.last_taken))
        entry = min(caller.waiting, key=lambda one: one.order)
        caller.waiting.remove(entry)
        caller.running += 1
        caller.running_cost += entry.cost
        caller.last_taken = next(self._numbers)
        self._virtual = max(self._virtual, caller.tag)
        caller.tag += entry.cost
        self.waiting -= 1
        self.running += 1
        return entry

    def finish(self, entry: Entry[T], actual: float) -> None:
        """Charge what a taken entry cost in fact."""
        caller = self._callers[entry.caller]
        self._virtual += actual / self.active
        caller.tag += actual - entry.cost
        caller.done += actual
        caller.running -= 1
        caller.running_cost -= entry.cost
        self.running -= 1
        self._forget()

    def drop(self, entry: Entry[T]) -> bool:
        """Take a waiting entry out; False where it no longer waits."""
        caller = self._callers.get(entry.caller)
        if caller is None or entry not in caller.waiting:
            return False
        caller.waiting.remove(entry)
        self.waiting -= 1
        self._forget()
        return True

    @property
    def active(self) -> int:
        """How many callers wait or run."""
        return sum(1 for one in self._callers.values() if one.inside)

    def inside(self, caller: bytes) -> int:
        """Return how many entries of a caller wait or run."""
        return self._callers[caller].inside if caller in self._callers else 0

    def backlog(self, caller: bytes) -> float:
        """Return the expected cost of what a caller has waiting or running."""
        found = self._callers.get(caller)
        if found is None:
            return 0.0
        return found.running_cost + sum(one.cost for one in found.waiting)

    def last_of_greediest(self) -> Entry[T] | None:
        """Return the entry that would be served last of the caller with most inside, if any waits."""
        greediest = max(self._with_waiting(), key=lambda one: one.inside, default=None)
        return max(greediest.waiting, key=lambda one: one.order) if greediest else None

    def _with_waiting(self) -> Iterator[_Caller[T]]:
        return (one for one in self._callers.values() if one.waiting)

    def _forget(self) -> None:
        # What nobody waits or works for need not be remembered, once its tag says nothing any more.
        if not self.waiting and not self.running:
            self._callers.clear()
            self._virtual = 0.0
        elif len(self._callers) > 2 * (self.waiting + self.running) + 8:
            for name, one in list(self._callers.items()):
                if not one.inside and one.tag <= self._virtual:
                    del self._callers[name]


class FairQueue(Generic[T]):
    """Paid work, which is never refused, beside direct work, which has a bounded number of places."""

    def __init__(self, threads: int, places: int) -> None:
        """Let `threads` pieces of direct work run and `places` wait."""
        self.paid: Lane[T] = Lane()
        self.direct: Lane[T] = Lane()
        self._threads = threads
        self._room = threads + places
        self._paid_in_a_row = 0

    def put(self, entry: Entry[T]) -> Entry[T] | None:
        """Let an entry wait; return the entry that must give way for it, which may be itself.

        Where all places are taken, the caller that has most of them loses the last of its own, as long as
        the newcomer's caller then still has no more than that one.
        """
        lane = self._lane(entry)
        giving_way: Entry[T] | None = None
        if not entry.paid and lane.waiting + lane.running >= self._room:
            giving_way = lane.last_of_greediest()
            if (
                giving_way is None
                or lane.inside(giving_way.caller) <= lane.inside(entry.caller) + 1
            ):
                return entry
            lane.drop(giving_way)
        lane.add(entry)
        return giving_way

    def take(self) -> Entry[T] | None:
        """Remove the entry that is next, if any waits."""
        owed = self.direct.waiting and self._paid_in_a_row >= PAID_IN_A_ROW
        if self.paid.waiting and not owed:
            self._paid_in_a_row += 1
            return self.paid.take()
        self._paid_in_a_row = 0
        return self.direct.take() if self.direct.waiting else None

    def finish(self, entry: Entry[T], actual: float) -> None:
        """Charge what a taken entry cost in fact."""
        self._lane(entry).finish(entry, actual)

    def drop(self, entry: Entry[T]) -> bool:
        """Take a waiting entry out; False where it no longer waits."""
        return self._lane(entry).drop(entry)

    def wait_for(self, caller: bytes) -> float:
        """Return the work until a caller's own backlog is done, its share of the threads taken into account."""
        return self.direct.backlog(caller) * max(1, self.direct.active) / self._threads

    def _lane(self, entry: Entry[T]) -> Lane[T]:
        return self.paid if entry.paid else self.direct
