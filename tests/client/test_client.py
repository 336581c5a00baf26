"""The clients against the real service, and against peers that answer late, badly or not at all."""

from __future__ import annotations

import asyncio
import http.server
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

import fairwitness
from fairwitness.client import (
    Client,
    ClientError,
    TimedOut,
    UnexpectedAnswer,
    Unreachable,
    transport,
)
from fairwitness.contract.errors import InvalidRequest, Overloaded, SpendDisabled
from tests.conftest import RunningServer

PROMPT = "How do plants make food?"
RESPONSE = "Plants make sugar from water and carbon dioxide, using the energy of light."


@pytest.fixture
def ours(server: RunningServer) -> Iterator[Client]:
    with Client(server.url, privacy_acknowledged=True) as client:
        yield client


def test_an_evaluation_is_the_one_the_library_gives(ours: Client) -> None:
    result = ours.evaluate_response(PROMPT, RESPONSE)
    told = result.evaluation.to_dict()
    assert told.pop("evaluationId")
    assert told == fairwitness.evaluate(PROMPT, RESPONSE).to_dict()


def test_connections_are_kept(ours: Client) -> None:
    ours.evaluate_response(PROMPT, RESPONSE)
    (kept,) = ours._transport._idle
    port = kept.sock.getsockname()[1]
    ours.evaluate_response(PROMPT, RESPONSE)
    assert ours._transport._idle[0].sock.getsockname()[1] == port


def test_improvement_and_feedback_answer_typed(ours: Client) -> None:
    improved = ours.improve("How can I reach you?", "Write to jane.roe@gmail.com.")
    assert improved.improved
    assert "jane.roe" not in improved.revised_response
    assert ours.feedback("bug", "A line.", rating=4).feedback_id


def test_the_service_names_every_fault(ours: Client) -> None:
    with pytest.raises(InvalidRequest) as caught:
        ours.evaluate_response("", "x" * 9000)
    assert len(caught.value.details) == 2
    assert caught.value.__notes__[0].startswith("request id: ")


def test_a_refusal_to_spend_is_typed(start: Callable[..., RunningServer]) -> None:
    with Client(start(SPEND_ENABLED="off").url, privacy_acknowledged=True) as client:
        with pytest.raises(SpendDisabled):
            client.arena(PROMPT, ["provider_a", "provider_d"])
        with pytest.raises(SpendDisabled):
            client.generate(PROMPT, ["provider_a"])
        with pytest.raises(SpendDisabled):
            client.arena_evidence(PROMPT, ["provider_a", "provider_d"])


def test_a_lone_surrogate_is_said_before_anything_is_sent(ours: Client) -> None:
    with pytest.raises(InvalidRequest, match="lone surrogate"):
        ours.evaluate_response("\ud800", RESPONSE)


def test_awaited_calls_run_side_by_side(server: RunningServer) -> None:
    async def ask() -> list[float]:
        async with fairwitness.AsyncClient(server.url, privacy_acknowledged=True) as client:
            calls = [client.evaluate_response(PROMPT, RESPONSE) for _ in range(8)]
            return [result.evaluation.overall_score for result in await asyncio.gather(*calls)]

    assert len(set(asyncio.run(ask()))) == 1


def test_consent_is_not_assumed() -> None:
    with pytest.raises(ValueError, match="privacy_acknowledged"):
        Client(privacy_acknowledged=False)  # type: ignore[arg-type]


@pytest.mark.parametrize("address", ["eval.example.org", "ftp://eval.example.org", "http://"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="not an http or https address"):
        Client(address, privacy_acknowledged=True)


class _Peer(http.server.BaseHTTPRequestHandler):
    """Answers by a script: a list of (status, headers, body), the last one for ever."""

    protocol_version = "HTTP/1.1"
    script: list[tuple[int, dict[str, str], bytes]]
    seen: list[str]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.seen.append(self.path)
        status, headers, body = self.script[min(len(self.seen), len(self.script)) - 1]
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def peer(*script: tuple[int, dict[str, str], bytes]) -> Iterator[tuple[str, list[str]]]:
    seen: list[str] = []
    handler = type("Scripted", (_Peer,), {"script": list(script), "seen": seen})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(
            target=running.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        ).start()
        yield f"http://127.0.0.1:{running.server_address[1]}", seen
        running.shutdown()


BUSY = (503, {"Retry-After": "0"}, b'{"error":{"code":"overloaded","message":"Full."}}')


def test_only_what_changes_nothing_is_repeated() -> None:
    with peer(BUSY) as (url, seen), Client(url, privacy_acknowledged=True, retries=2) as client:
        with pytest.raises(Overloaded):
            client.evaluate_response(PROMPT, RESPONSE)
        assert len(seen) == 3
        for call in (
            lambda: client.arena(PROMPT, ["provider_a", "provider_d"]),
            lambda: client.feedback("bug", "x"),
        ):
            del seen[:]
            with pytest.raises(Overloaded):
                call()
            assert len(seen) == 1


def test_a_long_wait_is_handed_to_the_caller() -> None:
    later = (503, {"Retry-After": "3600"}, BUSY[2])
    with (
        peer(later) as (url, seen),
        Client(url, privacy_acknowledged=True) as client,
        pytest.raises(Overloaded) as caught,
    ):
        client.evaluate_response(PROMPT, RESPONSE)
    assert caught.value.retry_after == 3600
    assert len(seen) == 1


def test_the_path_of_the_base_address_stays() -> None:
    with (
        peer(BUSY) as (url, seen),
        Client(f"{url}/judge/", privacy_acknowledged=True) as client,
        pytest.raises(Overloaded),
    ):
        client.feedback("bug", "x")
    assert seen == ["/judge/api/feedback"]


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>Welcome</html>"),
        (200, b"{}"),
        (200, b"\xff"),
        (404, b"nginx"),
        (500, b'{"error":{"code":"a_new_one","message":""}}'),
    ],
)
def test_another_service_is_never_a_result(status: int, body: bytes) -> None:
    with (
        peer((status, {}, body)) as (url, _),
        Client(url, privacy_acknowledged=True) as client,
        pytest.raises(UnexpectedAnswer),
    ):
        client.evaluate_response(PROMPT, RESPONSE)


def test_nobody_at_the_address() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with (
            Client(url, privacy_acknowledged=True, retries=0) as client,
            pytest.raises(Unreachable),
        ):
            client.evaluate_response(PROMPT, RESPONSE)


@contextmanager
def raw_peer(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                talk(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join(10)


def test_an_answer_that_drips_meets_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte for each second of the client's clock: every byte comes in time, the whole answer does not."""
    seconds = count()
    looked = threading.Semaphore(0)

    def monotonic() -> float:
        looked.release()
        return float(next(seconds))

    monkeypatch.setattr(transport, "time", SimpleNamespace(monotonic=monotonic))

    def drip(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n")
        with suppress(OSError):
            for _ in range(2000):
                # A client that does not look at its clock gets its bytes all the same.
                looked.acquire(timeout=0.05)
                connection.sendall(b" ")

    with (
        raw_peer(drip) as url,
        Client(url, privacy_acknowledged=True, timeout=60) as client,
        pytest.raises(TimedOut),
    ):
        client.evaluate_response(PROMPT, RESPONSE)
    assert next(seconds) > 60


def test_an_answer_cut_short_is_no_answer() -> None:
    def cut(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")

    with (
        raw_peer(cut) as url,
        Client(url, privacy_acknowledged=True, retries=0) as client,
        pytest.raises(ClientError),
    ):
        client.evaluate_response(PROMPT, RESPONSE)
