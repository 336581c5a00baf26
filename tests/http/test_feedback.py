"""Feedback over the wire: its own statuses, its privacy, and 201 only for what a killed server still has."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from fairwitness.feedback import Entry, feedback_of
from fairwitness.settings import Settings
from tests.conftest import RunningServer

GOOD: dict[str, Any] = {
    "contractVersion": "1.0.0",
    "category": "bug",
    "message": "A message nobody else would write: quokka.",
    "privacyAcknowledged": True,
}
JSON = {"Content-Type": "application/json"}
Start = Callable[..., RunningServer]


def post(server: RunningServer, body: Any, **headers: str) -> httpx2.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx2.post(
        f"{server.url}/api/feedback", content=content, headers={**JSON, **headers}, timeout=30
    )


def kept(folder: Path) -> list[Entry]:
    async def read() -> list[Entry]:
        store = feedback_of(Settings(data_dir=folder / "data"))
        try:
            return await store.page(limit=1000)
        finally:
            await store.close()

    return asyncio.run(read())


def test_it_is_kept_and_nobody_can_read_it(start: Start, tmp_path: Path) -> None:
    server = start()
    answer = post(server, {**GOOD, "rating": 3, "contact": "ann.quokka@example.org"})
    assert answer.status_code == 201
    body = answer.json()
    assert set(body) == {"contractVersion", "feedbackId", "receivedAt"}
    assert [entry.feedback_id for entry in kept(tmp_path)] == [body["feedbackId"]]
    for path in ("/api/feedback", f"/api/feedback/{body['feedbackId']}", "/metrics"):
        seen = httpx2.get(f"{server.url}{path}", timeout=30)
        assert "quokka" not in seen.text
    assert httpx2.get(f"{server.url}/api/feedback", timeout=30).status_code == 405
    assert "quokka" not in server.log.read_text()


@pytest.mark.parametrize(
    ("body", "headers", "detail"),
    [
        ({**GOOD, "message": ""}, {}, "message"),
        ({**GOOD, "message": "x" * 2001}, {}, "message"),
        ({**GOOD, "category": "praise"}, {}, "category"),
        ({**GOOD, "rating": 6}, {}, "rating"),
        ({**GOOD, "rating": True}, {}, "rating"),
        ({**GOOD, "contact": "x" * 201}, {}, "contact"),
        ({**GOOD, "privacyAcknowledged": False}, {}, "privacyAcknowledged"),
        ({**GOOD, "extra": 1}, {}, "extra"),
        (b'{"message": "\\ud800"}', {}, "message"),
        (b"not json", {}, "body"),
        (b" " * 140_000, {}, "body"),
        (GOOD, {"Content-Type": "text/plain"}, "body"),
    ],
)
def test_everything_malformed_is_400(
    server: RunningServer, body: Any, headers: dict[str, str], detail: str
) -> None:
    answer = post(server, body, **headers)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["code"] == "invalid_request"
    assert any(line.startswith(detail) for line in error["details"]), error


def test_a_confirmed_entry_outlives_a_killed_server(start: Start, tmp_path: Path) -> None:
    server = start(FEEDBACK_PER_DAY="1000")
    ids = []
    for number in range(20):
        answer = post(server, {**GOOD, "message": f"number {number}"})
        ids.append(answer.json()["feedbackId"])
    # The worker and all it started, at once: no handler runs, nothing is flushed.
    for pid in (*_children(server.process.pid), server.process.pid):
        os.kill(pid, signal.SIGKILL)
    server.process.wait(20)
    assert {entry.feedback_id for entry in kept(tmp_path)} == set(ids)


def _children(pid: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    ).stdout
    found = [int(line) for line in listed.split()]
    return [inner for child in found for inner in [*_children(child), child]]


def test_too_much_is_503_with_retry_after(start: Start) -> None:
    server = start(FEEDBACK_PER_DAY="2")
    assert [post(server, GOOD).status_code for _ in range(3)] == [201, 201, 503]
    refused = post(server, GOOD)
    assert refused.json()["error"]["code"] == "feedback_unavailable"
    assert int(refused.headers["Retry-After"]) > 80_000


def test_a_lost_store_is_503_and_comes_back_without_a_restart(start: Start, tmp_path: Path) -> None:
    place = tmp_path / "elsewhere"
    place.write_text("a file where a folder should be")
    server = start(FEEDBACK_URL=f"sqlite:///{place}/feedback.sqlite3")
    for _ in range(2):
        refused = post(server, GOOD)
        assert refused.status_code == 503
        assert refused.json()["error"]["code"] == "feedback_unavailable"
    direct = httpx2.post(
        f"{server.url}/api/evaluate-response",
        json={
            "contractVersion": "1.0.0",
            "prompt": "Name a colour.",
            "response": "Blue is a colour.",
            "privacyAcknowledged": True,
        },
        timeout=30,
    )
    assert direct.status_code == 200
    place.unlink()
    assert post(server, GOOD).status_code == 201
