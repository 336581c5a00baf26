"""Judges on a Ray cluster: actors that load the model once, fed in chunks, replaced when they or their node die.

Rows are read, and results written, by this process alone, in order: what is on disk and how a run is taken up
again are the same as with local processes. Each node needs this version of the package.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from typing import Any

from fairwitness.batch.executor import LOST, TRIES, T, in_order
from fairwitness.batch.rows import BadInput, Texts
from fairwitness.batch.worker import judged
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.protocol import Protocol

# Rows sent together: one call costs about a millisecond, a row a few.
CHUNK_ROWS = 16
CHUNK_CHARS = 256 * 1024
# Chunks an actor has at once, so that it never waits for the next.
CHUNKS_AHEAD = 2
# Rows in flight for each actor: both of its chunks, and as many again that wait.
WINDOW_ROWS = 4 * CHUNK_ROWS
START_WAIT_S = 120.0
FAILED_STARTS = 3


class Judge:
    """What runs in an actor: an evaluator, made once."""

    def __init__(self, protocol: Protocol) -> None:
        """Load the protocol, its criteria and the model."""
        self._evaluator = Evaluator.of(protocol)

    def ready(self) -> tuple[str, str]:
        """Return the node this runs on and the version that judges there."""
        import ray

        return ray.get_runtime_context().get_node_id(), self._evaluator.version

    def judge(self, chunk: list[Texts]) -> list[bytes]:
        """Judge each pair of texts."""
        return [judged(self._evaluator, *texts) for texts in chunk]


@dataclass(eq=False)
class _Ask:
    """One pair of texts on its way, and its answer once it is there."""

    texts: Texts
    answer: bytes | None = None
    losses: int = 0


@dataclass(eq=False)
class _Actor:
    handle: Any
    node: str | None = None  # None until it is ready
    # What it was given, oldest first, by the reference of the answer.
    given: dict[Any, list[_Ask]] = field(default_factory=dict)


class RayActors:
    """Judges on a cluster that is running, or on one started here."""

    judge = Judge

    def __init__(self, evaluator: Evaluator, workers: int | None, address: str | None) -> None:
        """Take so many actors, or one for each CPU of the cluster."""
        self._evaluator, self._workers, self._address = evaluator, workers, address
        self._queue: deque[list[_Ask]] = deque()
        self._filling: list[_Ask] = []
        self._actors: list[_Actor] = []
        self._awaited: dict[Any, _Actor] = {}  # by the reference that is awaited
        self._failed_starts = 0
        # Rows that may have ended an actor: while there are any, an actor has one chunk at a time, so that it is known
        # which ended it. The answer to the one before may be lost with the process.
        self._doubted: set[_Ask] = set()
        # Ray prints what happens to its nodes, and standard output is for the result.
        self._aside = redirect_stdout(sys.stderr)

    def __enter__(self) -> RayActors:
        """Connect, or start a Ray of this machine, and begin the actors."""
        if self._address is None:
            # Ray's own report of its use is off, and nobody else may use what we start.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            os.environ.setdefault("RAY_AUTH_MODE", "token")
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        else:
            _check_reachable(self._address)
        import ray

        options = {"include_dashboard": False} if self._address is None else {}
        try:
            ray.init(
                address=self._address or "local",
                num_cpus=self._workers if self._address is None else None,
                log_to_driver=False,
                logging_level=logging.WARNING,
                **options,
            )
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            where = f"--address {self._address}" if self._address else "Ray could not be started"
            raise BadInput(f"{where}: {_first_line(error)}") from None
        self._aside.__enter__()
        cpus = int(ray.cluster_resources().get("CPU", 0))
        self._count = self._workers or max(cpus, 1)
        self._protocol = ray.put(self._evaluator.protocol)
        self._class = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(self.judge)
        for _ in range(self._count):
            self._begin()
        return self

    def __exit__(self, *why: object) -> None:
        """End the actors, and the Ray that was started here."""
        import ray

        for actor in self._actors:
            with suppress(Exception):  # it may be gone already
                ray.kill(actor.handle)
        ray.shutdown()
        self._aside.__exit__(None, None, None)

    def ordered(self, asked: Iterable[tuple[T, Texts | None]]) -> Iterator[tuple[T, bytes | None]]:
        """Judge a window of pairs at a time."""
        return in_order(asked, self._submit, self._answer, WINDOW_ROWS * self._count)

    def _submit(self, texts: Texts) -> _Ask:
        ask = _Ask(texts)
        self._filling.append(ask)
        size = sum(len(text) for one in self._filling for text in one.texts)
        if len(self._filling) >= CHUNK_ROWS or size >= CHUNK_CHARS:
            self._send()
            self._pump(0)
        return ask

    def _answer(self, ask: _Ask) -> bytes:
        if ask in self._filling:
            self._send()
        while ask.answer is None:
            self._pump(START_WAIT_S)
        return ask.answer

    def _send(self) -> None:
        self._queue.append(self._filling)
        self._filling = []

    def _pump(self, wait_s: float) -> None:
        """Give waiting chunks to actors that are ready, and take what is done."""
        import ray

        ahead = 1 if self._doubted else CHUNKS_AHEAD
        for actor in sorted(self._actors, key=lambda one: len(one.given)):
            while self._queue and actor.node and len(actor.given) < ahead:
                chunk = self._queue.popleft()
                reference = actor.handle.judge.remote([ask.texts for ask in chunk])
                actor.given[reference] = chunk
                self._awaited[reference] = actor
        done, _ = ray.wait(list(self._awaited), num_returns=1, timeout=wait_s)
        if wait_s and not done and not any(actor.given for actor in self._actors):
            raise BadInput(f"no CPU of the Ray cluster came free within {wait_s:.0f} s")
        for reference in done:
            if owner := self._awaited.pop(reference, None):
                self._take(reference, owner)

    def _take(self, reference: Any, actor: _Actor) -> None:
        import ray

        try:
            found = ray.get(reference)
        except ray.exceptions.RayActorError as error:
            self._replace(actor, error)
            return
        except ray.exceptions.RayTaskError:
            self._blame(actor.given.pop(reference))
            return
        except ray.exceptions.RayError as error:
            raise BadInput(f"Ray: {_first_line(error)}") from None
        if actor.node is None:
            self._welcome(actor, *found)
            return
        for ask, answer in zip(actor.given.pop(reference), found, strict=True):
            self._settle(ask, answer)

    def _settle(self, ask: _Ask, answer: bytes) -> None:
        ask.answer = answer
        self._doubted.discard(ask)

    def _begin(self) -> None:
        actor = _Actor(self._class.remote(self._protocol))
        self._actors.append(actor)
        self._awaited[actor.handle.ready.remote()] = actor

    def _welcome(self, actor: _Actor, node: str, version: str) -> None:
        if version != self._evaluator.version:
            raise BadInput(
                f"Ray node {node[:12]} has evaluator {version}, this machine {self._evaluator.version};"
                " install the same version on every node"
            )
        actor.node, self._failed_starts = node, 0

    def _replace(self, actor: _Actor, error: Exception) -> None:
        """Begin another actor, and queue again what this one had, first of all."""
        self._actors.remove(actor)
        self._awaited = {ref: one for ref, one in self._awaited.items() if one is not actor}
        chunks = list(actor.given.values())
        if actor.node is None:
            self._failed_starts += 1
            if self._failed_starts >= FAILED_STARTS:
                raise BadInput(f"Ray could not start a judge: {_last_line(error)}")
        elif chunks and self._is_alive(actor.node):
            # Its node did not take it along, so what it was judging did: that is the oldest chunk.
            self._blame(chunks.pop(0))
        self._queue.extendleft(reversed(chunks))
        self._begin()

    def _is_alive(self, node: str) -> bool:
        import ray

        return any(one["NodeID"] == node and one["Alive"] for one in ray.nodes())

    def _blame(self, chunk: list[_Ask]) -> None:
        """Try the rows of a chunk one by one; a row that was lost alone, twice, is answered as lost."""
        if len(chunk) == 1:
            chunk[0].losses += 1
            if chunk[0].losses >= TRIES:
                self._settle(chunk[0], LOST)
                return
        self._doubted.update(chunk)
        self._queue.extendleft([ask] for ask in reversed(chunk))


def _check_reachable(address: str) -> None:
    """Raise BadInput where nobody listens: Ray itself would try for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdecimal():
        return  # a word such as auto
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:
        raise BadInput(f"--address {address}: {error}") from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _last_line(error: Exception) -> str:
    return next(iter(reversed(str(error).strip().splitlines())), type(error).__name__)
