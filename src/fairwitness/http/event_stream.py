"""Sends results as they come: server-sent events, one for each provider, then the whole answer.

The status line waits for the first event, so that a request refused before it gets its own status and error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from fairwitness.contract.errors import InternalError, ServiceError
from fairwitness.contract.results import ResultItem
from fairwitness.http.problems import body_of

# A comment so often keeps proxies from hanging up.
KEEP_ALIVE_S = 15.0

# Takes who is to hear of each result, and returns the bytes of the whole answer.
Work = Callable[[Callable[[ResultItem], None]], Awaitable[bytes]]


def wants_events(accept: str) -> bool:
    """Tell whether an Accept header names event streams."""
    return any(
        part.split(";")[0].strip().lower() == "text/event-stream" for part in accept.split(",")
    )


class EventStream(Response):
    """An answer that is sent piece by piece."""

    def __init__(self, work: Work) -> None:
        """Begin the work."""
        self.status_code = 200
        self.background = None
        self.body = b""
        self.raw_headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
        self._events: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._work = asyncio.get_running_loop().create_task(self._run(work))
        self._refused: BaseException | None = None
        self._first: bytes | None = None

    async def begun(self) -> None:
        """Wait for the first event; raise why there will be none. Cancelled, it cancels the work."""
        try:
            self._first = await self._events.get()
        except asyncio.CancelledError:
            self._work.cancel()
            raise
        if self._first is None:
            assert self._refused is not None, "an answer follows events"
            raise self._refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send every event until the last, or until the client hangs up."""
        gone = asyncio.get_running_loop().create_task(self._until_gone(receive))
        await send(
            {
                "type": "http.response.start",
                "status": self.status_code,
                "headers": self.raw_headers,
            }
        )
        try:
            event = self._first
            while event is not None:
                await send({"type": "http.response.body", "body": event, "more_body": True})
                event = await self._next()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self._work.cancel()

    async def _next(self) -> bytes | None:
        try:
            async with asyncio.timeout(KEEP_ALIVE_S):
                return await self._events.get()
        except TimeoutError:
            return b": waiting\n\n"

    async def _until_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._work.cancel()

    async def _run(self, work: Work) -> None:
        heard = False

        def on_result(item: ResultItem) -> None:
            nonlocal heard
            heard = True
            self._events.put_nowait(_event("result", msgspec.json.encode(item)))

        try:
            whole = await work(on_result)
            self._events.put_nowait(_event("arena", whole))
        except BaseException as error:
            self._refused = error
            if heard:
                told = error if isinstance(error, ServiceError) else InternalError()
                self._events.put_nowait(_event("error", body_of(told)))
        finally:
            self._events.put_nowait(None)


def _event(name: str, data: bytes) -> bytes:
    # JSON as we encode it has no line breaks.
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
