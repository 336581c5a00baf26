"""Runs evaluations off the event loop, a bounded number of them, each text alone.

Beyond its queue it refuses at once with Overloaded; what waits can still be cancelled.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import perf_counter
from typing import Any, TypeVar

from fairwitness.contract.errors import Overloaded
from fairwitness.contract.evaluation import Evaluation
from fairwitness.evaluator import Evaluator

T = TypeVar("T")


class EvaluationPool:
    """A few threads and a bounded line before them."""

    def __init__(self, evaluator: Evaluator, threads: int, queue_size: int) -> None:
        """Take at most `threads` running and `queue_size` waiting."""
        self.evaluator = evaluator
        self._threads = threads
        self._room = threads + queue_size
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="evaluate")
        self._inside = 0
        self._mean_s = 0.05

    @property
    def inside(self) -> int:
        """How many evaluations run or wait."""
        return self._inside

    async def evaluate(
        self, prompt: str, response: str, *, finish_reason: str | None = None
    ) -> Evaluation:
        """Evaluate one response in turn, or raise Overloaded."""
        return await self.run(
            lambda: self.evaluator.evaluate(prompt, response, finish_reason=finish_reason)
        )

    async def run(self, work: Callable[[], T]) -> T:
        """Run any CPU work of the evaluator's kind in turn, or raise Overloaded."""
        if self._inside >= self._room:
            raise Overloaded(retry_after=self._seconds_until_room())
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._inside += 1
        try:
            self._executor.submit(self._do, work, done)
            return await done
        finally:
            self._inside -= 1

    def warm(self) -> None:
        """Evaluate once in each way that loads something, so that the first caller does not pay."""
        self.evaluator.evaluate("Say hello.", "Hello! How can I help you today?")
        # Another language than English asks the language identifier, which is slow to load.
        self.evaluator.evaluate(
            "Réponds en français, s'il te plaît.", "Bonjour, je suis là pour vous aider. " * 3
        )

    def close(self) -> None:
        """Stop taking work; what runs may finish."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _do(self, work: Callable[[], T], done: asyncio.Future[T]) -> None:
        """Work in a thread, unless nobody waits any more, and hand the outcome to the loop it was asked from.

        One hop back, where asyncio's own bridge between the two kinds of future takes several.
        """
        if done.cancelled():
            return
        started = perf_counter()
        settle: Callable[[Any], None]
        outcome: object
        try:
            settle, outcome = done.set_result, work()
        except BaseException as error:  # whatever it is belongs to who asked
            settle, outcome = done.set_exception, error
        self._mean_s += 0.1 * (perf_counter() - started - self._mean_s)
        with suppress(RuntimeError):  # the loop has closed: nobody waits
            done.get_loop().call_soon_threadsafe(_settle, done, settle, outcome)

    def _seconds_until_room(self) -> int:
        return max(1, math.ceil(self._mean_s * self._inside / self._threads))


def _settle(done: asyncio.Future[Any], settle: Callable[[Any], None], outcome: object) -> None:
    if not done.done():
        settle(outcome)
