"""More than can be served, and clients that only hold on: what is accepted stays quick, the rest is told so."""

from __future__ import annotations

import json
import resource
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack

from bench import client
from tests.conftest import GOOD, RunningServer
from tests.http.wire import connect, exchange, post

Start = Callable[..., RunningServer]
PATH = "/api/evaluate-response"
LONG = "Every sentence of this text is different, number {}. "
HEAVY = {**GOOD, "response": "".join(LONG.format(number) for number in range(140))[:8000]}
REQUEST = client.post(PATH, json.dumps(HEAVY).encode())
QUEUE = 4


def test_ten_times_what_fits_is_bounded_and_passes(start: Start) -> None:
    server = start(QUEUE_SIZE=str(QUEUE))
    alone = client.load(server.port, [REQUEST], connections=1, seconds=1)
    crowd = client.load(server.port, [REQUEST], connections=10 * (QUEUE + 1), seconds=3)
    assert set(crowd.statuses) == {200, 503}
    assert crowd.lost == 0
    assert crowd.statuses[200] > 0.2 * alone.rate * crowd.seconds, "work went on"
    accepted = crowd.quantile_of(200, 0.99)
    # A place in the line is at most the line's length away; the rest is the loop answering refusals.
    assert accepted < 10 * (QUEUE + 2) * alone.quantile(0.9)
    after = client.load(server.port, [REQUEST], connections=1, seconds=1)
    assert set(after.statuses) == {200}
    (refused,) = {code for code in crowd.statuses if code != 200}
    assert refused == 503


def test_a_thousand_clients_that_only_hold_on(start: Start) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = min(1000, (hard if soft < 0 else soft) // 2)
    server = start(HEADER_TIMEOUT_S="5", MAX_CONNECTIONS="2000")
    body = json.dumps(GOOD).encode()
    halves = (b"", b"POST /api/eval", post(PATH, body[:10], f"Content-Length: {len(body)}"))
    with ExitStack() as stack:
        held: list[socket.socket] = []
        for number in range(most):
            connection = stack.enter_context(connect(server.port))
            connection.sendall(halves[number % len(halves)])
            if number % 10 == 0:
                connection.shutdown(socket.SHUT_WR)
            held.append(connection)
        began = time.monotonic()
        for _ in range(20):
            (answer,) = exchange(server.port, post(PATH, body, "Connection: close"))
            assert answer.status == 200
        assert time.monotonic() - began < 10
    (answer,) = exchange(server.port, post(PATH, body, "Connection: close"))
    assert answer.status == 200
