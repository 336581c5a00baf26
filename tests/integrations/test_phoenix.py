"""Traces and scores with the real Phoenix, which runs here: spans are judged, and their annotations stored once."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests import warm_start

PROGRAM = Path(os.environ.get("PHOENIX_BIN", "")) / "phoenix"
pytestmark = [
    pytest.mark.skipif(
        "PHOENIX_BIN" not in os.environ,
        reason="needs Phoenix: pip install arize-phoenix in an environment of its own; PHOENIX_BIN is its bin folder",
    ),
    pytest.mark.xdist_group("tools"),
]
LEAK, SUM, TOOL = "b7ad6b7169203331", "b7ad6b7169203332", "b7ad6b7169203333"
CHAT = '{"messages": [{"role": "user", "content": "What is 2 + 2?"}]}'


def span(named: str, kind: str, given: str, answered: str) -> dict[str, Any]:
    return {
        "name": "chat",
        "context": {"trace_id": "0af7651916cd43dd8448eb211c80319c", "span_id": named},
        "span_kind": kind,
        "start_time": "2026-11-16T01:00:00Z",
        "end_time": "2026-11-16T01:00:01Z",
        "status_code": "OK",
        "attributes": {"input.value": given, "output.value": answered},
    }


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("phoenix")
    port, grpc = (str(free_port()) for _ in range(2))
    given = {
        "PHOENIX_WORKING_DIR": str(folder),
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": port,
        "PHOENIX_GRPC_PORT": grpc,
        "PHOENIX_TELEMETRY_ENABLED": "false",
        "PHOENIX_ALLOW_EXTERNAL_RESOURCES": "false",
    }
    # Phoenix takes PYTHONPATH for its own, and must not import what is ours.
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [PROGRAM, "serve"], env={**clean, **given}, stdout=log, stderr=log
        )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_up(url, process, folder / "log")
        yield url
    finally:
        process.terminate()
        process.wait(60)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_up(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 400
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        try:
            if httpx2.get(f"{url}/healthz", timeout=10).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.5)
    raise AssertionError(log.read_text())


def fairwitness(folder: Path, url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PHOENIX_COLLECTOR_ENDPOINT": url}
    return warm_start.run_text(arguments, environment, folder=folder)


def test_spans_are_judged_and_scored_once(phoenix: str, tmp_path: Path) -> None:
    spans = [
        span(LEAK, "LLM", "How can I reach you?", "Write to jane.roe@gmail.com."),
        span(SUM, "LLM", CHAT, "2 + 2 = 4."),
        span(TOOL, "TOOL", "a", "b"),
    ]
    project = f"{phoenix}/v1/projects/default"
    assert httpx2.post(f"{project}/spans", json={"data": spans}).is_success
    deadline = time.monotonic() + 60
    while len(httpx2.get(f"{project}/spans").json()["data"]) < 3 and time.monotonic() < deadline:
        time.sleep(0.5)
    done = fairwitness(tmp_path, phoenix, "batch", "--from", "phoenix", "-o", "r.jsonl")
    assert done.returncode == 0, done.stderr
    assert "2 traces fetched" in done.stderr
    for _ in range(2):
        done = fairwitness(tmp_path, phoenix, "export", "r.jsonl", "--to", "phoenix")
        assert done.returncode == 0, done.stderr
    asked = f"{project}/span_annotations?limit=100&span_ids={LEAK}"
    found = {one["name"]: one["result"] for one in httpx2.get(asked).json()["data"]}
    assert found["fairwitness"]["label"] == "needs_review"
    assert found["fairwitness.privacy"]["explanation"] == "Found: privacy.email (medium)."
    assert found["fairwitness.privacy"]["score"] == 0.6
    stored = httpx2.get(asked).json()["data"]
    assert len(stored) == len(found), "what was sent twice is stored once"


def test_a_span_phoenix_does_not_have_stops_the_export(phoenix: str, tmp_path: Path) -> None:
    rows = tmp_path / "answers.jsonl"
    rows.write_text('{"span_id": "ffff000000000000", "prompt": "Hi", "response": "Hello."}\n')
    assert fairwitness(tmp_path, phoenix, "batch", "answers.jsonl", "-o", "r.jsonl").returncode == 0
    done = fairwitness(tmp_path, phoenix, "export", "r.jsonl", "--to", "phoenix")
    assert done.returncode == 1
    assert "phoenix answered 404" in done.stderr
