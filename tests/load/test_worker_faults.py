"""Workers replaced or killed under load: no request lost to a restart, no money and no confirmed row to a kill.

The long form is perf/worker_faults.py.
"""

from __future__ import annotations

import signal
import time

from perf import servers, worker_faults


def test_a_rolling_restart_under_load_loses_no_request() -> None:
    assert worker_faults.faults_of_restart(worker_faults.replaced()) == []


def test_killed_workers_cost_resets_but_no_money_and_no_confirmed_row() -> None:
    """Arena runs through a priced provider, feedback and direct evaluations, all at once."""
    assert worker_faults.faults_of_kills(worker_faults.killed(5, every=2)) == []


def test_a_worker_killed_while_asked_for_a_sign_of_life_is_replaced_at_once() -> None:
    with servers.ours(2) as server:
        before = {worker.pid for worker in server.workers()}
        victim = server.workers()[0]
        victim.send_signal(signal.SIGSTOP)
        time.sleep(1.5)  # asked every half second: by now the supervisor waits for its answer
        victim.kill()
        now = before
        deadline = time.monotonic() + 50  # far under the minute that a slow worker is waited for
        while time.monotonic() < deadline and not (len(now) == 2 and now != before):
            time.sleep(0.1)
            now = {worker.pid for worker in server.workers()}
    assert len(now) == 2
    assert victim.pid not in now
