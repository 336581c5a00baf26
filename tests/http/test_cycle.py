"""One request and its answer: bodies in pieces, answers in one piece, and clients that leave."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
import uvloop
from uvicorn.protocols.http.flow_control import FlowControl

from fairwitness.http.cycle import ClientGone, Cycle
from fairwitness.http.wire import Answering


class Wire(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return False


def cycle_on(wire: Wire, *, method: str = "POST", expect: bool = False, keep: bool = True) -> Cycle:
    return Cycle(
        scope={"type": "http", "method": method},
        transport=Answering(wire, lambda: None),
        flow=FlowControl(wire),
        default_headers=[(b"date", b"today")],
        expect_100_continue=expect,
        keep_alive=keep,
        on_response=lambda: None,
    )


async def body_of(pieces: list[bytes], *, expect: bool = False) -> bytes | None:
    cycle = cycle_on(Wire(), expect=expect)
    for piece in pieces:
        cycle.add_body(piece)
        assert cycle.take_body() is None, "it is not whole yet"
    cycle.more_body = False
    return cycle.take_body()


@pytest.mark.parametrize("pieces", [[], [b"whole"], [b"in ", b"three ", b"pieces"]])
def test_a_body_is_taken_once_it_is_whole(pieces: list[bytes]) -> None:
    assert asyncio.run(body_of(pieces)) == b"".join(pieces)


def test_a_client_that_waits_to_be_asked_is_asked() -> None:
    assert asyncio.run(body_of([b"whole"], expect=True)) is None


@pytest.mark.parametrize(
    ("method", "keep", "sent"),
    [
        ("POST", True, b"HTTP/1.1 200 OK\r\ndate: today\r\na: b\r\n\r\nbody"),
        ("HEAD", True, b"HTTP/1.1 200 OK\r\ndate: today\r\na: b\r\n\r\n"),
        ("POST", False, b"HTTP/1.1 200 OK\r\ndate: today\r\na: b\r\nconnection: close\r\n\r\nbody"),
    ],
)
def test_an_answer_leaves_in_one_piece(method: str, keep: bool, sent: bytes) -> None:
    async def answer() -> bytes:
        wire = Wire()
        cycle = cycle_on(wire, method=method, keep=keep)
        cycle.send_whole(200, b"a: b\r\n", b"body")
        assert cycle.response_complete
        return wire.written

    assert asyncio.run(answer()) == sent


@pytest.mark.parametrize("before", [True, False])
def test_work_ends_with_the_client_that_asked_for_it(before: bool) -> None:
    async def leave() -> None:
        wire = Wire()
        cycle = cycle_on(wire)
        if before:
            cycle.disconnect()
        else:
            asyncio.get_running_loop().call_later(0.01, cycle.disconnect)
        with pytest.raises(ClientGone):
            await cycle.unless_gone(asyncio.sleep(30))
        cycle.send_whole(200, b"", b"body")
        assert wire.written == b""
        await asyncio.sleep(0)  # the cancellation is used up

    asyncio.run(asyncio.wait_for(leave(), 10))


def test_a_client_that_leaves_after_the_work_cancels_nothing() -> None:
    async def leave() -> str:
        cycle = cycle_on(Wire())
        done = await cycle.unless_gone(asyncio.sleep(0, "done"))
        cycle.disconnect()
        await asyncio.sleep(0)
        return done

    assert asyncio.run(leave()) == "done"


def test_a_stop_is_not_taken_for_a_client_that_left() -> None:
    async def stop() -> None:
        task = asyncio.ensure_future(cycle_on(Wire()).unless_gone(asyncio.sleep(30)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(stop())


@pytest.mark.parametrize("runtime", [uvloop, asyncio])
def test_an_answer_to_a_connection_that_is_gone_is_dropped(runtime: Any) -> None:
    """uvloop raises where such a connection is written to; a million requests logged it four times."""

    async def main() -> None:
        loop = asyncio.get_running_loop()
        made: asyncio.Future[asyncio.Transport] = loop.create_future()
        lost: asyncio.Future[None] = loop.create_future()

        class Gone(asyncio.Protocol):
            def connection_made(self, transport: Any) -> None:
                made.set_result(transport)

            def connection_lost(self, exc: Exception | None) -> None:
                lost.set_result(None)

        server = await loop.create_server(Gone, "127.0.0.1", 0)
        try:
            with socket.create_connection(server.sockets[0].getsockname()):
                transport = await made
                transport.abort()
                await lost
            # The loop's own clean-up comes one turn after it has told the connection.
            await asyncio.sleep(0)
            answering = Answering(transport, transport.close)
            answering.write(b"HTTP/1.1 200 OK\r\n\r\n")
            answering.flush()
            answering.write_now(b"HTTP/1.1 200 OK\r\n\r\n")
        finally:
            server.close()

    runtime.run(main())
