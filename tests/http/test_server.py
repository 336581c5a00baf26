"""The running server: load it cannot take, stops, workers, logs and metrics."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import psutil
import pytest

from fairwitness.http.server import bind
from fairwitness.settings import available_cores
from tests.conftest import GOOD, RunningServer, serving, serving_cold
from tests.http.wire import connect, post, read_answers

Start = Callable[..., RunningServer]
PATH = "/api/evaluate-response"
# Only bounds a hang, however busy the machine is.
HANGS_S = 120
HEAVY = {
    **GOOD,
    "response": ("Every sentence of this text is different, number {}. " * 150).format(*range(150))[
        :8000
    ],
}


def ask(server: RunningServer, body: dict[str, object] = GOOD) -> httpx2.Response:
    return httpx2.post(server.url + PATH, json=body, timeout=HANGS_S, trust_env=False)


def test_beyond_the_queue_is_503_with_retry_after(start: Start) -> None:
    server = start(QUEUE_SIZE="0")
    with ThreadPoolExecutor(20) as crowd:
        answers = list(crowd.map(lambda _: ask(server, HEAVY), range(20)))
    statuses = {answer.status_code for answer in answers}
    assert statuses == {200, 503}
    for answer in answers:
        if answer.status_code == 503:
            assert answer.json()["error"]["code"] == "overloaded"
            assert int(answer.headers["retry-after"]) >= 1
    assert ask(server).status_code == 200


def test_a_stop_finishes_what_is_in_flight(start: Start) -> None:
    server = start(workers=2)
    body = json.dumps(GOOD).encode()
    with connect(server.port) as connection:
        request = post(PATH, body)
        connection.sendall(request[:-10])
        # The request for the figure is the other one in flight.
        _until(lambda: _figure(server, "fairwitness_requests_in_flight") >= 2)
        server.process.send_signal(signal.SIGTERM)
        _wait_until_deaf(server.port)
        connection.sendall(request[-10:])
        (answer,) = read_answers(connection, expect=1)
    assert answer.status == 200
    assert answer.headers["connection"] == "close"
    server.process.wait(HANGS_S)


def _wait_until_deaf(port: int) -> None:
    """Wait until the stop has begun: new connections are no longer taken."""

    def is_deaf() -> bool:
        try:
            connect(port).close()
        except ConnectionRefusedError:
            return True
        except ConnectionResetError:  # it was queued as the last copy of the socket was closed
            return False
        return False

    _until(is_deaf)


def test_idle_connections_do_not_hold_a_stop(tmp_path: Path) -> None:
    with serving_cold(tmp_path, SHUTDOWN_GRACE_S="3600") as server:
        connections = [connect(server.port) for _ in range(20)]
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(HANGS_S) == 0
        for connection in connections:
            connection.close()


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Two workers and their supervisor, for tests after which there are two again."""
    with serving(tmp_path_factory.mktemp("pair"), workers=2) as running:
        yield running


# One process runs these, for workers take long to start.
ON_THE_PAIR = pytest.mark.xdist_group("two workers")


def _both_serve(server: RunningServer) -> bool:
    """Tell whether both workers are ready: each says how many threads it has when it is."""
    threads = 2 * max(1, available_cores() // 2)
    workers = _children(server.process.pid)
    return len(workers) == 2 and _figure(server, "fairwitness_evaluation_threads") == threads


@ON_THE_PAIR
def test_killed_worker_is_replaced_and_counters_go_on(pair: RunningServer) -> None:
    def answered() -> float:
        shown = httpx2.get(pair.url + "/metrics", timeout=HANGS_S).text
        counted = [
            line
            for line in shown.splitlines()
            if line.startswith("fairwitness_requests_total")
            and PATH in line
            and 'status="200"' in line
        ]
        return sum(float(line.split()[-1]) for line in counted)

    before = answered()
    for _ in range(10):
        assert _patiently(pair).status_code == 200
    victim = _children(pair.process.pid)[-1]
    os.kill(victim, signal.SIGKILL)
    _until(lambda: victim not in (now := _children(pair.process.pid)) and len(now) >= 2)
    for _ in range(10):
        assert _patiently(pair).status_code == 200
    assert answered() - before == 20


@ON_THE_PAIR
def test_a_worker_killed_while_asked_for_a_sign_of_life_is_replaced_at_once(
    pair: RunningServer,
) -> None:
    _until(lambda: _both_serve(pair))
    before = set(_children(pair.process.pid))
    victim = psutil.Process(min(before))
    victim.send_signal(signal.SIGSTOP)
    time.sleep(1.5)  # asked every half second: by now the supervisor waits for its answer
    victim.kill()
    # Far under the minute that a slow worker is waited for.
    _until(lambda: len(now := set(_children(pair.process.pid))) == 2 and now != before, 50)


@ON_THE_PAIR
def test_workers_share_kept_connections(pair: RunningServer) -> None:
    """A proxy opens a few connections and keeps them: no worker may stand idle beside one that has them all."""
    server = pair
    deadline = time.monotonic() + HANGS_S
    taken: list[int] = []
    # The second worker may still be starting when the first is ready.
    while time.monotonic() < deadline and (len(taken) != 2 or min(taken) < 3):
        held = [connect(server.port) for _ in range(12)]
        time.sleep(0.5)
        taken = [_connections(pid) for pid in _children(server.process.pid)]
        for connection in held:
            connection.close()
        time.sleep(0.2)
    assert min(taken) >= 3, taken


def _connections(pid: int) -> int:
    return sum(one.status == "ESTABLISHED" for one in psutil.Process(pid).net_connections("tcp"))


def _children(pid: int) -> list[int]:
    found = []
    for child in psutil.Process(pid).children():
        try:
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child.pid)
        except psutil.NoSuchProcess:
            continue  # it ended while we looked, or has not been waited for yet
    return found


