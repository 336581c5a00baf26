"""More than can be served, and clients that do their worst: the rest is told so, and others are served meanwhile.

The long forms, with ten thousand connections, are perf/overload.py and perf/hostile_clients.py.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator

import pytest

from perf import client, hostile_clients
from perf.hostile_client_kinds import IDLE, KINDS, SMUGGLED, Kind, smuggle
from tests.conftest import GOOD, RunningServer, serving
from tests.http.wire import connect, post, read_answers

Start = Callable[..., RunningServer]
PATH = "/api/evaluate-response"
LONG = "Every sentence of this text is different, number {}. "
HEAVY = {**GOOD, "response": "".join(LONG.format(number) for number in range(140))[:8000]}
REQUEST = client.post(PATH, json.dumps(HEAVY).encode())
QUEUE = 4
ROOM = 300


def test_ten_times_what_fits_is_bounded_and_passes(start: Start) -> None:
    server = start(QUEUE_SIZE=str(QUEUE))
    alone = client.load(server.port, [REQUEST], connections=1, seconds=1)
    many = client.load(server.port, [REQUEST], connections=10 * (QUEUE + 1), seconds=3)
    assert set(many.statuses) == {200, 503}
    assert many.lost == 0
    assert many.told_when == many.statuses[503], "a refusal says when to come again"
    assert many.statuses[200] > 0.2 * alone.rate * many.seconds, "work went on"
    accepted = many.quantile_of(200, 0.99)
    # A place in the line is at most the line's length away; the rest is the loop answering refusals.
    assert accepted < 10 * (QUEUE + 2) * alone.quantile(0.9)
    after = client.load(server.port, [REQUEST], connections=1, seconds=1)
    assert set(after.statuses) == {200}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with room for few connections and little patience."""
    folder = tmp_path_factory.mktemp("small")
    limits = {
        "MAX_CONNECTIONS": str(ROOM),
        "MAX_CONNECTIONS_PER_ADDRESS": str(ROOM),
        "MAX_SLOW_BODIES_PER_CALLER": str(ROOM),
        "HEADER_TIMEOUT_S": "2",
        "BODY_TIMEOUT_S": "2",
    }
    with serving(folder, 1, **limits) as running:
        yield running


@pytest.mark.parametrize("kind", [IDLE, *KINDS], ids=lambda kind: kind.name)
def test_others_are_served_meanwhile(small: RunningServer, kind: Kind) -> None:
    count = 4 * ROOM if kind is IDLE else ROOM // 2
    assert hostile_clients.faults([hostile_clients.meet(small.port, kind, count, seconds=1)]) == []


def test_idle_connections_make_room_the_oldest_first(small: RunningServer) -> None:
    crowded = [connect(small.port) for _ in range(ROOM + 20)]
    try:
        crowded[-1].sendall(post(PATH, json.dumps(GOOD).encode()))
        (answer,) = read_answers(crowded[-1], expect=1)
        assert answer.status == 200
        assert [_is_closed(one) for one in crowded[:20]] == [True] * 20
        assert not any(_is_closed(one) for one in crowded[-20:])
    finally:
        for connection in crowded:
            connection.close()


def _is_closed(connection: socket.socket) -> bool:
    connection.settimeout(0.05)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False


def test_where_all_are_at_work_somebody_is_told_so(small: RunningServer) -> None:
    """The newcomer, while nobody is slow; then the slowest. Each sends before it reads: no answer is lost in a reset."""
    body = json.dumps(GOOD).encode()
    busy = [connect(small.port) for _ in range(ROOM)]
    try:
        for connection in busy:
            connection.sendall(post(PATH, body[:10], f"Content-Length: {len(body)}"))
        with connect(small.port) as late:
            late.sendall(post(PATH, body))
            (answer,) = read_answers(late, expect=1)
        if answer.status == 200:
            (answer,) = read_answers(busy[0], expect=1)
        assert (answer.status, answer.error["code"]) == (503, "overloaded")
        assert int(answer.headers["retry-after"]) >= 1
    finally:
        for connection in busy:
            connection.close()


@pytest.mark.parametrize("shape", SMUGGLED, ids=range(len(SMUGGLED)))
def test_lengths_that_contradict_each_other_are_answered_once(
    small: RunningServer, shape: bytes
) -> None:
    assert smuggle(small.port, shape) == [400]
