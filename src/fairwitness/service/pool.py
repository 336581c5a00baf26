"""Runs evaluations off the event loop, a bounded number of them, each text alone, callers in fair turns.

Where all places are taken, the caller that has most of them is refused with Overloaded; what waits can be cancelled.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock
from time import perf_counter, thread_time
from typing import Any, Literal, TypeVar

from fairwitness.contract.conversation import Message
from fairwitness.contract.errors import Overloaded
from fairwitness.contract.evaluation import Evaluation
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.engine import Assessment
from fairwitness.evaluator.exchange import Exchange
from fairwitness.service.fair_queue import Entry, FairQueue

T = TypeVar("T")

# What evaluating costs, about, in seconds of a core: true costs are charged afterwards.
BASE_S, PER_CHARACTER_S = 0.01, 4.5e-5
# Beyond this many characters a text costs little more: what is read of it is bounded.
MAX_CHARACTERS_READ = 40_000
# A caller over its share hears of it this much later: refused at once it could ask, and be refused, without pause,
# and take by that what the others are served with.
HOLD_REFUSAL_S = 1.0
# No client waits longer before it asks again.
MAX_RETRY_AFTER_S = 120

# Told of each refusal: "share" where the caller held more places than any other, "full" where nobody did.
Refused = Callable[[Literal["share", "full"]], None]


def estimate(prompt: str, response: str) -> float:
    """Return the seconds that evaluating these texts may take."""
    return BASE_S + PER_CHARACTER_S * (len(prompt) + len(response))


@dataclass(frozen=True, slots=True)
class Load:
    """How busy a pool is at one moment; `places` are those for direct work that waits."""

    threads: int
    busy: int
    places: int
    waiting: int
    waiting_paid: int

    @property
    def saturation(self) -> float:
        """The share of threads and places that is taken; over 1 where paid work waits beside."""
        return (self.busy + self.waiting + self.waiting_paid) / (self.threads + self.places)


class _Job:
    """Work to do in a thread, and the future that waits for it."""

    __slots__ = ("done", "work")

    def __init__(self, work: Callable[[], Any], done: asyncio.Future[Any]) -> None:
        self.work = work
        self.done = done


class EvaluationPool:
    """A few threads and a fair queue before them."""

    def __init__(
        self,
        evaluator: Evaluator,
        threads: int,
        queue_size: int,
        *,
        on_refused: Refused = lambda why: None,
        hold_refusal_s: float = HOLD_REFUSAL_S,
    ) -> None:
        """Take at most `threads` running and `queue_size` waiting, beside what was paid for."""
        self.evaluator = evaluator
        self._threads = threads
        self._places = queue_size
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="evaluate")
        self._queue: FairQueue[_Job] = FairQueue(threads, queue_size)
        self._lock = Lock()
        # How many threads serve, or are about to.
        self._serving = 0
        self._closed = False
        self._on_refused = on_refused
        self._hold_refusal_s = hold_refusal_s
        # How the true cost stands to the estimate, lately.
        self._pace = 1.0

    @property
    def load(self) -> Load:
        """How busy it is."""
        queue = self._queue
        return Load(
            threads=self._threads,
            busy=queue.direct.running + queue.paid.running,
            places=self._places,
            waiting=queue.direct.waiting,
            waiting_paid=queue.paid.waiting,
        )

    def evaluate(self, prompt: str, response: str, *, caller: bytes) -> Awaitable[Evaluation]:
        """Evaluate one response in the caller's turn, or raise Overloaded."""
        work = partial(self.evaluator.evaluate, prompt, response)
        return self.run(work, caller=caller, cost=estimate(prompt, response))

    async def assess(
        self, exchange: Exchange, *, caller: bytes, work: Callable[[], Assessment]
    ) -> Assessment:
        """Run the judging of an exchange of contract 2 in the caller's turn, or raise Overloaded."""
        read = len(exchange.prompt) + len(exchange.response) + sum(map(len, exchange.context))
        cost = BASE_S + PER_CHARACTER_S * min(read, MAX_CHARACTERS_READ)
        return await self.run(work, caller=caller, cost=cost)

    async def evaluate_paid(
        self,
        prompt: str | None,
        response: str,
        *,
        finish_reason: str | None = None,
        messages: Sequence[Message] | None = None,
    ) -> Evaluation:
        """Evaluate what a provider was paid for: never refused, and ahead of direct work in bounded measure.

        How many of these a caller can have is admission's to bound, so that they are in one line.
        """
        work = lambda: self.evaluator.evaluate(  # noqa: E731
            prompt, response, finish_reason=finish_reason, messages=messages
        )
        return await self.run(work, caller=b"", cost=estimate(prompt or "", response), paid=True)

    async def run(
        self, work: Callable[[], T], *, caller: bytes, cost: float, paid: bool = False
    ) -> T:
        """Run any CPU work of the evaluator's kind in the caller's turn, or raise Overloaded."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        entry = Entry(caller, cost, _Job(work, done), paid)
        with self._lock:
            giving_way = self._queue.put(entry)
            greedy = giving_way is not None and self._refuse(giving_way)
            # A thread that serves goes on while anything waits: waking another for each entry would cost far more.
            wake = giving_way is not entry and (self._closed or self._serving < self._threads)
            self._serving += wake
        if giving_way is entry and greedy:
            await asyncio.sleep(self._hold_refusal_s)
        if wake:
            self._executor.submit(self._serve)  # raises where the pool is closed
        try:
            return await done
        finally:
            if done.cancelled():
                with self._lock:
                    self._queue.drop(entry)

    def warm(self) -> None:
        """Evaluate once in each way that loads something, so that the first caller does not pay."""
        self.evaluator.evaluate("Say hello.", "Hello! How can I help you today?")
        # Another language than English asks the language identifier, which is slow to load.
        self.evaluator.evaluate(
            "Réponds en français, s'il te plaît.", "Bonjour, je suis là pour vous aider. " * 3
        )

    def close(self) -> None:
        """Stop taking work; what runs may finish."""
        self._closed = True
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _refuse(self, entry: Entry[_Job]) -> bool:
        """Refuse an entry that has no place; tell whether its caller holds others."""
        greedy = self._queue.direct.inside(entry.caller) > 0
        self._on_refused("share" if greedy else "full")
        seconds = math.ceil(self._pace * self._queue.wait_for(entry.caller))
        if not entry.work.done.done():
            retry_after = min(max(1, seconds), MAX_RETRY_AFTER_S)
            entry.work.done.set_exception(Overloaded(retry_after=retry_after))
        return greedy

    def _serve(self) -> None:
        """Serve in a thread while anything waits; which entry is next is decided when the thread is free for it."""
        with self._lock:
            entry = self._next()
        while entry is not None:
            entry = self._turn(entry)

    def _next(self) -> Entry[_Job] | None:
        """Take what is next; where nothing is, the thread no longer serves."""
        entry = None if self._closed else self._queue.take()
        if entry is None:
            self._serving -= 1
        return entry

    def _turn(self, entry: Entry[_Job]) -> Entry[_Job] | None:
        """Serve one entry, hand the outcome to the loop it was asked from, and return the next.

        One hop back, where asyncio's own bridge between the two kinds of future takes several.
        """
        started, worked = perf_counter(), thread_time()
        done = entry.work.done
        settle: Callable[[Any], None]
        outcome: object
        try:
            settle, outcome = done.set_result, entry.work.work()
        except BaseException as error:  # whatever it is belongs to who asked
            settle, outcome = done.set_exception, error
        actual = perf_counter() - started
        with self._lock:
            # Charged is the thread's own work: that the machine was busy, or stood still, is no caller's doing.
            self._queue.finish(entry, thread_time() - worked)
            self._pace += 0.1 * (actual / entry.cost - self._pace)
            following = self._next()
        with suppress(RuntimeError):  # the loop has closed: nobody waits
            done.get_loop().call_soon_threadsafe(_settle, done, settle, outcome)
        return following


def _settle(done: asyncio.Future[Any], settle: Callable[[Any], None], outcome: object) -> None:
    if not done.done():
        settle(outcome)
