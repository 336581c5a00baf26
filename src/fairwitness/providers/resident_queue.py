"""Who may use the embedded model next: a first-come line that refuses what cannot end in time.

Pure: it is told the time and keeps no clock, process or socket.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["granted", "busy", "too_large"]

# Reading a token of prompt takes this share of writing one beside four others (bench/embedded.py).
PROMPT_SHARE = 0.7
TEMPLATE_TOKENS = 64
_SAMPLE_S = 1.0
_LEARN = 0.3
_SLOWEST, _FASTEST = 2.0, 2000.0


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
    """At most `parallel` run at once, each within its own `cells` of context; the rest wait in order."""

    def __init__(self, parallel: int, cells: int, rate: float, now: float) -> None:
        """Start with a guess of written tokens a second; it is corrected by what is seen."""
        self.rate = rate
        self._parallel = parallel
        self._cells = cells
        self._waiting: OrderedDict[object, Ask] = OrderedDict()
        self._running: dict[object, Ask] = {}
        self._busy_since = now
        self._busy_s = 0.0
        self._done = 0.0

    @property
    def inside(self) -> int:
        """How many run or wait."""
        return len(self._waiting) + len(self._running)

    def enter(self, ticket: object, ask: Ask) -> Verdict:
        """Take a place, unless the line before it is too long for its deadline."""
        if ask.cells > self._cells or ask.work / self.rate > ask.left_s:
            return "too_large"  # no empty line would help
        ahead = sum(other.work for other in (*self._running.values(), *self._waiting.values()))
        if (ahead + ask.work) / self.rate > ask.left_s:
            return "busy"
        self._waiting[ticket] = ask
        return "granted"

    def turns(self, now: float) -> list[object]:
        """Return the tickets whose turn has come; they run from here."""
        called = []
        while self._waiting and len(self._running) < self._parallel:
            ticket, ask = self._waiting.popitem(last=False)
            if not self._running:
                self._busy_since = now
            self._running[ticket] = ask
            called.append(ticket)
        return called

    def leave(self, ticket: object, written: int | None, now: float) -> None:
        """Give a place back; `written` tokens, where known, teach the rate."""
        self._waiting.pop(ticket, None)
        ask = self._running.pop(ticket, None)
        if ask is None:
            return
        self._busy_s += now - self._busy_since
        self._busy_since = now
        if written is None:  # it was stopped: what it did in that time is not known
            self._busy_s = self._done = 0.0
            return
        self._done += Ask(ask.prompt_tokens, written, 0.0).work
        if self._busy_s >= _SAMPLE_S:
            seen = min(max(self._done / self._busy_s, _SLOWEST), _FASTEST)
            self.rate += _LEARN * (seen - self.rate)
            self._busy_s = self._done = 0.0
