"""Contract 2 through both clients: exchanges with their context, and the Arena whole and event by event."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import httpx2
import pytest

import fairwitness
from fairwitness.client import AsyncClient, Client, UnexpectedAnswer, Unreachable
from fairwitness.contract.conversation import Answer, Message, ToolCall
from fairwitness.contract.errors import InvalidRequest, Overloaded, ProvidersFailed
from fairwitness.contract.results import CompletedItem
from fairwitness.contract.results_2 import ArenaResult2, EvaluateResult2
from fairwitness.evidence import as_sent
from tests.client.test_client import BUSY, peer, raw_peer
from tests.conftest import RunningServer, serving
from tests.http.test_arena_2 import ANSWER, SLOW_S, never, slowly
from tests.http.test_arena_evidence import verify
from tests.providers.peers import HostileServer, answer

PAIR = ["provider_a", "provider_d"]
ASKED = "When does the museum open on Sundays?"
CONTEXT = "The museum opens at 10:00 from Tuesday to Sunday."
WRONG = "The museum opens at 11:30 on Sundays."


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A service with a slow provider, a quick one, and one that never answers."""
    folder = tmp_path_factory.mktemp("clients")
    peers = [HostileServer(slowly), HostileServer(answer(json.dumps(ANSWER).encode()))]
    peers.append(HostileServer(never))
    table = 'kind = "openai"\nmodel = "m"\ninput_usd_per_mtok = 1\noutput_usd_per_mtok = 1\n'
    slots = zip(("provider_a", "provider_d", "provider_g"), peers, strict=True)
    (folder / "fairwitness.toml").write_text(
        "".join(f'[providers.{slot}]\n{table}base_url = "{one.origin}/v1"\n' for slot, one in slots)
    )
    with serving(folder, CONFIG=str(folder / "fairwitness.toml")) as server:
        yield server
    for one in peers:
        one.close()


@pytest.fixture
def ours(running: RunningServer) -> Iterator[Client]:
    with Client(running.url, privacy_acknowledged=True) as client:
        yield client


def test_an_exchange_is_judged_as_the_library_judges_it(ours: Client) -> None:
    messages = [Message(role="user", content=ASKED)]
    result = ours.evaluate(None, WRONG, messages=messages, context=CONTEXT, reference="At 10:00.")
    told = result.evaluation.to_dict()
    assert told.pop("evaluationId")
    mine = fairwitness.evaluate(
        None, WRONG, messages=messages, context=CONTEXT, reference="At 10:00."
    )
    assert told == mine.to_dict()
    assert result.evaluation_scope == "response_text_and_context"
    assert result.coverage.context_total == len(CONTEXT)


def test_tool_calls_and_protocols_reach_the_service(ours: Client) -> None:
    call = ToolCall(name="weather", arguments={"city": "Vienna"})
    typed = ours.evaluate("Weather?", Answer(content="A moment.", tool_calls=[call]))
    plain = ours.evaluate(
        "Weather?",
        {
            "content": "A moment.",
            "toolCalls": [{"name": "weather", "arguments": {"city": "Vienna"}}],
        },
        protocol="fairwitness",
        protocol_digest=typed.protocol_digest,
    )
    assert plain.evaluation.overall_score == typed.evaluation.overall_score
    with pytest.raises(InvalidRequest):
        ours.evaluate("Weather?", "Sunny.", protocol_digest="0" * 64)
    with pytest.raises(InvalidRequest, match="exactly one of prompt and messages"):
        ours.evaluate(None, "Sunny.")


def test_a_comparison_can_be_verified(ours: Client, running: RunningServer, tmp_path: Path) -> None:
    found = ours.compare("One?", PAIR, system="Be brief.", temperature=0.2, evidence=True)
    assert isinstance(found.results[0], CompletedItem)
    file, keys = tmp_path / "answer.json", tmp_path / "keys.json"
    file.write_bytes(as_sent(found))
    keys.write_bytes(httpx2.get(f"{running.url}/docs/keys.json", trust_env=False).content)
    assert verify(file, "--key", keys) == 0
    assert not ours.compare("Two?", PAIR).evidence


