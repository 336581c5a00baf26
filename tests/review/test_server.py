"""The review's server: for this machine and whoever has the address; for no other page, host or origin."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.batch.judging import some_rows
from tests.review.reviewing import ServedReview, results_of, serving_review


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("review")


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[ServedReview]:
    with serving_review(results_of(folder, some_rows(40)), "--reviewer", "ann") as running:
        yield running


def origin(served: ServedReview) -> str:
    return served.url.rpartition("/")[0]


def labels_in(folder: Path) -> int:
    file = folder / "results.jsonl.labels.jsonl"
    return len(file.read_bytes().splitlines()) if file.exists() else 0


def test_every_answer_forbids_what_the_page_does_not_need(served: ServedReview) -> None:
    for path in ("/", "/review.js", "/spans.js", "/style.css", "/next", "/none"):
        answer = httpx2.get(served.url + path)
        assert answer.status_code == (404 if path == "/none" else 200), path
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "server" not in answer.headers


def test_nothing_is_told_without_the_secret(served: ServedReview) -> None:
    base, token = origin(served), served.url.rpartition("/")[2]
    assert len(token) >= 32
    for path in ("/", "/next", f"/{token[:-1]}/next", f"/{token}", f"/x{token}/next", "//next"):
        answer = httpx2.get(base + path)
        assert answer.status_code == 404, path
        assert "prompt" not in answer.text


def test_it_listens_on_this_machine_alone(served: ServedReview) -> None:
    port = int(origin(served).rpartition(":")[2])
    with socket.socket() as taken, pytest.raises(OSError, match="in use"):
        taken.bind(("127.0.0.1", port))
    # Nobody listens there: it does not listen on every address.
    with socket.socket() as other, pytest.raises(ConnectionRefusedError):
        other.connect(("127.0.0.2", port))


def test_another_host_or_origin_writes_and_reads_nothing(
    served: ServedReview, folder: Path
) -> None:
    before = labels_in(folder)
    texts = httpx2.get(f"{served.url}/next").json()["shown"]["item"]["texts"]
    sent = {"texts": texts, "label": "pass"}
    for headers, status in (
        ({}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": origin(served), "Host": "evil.example"}, 421),
    ):
        for path in ("label", "undo"):
            answer = httpx2.post(f"{served.url}/{path}", json=sent, headers=headers)
            assert answer.status_code == status, headers
    assert httpx2.get(f"{served.url}/next", headers={"Host": "evil.example"}).status_code == 421
    assert labels_in(folder) == before


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"texts": "x", "label": "pass"}',
        json.dumps({"texts": "0" * 64, "label": "pass"}).encode(),
        json.dumps({"texts": "0" * 64, "label": "undo"}).encode(),
        json.dumps({"texts": "0" * 64, "label": "pass", "note": "x" * 4001}).encode(),
        json.dumps({"texts": "0" * 64, "label": "pass", "more": 1}).encode(),
        b"x" * 70_000,
    ],
    ids=range(9),
)
def test_a_bad_body_is_refused_and_keeps_nothing(
    served: ServedReview, folder: Path, body: bytes
) -> None:
    before = labels_in(folder)
    answer = httpx2.post(f"{served.url}/label", content=body, headers={"Origin": origin(served)})
    assert answer.status_code in {400, 413}
    assert "error" in answer.json()
    assert labels_in(folder) == before