def test_workers_end_with_a_killed_supervisor_and_free_the_port(start: Start) -> None:
    server = start(workers=2)
    workers = [psutil.Process(pid) for pid in _children(server.process.pid)]
    assert len(workers) == 2
    server.process.kill()
    server.process.wait(HANGS_S)
    _, left = psutil.wait_procs(workers, timeout=HANGS_S)
    for worker in left:
        worker.kill()
    assert not left, "workers outlived their supervisor"
    bind("127.0.0.1", server.port).close()


def _patiently(server: RunningServer) -> httpx2.Response:
    for _ in range(50):
        try:
            return ask(server)
        except httpx2.TransportError:
            time.sleep(0.1)
    raise AssertionError("no worker answers")


def test_logs_are_json_lines_with_ids_and_never_the_text(start: Start) -> None:
    server = start()
    prompt, response = "prompt-canary-91734", "response-canary-55120 with jane.roe@gmail.com"
    answer = ask(server, {**GOOD, "prompt": prompt, "response": response})
    ask(server, {**GOOD, "prompt": [prompt], "response": response})
    httpx2.get(f"{server.url}/{prompt}?q={response}", headers={"x-canary": prompt})
    server.process.terminate()
    server.process.wait(HANGS_S)
    log = server.log.read_text()
    for canary in (prompt, response, "jane.roe"):
        assert canary not in log
    lines = [json.loads(line) for line in log.splitlines()]
    assert answer.headers["x-request-id"] in {line.get("request_id") for line in lines}


def test_metrics_are_for_loopback_or_the_token(start: Start) -> None:
    server = start(METRICS_TOKEN="let-me-in")
    assert httpx2.get(server.url + "/metrics").status_code == 200
    proxied = {"x-forwarded-for": "203.0.113.9"}
    assert httpx2.get(server.url + "/metrics", headers=proxied).status_code == 404
    known = {**proxied, "authorization": "Bearer let-me-in"}
    assert httpx2.get(server.url + "/metrics", headers=known).status_code == 200
    wrong = {**proxied, "authorization": "Bearer let-me-out"}
    assert httpx2.get(server.url + "/metrics", headers=wrong).status_code == 404


def test_folders_a_killed_server_left_behind_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    homes = [tmp_path / name for name in ("killed", "living", "next")]
    for home in homes:
        home.mkdir()

    def folders() -> set[Path]:
        return set(tmp_path.glob("fairwitness-metrics-*"))

    with serving(homes[1]) as living:
        kept = folders()
        with serving(homes[0]) as killed:
            (left,) = folders() - kept
            killed.process.kill()
        assert left in folders()
        with serving(homes[2]):
            assert left not in folders()
            assert kept < folders()
        assert folders() == kept
        assert httpx2.get(living.url + "/metrics").status_code == 200


@ON_THE_PAIR
def test_what_a_killed_worker_said_of_the_moment_is_forgotten(pair: RunningServer) -> None:
    _until(lambda: _both_serve(pair))
    (victim, *_) = _children(pair.process.pid)
    both = _figure(pair, "fairwitness_evaluation_queue_places")
    os.kill(victim, signal.SIGKILL)
    # It is replaced: then as many places are shown as before, not half as many again.
    _until(lambda: victim not in (now := _children(pair.process.pid)) and len(now) == 2)
    _until(lambda: _figure(pair, "fairwitness_evaluation_queue_places") >= both)
    assert _figure(pair, "fairwitness_evaluation_queue_places") == both


def _figure(server: RunningServer, name: str) -> float:
    shown = httpx2.get(server.url + "/metrics", timeout=30).text.splitlines()
    return next((float(line.split()[-1]) for line in shown if line.startswith(name + " ")), 0.0)


def _until(true: Callable[[], bool], within_s: float = HANGS_S) -> None:
    """Wait for an event; the time only bounds a hang."""
    deadline = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.05)


def test_listed_origins_may_call(start: Start) -> None:
    server = start(CORS_ORIGINS="https://app.example.org")
    asked = {"origin": "https://app.example.org", "access-control-request-method": "POST"}
    preflight = httpx2.options(server.url + PATH, headers=asked)
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == "https://app.example.org"
    assert preflight.headers["access-control-allow-headers"] == "Content-Type, X-Api-Key"
    answer = httpx2.post(
        server.url + PATH, json=GOOD, headers={"origin": "https://app.example.org"}
    )
    assert answer.headers["access-control-allow-origin"] == "https://app.example.org"
    other = httpx2.options(
        server.url + PATH, headers={**asked, "origin": "https://evil.example.org"}
    )
    assert other.status_code == 405
    assert "access-control-allow-origin" not in other.headers
    stranger = httpx2.post(
        server.url + PATH, json=GOOD, headers={"origin": "https://evil.example.org"}
    )
    assert "access-control-allow-origin" not in stranger.headers


def test_evaluations_do_not_block_the_loop(start: Start) -> None:
    """A blocked loop would answer at most once for each evaluation; how quick either is does not matter."""
    server = start()
    stop = threading.Event()
    evaluated: list[httpx2.Response] = []

    def load() -> None:
        while not stop.is_set():
            evaluated.append(ask(server, HEAVY))

    threads = [threading.Thread(target=load) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        with httpx2.Client(timeout=HANGS_S, trust_env=False) as other:
            answers = [other.get(server.url + "/healthz") for _ in range(40)]
        done = len(evaluated)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert all(answer.status_code == 200 for answer in answers)
    assert done < len(answers) / 2