def test_each_result_comes_as_its_provider_finishes(ours: Client) -> None:
    times, events = [], []
    with ours.compare_events(None, PAIR, messages=[{"role": "user", "content": "Three?"}]) as run:
        for event in run:
            events.append(event)
            times.append(time.monotonic())
        assert list(run) == []
    first, second, whole = events
    assert isinstance(whole, ArenaResult2)
    assert whole.results == [second, first]
    assert times[1] - times[0] > SLOW_S / 2


def test_events_are_awaited(running: RunningServer) -> None:
    async def ask() -> list[object]:
        async with AsyncClient(running.url, privacy_acknowledged=True) as client:
            direct = client.evaluate(ASKED, WRONG, context=[CONTEXT])
            run = client.compare_events("Four?", PAIR, evidence=True)
            events: list[object] = [event async for event in run]
            return [*events, await direct, await client.compare("Five?", PAIR)]

    _, _, whole, direct, compared = asyncio.run(ask())
    assert isinstance(whole, ArenaResult2)
    assert whole.evidence
    assert isinstance(direct, EvaluateResult2)
    assert isinstance(compared, ArenaResult2)


def test_a_cancelled_run_hangs_up(running: RunningServer) -> None:
    async def ask() -> None:
        async with AsyncClient(running.url, privacy_acknowledged=True) as client:
            run = client.compare_events("Six?", ["provider_d", "provider_g"])
            assert isinstance(await anext(run), CompletedItem)
            waiting = asyncio.ensure_future(anext(run))
            await asyncio.sleep(0.2)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting

    started = time.monotonic()
    asyncio.run(ask())
    # Else it would end with the silent provider, which holds on for 50 s.
    assert time.monotonic() - started < 40


def test_a_refusal_before_the_first_event_is_typed(ours: Client) -> None:
    with pytest.raises(InvalidRequest):
        ours.compare_events("Seven?", ["provider_a"])
    with pytest.raises(ProvidersFailed):
        list(ours.compare_events("Eight?", ["provider_e", "provider_f"]))


EVENTS = {"Content-Type": "text/event-stream"}


@pytest.mark.parametrize(
    ("headers", "body", "kind"),
    [
        ({}, b"{}", UnexpectedAnswer),
        (EVENTS, b"event: surprise\ndata: {}\n\n", UnexpectedAnswer),
        (EVENTS, b"event: result\ndata: {}\n\n", UnexpectedAnswer),
        (EVENTS, b"event: arena\r\ndata: \xff\r\n\r\n", UnexpectedAnswer),
        (EVENTS, b": waiting\n\n", Unreachable),
        (
            EVENTS,
            b'event: error\ndata: {"error":{"code":"overloaded",\ndata: "message":"x"}}\n\n',
            Overloaded,
        ),
    ],
)
def test_a_stream_that_is_none_is_never_a_result(
    headers: dict[str, str], body: bytes, kind: type[Exception]
) -> None:
    with (
        peer((200, headers, body)) as (url, _),
        Client(url, privacy_acknowledged=True) as client,
        pytest.raises(kind),
    ):
        list(client.compare_events("Q?", PAIR))


def test_an_exchange_is_repeated_only_where_it_was_refused() -> None:
    away = (503, {"Retry-After": "0"}, b'{"error":{"code":"providers_failed","message":"x"}}')
    for script, kind, calls in ((BUSY, Overloaded, 3), (away, ProvidersFailed, 1)):
        with peer(script) as (url, seen), Client(url, privacy_acknowledged=True) as client:
            with pytest.raises(kind):
                client.evaluate("Q?", "A.")
            assert len(seen) == calls


def test_a_connection_that_breaks_is_not_tried_again_where_it_may_spend() -> None:
    def hang_up(connection: socket.socket) -> None:
        connection.recv(65536)

    with (
        raw_peer(hang_up) as url,
        Client(url, privacy_acknowledged=True) as client,
        pytest.raises(Unreachable),
    ):
        client.evaluate("Q?", "A.")


PAGE = (resources.files("fairwitness.pages") / "clients.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```py\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("source", EXAMPLES)
def test_the_examples_of_the_page_run(source: str, running: RunningServer) -> None:
    source = source.replace("http://127.0.0.1:8080", running.url)
    command = [sys.executable, "-W", "error", "-c", source]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
