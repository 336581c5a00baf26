"""Exports against a recording server that checks each tool's shape, refuses, and asks to wait."""

from __future__ import annotations

import http.server
import json
import subprocess
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import jsonschema
import pytest

import fairwitness
from tests import warm_start

# As the tools' own sources give them (Langfuse 5, Phoenix, LangSmith).
TEXT = {"type": "string", "minLength": 1}
SCHEMAS: dict[str, Any] = {
    "/api/public/scores": {
        "type": "object",
        "required": ["id", "traceId", "name", "value", "dataType"],
        "additionalProperties": False,
        "properties": {
            "id": TEXT,
            "traceId": TEXT,
            "name": TEXT,
            "value": {"type": ["number", "string"]},
            "dataType": {"enum": ["NUMERIC", "BOOLEAN", "CATEGORICAL", "TEXT", "CORRECTION"]},
            "comment": {"type": "string"},
            "metadata": {"type": "object"},
            "source": {"enum": ["API", "ANNOTATION"]},
            "configId": TEXT,
            "timestamp": {"type": "string", "pattern": "^[0-9-]{10}T[0-9:]{8}[+]00:00$"},
        },
    },
    "/api/public/annotation-queues/q%201/items": {
        "type": "object",
        "required": ["objectId", "objectType"],
        "additionalProperties": False,
        "properties": {"objectId": TEXT, "objectType": {"enum": ["TRACE", "OBSERVATION"]}},
    },
    "/feedback": {
        "type": "object",
        "required": ["id", "run_id", "key"],
        "additionalProperties": False,
        "properties": {
            "id": {"type": "string", "format": "uuid"},
            "run_id": TEXT,
            "key": TEXT,
            "score": {"type": ["number", "boolean", "null"], "minimum": 0, "maximum": 1},
            "value": {},
            "comment": {"type": "string"},
            "feedback_source": {
                "type": "object",
                "required": ["type"],
                "properties": {"type": {"const": "api"}},
            },
        },
    },
    "/v1/span_annotations?sync=true": {
        "type": "object",
        "required": ["data"],
        "properties": {
            "data": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["span_id", "name", "annotator_kind", "result"],
                    "additionalProperties": False,
                    "properties": {
                        "span_id": TEXT,
                        "name": TEXT,
                        "annotator_kind": {"enum": ["LLM", "CODE", "HUMAN"]},
                        "result": {
                            "type": "object",
                            "properties": {
                                "label": {"type": "string"},
                                "score": {"type": ["number", "null"]},
                                "explanation": {"type": "string"},
                            },
                        },
                        "metadata": {"type": "object"},
                        "identifier": TEXT,
                    },
                },
            }
        },
    },
}


