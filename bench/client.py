"""A small, fast HTTP client for load: raw bytes over kept-alive connections, one request at a time on each."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import uvloop


@dataclass
class Outcome:
    """What a stretch of load met with."""

    seconds: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    lost: int = 0
    latencies: list[float] = field(default_factory=list)
    by_status: dict[int, list[float]] = field(default_factory=dict)

    @property
    def answered(self) -> int:
        """How many requests got an answer."""
        return self.statuses.total()

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answered / self.seconds if self.seconds else 0.0

    def quantile(self, share: float) -> float:
        """Return a latency in seconds that `share` of the answers kept."""
        return _quantile(self.latencies, share)

    def quantile_of(self, status: int, share: float) -> float:
        """Return the same for the answers of one status."""
        return _quantile(self.by_status.get(status, []), share)


def _quantile(latencies: list[float], share: float) -> float:
    ordered = sorted(latencies)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def post(path: str, body: bytes, content_type: str = "application/json") -> bytes:
    """Return a whole request."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class _Connection(asyncio.Protocol):
    """One connection that sends the next request as soon as the last answer is whole."""

    def __init__(self, load: _Load) -> None:
        self.load = load
        self.buffer = bytearray()
        self.needed = 0
        self.waiting = False
        self.began = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        self._next()

    def _next(self) -> None:
        if time.perf_counter() >= self.load.until or self.load.left == 0:
            self.transport.close()
            return
        self.load.left -= 1
        self.waiting = True
        self.began = time.perf_counter()
        self.transport.write(next(self.load.requests))

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while self.waiting:
            if not self.needed:
                end = self.buffer.find(b"\r\n\r\n")
                if end < 0:
                    return
                head = bytes(self.buffer[:end]).lower()
                at = head.find(b"content-length:")
                length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
                self.needed = end + 4 + length
                self.status = int(head[9:12])
                self.closing = b"connection: close" in head
            if len(self.buffer) < self.needed:
                return
            del self.buffer[: self.needed]
            self.needed = 0
            self.waiting = False
            self.load.outcome.statuses[self.status] += 1
            taken = time.perf_counter() - self.began
            self.load.outcome.latencies.append(taken)
            self.load.outcome.by_status.setdefault(self.status, []).append(taken)
            if self.closing:
                self.transport.close()
            else:
                self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.waiting:
            self.load.outcome.lost += 1
        self.load.closed(self)


class _Load:
    def __init__(
        self, port: int, requests: Iterable[bytes], connections: int, seconds: float, most: int
    ) -> None:
        self.port = port
        self.requests = itertools.cycle(list(requests))
        self.connections = connections
        self.outcome = Outcome()
        self.seconds = seconds
        self.left = most
        self.until = 0.0
        self.open = 0

    async def run(self) -> Outcome:
        self.done = asyncio.Event()
        began = time.perf_counter()
        self.until = began + self.seconds
        await asyncio.gather(*(self.connect() for _ in range(self.connections)))
        await self.done.wait()
        self.outcome.seconds = time.perf_counter() - began
        return self.outcome

    async def connect(self) -> None:
        self.open += 1
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: _Connection(self), "127.0.0.1", self.port
            )
        except OSError:
            self.outcome.lost += 1
            self.closed(None)

    def closed(self, connection: _Connection | None) -> None:
        self.open -= 1
        if connection is not None and time.perf_counter() < self.until and self.left != 0:
            # The server hung up after a whole answer, or lost us: come back as a client would.
            self.again = asyncio.ensure_future(self.connect())
        elif self.open == 0:
            self.done.set()


def load(
    port: int,
    requests: Iterable[bytes],
    *,
    connections: int,
    seconds: float,
    most: int = -1,
    meanwhile: Callable[[], None] | None = None,
) -> Outcome:
    """Keep `connections` busy for `seconds` or `most` requests; `meanwhile` runs in a thread beside."""

    async def both() -> Outcome:
        running = _Load(port, requests, connections, seconds, most).run()
        if meanwhile is None:
            return await running
        outcome, _ = await asyncio.gather(running, asyncio.to_thread(meanwhile))
        return outcome

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(both())
