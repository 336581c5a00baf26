"""Judges many pairs of texts with processes, and gives the answers back in the order they were asked.

Only a window of rows is in flight, so memory does not grow with the input. Evaluations are the same bytes
whatever the number of workers: each is the work of one process on one pair of texts.
"""

from __future__ import annotations

import subprocess
import threading
import typing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import msgspec

from fairwitness.batch.child_process import start_module
from fairwitness.batch.rows import BadInput, Texts
from fairwitness.batch.worker import judged
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator import protocol as protocols

T = TypeVar("T")
H = TypeVar("H")

# Rows in flight for each worker: enough that one long row does not leave the others idle.
WINDOW_ROWS = 64
# Beyond so many characters in flight no further row is read.
WINDOW_CHARS = 32 * 1024 * 1024
# A worker that ends while it judges a row is started again once; a second time the row is to blame.
TRIES = 2
LOST = msgspec.json.encode(["the process that judged this row ended without an answer, twice"])


class Executor(typing.Protocol):
    """Judges pairs of texts while it is open; a new one is one file."""

    def ordered(self, asked: Iterable[tuple[T, Texts | None]]) -> Iterator[tuple[T, bytes | None]]:
        """Yield each item with its answer, in order; an item without texts has none."""

    def __enter__(self) -> typing.Self:
        """Open it."""

    def __exit__(self, *why: object) -> None:
        """Leave nothing running."""


def in_order(
    asked: Iterable[tuple[T, Texts | None]],
    submit: Callable[[Texts], H],
    answer: Callable[[H], bytes],
    window: int,
) -> Iterator[tuple[T, bytes | None]]:
    """Keep a window of rows in flight. Where the input breaks off, what came before it is still given."""
    pending: deque[tuple[T, int, H | None]] = deque()
    chars = 0
    rows = iter(asked)
    broken: BadInput | None = None

    def first() -> tuple[T, bytes | None]:
        item, _, task = pending.popleft()
        return item, None if task is None else answer(task)

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
        pending.append((item, length, submit(texts) if texts else None))
        while len(pending) >= window or chars > WINDOW_CHARS:
            chars -= pending[0][1]
            yield first()
    while pending:
        yield first()
    if broken:
        raise broken


def executor_of(evaluator: Evaluator, workers: int) -> Executor:
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

    def __init__(self, protocol: protocols.Protocol, workers: int) -> None:
        self._opening = msgspec.json.encode((protocol.source.decode(), protocol.path)) + b"\n"
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="batch")
        self._window = WINDOW_ROWS * workers
        self._own = threading.local()
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def ordered(self, asked: Iterable[tuple[T, Texts | None]]) -> Iterator[tuple[T, bytes | None]]:
        """Judge a window of pairs at a time."""
        return in_order(
            asked, lambda texts: self._threads.submit(self._ask, texts), Future.result, self._window
        )

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
        return LOST

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise RuntimeError("the executor is closed")
            worker = start_module("fairwitness.batch.worker")
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

    def __exit__(self, *why: object) -> None:
        with self._lock:
            self._closed = True
            running = list(self._running)
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in running:
            worker.kill()
        self._threads.shutdown(wait=True)
        for worker in running:
            _stop(worker)


def _stop(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        assert pipe is not None
        with suppress(BrokenPipeError):  # it ended before it read everything
            pipe.close()
