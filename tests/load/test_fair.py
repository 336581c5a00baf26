"""One caller cannot stop another: many connections of one address against one of another, over the real server.

The long form, with figures, is perf/fairness.py.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import httpx2

from perf import client
from tests.conftest import GOOD, RunningServer

Start = Callable[..., RunningServer]
PATH = "/api/evaluate-response"
HOSTILE = client.post(PATH, json.dumps({**GOOD, "response": "한국어 문장입니다. " * 90}).encode())
QUEUE = 6


def test_a_caller_with_many_connections_takes_no_place_from_another(start: Start) -> None:
    server = start(QUEUE_SIZE=str(QUEUE))
    answers: list[httpx2.Response] = []
    hostile = threading.Thread(
        target=lambda: seen.append(
            client.load(
                server.port, [HOSTILE], connections=8 * QUEUE, seconds=2, source="127.0.0.2"
            )
        )
    )
    seen: list[client.Outcome] = []
    hostile.start()
    try:
        with httpx2.Client(base_url=server.url, timeout=60, trust_env=False) as other:
            while hostile.is_alive():
                answers.append(other.post(PATH, json=GOOD))
            hostile.join()
            shown = other.get("/readyz").json()["load"]
            counted = other.get("/metrics").text
    finally:
        hostile.join()
    assert {answer.status_code for answer in answers} == {200}
    (greedy,) = seen
    assert set(greedy.statuses) == {200, 503}, "the hostile caller was over its share"
    assert greedy.told_when == greedy.statuses[503]
    # What it had running when it left may still run; nothing of it waits.
    assert (shown["queueLength"], shown["queuePlaces"], shown["paidWaiting"]) == (0, QUEUE, 0)
    (line,) = [
        line for line in counted.splitlines() if line.startswith("fairwitness_evaluations_refused")
    ]
    assert (
        line
        == f'fairwitness_evaluations_refused_total{{reason="share"}} {greedy.statuses[503]:.1f}'
    )
    assert 'fairwitness_evaluations_waiting{kind="direct"} 0.0' in counted
