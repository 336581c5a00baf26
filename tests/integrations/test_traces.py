"""Traces pulled from a recording server in the shapes of Langfuse and Phoenix, judged, and their ids kept."""

from __future__ import annotations

import http.server
import json
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from tests import warm_start

ASKED = [{"role": "user", "content": "What is 2 + 2?"}]
TRACES: list[Any] = [
    {
        "id": "t1",
        "input": {"messages": ASKED},
        "output": {"role": "assistant", "content": "2 + 2 = 4."},
    },
    {"id": "t2", "input": "How can I reach you?", "output": "Write to jane.roe@gmail.com."},
    {"id": "t3", "input": ASKED, "output": None},
    {"id": "t4", "input": {"question": "What is 2 + 2?"}, "output": {"answer": "2 + 2 = 5."}},
]
SPANS: list[Any] = [
    {
        "id": "x",
        "context": {"span_id": "s1"},
        "span_kind": "LLM",
        "attributes": {
            "input.value": json.dumps({"messages": ASKED}),
            "output.value": json.dumps(
                {"choices": [{"message": {"role": "assistant", "content": "2 + 2 = 4."}}]}
            ),
        },
    },
    {
        "id": "y",
        "context": {"span_id": "s2"},
        "span_kind": "CHAIN",
        "attributes": {"input.value": "a", "output.value": "b"},
    },
    {
        "id": "z",
        "context": {"span_id": "s3"},
        "span_kind": "LLM",
        "attributes": {"input": {"value": "Hi"}, "output": {"value": "Hello."}},
    },
]


def _observation(trace: dict[str, Any]) -> dict[str, Any]:
    """Return the root observation of a trace: Langfuse 5 gives its texts as they were sent, so JSON as text."""
    texts = {
        name: json.dumps(trace[name]) if isinstance(trace[name], dict | list) else trace[name]
        for name in ("input", "output")
    }
    return {"id": f"o-{trace['id']}", "traceId": trace["id"], "type": "SPAN", **texts}


class Tool(http.server.BaseHTTPRequestHandler):
    """Answers as the tools do, a page at a time, to whoever has the key."""

    seen: ClassVar[list[str]] = []
    faults: ClassVar[list[tuple[int, Any]]] = []
    # Whether it is a Langfuse that lists traces and no observations.
    old: ClassVar[bool] = False

    def do_GET(self) -> None:
        Tool.seen.append(self.path)
        found: list[Any]
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        if Tool.faults:
            self._answer(*Tool.faults.pop(0))
        elif self.headers.get("Authorization") not in {"Basic cGs6c2s=", "Bearer key"}:
            self._answer(401, {"message": "Invalid credentials"})
        elif path == "/api/public/v2/observations" and not Tool.old:
            assert query["fields"] == ["core,io"]
            assert query["isRootObservation"] == ["true"]
            second = "cursor" in query
            # The second page begins with another root of the first page's last trace.
            found = [_observation(trace) for trace in (TRACES[1:] if second else TRACES[:2])]
            self._answer(200, {"data": found, "meta": {} if second else {"cursor": "abc"}})
        elif path == "/api/public/traces" and Tool.old:
            page = int(query["page"][0])
            found = TRACES[2 * page - 2 : 2 * page]
            self._answer(200, {"data": found, "meta": {"page": page, "totalPages": 2}})
        elif path == "/v1/projects/my%20shop/spans":
            second = "cursor" in query
            found, after = (SPANS[2:], None) if second else (SPANS[:2], "abc")
            self._answer(200, {"data": found, "next_cursor": after})
        else:
            self._answer(404, {})

    def _answer(self, status: int, body: Any) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    with _serving() as address:
        yield address


@contextmanager
def _serving() -> Iterator[str]:
    Tool.seen.clear()
    Tool.faults.clear()
    Tool.old = False
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tool)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def batch(folder: Path, tool: str, url: str, *more: str, **changed: str) -> Any:
    environment = {
        **os.environ,
        "LANGFUSE_HOST": url,
        "LANGFUSE_PUBLIC_KEY": "pk",
        "LANGFUSE_SECRET_KEY": "sk",
        "PHOENIX_COLLECTOR_ENDPOINT": url,
        "PHOENIX_API_KEY": "key",
        "PHOENIX_PROJECT_NAME": "my shop",
        **changed,
    }
    words = ["batch", "--from", tool, "-o", "r.jsonl", "--workers", "1", *more]
    return warm_start.run_text(words, environment, folder=folder)


def results(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "r.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("old", [False, True])
def test_langfuse(url: str, tmp_path: Path, old: bool) -> None:
    Tool.old = old
    done = batch(tmp_path, "langfuse", url)
    assert done.returncode == 0, done.stderr
    assert "3 traces fetched" in done.stderr
    assert "1 without an input or an output left out" in done.stderr
    rows = results(tmp_path)
    assert [row["traceId"] for row in rows] == ["t1", "t2", "t4"]
    assert rows[1]["evaluation"]["overallVerdict"] == "needs_review"
    kept = tmp_path / "r.jsonl.traces.jsonl"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    asked = len(Tool.seen)
    assert batch(tmp_path, "langfuse", url).returncode == 0
    assert len(Tool.seen) == asked, "a finished run fetches nothing"


def test_phoenix(url: str, tmp_path: Path) -> None:
    done = batch(tmp_path, "phoenix", url)
    assert done.returncode == 0, done.stderr
    assert [row["span_id"] for row in results(tmp_path)] == ["s1", "s3"]
    assert results(tmp_path)[0]["evaluation"]["overallVerdict"] == "pass"


def test_only_as_many_as_asked(url: str, tmp_path: Path) -> None:
    assert batch(tmp_path, "langfuse", url, "--most", "1").returncode == 0
    assert len(results(tmp_path)) == 1
    assert len(Tool.seen) == 1


def test_it_waits_where_the_tool_is_busy(url: str, tmp_path: Path) -> None:
    Tool.faults.append((503, {}))
    assert batch(tmp_path, "langfuse", url).returncode == 0


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ((401, {"message": "Invalid credentials"}), "langfuse answered 401"),
        ((200, b"<html>"), "not JSON"),
        ((200, {"traces": []}), "another version"),
        ((200, {"data": []}), "no trace with an input"),
    ],
)
def test_a_tool_that_gives_nothing_is_an_error(
    url: str, tmp_path: Path, fault: tuple[int, Any], words: str
) -> None:
    Tool.faults.append(fault)
    done = batch(tmp_path, "langfuse", url)
    assert done.returncode == 1
    assert words in done.stderr
    assert not list(tmp_path.iterdir())


def test_what_is_missing_is_said(url: str, tmp_path: Path) -> None:
    done = batch(tmp_path, "langfuse", url, LANGFUSE_SECRET_KEY="")
    assert (done.returncode, "set LANGFUSE_SECRET_KEY" in done.stderr) == (2, True)
    assert batch(tmp_path, "langfuse", url, "--most", "0").returncode == 2
    assert batch(tmp_path, "langfuse", url, "file.jsonl").returncode == 2
