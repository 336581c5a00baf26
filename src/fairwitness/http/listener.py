"""Shares out the clients of a listening socket among the workers that listen on it together.

uvloop takes every connection that waits as soon as it looks, so that one worker may get all the kept-alive connections
of a proxy while another has none. Here a worker takes few at a time, and the more it has, the longer it lets others go
first. It knows nothing of HTTP.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvloop

# A connection more is worth this much waiting; the loop counts in milliseconds, and a busy worker is late by some.
HESITATE_S, AT_MOST_S = 0.002, 0.01
# With so many it takes one more at a time: few are shared out singly, and a flood is not kept waiting.
ONE_MORE_FOR = 8
# Where the process may open no more files, it looks again after this.
NO_FILES_S = 0.1


class SharingLoop(uvloop.Loop):
    """uvloop whose servers on a given socket share its clients with other processes."""

    async def create_server(
        self, protocol_factory: Callable[[], Any], *args: Any, sock: Any = None, **options: Any
    ) -> Any:
        """Listen on `sock` in turns with others; without one, as uvloop does."""
        if sock is None:
            return await super().create_server(protocol_factory, *args, **options)
        return SharedListener(self, sock, protocol_factory)


class SharedListener:
    """One worker's part in a listening socket."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        listener: socket.socket,
        protocol_factory: Callable[[], Any],
    ) -> None:
        """Begin to listen; protocols tell by `connections` how many the worker has."""
        self._loop = loop
        self._listener = listener
        self._factory = protocol_factory
        self._open: set[Any] = protocol_factory().connections
        self._greeting: set[asyncio.Task[Any]] = set()
        self._closed = False
        listener.setblocking(False)
        self._listen()

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        """What it listens on."""
        return () if self._closed else (self._listener,)

    def close(self) -> None:
        """Take no more connections; those that wait are the other workers'."""
        if not self._closed:
            self._closed = True
            self._loop.remove_reader(self._listener.fileno())

    async def wait_closed(self) -> None:
        """Return: nothing of its own is left to wait for."""

    def _listen(self) -> None:
        if not self._closed:
            self._loop.add_reader(self._listener.fileno(), self._hesitate)

    def _hesitate(self) -> None:
        self._loop.remove_reader(self._listener.fileno())
        self._loop.call_later(min(len(self._open) * HESITATE_S, AT_MOST_S), self._accept)

    def _accept(self) -> None:
        if self._closed:
            return
        try:
            for _ in range(1 + len(self._open) // ONE_MORE_FOR):
                self._greet(self._listener.accept()[0])
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            pass  # another worker was quicker, or the client has left
        except OSError:
            self._loop.call_later(NO_FILES_S, self._listen)
            return
        self._listen()

    def _greet(self, client: socket.socket) -> None:
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        greeting = self._loop.create_task(self._loop.connect_accepted_socket(self._factory, client))
        self._greeting.add(greeting)
        greeting.add_done_callback(self._greeting.discard)
