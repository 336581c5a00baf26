"""Judges the rows of a batch by a protocol that asks models, a few at a time, and writes their records in order.

The records lie beside the results, one line each. Answers in them that were paid for are never asked for again,
nor is a question that another row asks; one that stayed unanswered is. It knows nothing of where rows come from.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TypeVar

import msgspec

from fairwitness.contract.errors import ConcurrencyLimit, InvalidRequest
from fairwitness.contract.judge_record import AskedQuestion, JudgeRecord
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.inputs import exchange_of_row
from fairwitness.service.judging import Judged, Judging, Spender
from fairwitness.service.shared_answers import SharedAnswers

T = TypeVar("T")
Texts = tuple[str, ...]

ENDPOINT = "batch"
# Others may be using the same ledger: so long a row waits for its turn before its judges count as away.
WAIT_FOR_TURN_S = 120.0
_READY_S = 60.0


class JudgedRows:
    """An executor of a batch: rows in, evaluations out in the same order, records beside them."""

    def __init__(
        self,
        evaluator: Evaluator,
        opened: Callable[[], AbstractAsyncContextManager[Judging]],
        caller_of: Callable[[str], bytes],
        records: Path,
        in_flight: int,
    ) -> None:
        """Judge with what `opened` gives while it is open; each row is a caller of its own, so budgets alone limit it."""
        self._evaluator = evaluator
        self._opened = opened
        self._caller_of = caller_of
        self._path = records
        self._in_flight = max(1, in_flight)
        self._running: set[asyncio.Task[object]] = set()
        self._shared = SharedAnswers()

    def ordered(self, asked: Iterable[tuple[T, Texts | None]]) -> Iterator[tuple[T, bytes | None]]:
        """Judge a window of rows at a time; a record is on disk before its result is given."""
        pending: deque[tuple[T, Future[Judged] | None]] = deque()
        for number, (item, texts) in enumerate(asked, 1):
            task = self._begin(number, texts) if texts else None
            pending.append((item, task))
            while len(pending) >= self._in_flight:
                yield self._done(*pending.popleft())
        while pending:
            yield self._done(*pending.popleft())

    def _begin(self, number: int, texts: Texts) -> Future[Judged]:
        return asyncio.run_coroutine_threadsafe(self._judged(number, texts), self._loop)

    async def _judged(self, number: int, texts: Texts) -> Judged:
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        exchange = exchange_of_row(*texts)
        give_up = self._loop.time() + WAIT_FOR_TURN_S
        while True:
            # Asking again at once is the point here, not a duplicate.
            spender = Spender(ENDPOINT, self._caller_of(f"batch row {number}"), os.urandom(16))
            waits = self._loop.time() < give_up
            try:
                return await self._judging.judged(
                    self._evaluator, exchange, spender, raises=waits, shared=self._shared
                )
            except ConcurrencyLimit as full:
                await asyncio.sleep(min(full.retry_after or 1, 5))
            except InvalidRequest:
                raise
            except Exception:
                give_up = 0.0  # once more, without raising: the questions stay unanswered

    def _done(self, item: T, task: Future[Judged] | None) -> tuple[T, bytes | None]:
        if task is None:
            return item, None
        try:
            judged = task.result()
        except InvalidRequest as error:
            return item, msgspec.json.encode(error.details)
        line = msgspec.json.encode(judged.record) + b"\n"
        os.write(self._file, line)
        return item, msgspec.json.encode(judged.evaluation)

    def __enter__(self) -> JudgedRows:
        self._shared = SharedAnswers(known_answers(self._path), known_answers(before(self._path)))
        self._file = os.open(
            self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600
        )
        # Made here and not before: a batch that is done already never enters.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._open = self._opened()
        opening = asyncio.run_coroutine_threadsafe(self._open.__aenter__(), self._loop)
        self._judging = opening.result(_READY_S)
        return self

    def __exit__(self, *why: object) -> None:
        tasks = asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        tasks.result(_READY_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        os.fsync(self._file)
        os.close(self._file)
        if why[0] is None:
            before(self._path).unlink(missing_ok=True)

    async def _end(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._open.__aexit__(None, None, None)


def before(records: Path) -> Path:
    """Return where records wait whose rows are being judged again."""
    return records.with_name(f"{records.name}.before")


def known_answers(records: Path) -> dict[str, AskedQuestion]:
    """Return the answers in a file of records, by question; a torn last line is cut off."""
    known: dict[str, AskedQuestion] = {}
    if not records.exists():
        return known
    offset = 0
    with records.open("r+b") as file:
        for line in file:
            if not line.endswith(b"\n"):
                file.truncate(offset)
                break
            offset += len(line)
            for asked in msgspec.json.decode(line, type=JudgeRecord).asked:
                if isinstance(asked.answer, str):
                    first = known.setdefault(asked.question_digest, asked)
                    # One of the rows that share an answer has its cost, and not always the first.
                    if asked.cost_micro_usd > first.cost_micro_usd:
                        known[asked.question_digest] = asked
    return known
