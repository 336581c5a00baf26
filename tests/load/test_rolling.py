"""Workers replaced or killed under load: no request lost to a restart, no money and no confirmed row to a kill.

The long form is bench/faults.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Callable

import psutil

from bench import client, faults
from tests.conftest import GOOD, RunningServer

Start = Callable[..., RunningServer]
REQUEST = client.post("/api/evaluate-response", json.dumps(GOOD).encode())


def workers(server: RunningServer) -> set[int]:
    found = set()
    for child in psutil.Process(server.process.pid).children():
        # A worker may end between being listed and being asked its name.
        with contextlib.suppress(psutil.NoSuchProcess):
            if "spawn_main" in " ".join(child.cmdline()):
                found.add(child.pid)
    return found


def test_a_rolling_restart_under_load_loses_no_request(start: Start) -> None:
    server = start(workers=2)
    before = workers(server)
    replaced = threading.Event()

    def restart() -> None:
        try:
            time.sleep(0.5)
            server.process.send_signal(signal.SIGHUP)
            deadline = time.monotonic() + 150
            while time.monotonic() < deadline and (before & workers(server)):
                time.sleep(0.1)
        finally:
            replaced.set()  # whatever happened here, the load beside it must end

    thread = threading.Thread(target=restart)
    thread.start()
    lost = answered = 0
    while not replaced.is_set():
        outcome = client.load(server.port, [REQUEST], connections=6, seconds=1)
        assert set(outcome.statuses) == {200}
        lost, answered = lost + outcome.lost, answered + outcome.answered
    thread.join()
    assert not before & workers(server), "a worker was not replaced"
    assert answered > 20
    assert lost == 0


def test_a_worker_killed_while_asked_for_a_sign_of_life_is_replaced_at_once(start: Start) -> None:
    server = start(workers=2)
    before = workers(server)
    killed = min(before)
    os.kill(killed, signal.SIGSTOP)
    time.sleep(1.5)  # the supervisor asks every half second: by now it waits for this one's answer
    os.kill(killed, signal.SIGKILL)
    deadline = time.monotonic() + 30  # far under the minute that a slow worker is waited for
    while time.monotonic() < deadline and not (
        len(workers(server)) == 2 and workers(server) - before
    ):
        time.sleep(0.1)
    assert len(workers(server)) == 2
    assert killed not in workers(server)


def test_killed_workers_cost_resets_but_no_money_and_no_confirmed_row() -> None:
    """Arena runs through a priced provider, feedback and direct evaluations, all at once."""
    assert faults.faults_of_kills(faults.killed(5, every=2)) == []
