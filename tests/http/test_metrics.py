"""What a worker tells of itself: soon, and to the end, also of work that outlasts its request."""

from __future__ import annotations

import asyncio

from prometheus_client import REGISTRY

from fairwitness.http.metrics import Answers
from fairwitness.service.pool import Load

_BUSY = "fairwitness_evaluation_threads_busy"
_IN_FLIGHT = "fairwitness_requests_in_flight"


def test_work_that_outlasts_its_request_is_told_to_its_end() -> None:
    async def go() -> list[tuple[float | None, float | None]]:
        busy = 1
        told = Answers()
        told.watch(lambda: Load(threads=2, busy=busy, places=8, waiting=0, waiting_paid=0))
        told.began()
        told.tell()
        found = [_figures()]
        told.ended()
        told.tell()
        found.append(_figures())
        busy = 0
        await asyncio.sleep(0.2)
        return [*found, _figures()]

    assert asyncio.run(go()) == [(1, 1), (0, 1), (0, 0)]


def test_asking_again_and_again_leaves_one_timer() -> None:
    async def go() -> int:
        asked = 0

        def load() -> Load:
            nonlocal asked
            asked += 1
            return Load(threads=1, busy=1, places=8, waiting=0, waiting_paid=0)

        told = Answers()
        told.watch(load)
        for _ in range(50):
            told.tell()
        asked = 0
        await asyncio.sleep(0.3)
        return asked

    assert 1 <= asyncio.run(go()) <= 7


def _figures() -> tuple[float | None, float | None]:
    return REGISTRY.get_sample_value(_IN_FLIGHT), REGISTRY.get_sample_value(_BUSY)
