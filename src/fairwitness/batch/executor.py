"""Judges many pairs of texts with processes, and gives the answers back in the order they were asked.

Only a window of rows is in flight, so memory does not grow with the input. Evaluations are the same bytes
whatever the number of workers: each is the work of one process on one pair of texts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import TypeVar

import msgspec

from fairwitness.batch.rows import BadInput
from fairwitness.batch.worker import judged
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.protocol import Protocol

T = TypeVar("T")
Texts = tuple[str, str]

# Rows in flight for each worker: enough that one long row does not leave the others idle.
WINDOW_ROWS = 64
# Beyond so many characters in flight no further row is read.
WINDOW_CHARS = 32 * 1024 * 1024
# A worker that ends while it judges a row is started again once; a second time the row is to blame.
TRIES = 2


def executor_of(evaluator: Evaluator, workers: int) -> InProcess | Processes:
    """Return an executor with this many processes; one means this process itself."""
    return InProcess(evaluator) if workers == 1 else Processes(evaluator.protocol, workers)


class InProcess:
    """Judges in this process, one row after the other."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def ordered(self, asked: Iterable[tuple[T, Texts | None]]) -> Iterator[tuple[T, bytes | None]]:
        """Judge each pair when it is asked for."""
        for item, texts in asked:
            yield item, None if texts is None else judged(self._evaluator, *texts)

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *why: object) -> None:
        pass


class Processes:
    """Judges in worker processes, each with a thread here that speaks to it."""

    def __init__(self, protocol: Protocol, workers: int) -> None:
        self._opening = msgspec.json.encode((protocol.source.decode(), protocol.path)) + b"\n"
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="batch")
        self._window = WINDOW_ROWS * workers
        self._own = threading.local()
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def ordered(self, asked: Iterable[tuple[T, Texts | None]]) -> Iterator[tuple[T, bytes | None]]:
        """Judge a window of pairs at a time. Where the input breaks off, what came before it is still given."""
        pending: deque[tuple[T, int, Future[bytes] | None]] = deque()
        chars = 0
        rows = iter(asked)
        broken: BadInput | None = None
        while True:
            try:
                item, texts = next(rows)
            except StopIteration:
                break
            except BadInput as error:
                broken = error
                break
            length = sum(map(len, texts)) if texts else 0
            chars += length
            task = self._threads.submit(self._ask, texts) if texts else None
            pending.append((item, length, task))
            while len(pending) >= self._window or chars > WINDOW_CHARS:
                chars -= pending[0][1]
                yield _answer(pending.popleft())
        while pending:
            yield _answer(pending.popleft())
        if broken:
            raise broken

    def _ask(self, texts: Texts) -> bytes:
        message = msgspec.json.encode(texts) + b"\n"
        for _ in range(TRIES):
            worker: subprocess.Popen[bytes] | None = getattr(self._own, "worker", None)
            opening = b"" if worker else self._opening
            worker = worker or self._start()
            assert worker.stdin is not None
            assert worker.stdout is not None
            try:
                worker.stdin.write(opening + message)
                worker.stdin.flush()
                answer = worker.stdout.readline()
            except BrokenPipeError:
                answer = b""
            if answer.endswith(b"\n"):
                return answer[:-1]
            self._end(worker)
        return msgspec.json.encode(
            ["the process that judged this row ended without an answer, twice"]
        )

    def _start(self) -> subprocess.Popen[bytes]:
        # The worker finds what this process finds, wherever that was put on the path.
        path = os.pathsep.join(entry for entry in sys.path if entry)
        with self._lock:
            if self._closed:
                raise RuntimeError("the executor is closed")
            worker = subprocess.Popen(
                [sys.executable, "-m", "fairwitness.batch.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": path},
                process_group=0,  # Ctrl+C is for us alone: a worker ends when its input does
            )
            self._running.add(worker)
        self._own.worker = worker
        return worker

    def _end(self, worker: subprocess.Popen[bytes]) -> None:
        self._own.worker = None
        with self._lock:
            self._running.discard(worker)
        _stop(worker)

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._closed = True
            running = list(self._running)
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in running:
            worker.kill()
        self._threads.shutdown(wait=True)
        for worker in running:
            _stop(worker)


def _answer(waiting: tuple[T, int, Future[bytes] | None]) -> tuple[T, bytes | None]:
    item, _, task = waiting
    return item, task.result() if task else None


def _stop(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        assert pipe is not None
        with suppress(BrokenPipeError):  # it ended before it read everything
            pipe.close()
