"""The Arena as it happens: server-sent events read into typed results, for ordinary code and for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import Self

import msgspec

from fairwitness.client import calls
from fairwitness.client.calls import Call
from fairwitness.client.errors import UnexpectedAnswer, Unreachable
from fairwitness.client.transport import Streamed
from fairwitness.contract.results import ResultItem
from fairwitness.contract.results_2 import ArenaResult2

_ITEMS: msgspec.json.Decoder[ResultItem] = msgspec.json.Decoder(ResultItem)


class ArenaEvents:
    """Iterates over each provider's result as it finishes, then over the whole `ArenaResult2`; close it to stop early.

    Hanging up stops the run: providers that have not answered are not waited for.
    """

    def __init__(self, streamed: Streamed, call: Call[ArenaResult2]) -> None:
        """Read events from an answer that has begun."""
        self._streamed = streamed
        self._call = call
        self._events = _events(streamed)
        self._done = False

    def __iter__(self) -> Iterator[ResultItem | ArenaResult2]:
        """Return itself: events come once."""
        return self

    def __next__(self) -> ResultItem | ArenaResult2:
        """Return the next result; raise the service's error where the run failed after it began."""
        if self._done:
            raise StopIteration
        try:
            for name, data in self._events:
                if name == "result":
                    return _item(data)
                self._done = True
                if name == "arena":
                    return self._call.decode(data)
                if name == "error":
                    raise calls.error_of(200, data, None, self._streamed.request_id)
                raise UnexpectedAnswer(f"an event called {name!r}")
            raise Unreachable("the stream ended before the whole answer")
        except BaseException:
            self._done = True
            self.close()
            raise

    def close(self) -> None:
        """Hang up; from another thread, too."""
        self._streamed.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Hang up."""
        self.close()


class AsyncArenaEvents:
    """`ArenaEvents` for asyncio; the run begins with the first step."""

    def __init__(self, begin: Callable[[], ArenaEvents], threads: Executor) -> None:
        """Begin, and wait for each event, in a thread."""
        self._begin = begin
        self._threads = threads
        self._events: ArenaEvents | None = None

    def __aiter__(self) -> Self:
        """Return itself: events come once."""
        return self

    async def __anext__(self) -> ResultItem | ArenaResult2:
        """Return the next result; cancelled, hang up."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._threads, self._next)
        except asyncio.CancelledError:
            self._close()
            raise
        if found is None:
            raise StopAsyncIteration
        return found

    def _next(self) -> ResultItem | ArenaResult2 | None:
        if self._events is None:
            self._events = self._begin()
        return next(self._events, None)

    def _close(self) -> None:
        if self._events is not None:
            self._events.close()

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Hang up."""
        self._close()


def _events(streamed: Streamed) -> Iterator[tuple[str, bytes]]:
    name, data = "", list[bytes]()
    for line in streamed.lines():
        if not line:
            if data:
                yield name, b"\n".join(data)
            name, data = "", []
        elif line.startswith(b"event:"):
            name = line[6:].strip().decode("utf-8", "replace")
        elif line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))


def _item(data: bytes) -> ResultItem:
    try:
        return _ITEMS.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnexpectedAnswer(f"a result that is not this version's: {error}") from error
