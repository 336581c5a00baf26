"""Workers replaced or killed under load: no request lost to a restart, no money and no confirmed row to a kill.

The long form is perf/worker_faults.py.
"""

from __future__ import annotations

from perf import worker_faults


def test_a_rolling_restart_under_load_loses_no_request() -> None:
    assert worker_faults.faults_of_restart(worker_faults.replaced(connections=2)) == []


def test_killed_workers_cost_resets_but_no_money_and_no_confirmed_row() -> None:
    """Arena runs through a priced provider, feedback and direct evaluations, all at once."""
    assert worker_faults.faults_of_kills(worker_faults.killed(4, every=2)) == []
