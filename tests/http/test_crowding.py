"""Who makes room when connections are short: by hand, by a model, and over the wire from two addresses."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from fairwitness.http.crowding import SLOW_AFTER_S, Crowd
from fairwitness.service.caller import client_network, is_listed, trusted_networks
from fairwitness.settings import Settings
from tests.conftest import GOOD, RunningServer, serving
from tests.http.wire import post, read_answers

PATH = "/api/evaluate-response"
BODY = json.dumps(GOOD).encode()


class Client:
    """A connection that only notes how it was made to leave."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.left = ""

    def leave_idle(self) -> None:
        self.left = "idle"

    def leave_unfinished(self) -> None:
        self.left = "slow"


class Hall:
    """A crowd with a clock of its own."""

    def __init__(self, most: int = 100, of_address: int = 100, slow: int = 100) -> None:
        self.now = 0.0
        self.crowd: Crowd[Client] = Crowd(
            most=most, most_of_address=of_address, most_slow_bodies=slow, clock=lambda: self.now
        )

    def idle(self, address: str | None) -> Client:
        client = Client()
        assert self.crowd.let_in(client, address)
        return client

    def at_work(self, address: str | None) -> Client:
        client = self.idle(address)
        self.crowd.at_work(client)
        return client

    def sending(self, address: str | None, caller: str | None = None) -> Client:
        client = self.at_work(address)
        self.crowd.body_began(client, caller or address or "")
        return client


def test_idle_connections_make_room_the_longest_idle_first() -> None:
    hall = Hall(most=3)
    first, second, third = (hall.idle(name) for name in "abc")
    hall.crowd.at_work(first)
    hall.crowd.at_rest(first)
    hall.idle("d")
    assert [one.left for one in (first, second, third)] == ["", "idle", ""]


def test_an_address_at_its_bound_makes_room_among_its_own() -> None:
    hall = Hall(of_address=2)
    other = hall.idle("b")
    first, _second = hall.idle("a"), hall.idle("a")
    hall.idle("a")
    assert (first.left, other.left) == ("idle", "")
    assert len(hall.crowd) == 3


def test_an_address_whose_connections_are_all_at_work_is_refused_alone() -> None:
    hall = Hall(of_address=2)
    hall.at_work("a"), hall.at_work("a")
    assert not hall.crowd.let_in(Client(), "a")
    assert hall.crowd.let_in(Client(), "b")


def test_the_slowest_body_is_cut_off_once_it_is_slow() -> None:
    hall = Hall(most=2)
    slowest = hall.sending("a")
    hall.now = SLOW_AFTER_S / 2
    hall.sending("b")
    assert not hall.crowd.let_in(Client(), "c"), "nobody is slow yet"
    hall.now = SLOW_AFTER_S
    hall.idle("c")
    assert slowest.left == "slow"


def test_a_caller_may_have_few_slow_bodies_and_loses_its_own_slowest() -> None:
    hall = Hall(slow=2)
    other = hall.sending("b")
    first = hall.sending("a")
    hall.now = 0.1
    second = hall.sending("a")
    hall.now = SLOW_AFTER_S
    hall.sending("a")
    assert (first.left, second.left, other.left) == ("slow", "", "")


def test_a_body_that_is_whole_is_no_longer_slow() -> None:
    hall = Hall(most=1)
    client = hall.sending("a")
    hall.crowd.body_ended(client)
    hall.now = 10 * SLOW_AFTER_S
    assert not hall.crowd.let_in(Client(), "b"), "it is being answered"
    hall.crowd.left(client)
    assert hall.crowd.let_in(Client(), "b")


def test_a_listed_proxy_is_not_throttled_but_the_callers_behind_it_are() -> None:
    proxies = trusted_networks(Settings(trusted_proxies=("10.0.0.0/8",)))
    assert is_listed("10.1.2.3", proxies)
    assert not is_listed("203.0.113.9", proxies)
    assert is_listed("", ()), "a Unix socket's peer speaks for many"
    hall = Hall(of_address=2, slow=1)
    for _ in range(50):
        hall.idle(None)
    behind = [
        client_network("10.1.2.3", [("x-forwarded-for", at)], proxies)
        for at in ("1.1.1.1", "2.2.2.2")
    ]
    greedy, other = (hall.sending(None, caller) for caller in behind)
    hall.now = SLOW_AFTER_S
    hall.sending(None, behind[0])
    assert (greedy.left, other.left) == ("slow", "")


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["come", "work", "rest", "body", "whole", "leave", "time"]),
        st.integers(0, 11),
    ),
    max_size=120,
)


@settings(max_examples=120, deadline=None)
@given(STEPS)
def test_no_bound_is_ever_passed_and_nobody_is_forgotten(steps: list[tuple[str, int]]) -> None:
    hall = Hall(most=6, of_address=3, slow=2)
    inside: list[tuple[Client, str]] = []
    for act, number in steps:
        address = "abcd"[number % 4]
        chosen = inside[number % len(inside)][0] if inside else None
        if act == "come":
            newcomer = Client(address)
            if hall.crowd.let_in(newcomer, address):
                inside.append((newcomer, address))
        elif act == "time":
            hall.now += number / 4
        elif chosen is not None:
            match act:
                case "work":
                    hall.crowd.at_work(chosen)
                case "rest":
                    hall.crowd.at_rest(chosen)
                case "body":
                    hall.crowd.at_work(chosen)
                    hall.crowd.body_began(chosen, address)
                case "whole":
                    hall.crowd.body_ended(chosen)
                case "leave":
                    hall.crowd.left(chosen)
                    chosen.left = "itself"
        inside = [(one, at) for one, at in inside if not one.left]
        assert len(hall.crowd) == len(inside) <= 6
        assert all(sum(at == name for _, at in inside) <= 3 for name in "abcd")
    for one, _ in inside:
        hall.crowd.left(one)
    assert not any(
        (hall.crowd._of_address, hall.crowd._idle, hall.crowd._unfinished, hall.crowd._of_caller)
    )


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with little room for one address, and more for all."""
    limits = {"MAX_CONNECTIONS": "30", "MAX_CONNECTIONS_PER_ADDRESS": "10"}
    with serving(tmp_path_factory.mktemp("narrow"), 1, **limits) as running:
        yield running


def half_sent(port: int, source: str) -> socket.socket:
    connection = socket.create_connection(
        ("127.0.0.1", port), timeout=60, source_address=(source, 0)
    )
    connection.sendall(post(PATH, BODY[:10], f"Content-Length: {len(BODY)}"))
    return connection


def test_half_sent_bodies_of_one_address_take_no_place_from_another(narrow: RunningServer) -> None:
    """4,400 of them took the service before one address was bounded."""
    hostile = [half_sent(narrow.port, "127.0.0.2") for _ in range(60)]
    try:
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", narrow.port), timeout=60) as other:
                other.sendall(post(PATH, BODY, "Connection: close"))
                (answer,) = read_answers(other)
            assert answer.status == 200
        (refused,) = read_answers(hostile[-1], expect=1)
        assert (refused.status, refused.error["code"]) == (503, "overloaded")
        assert int(refused.headers["retry-after"]) >= 1
    finally:
        for connection in hostile:
            connection.close()
