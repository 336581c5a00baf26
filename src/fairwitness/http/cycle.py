"""One request and its answer on a connection: uvicorn's cycle, with short ways for what most requests need.

A body that has arrived is taken without waiting, an answer that is whole leaves in one piece, and a client that hangs up
stops the work it asked for. All else goes in ASGI's messages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from fairwitness.http.wire import Answering

T = TypeVar("T")

# Where a request's scope holds its cycle.
CYCLE = "fairwitness.cycle"


class ClientGone(Exception):
    """The client left before its answer; nobody reads what we would send."""


class Cycle(RequestResponseCycle):
    """One request, from its head to the end of its answer."""

    # As every request begins; uvicorn sets each of these for each request.
    access_log = False
    disconnected = response_started = response_complete = False
    chunked_encoding = None
    expected_content_length = 0
    body: bytes | bytearray = b""  # type: ignore[assignment]
    more_body = True
    # The task it is served in; asking the loop for it costs more.
    _task: asyncio.Task[None] | None = None
    # The task that serves it while the client's leaving ends that, and whether it did.
    _heeding: asyncio.Task[Any] | None = None
    _cut_short = False

    def __init__(
        self,
        *,
        scope: dict[str, Any],
        transport: Answering,
        flow: FlowControl,
        default_headers: list[tuple[bytes, bytes]],
        expect_100_continue: bool,
        keep_alive: bool,
        on_response: Callable[[], None],
    ) -> None:
        scope[CYCLE] = self
        self.scope = scope  # type: ignore[assignment]
        self.transport = transport  # type: ignore[assignment]
        self._write_now = transport.write_now
        self.flow = flow
        self.default_headers = default_headers
        self.message_event = asyncio.Event()
        self.on_response = on_response
        self.keep_alive = keep_alive
        self.waiting_for_100_continue = expect_100_continue

    def start(
        self,
        app: ASGI3Application,
        loop: asyncio.AbstractEventLoop,
        tasks: set[asyncio.Task[None]],
    ) -> None:
        """Serve the request in a task of its own, one of `tasks`."""
        self._task = loop.create_task(self._run(app, tasks))
        tasks.add(self._task)

    async def _run(self, app: ASGI3Application, tasks: set[asyncio.Task[None]]) -> None:
        try:
            await self.run_asgi(app)
        finally:
            assert self._task is not None, "it runs in the task that was started"
            tasks.discard(self._task)
            # Each holds the other: freed now, not by the collector.
            self._task = None
            del self.scope[CYCLE]  # type: ignore[misc]

    def take_body(self) -> bytes | None:
        """Return the body where all of it has arrived and nothing must be said before it is read; else None."""
        if self.more_body or self.waiting_for_100_continue or self.disconnected:
            return None
        body, self.body = self.body, b""
        return bytes(body)

    def add_body(self, piece: bytes) -> None:
        """Take a piece of the body; most bodies come in one, which is kept as it is."""
        if not self.body:
            self.body = piece
        else:
            if isinstance(self.body, bytes):
                self.body = bytearray(self.body)
            self.body += piece
        self.message_event.set()

    async def unless_gone(self, work: Awaitable[T]) -> T:
        """Await `work`, but cancel it as soon as the client hangs up: nobody would read the answer."""
        this: asyncio.Task[Any] | None = self._task or asyncio.current_task()
        assert this is not None, "requests are served in tasks"
        self.flow.resume_reading()  # else nobody would hear the client leave
        self._heeding = this
        if self.disconnected:
            this.get_loop().call_soon(self.disconnect)
        try:
            return await work
        except asyncio.CancelledError:
            if not self._cut_short:
                raise
            this.uncancel()
            raise ClientGone from None
        finally:
            self._heeding = None

    def disconnect(self) -> None:
        """Note that the client is gone, and end what it is not worth going on with."""
        self.disconnected = True
        self.message_event.set()
        if self._heeding is not None and not self._cut_short:
            self._cut_short = True
            self._heeding.cancel()

    async def writable(self) -> None:
        """Wait until the client has read most of what was sent."""
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()

    def send_whole(self, status: int, head: bytes, body: bytes) -> None:
        """Send an answer at once: what uvicorn does in two steps, header by header, for any application.

        `head` are whole lines, made of what we wrote alone.
        """
        if self.disconnected:
            return
        end = b"\r\n" if self.keep_alive else b"connection: close\r\n\r\n"
        sent = b"" if self.scope["method"] == "HEAD" else body
        first = STATUS_LINE[status] + _lines(self.default_headers)
        self.response_started = self.response_complete = True
        self.waiting_for_100_continue = False
        self._write_now(b"".join((first, head, end, sent)))
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()


class _Lines:
    """The lines of headers that change once a second."""

    def __init__(self) -> None:
        self._of: list[tuple[bytes, bytes]] = []
        self._lines = b""

    def __call__(self, headers: list[tuple[bytes, bytes]]) -> bytes:
        if headers is not self._of:
            self._of = headers
            self._lines = b"".join([name + b": " + value + b"\r\n" for name, value in headers])
        return self._lines


_lines = _Lines()
