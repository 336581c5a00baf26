"""Who may use the embedded model next: a first-come line that refuses what cannot end in time.

Pure: it is told the time and keeps no clock, process or socket.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["granted", "busy", "too_large"]

# Reading a token of prompt takes this share of writing one beside four others (perf/embedded_model.py).
PROMPT_SHARE = 0.7
TEMPLATE_TOKENS = 64
# Busy seconds that the first guess weighs, and over which what was seen fades.
_GUESS_S = 5.0
_MEMORY_S = 30.0
_SLOWEST, _FASTEST = 2.0, 2000.0
# Without a lesson for this long the line hopes again: a rate that lets nobody in would never be corrected.
_HOPE_AFTER_S = 30.0
_HOPE = 2.0
# A user that has not said in this time that its prompt was read holds up nobody any longer.
_READ_WITHIN_S = 5.0


@dataclass(frozen=True, slots=True)
class Ask:
    """One generation that wants in: tokens to read, tokens to write at most, seconds left."""

    prompt_tokens: int
    max_tokens: int
    left_s: float

    @property
    def work(self) -> float:
        """Its size in written tokens."""
        return self.max_tokens + (self.prompt_tokens + TEMPLATE_TOKENS) * PROMPT_SHARE

    @property
    def cells(self) -> int:
        """The context it can fill."""
        return self.prompt_tokens + TEMPLATE_TOKENS + self.max_tokens


class Line:
    """At most `parallel` run at once, each within its own `cells` of context; the rest wait in order.

    One prompt is read at a time. The model reads them one after another anyway, and what it has begun
    is stopped between two of its batches: prompts that queued inside it would each take a few to stop.
    """

    def __init__(self, parallel: int, cells: int, rate: float, now: float) -> None:
        """Start with a guess of written tokens a second; it is corrected by what is seen."""
        self.rate = rate
        self._first_rate = rate
        self._taught = now
        self._parallel = parallel
        self._cells = cells
        self._waiting: OrderedDict[object, Ask] = OrderedDict()
        self._running: dict[object, Ask] = {}
        self._reading: object | None = None
        self._read_by = now
        self._busy_since = now
        self._busy_s = _GUESS_S
        self._done = rate * _GUESS_S

    @property
    def inside(self) -> int:
        """How many run or wait."""
        return len(self._waiting) + len(self._running)

    def enter(self, ticket: object, ask: Ask, now: float) -> Verdict:
        """Take a place, unless the line before it is too long for its deadline."""
        self._hope(now)
        if ask.cells > self._cells or ask.work / self.rate > ask.left_s:
            return "too_large"  # no empty line would help
        ahead = sum(other.work for other in (*self._running.values(), *self._waiting.values()))
        if (ahead + ask.work) / self.rate > ask.left_s:
            return "busy"
        self._waiting[ticket] = ask
        return "granted"

    def turn(self, now: float) -> object | None:
        """Return the ticket whose turn has come, None where it is nobody's; it runs from here."""
        if self._reading is not None and now >= self._read_by:
            self._reading = None
        if self._reading is not None or len(self._running) >= self._parallel or not self._waiting:
            return None
        ticket, ask = self._waiting.popitem(last=False)
        if not self._running:
            self._busy_since = now
        self._running[ticket] = ask
        self._reading, self._read_by = ticket, now + _READ_WITHIN_S
        return ticket

    def has_read(self, ticket: object) -> None:
        """Note that a prompt was read, so that the next may be."""
        if ticket == self._reading:
            self._reading = None

    def leave(
        self, ticket: object, written: int | None, now: float, read: int | None = None
    ) -> None:
        """Give a place back; `written` tokens, where known, teach the rate.

        What was stopped before its end also says how many tokens of its prompt had been `read`.
        """
        self._waiting.pop(ticket, None)
        self.has_read(ticket)
        ask = self._running.pop(ticket, None)
        if ask is None:
            return
        busy_s = now - self._busy_since
        self._busy_since = now
        if written is None:  # its user is gone: what it did in that time is not known
            return
        most = ask.prompt_tokens + TEMPLATE_TOKENS
        work = written + PROMPT_SHARE * (most if read is None else min(read, most))
        fade = math.exp(-busy_s / _MEMORY_S)
        self._busy_s = self._busy_s * fade + busy_s
        self._done = self._done * fade + work
        self.rate = min(max(self._done / self._busy_s, _SLOWEST), _FASTEST)
        self._taught = now

    def _hope(self, now: float) -> None:
        if now - self._taught > _HOPE_AFTER_S:
            self._taught = now
            self.rate = max(self.rate, min(self.rate * _HOPE, self._first_rate))
            self._done = self.rate * self._busy_s
