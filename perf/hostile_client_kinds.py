"""Clients nobody wants, many at once: each kind is a few bytes, a way to go on, and a way to end. Loopback only."""

from __future__ import annotations

import asyncio
import itertools
import resource
import socket
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from perf.client import post
from perf.sample_texts import body

PATH = "/api/evaluate-response"
BATCH = 250
# Another caller than whoever asks from 127.0.0.1, and a crowd of them.
ONE_ADDRESS = ("127.0.0.2",)
MANY_ADDRESSES = tuple(f"127.0.1.{number}" for number in range(1, 101))
_WHOLE = body(300)
_HALF = post(PATH, _WHOLE)[: -len(_WHOLE) // 2]
_PING = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
# What would be answered a second time where two readers could disagree on where the first request ends.
_HIDDEN = b"GET /docs HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Then(Enum):
    """What a client does once its bytes are sent."""

    HOLD = "holds on"
    HALF_CLOSE = "closes its sending half and holds on"
    ABORT = "resets the connection"


@dataclass(frozen=True)
class Kind:
    """One kind of client; where it drips, one byte at a time, from `rest`."""

    name: str
    first: bytes = b""
    rest: bytes = b""
    then: Then = Then.HOLD


def _framed(*headers: str, after: bytes = b"") -> bytes:
    lines = [f"POST {PATH} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + after


SMUGGLED = (
    _framed("Content-Length: 6", "Content-Length: 5", after=b"0\r\n\r\nX" + _HIDDEN),
    _framed("Content-Length: 5", "Transfer-Encoding: chunked", after=b"0\r\n\r\n" + _HIDDEN),
    _framed("Transfer-Encoding: chunked", "Content-Length: 5", after=b"0\r\n\r\n" + _HIDDEN),
    _framed("Transfer-Encoding: xchunked", after=b"0\r\n\r\n" + _HIDDEN),
    _framed("Transfer-Encoding : chunked", after=b"0\r\n\r\n" + _HIDDEN),
    _framed("Transfer-Encoding: chunked, identity", after=b"0\r\n\r\n" + _HIDDEN),
    _framed("Content-Length: +5", after=b"hello" + _HIDDEN),
    _framed("Content-Length: 5, 5", after=b"hello" + _HIDDEN),
    _framed("Transfer-Encoding: chunked", after=b"0x5\r\nhello\r\n0\r\n\r\n" + _HIDDEN),
    _framed("Transfer-Encoding: chunked", after=b"-1\r\nhello\r\n0\r\n\r\n" + _HIDDEN),
    _framed(" Content-Length: 5", after=b"hello" + _HIDDEN),
)
IDLE = Kind("idle connections")
HALF_SENT = Kind("half-sent bodies", _HALF)
KINDS = (
    Kind("slow headers", b"POST /api/evaluate-response HTTP/1.1\r\n", b"X-A: b\r\n" * 400),
    Kind("slow bodies", _HALF[:-40], _HALF[-40:] * 10),
    Kind("half-closed, request unfinished", _HALF, then=Then.HALF_CLOSE),
    Kind("aborted uploads", _HALF, then=Then.ABORT),
    Kind("ten requests in one packet", _PING * 10),
)


@dataclass
class Seen:
    """What the clients of one kind met with."""

    opened: int = 0
    refused: int = 0
    closed: int = 0
    statuses: Counter[int] = field(default_factory=Counter)


class _Client(asyncio.Protocol):
    def __init__(self, kind: Kind, seen: Seen) -> None:
        self.kind, self.seen = kind, seen
        self.told = b""
        self.dripped = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        self.seen.opened += 1
        if self.kind.first:
            transport.write(self.kind.first)
        if self.kind.then is Then.HALF_CLOSE:
            transport.write_eof()
        elif self.kind.then is Then.ABORT:
            asyncio.get_running_loop().call_later(0.01, transport.abort)

    def drip(self) -> None:
        if self.dripped < len(self.kind.rest) and not self.transport.is_closing():
            self.transport.write(self.kind.rest[self.dripped : self.dripped + 1])
            self.dripped += 1

    def data_received(self, data: bytes) -> None:
        self.told += data

    def connection_lost(self, exc: Exception | None) -> None:
        self.seen.closed += 1
        self.seen.statuses.update(statuses(self.told))


def statuses(told: bytes) -> list[int]:
    """Return the status of every answer in what a server said."""
    return [int(piece[:3]) for piece in told.split(b"HTTP/1.1 ")[1:]]


class Crowd:
    """Many clients of one kind against one port, held until `leave`."""

    def __init__(self, port: int, kind: Kind, addresses: Sequence[str] = ONE_ADDRESS) -> None:
        """Be ready; `come` opens them, from each address in turn."""
        self.port, self.kind, self.seen = port, kind, Seen()
        self._addresses = itertools.cycle(addresses)
        self._clients: list[_Client] = []

    async def come(self, count: int) -> None:
        """Open that many connections, some at a time, as a flood would."""
        for start in range(0, count, BATCH):
            await asyncio.gather(*(self._one() for _ in range(min(BATCH, count - start))))

    async def _one(self) -> None:
        try:
            _, client = await asyncio.get_running_loop().create_connection(
                lambda: _Client(self.kind, self.seen),
                "127.0.0.1",
                self.port,
                local_addr=(next(self._addresses), 0),
            )
        except OSError:
            self.seen.refused += 1
        else:
            self._clients.append(client)

    async def stay(self, seconds: float) -> None:
        """Hold on, each dripping a byte twice a second where its kind drips."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while loop.time() < until:
            for client in self._clients if self.kind.rest else []:
                client.drip()
            await asyncio.sleep(0.5)

    async def leave(self) -> int:
        """Hang up, and return how many were still held."""
        held = [one for one in self._clients if not one.transport.is_closing()]
        for client in held:
            client.transport.abort()
        await asyncio.sleep(0.2)
        return len(held)


def room_for(connections: int) -> int:
    """Raise this process's limit of open files as far as needed; return how many connections fit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + 500
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return min(connections, wanted - 500)


def smuggle(port: int, shape: bytes) -> list[int]:
    """Send one shape and return the statuses of every answer until the server hangs up or falls silent."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(shape)
        told = b""
        connection.settimeout(1.0)
        try:
            while data := connection.recv(65536):
                told += data
        except (TimeoutError, ConnectionResetError):
            pass
    return statuses(told)
