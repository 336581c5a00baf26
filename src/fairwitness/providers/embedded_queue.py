"""Who may use the embedded model: refuses what cannot end in time, and learns how fast the model is here.

Pure: it is told the time and keeps no clock, process or socket. Each worker process has one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fairwitness.contract.errors import ConcurrencyLimit
from fairwitness.providers.provider import ProviderFailure

CONTEXT_TOKENS = 8192  # what the model was trained for: prompt, template and answer
TEMPLATE_TOKENS = 64
# Reading a token of prompt takes this share of writing one beside four others (perf/embedded_model.py).
PROMPT_SHARE = 0.7
# A guess for the first seconds; two shared cores write about this many tokens a second.
FIRST_RATE = 40.0
# Busy seconds that the first guess weighs, and over which what was seen fades.
_GUESS_S = 5.0
_MEMORY_S = 30.0
_SLOWEST, _FASTEST = 2.0, 2000.0
# What leaves this near its deadline was stopped by it.
_LATE_S = 0.2
# Without news for this long the rate is doubted: one that lets nobody in would never be corrected.
_DOUBT_AFTER_S = 30.0


@dataclass(frozen=True, slots=True)
class Job:
    """One generation: tokens to read, tokens to write at most, seconds left."""

    prompt_tokens: int
    max_tokens: int
    left_s: float

    @property
    def context_tokens(self) -> int:
        """The context it can fill."""
        return self.prompt_tokens + TEMPLATE_TOKENS + self.max_tokens

    @property
    def work(self) -> float:
        """Its size in written tokens."""
        return self.max_tokens + (self.prompt_tokens + TEMPLATE_TOKENS) * PROMPT_SHARE


class Queue:
    """The generations of one worker that wait or run, and the rate at which they go."""

    def __init__(self, now: float, rate: float = FIRST_RATE) -> None:
        """Start with a guess of written tokens a second; it is corrected by what is seen."""
        self.rate = rate
        self._first_rate = rate
        self._taught = self._busy_since = now
        self._inside: dict[object, Job] = {}
        self._due: dict[object, float] = {}
        self._running: set[object] = set()
        self._busy_s = _GUESS_S
        self._done = rate * _GUESS_S

    def enter(self, ticket: object, job: Job, now: float) -> None:
        """Take a place; raise ProviderFailure where no wait would help, ConcurrencyLimit where one might."""
        if now - self._taught > _DOUBT_AFTER_S:
            self._taught = now
            self.rate = max(self.rate, min(self.rate * 2, self._first_rate))
            self._done = self.rate * self._busy_s
        said = f"This prompt is {job.prompt_tokens:,} tokens for this model"
        if job.context_tokens > CONTEXT_TOKENS:
            room = CONTEXT_TOKENS - TEMPLATE_TOKENS - job.max_tokens
            message = (
                f"{said}, which takes at most {room:,} beside an answer of {job.max_tokens:,}."
            )
            raise ProviderFailure("too_large", message, generated_nothing=True)
        needed_s = job.work / self.rate
        if needed_s > job.left_s:
            message = (
                f"{said}. Here it would need about {math.ceil(needed_s)} s to read it and answer, "
                f"and has {max(job.left_s, 0):.0f} s."
            )
            raise ProviderFailure("too_large", message, generated_nothing=True)
        if sum(other.work for other in self._inside.values()) / self.rate + needed_s > job.left_s:
            raise ConcurrencyLimit("The embedded model's queue is full for now.")
        self._inside[ticket] = job
        self._due[ticket] = now + job.left_s

    def begin(self, ticket: object, now: float) -> None:
        """Note that a place's turn has come."""
        if not self._running:
            self._busy_since = now
        self._running.add(ticket)

    def leave(self, ticket: object, now: float, written: int | None = None) -> None:
        """Give a place back; tokens `written`, or that its time ran out, teach the rate."""
        job = self._inside.pop(ticket)
        due = self._due.pop(ticket)
        if ticket not in self._running:
            return
        self._running.discard(ticket)
        busy_s = now - self._busy_since
        self._busy_since = now
        if written is not None:
            work = job.work - job.max_tokens + written
        elif now >= due - _LATE_S:
            work = 0.0
        else:
            return  # its caller left, or it broke: that says nothing of the rate
        fade = math.exp(-busy_s / _MEMORY_S)
        self._busy_s = self._busy_s * fade + busy_s
        self._done = self._done * fade + work
        self.rate = min(max(self._done / self._busy_s, _SLOWEST), _FASTEST)
        self._taught = now