class Recorder(http.server.BaseHTTPRequestHandler):
    """Keeps what is sent; answers by a list of statuses, then 200."""

    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[tuple[str, dict[str, str], Any]]]
    statuses: ClassVar[list[int]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = self.statuses.pop(0) if self.statuses else 200
        if status == 200:
            jsonschema.validate(body, SCHEMAS[self.path])
            self.seen.append((self.path, dict(self.headers), body))
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_GET(self) -> None:
        """List the queue: what was put there, one item a page."""
        assert self.path.startswith("/api/public/annotation-queues/q%201/items?page=")
        queued = [body for path, _, body in self.seen if path.endswith("/items")]
        page = int(self.path.partition("page=")[2].partition("&")[0])
        pages = {"totalPages": len(queued)}
        body = json.dumps({"data": queued[page - 1 : page], "meta": pages}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def recording(*statuses: int) -> Iterator[tuple[str, list[tuple[str, dict[str, str], Any]]]]:
    seen: list[tuple[str, dict[str, str], Any]] = []
    handler = type("Here", (Recorder,), {"seen": seen, "statuses": list(statuses)})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(
            target=running.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        ).start()
        yield f"http://127.0.0.1:{running.server_address[1]}", seen
        running.shutdown()


PROMPT, LEAK = "How can I reach you?", "Write to jane.roe@gmail.com."


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results with ids for all three tools, the second row without an evaluation."""
    ids = {"traceId": "t1", "span_id": "00ff", "run_id": str(uuid.UUID(int=1))}
    judged = fairwitness.evaluate(PROMPT, LEAK).to_dict()
    rows: list[dict[str, Any]] = [
        {**ids, "id": "1", "prompt": PROMPT, "response": LEAK, "evaluation": judged},
        {**ids, "id": "2", "error": "response: must not be empty"},
    ]
    path = tmp_path_factory.mktemp("export") / "results.jsonl"
    path.write_text("".join(json.dumps({**row, "protocolVersion": "1"}) + "\n" for row in rows))
    return path


def export(results: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return warm_start.run_text(["export", str(results), *options], environment)


def langfuse(url: str) -> dict[str, str]:
    return {"LANGFUSE_HOST": url, "LANGFUSE_PUBLIC_KEY": "pk", "LANGFUSE_SECRET_KEY": "sk"}


TOOLS: dict[str, Callable[[str], dict[str, str]]] = {
    "langfuse": langfuse,
    "phoenix": lambda url: {"PHOENIX_COLLECTOR_ENDPOINT": url},
    "langsmith": lambda url: {"LANGSMITH_ENDPOINT": url, "LANGSMITH_API_KEY": "key"},
}


@pytest.mark.parametrize("tool", TOOLS)
def test_every_line_arrives_in_the_tools_shape_and_no_text(results: Path, tool: str) -> None:
    with recording() as (url, seen):
        done = export(results, "--to", tool, **TOOLS[tool](url))
        assert done.returncode == 0, done.stderr
        assert "1 rows sent" in done.stderr
        assert "1 without an evaluation left out" in done.stderr
        told = json.dumps([body for _, _, body in seen])
        assert "fairwitness.privacy" in told
        assert "jane.roe" not in told
        first = [body for _, _, body in seen]
        del seen[:]
        export(results, "--to", tool, **TOOLS[tool](url))
        assert [body for _, _, body in seen] == first, "the same ids: twice is once"
        del seen[:]
        export(results, "--to", tool, "--quote", **TOOLS[tool](url))
        assert "jane.roe" in json.dumps([body for _, _, body in seen])


def test_what_needs_review_goes_to_the_queue_of_people_once(results: Path) -> None:
    options = ("--to", "langfuse", "--config", "c1", "--queue", "q 1")
    with recording() as (url, seen):
        for _ in range(2):
            done = export(results, *options, **langfuse(url))
            assert done.returncode == 0, done.stderr
    filled = [body for _, _, body in seen if body.get("source") == "ANNOTATION"]
    assert [(one["configId"], one["value"]) for one in filled] == [("c1", "needs_review")] * 2
    assert filled[0] == filled[1], "the same id and time: twice is once"
    queued = [body for path, _, body in seen if path.endswith("/items")]
    assert queued == [{"objectId": "t1", "objectType": "TRACE"}]


def test_a_tool_that_is_busy_is_asked_again(results: Path) -> None:
    with recording(429, 503) as (url, seen):
        done = export(results, "--to", "phoenix", **TOOLS["phoenix"](url))
    assert done.returncode == 0, done.stderr
    assert len(seen) == 1


def test_a_refusal_stops_and_is_told(results: Path) -> None:
    with recording(401) as (url, seen):
        done = export(results, "--to", "langfuse", **langfuse(url))
    assert done.returncode == 1
    assert "langfuse answered 401" in done.stderr
    assert not seen


def test_missing_keys_ids_and_bad_lines_are_named(results: Path, tmp_path: Path) -> None:
    done = export(results, "--to", "langfuse")
    assert (done.returncode, done.stderr) == (2, "fairwitness: Langfuse: set LANGFUSE_HOST.\n")
    done = export(
        results,
        "--to",
        "phoenix",
        "--trace",
        "nope",
        PHOENIX_COLLECTOR_ENDPOINT="http://127.0.0.1:9",
    )
    assert (done.returncode, "no column nope" in done.stderr) == (2, True)
    bad = tmp_path / "bad.jsonl"
    bad.write_text("[]\n")
    done = export(bad, "--to", "phoenix", PHOENIX_COLLECTOR_ENDPOINT="http://127.0.0.1:9")
    assert done.returncode == 2
    assert "bad.jsonl:1: not a line of batch results, which is a JSON object" in done.stderr
    assert "Traceback" not in done.stderr
    bad.write_text('{"span_id": "1", "evaluation": {"overallScore": 1}}\n')
    done = export(bad, "--to", "phoenix", "--dry-run")
    assert "bad.jsonl:1: evaluation: overallVerdict is missing" in done.stderr


def test_a_queue_the_tool_has_not_is_an_error(results: Path) -> None:
    done = export(results, "--to", "phoenix", "--queue", "q1", "--dry-run")
    assert (done.returncode, "for Langfuse alone" in done.stderr) == (2, True), done.stderr


def test_a_tool_that_is_away_is_an_error(results: Path) -> None:
    done = export(results, "--to", "phoenix", PHOENIX_COLLECTOR_ENDPOINT="http://127.0.0.1:9")
    assert (done.returncode, "phoenix: 127.0.0.1:9" in done.stderr) == (1, True), done.stderr
    done = export(results, "--to", "phoenix", PHOENIX_COLLECTOR_ENDPOINT="localhost:6006")
    assert (done.returncode, "not an http or https address" in done.stderr) == (2, True)


def test_a_dry_run_needs_no_key_and_sends_nothing(results: Path) -> None:
    done = export(results, "--to", "langfuse", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["path"] == "/api/public/scores"
