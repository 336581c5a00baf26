"""A worker whose loop stood still reads what came in time before it calls anyone too slow."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn

from fairwitness.http.crowding import Crowd
from fairwitness.http.protocol import PublicProtocol

PATIENCE_S = 0.3
STALL_S = 1.0
ASKED = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
STALL = b"GET /stall HTTP/1.1\r\nHost: x\r\n\r\n"


class Stalling(PublicProtocol):
    """Stands still where it is asked to, as a worker does that gets no processor time."""

    def data_received(self, data: bytes) -> None:
        if b"/stall" in data:
            time.sleep(STALL_S)
        super().data_received(data)


async def app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@contextmanager
def serving(loop: str) -> Iterator[int]:
    class Here(Stalling):
        pass

    Here.configure(
        header_timeout_s=PATIENCE_S,
        crowd=Crowd(most=9, most_of_address=9, most_slow_bodies=9, clock=time.monotonic),
        address_of=lambda peer: None,
        caller_of=lambda peer, headers: "",
        standard_headers=lambda path: {},
        eof_cancels=lambda path: False,
        on_refused=lambda status, code: None,
        on_idle_closed=lambda: None,
        on_slow_closed=lambda: None,
    )
    config = uvicorn.Config(
        app, loop=loop, http=Here, lifespan="off", timeout_keep_alive=1, log_config=None
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize("used", [False, True], ids=["new", "kept"])
def test_a_request_that_waits_to_be_read_is_answered(loop: str, used: bool) -> None:
    with (
        serving(loop) as port,
        socket.create_connection(("127.0.0.1", port), timeout=20) as asking,
    ):
        if used:
            asking.sendall(ASKED)
            assert asking.recv(1000).startswith(b"HTTP/1.1 204")
            time.sleep(0.5)  # of the second for which an idle connection is kept
        with socket.create_connection(("127.0.0.1", port), timeout=20) as stalling:
            stalling.sendall(STALL)
            time.sleep(0.1)
            asking.sendall(ASKED)
            assert asking.recv(1000).startswith(b"HTTP/1.1 204")


def test_a_request_that_does_not_come_is_still_too_slow() -> None:
    with (
        serving("uvloop") as port,
        socket.create_connection(("127.0.0.1", port), timeout=20) as asking,
    ):
        asking.sendall(ASKED[:20])
        assert asking.recv(1000).startswith(b"HTTP/1.1 408")
