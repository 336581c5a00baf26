"""Contract 2's Arena through the door: events as providers finish, statuses before the first, a client that leaves."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.conftest import RunningServer, serving
from tests.http.test_arena_evidence import verify
from tests.providers.peers import HostileServer, answer
from tests.test_contract import error_of

PATH = "/api/v2/arena"
EVENTS = {"accept": "text/event-stream"}
ANSWER = {
    "choices": [{"message": {"content": "Plants make sugar."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 12},
}
SLOW_S = 1.5


def body(**changed: Any) -> dict[str, Any]:
    return {
        "contractVersion": "2.0.0-alpha.1",
        "prompt": "How do plants make food?",
        "providers": ["provider_a", "provider_d"],
        "privacyAcknowledged": True,
        **changed,
    }


def slowly(connection: socket.socket) -> None:
    time.sleep(SLOW_S)
    answer(json.dumps(ANSWER).encode())(connection)


def never(connection: socket.socket) -> None:
    connection.settimeout(50)
    connection.recv(1)  # until the other side hangs up


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A service with a slow provider, a quick one, one that never answers, and the rest not configured."""
    folder = tmp_path_factory.mktemp("arena")
    slow, quick = HostileServer(slowly), HostileServer(answer(json.dumps(ANSWER).encode()))
    silent = HostileServer(never)
    table = 'kind = "openai"\nmodel = "m"\ninput_usd_per_mtok = 1\noutput_usd_per_mtok = 1\n'
    config = folder / "fairwitness.toml"
    config.write_text(
        f'[providers.provider_a]\n{table}base_url = "{slow.origin}/v1"\n'
        f'[providers.provider_d]\n{table}base_url = "{quick.origin}/v1"\n'
        f'[providers.provider_g]\n{table}base_url = "{silent.origin}/v1"\n',
        encoding="utf-8",
    )
    with serving(folder, CONFIG=str(config), CORS_ORIGINS="https://example.org") as server:
        yield server
    for peer in (slow, quick, silent):
        peer.close()


def events(response: httpx2.Response) -> Iterator[tuple[str, str, float]]:
    """Yield each event's name and data, and when it came."""
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, line.removeprefix("data: "), time.monotonic()


def test_each_result_comes_as_its_provider_finishes(running: RunningServer, tmp_path: Path) -> None:
    with httpx2.stream(
        "POST",
        f"{running.url}{PATH}?evidence=true",
        json=body(prompt="One?"),
        headers={**EVENTS, "origin": "https://example.org"},
        timeout=60,
        trust_env=False,
    ) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-store"
        assert response.headers["access-control-allow-origin"] == "https://example.org"
        assert response.headers["x-request-id"]
        found = list(events(response))
    assert [name for name, _, _ in found] == ["result", "result", "arena"]
    (_, _, first_at), (_, _, second_at), (_, signed, _) = found
    first, second, whole = (json.loads(data) for _, data, _ in found)
    assert [first["providerId"], second["providerId"]] == ["provider_d", "provider_a"]
    assert second_at - first_at > SLOW_S / 2
    assert whole["results"] == [second, first]
    file, keys = tmp_path / "answer.json", tmp_path / "keys.json"
    file.write_text(signed)
    keys.write_bytes(httpx2.get(f"{running.url}/docs/keys.json", trust_env=False).content)
    assert verify(file, "--key", keys) == 0


def test_without_events_the_whole_body_comes(running: RunningServer) -> None:
    response = httpx2.post(
        f"{running.url}{PATH}", json=body(prompt="Two?"), timeout=60, trust_env=False
    )
    assert response.headers["content-type"] == "application/json"
    found = response.json()
    assert [item["providerId"] for item in found["results"]] == ["provider_a", "provider_d"]
    assert "evidence" not in found
    assert "request" not in found


@pytest.mark.parametrize(
    ("query", "changed", "fault"),
    [
        ("", {"providers": ["provider_a"]}, "providers: at least 2 items required"),
        ("", {"providers": ["provider_a"] * 2}, "providers: items must be unique"),
        ("", {"providers": ["provider_a", "provider_b"]}, "providers[1]: must be one of"),
        ("", {"system": "x" * 8_001}, "system: longer than 8000 characters"),
        ("", {"temperature": 2.1}, "temperature: must be a number from 0 to 2"),
        ("", {"temperature": "hot"}, "temperature: must be a number from 0 to 2"),
        ("", {"messages": [{"role": "user", "content": "x"}]}, "exactly one of"),
        ("", {"prompt": "x" * 32_001}, "prompt: longer than 32000"),
        ("?evidence=1", {}, "query: only evidence=true or evidence=false"),
    ],
)
@pytest.mark.parametrize("headers", [{}, EVENTS], ids=["json", "events"])
def test_what_is_refused_before_an_event_has_its_status(
    running: RunningServer,
    query: str,
    changed: dict[str, Any],
    fault: str,
    headers: dict[str, str],
) -> None:
    response = httpx2.post(
        f"{running.url}{PATH}{query}", json=body(**changed), headers=headers, trust_env=False
    )
    assert response.status_code == 400
    assert any(fault in detail for detail in error_of(response)["details"]), response.text


def test_a_duplicate_is_429_to_both(running: RunningServer) -> None:
    asked = body(prompt="Three?", temperature=0.3)
    httpx2.post(f"{running.url}{PATH}", json=asked, timeout=60, trust_env=False)
    for headers in ({}, EVENTS):
        again = httpx2.post(f"{running.url}{PATH}", json=asked, headers=headers, trust_env=False)
        assert again.status_code == 429
        assert error_of(again)["code"] == "duplicate_request"


def test_where_all_fail_the_events_end_with_the_error(running: RunningServer) -> None:
    asked = body(prompt="Four?", providers=["provider_e", "provider_f"])
    plain = httpx2.post(f"{running.url}{PATH}", json=asked, trust_env=False)
    assert (plain.status_code, error_of(plain)["code"]) == (503, "providers_failed")
    streamed = httpx2.post(f"{running.url}{PATH}", json=asked, headers=EVENTS, trust_env=False)
    found = list(events(streamed))
    assert [name for name, _, _ in found] == ["result", "result", "error"]
    assert json.loads(found[-1][1])["error"]["code"] == "providers_failed"


def test_a_client_that_leaves_does_not_hold_its_run(running: RunningServer) -> None:
    asked = body(prompt="Five?", providers=["provider_d", "provider_g"])
    with httpx2.stream(
        "POST",
        f"{running.url}{PATH}",
        json=asked,
        headers=EVENTS,
        timeout=60,
        trust_env=False,
    ) as response:
        next(events(response))
    left = time.monotonic()
    while (
        "fairwitness_ledger_runs_in_flight 0\n"
        not in httpx2.get(f"{running.url}/metrics", trust_env=False).text
    ):
        assert time.monotonic() - left < 60
        time.sleep(0.05)
    after = httpx2.post(
        f"{running.url}{PATH}", json=body(prompt="Six?"), timeout=60, trust_env=False
    )
    assert after.status_code == 200


def test_one_connection_streams_and_then_answers_whole(running: RunningServer) -> None:
    with httpx2.Client(base_url=running.url, timeout=60, trust_env=False) as client:
        streamed = client.post(PATH, json=body(prompt="Seven?"), headers=EVENTS)
        assert streamed.text.count("event: ") == 3
        assert client.get("/healthz").status_code == 200
