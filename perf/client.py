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
    """What a stretch of load met with; `window` is the time in which requests were sent."""

    seconds: float = 0.0
    window: float = 0.0
    in_window: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    lost: int = 0
    latencies: list[float] = field(default_factory=list)
    by_status: dict[int, list[float]] = field(default_factory=dict)
    # Refusals that said when to come again, and the processor time the client itself took.
    told_when: int = 0
    cpu_s: float = 0.0

    @property
    def answered(self) -> int:
        """How many requests got an answer."""
        return self.statuses.total()

    @property
    def rate(self) -> float:
        """Answers a second while requests were sent: the emptying of the line afterwards is left out."""
        return self.in_window / self.window if self.window else 0.0

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
        # Paced clients begin one after another: all at once they would be a burst, not a rate.
        if self.load.pace and not self.load.outcome.answered:
            late = self.load.pace * next(self.load.begun) / self.load.connections
            asyncio.get_running_loop().call_later(late, self._next)
        else:
            self._next()

    def _next(self) -> None:
        if self.transport.is_closing():
            return
        if time.perf_counter() >= self.load.until or self.load.left == 0:
            self.transport.close()
            return
        self.load.left -= 1
        self.waiting = True
        self.began = time.perf_counter()
        self.transport.write(next(self.load.requests))

    def _after_answer(self) -> None:
        pause = self.began + self.load.pace - time.perf_counter() if self.load.pace else 0.0
        if pause > 0:
            asyncio.get_running_loop().call_later(pause, self._next)
        else:
            self._next()

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
                self.load.outcome.told_when += b"\r\nretry-after: " in head
            if len(self.buffer) < self.needed:
                return
            del self.buffer[: self.needed]
            self.needed = 0
            self.waiting = False
            self.load.outcome.statuses[self.status] += 1
            ended = time.perf_counter()
            taken = ended - self.began
            self.load.outcome.in_window += ended <= self.load.until
            self.load.outcome.latencies.append(taken)
            self.load.outcome.by_status.setdefault(self.status, []).append(taken)
            if self.closing:
                self.transport.close()
            else:
                self._after_answer()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.waiting:
            self.load.outcome.lost += 1
        self.load.closed(self)


class _Load:
    def __init__(
        self,
        port: int,
        requests: Iterable[bytes],
        connections: int,
        seconds: float,
        most: int,
        pace: float,
        source: str,
    ) -> None:
        self.port = port
        self.source = source
        self.requests = itertools.cycle(list(requests))
        self.connections = connections
        self.outcome = Outcome()
        self.seconds = seconds
        self.left = most
        self.pace = pace
        self.begun = itertools.count()
        self.until = 0.0
        self.open = 0

    async def run(self) -> Outcome:
        self.done = asyncio.Event()
        began, worked = time.perf_counter(), time.process_time()
        self.until = began + self.seconds
        await asyncio.gather(*(self.connect() for _ in range(self.connections)))
        await self.done.wait()
        self.outcome.seconds = time.perf_counter() - began
        self.outcome.window = min(self.seconds, self.outcome.seconds)
        self.outcome.cpu_s = time.process_time() - worked
        return self.outcome

    async def connect(self) -> None:
        self.open += 1
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: _Connection(self), "127.0.0.1", self.port, local_addr=(self.source, 0)
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
    pace: float = 0.0,
    source: str = "127.0.0.1",
    meanwhile: Callable[[], None] | None = None,
) -> Outcome:
    """Keep `connections` busy for `seconds` or `most` requests; `meanwhile` runs in a thread beside.

    With a `pace` a connection sends no sooner than that many seconds after its last request. Clients of different
    `source` addresses (127.0.0.2, say) are different callers.
    """

    async def both() -> Outcome:
        running = _Load(port, requests, connections, seconds, most, pace, source).run()
        if meanwhile is None:
            return await running
        outcome, _ = await asyncio.gather(running, asyncio.to_thread(meanwhile))
        return outcome

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(both())
