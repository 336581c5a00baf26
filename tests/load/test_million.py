"""The mix of a million requests, in short, on both engines; the long form is perf/million.py."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from perf import million, million_report
from perf.million_load import Plan
from perf.million_log import logged_errors
from perf.million_requests import MIX, trial
from tests.real_postgres import VARIABLE

REQUESTS = 1000
PLAN = Plan(clients=2)
# Parts of the mix that repeat a run well before the kill switch is turned: which requests meet it depends on the load.
START = {"sqlite": 4500, "postgres": 7500}


metric_now = million._metric


def settled_metric(home: million.House, name: str) -> float:
    """Read a figure; that of requests in progress may be a moment old in the other worker."""
    deadline = time.monotonic() + 60
    found = metric_now(home, name)
    while name.endswith("in_flight") and found != 1 and time.monotonic() < deadline:
        time.sleep(0.1)
        found = metric_now(home, name)
    return found


@pytest.mark.parametrize("engine", million.ENGINES)
def test_mixed_and_fuzzed_requests_are_answered_and_accounted_for(
    engine: str, postgres_admin_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, postgres_admin_url)
    monkeypatch.setattr(million, "_metric", settled_metric)
    found = million.measure(engine, range(START[engine], START[engine] + REQUESTS), PLAN, {})
    assert (found["faults"], million_report.faults(found)) == ([], [])
    assert sum(found["sent_by_kind"].values()) == REQUESTS
    assert found["feedback_confirmed"] > 0
    assert found["paid_items"] > 0
    assert found["evaluations_repeated"] > 0
    refused = found["by_kind"]["repeated runs and spent quotas"]
    assert refused[429] > 0


def test_a_request_of_the_mix_is_always_the_same() -> None:
    assert [trial(7, number) for number in range(300)] == [trial(7, n) for n in range(300)]
    assert trial(7, 1) != trial(8, 1)
    assert any(trial(1, number).kind == "bodies that never end" for number in range(30_000))
    assert sum(MIX.values()) == 1000


def found_of(growth: float, **changed: Any) -> dict[str, Any]:
    samples = [
        {"sent": sent, "workers": {"1": [300 + growth * sent / 100_000 + (sent % 3), 40]}}
        for sent in range(0, 100_001, 500)
    ]
    sound = {
        "requests": 100_000,
        "fault_count": 0,
        "lost": 0,
        "feedback_missing": 0,
        "samples": samples,
    }
    sound |= {"feedback_kept": 9, "feedback_confirmed": 9, "answers_micro_usd": 5}
    sound |= {"ledger_micro_usd": 5, "provider_calls": 2, "paid_items": 2, "ledger_open": 0}
    sound |= {"evidence": {"kept": 1, "verified": 1, "changes_found": 1}}
    return sound | {"criterion_failures": 0, "in_flight": 0, "logged_errors": 0} | changed


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (found_of(5), []),
        (found_of(40), ["worker 1 grew by 32 MB after warm-up"]),
        (found_of(0, fault_count=3), ["3 requests answered wrongly"]),
        (found_of(0, fault_count=2, lost=1), ["1 request answered wrongly", "1 request lost"]),
        (
            found_of(0, feedback_missing=1),
            ["9 feedback entries were confirmed, 9 are kept, 1 are missing"],
        ),
        (found_of(0, ledger_micro_usd=4), ["answers, ledger and provider disagree on what was paid"]),
        (found_of(0, provider_calls=3), ["answers, ledger and provider disagree on what was paid"]),
        (found_of(0, logged_errors=2), ["logged errors: 2"]),
        (found_of(0, evidence={"kept": 2, "verified": 1, "changes_found": 2}), None),
    ],
)  # fmt: skip
def test_what_does_not_hold_is_said(found: dict[str, Any], said: list[str] | None) -> None:
    told = million_report.faults(found)
    assert told == said if said is not None else told


def test_logged_errors_are_kept_with_the_requests_they_belong_to(tmp_path: Path) -> None:
    answered = {"event": "answered", "level": "info", "timestamp": "2026-01-01T00:00:01.5Z"}
    lines = [
        {"event": "listening", "url": "http://127.0.0.1:1"},
        {"event": "ledger_away", "level": "error", "timestamp": "2026-01-01T00:00:01.2Z"},
        {**answered, "status": 503, "request_id": "a"},
        {"event": "request failed", "level": "error", "request_id": "b"},
        {**answered, "status": 500, "request_id": "b", "timestamp": "2026-01-01T00:00:02Z"},
        {**answered, "status": 200, "request_id": "c"},
    ]
    told = (
        "".join(json.dumps(line) + "\n" for line in lines)
        + '{"a":{"b":1}\na warning\nTraceback (most ...)\n'
    )
    (tmp_path / "log").write_text(told)
    away, failed, crash = logged_errors(tmp_path / "log")
    assert (away["event"], [one["request_id"] for one in away["requests"]]) == (
        "ledger_away",
        ["a"],
    )
    assert [one["request_id"] for one in failed["requests"]] == ["b"]
    assert crash["event"].startswith("Traceback")
