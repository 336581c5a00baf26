"""Group commit for asyncio: jobs that arrive while a batch is being committed form the next batch."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")

MAX_BATCH = 256


class Batcher(Generic[Job, Answer]):
    """Runs one batch at a time; a lone job never waits for company."""

    def __init__(self, execute: Callable[[list[Job]], Awaitable[list[Answer | Exception]]]) -> None:
        """Take what executes a batch: one answer (or exception) a job, or it raises for them all."""
        self._execute = execute
        self._waiting: deque[tuple[Job, asyncio.Future[Answer]]] = deque()
        self._drain_task: asyncio.Task[None] | None = None

    async def submit(self, job: Job) -> Answer:
        """Run the job in the next batch and return its answer.

        Cancelled before its batch began, the job never runs; cancelled later, it runs to its end.
        """
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((job, future))
        if self._drain_task is None or self._drain_task.done():
            self._drain_task = asyncio.create_task(self._drain())
        return await future

    async def drained(self) -> None:
        """Wait until nothing waits."""
        while self._drain_task is not None and not self._drain_task.done():
            await asyncio.wait([self._drain_task])

    async def _drain(self) -> None:
        while self._waiting:
            batch: list[tuple[Job, asyncio.Future[Answer]]] = []
            while self._waiting and len(batch) < MAX_BATCH:
                job, future = self._waiting.popleft()
                if not future.done():
                    batch.append((job, future))
            if batch:
                await self._run([job for job, _ in batch], [future for _, future in batch])

    async def _run(self, jobs: list[Job], futures: list[asyncio.Future[Answer]]) -> None:
        answers: list[Answer | Exception]
        try:
            answers = await self._execute(jobs)
        except Exception as error:
            answers = [error] * len(jobs)
        for future, answer in zip(futures, answers, strict=True):
            if future.done():
                continue
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
