"""The queue before the embedded model: bounded by time and context, and it learns its rate."""

from __future__ import annotations

import pytest

from fairwitness.contract.errors import ConcurrencyLimit
from fairwitness.providers.embedded_queue import CONTEXT_TOKENS, PROMPT_SHARE, Job, Queue
from fairwitness.providers.provider import ProviderFailure


def small(left_s: float = 100.0) -> Job:
    return Job(prompt_tokens=6, max_tokens=51, left_s=left_s)  # 100 written tokens of work


def enters(queue: Queue, ticket: object, job: Job, now: float = 0.0) -> str:
    try:
        queue.enter(ticket, job, now)
    except ConcurrencyLimit:
        return "busy"
    except ProviderFailure as failure:
        return failure.code
    return "in"


def test_what_cannot_end_in_time_is_refused_before_it_begins() -> None:
    queue = Queue(0.0, rate=10.0)
    assert enters(queue, "a", small(left_s=15)) == "in"
    assert enters(queue, "b", small(left_s=15)) == "busy"  # 20 s with the one before it
    assert enters(queue, "c", small(left_s=21)) == "in"
    queue.leave("a", 1.0)
    queue.leave("c", 1.0)
    assert enters(queue, "d", small(left_s=15)) == "in"


def test_what_no_empty_queue_could_end_is_too_large() -> None:
    queue = Queue(0.0, rate=10.0)
    assert enters(queue, "a", small(left_s=9)) == "too_large"
    assert enters(queue, "b", Job(CONTEXT_TOKENS - 73, 10, 1e6)) == "too_large"
    assert enters(queue, "c", Job(CONTEXT_TOKENS - 74, 10, 1e6)) == "in"


def test_a_slower_machine_is_noticed() -> None:
    queue = Queue(0.0, rate=100.0)
    for step in range(20):
        queue.enter("a", small(), step * 10.0)
        queue.begin("a", step * 10.0)
        queue.leave("a", step * 10.0 + 10.0, 51)
    assert 9 < queue.rate < 15


def test_idle_time_is_not_slowness() -> None:
    queue = Queue(0.0, rate=50.0)
    for step in range(20):
        queue.enter("a", small(), step * 1000.0)
        queue.begin("a", step * 1000.0)
        queue.leave("a", step * 1000.0 + 2.0, 51)
    assert 49 < queue.rate <= 50.1


@pytest.mark.parametrize("after_s", [0.1, 60.0])
def test_a_caller_who_leaves_teaches_nothing(after_s: float) -> None:
    queue = Queue(0.0, rate=50.0)
    for step in range(20):
        queue.enter("a", small(), step * 100.0)
        queue.begin("a", step * 100.0)
        queue.leave("a", step * 100.0 + after_s)
    assert queue.rate == 50.0


def crowd(queue: Queue, true_rate: float, start: float, end: float) -> tuple[int, int]:
    """Offer one more each second to a model that shares `true_rate` among five; count ends in time and late."""
    ended = late = 0
    left: dict[float, float] = {}
    waiting: list[float] = []
    now = start
    while now < end or left or waiting:
        if now < end and enters(queue, now, small(left_s=30.0), now) == "in":
            waiting.append(now)
        while waiting and len(left) < 5:
            left[waiting[0]] = small().work
            queue.begin(waiting.pop(0), now)
        share = true_rate / max(len(left), 1)
        now += 1.0
        for ticket in list(left):
            left[ticket] -= share
            if left[ticket] <= 0 or now >= ticket + 30.0:
                in_time = left[ticket] <= 0
                queue.leave(ticket, now, 51 if in_time else None)
                ended, late = ended + in_time, late + (not in_time)
                del left[ticket]
        for ticket in [one for one in waiting if now >= one + 30.0]:
            waiting.remove(ticket)
            queue.leave(ticket, now)
            late += 1
    return ended, late


def test_overload_is_noticed_from_what_the_deadline_stopped() -> None:
    queue = Queue(0.0, rate=100.0)
    crowd(queue, 10.0, 0.0, 300.0)  # a tenth of what was believed: at first nearly all are late
    assert queue.rate < 20
    ended, late = crowd(queue, 10.0, 400.0, 1000.0)
    assert ended > 2 * late


def test_a_machine_that_is_free_again_is_noticed_too() -> None:
    queue = Queue(0.0, rate=100.0)
    crowd(queue, 1.0, 0.0, 600.0)  # nothing can end: hardly anybody is let in
    assert queue.rate < 10
    crowd(queue, 100.0, 700.0, 1300.0)
    assert queue.rate > 50


def test_reading_is_part_of_the_work() -> None:
    assert Job(1000, 0, 1.0).work == pytest.approx(1064 * PROMPT_SHARE)
