"""Generation through the door: two workers share one model, a caller who leaves stops it, a killed server takes it along."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from tests.conftest import RunningServer, serving
from tests.providers.peers import (
    HostileServer,
    Served,
    answer,
    batches,
    batches_until_idle,
    until_gone,
)

pytestmark = pytest.mark.xdist_group("providers")

TEXT = "Plants turn light, water and carbon dioxide into sugar."
ANSWER = {
    "choices": [{"message": {"content": TEXT}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 12},
}


def body(**changed: Any) -> dict[str, Any]:
    return {
        "contractVersion": "1.0.0",
        "prompt": "How do plants make food?",
        "privacyAcknowledged": True,
        **changed,
    }


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Two workers over the embedded model, writing few tokens."""
    folder = tmp_path_factory.mktemp("small")
    with serving(folder, workers=2, EMBEDDED_MAX_TOKENS="6") as running:
        yield running


def processes(word: str) -> list[int]:
    """Return the processes that were started with this word."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if word.encode() in file.read_bytes().split(b"\0"):
                found.append(int(file.parent.name))
    return found


def model_state(server: RunningServer) -> dict[str, Any]:
    state = server.log.parent / "data" / "embedded.json"
    found: dict[str, Any] = json.loads(state.read_bytes())
    return found


def test_arena_with_five_embedded_slots(small: RunningServer) -> None:
    asked = ["provider_g", "provider_a", "provider_f", "provider_d", "provider_e"]
    response = httpx2.post(
        f"{small.url}/api/arena", json=body(providers=asked), timeout=90, trust_env=False
    )
    assert response.status_code == 200, response.text
    found = response.json()
    assert [item["providerId"] for item in found["results"]] == asked
    assert {item["status"] for item in found["results"]} == {"completed"}
    assert len({item["model"] for item in found["results"]}) == 5
    assert found["summary"]["completed"] == 5
    assert {item["usage"]["costUsd"] for item in found["results"]} == {0.0}


def test_workers_share_one_process(small: RunningServer) -> None:
    for number in range(6):
        response = httpx2.post(
            f"{small.url}/api/evaluate",
            json=body(prompt=f"Say {number}.", providerIds=["provider_a"]),
            timeout=90,
            trust_env=False,
        )
        assert response.status_code == 200, response.text
    state = str(small.log.parent / "data" / "embedded.json")
    assert len(processes(state)) == 1


def test_a_caller_who_leaves_stops_the_model(tmp_path: Path) -> None:
    with serving(
        tmp_path, workers=1, EMBEDDED_MAX_TOKENS="400", PROVIDER_DEADLINE_S="300"
    ) as running:
        sent = json.dumps(body(providers=["provider_a", "provider_d"])).encode()
        head = (
            f"POST /api/arena HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(sent)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", running.port)) as caller:
            caller.sendall(head.encode() + sent)
            model, computed = _until_generating(running)
        # A few more than where the model's own user leaves: the server has to see it first.
        assert batches_until_idle(model, computed) <= 6


def _until_generating(server: RunningServer) -> tuple[Served, int]:
    for _ in range(600):
        try:
            model = SimpleNamespace(**model_state(server))
            computed, running = batches(model)
            if running and computed > 10:
                return model, computed
        except (FileNotFoundError, ValueError, httpx2.TransportError):
            pass
        time.sleep(0.05)
    raise AssertionError("the generation never began")


def test_a_killed_server_leaves_no_process_behind(
    start: Callable[..., RunningServer],
) -> None:
    running = start(EMBEDDED_MAX_TOKENS="2")
    httpx2.post(
        f"{running.url}/api/evaluate",
        json=body(providerIds=["provider_b"]),
        timeout=90,
        trust_env=False,
    )
    pid = int(model_state(running)["pid"])
    os.kill(running.process.pid, signal.SIGKILL)
    assert until_gone(pid, 15)


def test_one_hosted_provider_fails_and_the_other_is_whole(tmp_path: Path) -> None:
    well = HostileServer(answer(json.dumps(ANSWER).encode()))
    broken = HostileServer(answer(b'{"error": "key sk-1 at http://x"}', status="500 Oops"))
    table = 'kind = "openai"\nmodel = "m"\ninput_usd_per_mtok = 1\noutput_usd_per_mtok = 1\n'
    config = tmp_path / "fairwitness.toml"
    config.write_text(
        f'[providers.provider_a]\n{table}base_url = "{broken.origin}/v1"\n'
        f'[providers.provider_d]\n{table}base_url = "{well.origin}/v1"\n',
        encoding="utf-8",
    )
    with serving(tmp_path, CONFIG=str(config)) as running:

        def ask(*slots: str) -> httpx2.Response:
            return httpx2.post(
                f"{running.url}/api/evaluate",
                json=body(providerIds=slots),
                timeout=30,
                trust_env=False,
            )

        mixed, alone = ask("provider_a", "provider_b", "provider_d"), ask("provider_a")
        published = httpx2.get(f"{running.url}/docs/providers.json", trust_env=False).text
    well.close()
    broken.close()
    assert mixed.status_code == 200
    first, second, third = mixed.json()["results"]
    assert (first["status"], first["error"]["code"]) == ("failed", "unreachable")
    assert (second["status"], second["error"]["code"]) == ("failed", "not_configured")
    assert third["response"] == TEXT
    assert third["usage"] == {"inputTokens": 10, "outputTokens": 12, "costUsd": 2.2e-05}
    assert alone.status_code == 503
    assert alone.json()["error"]["code"] == "providers_failed"
    assert alone.json()["error"]["details"][0].startswith("provider_a: unreachable")
    for text in (mixed.text, alone.text, published):
        assert "sk-1" not in text
        assert "127.0.0.1" not in text
