"""The line before the embedded model: first come, bounded by time and context, and it learns its rate."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairwitness.providers.resident_queue import PROMPT_SHARE, Ask, Line


def line(**changed: float) -> Line:
    shape = {"parallel": 2, "cells": 1000, "rate": 10.0, "now": 0.0, **changed}
    return Line(int(shape["parallel"]), int(shape["cells"]), shape["rate"], shape["now"])


def small(left_s: float = 100.0) -> Ask:
    return Ask(prompt_tokens=6, max_tokens=51, left_s=left_s)  # 100 written tokens of work


def called(desk: Line, now: float) -> list[object]:
    """Return all whose turn comes where each has read its prompt at once."""
    found = []
    while (ticket := desk.turn(now)) is not None:
        desk.has_read(ticket)
        found.append(ticket)
    return found


def test_turns_come_in_order_and_no_more_than_fit() -> None:
    desk = line()
    assert [desk.enter(name, small(), 0.0) for name in "abc"] == ["granted"] * 3
    assert called(desk, 0.0) == ["a", "b"]
    assert called(desk, 0.0) == []
    desk.leave("b", 51, 1.0)
    assert called(desk, 1.0) == ["c"]


def test_one_prompt_is_read_at_a_time() -> None:
    desk = line()
    for name in "abc":
        desk.enter(name, small(), 0.0)
    assert (desk.turn(0.0), desk.turn(0.1)) == ("a", None)
    desk.has_read("b")  # it has no turn yet: nothing changes
    assert desk.turn(0.2) is None
    desk.leave("a", 0, 0.3, 0)  # gone before its prompt was read
    assert desk.turn(0.3) == "b"
    desk.has_read("b")
    assert desk.turn(0.4) == "c"


def test_a_user_that_never_says_it_has_read_holds_up_nobody_for_long() -> None:
    desk = line()
    for name in "ab":
        desk.enter(name, small(), 0.0)
    assert desk.turn(0.0) == "a"
    assert desk.turn(4.9) is None
    assert desk.turn(5.0) == "b"


def test_what_cannot_end_in_time_is_refused_before_it_begins() -> None:
    desk = line()
    assert desk.enter("a", small(left_s=15), 0.0) == "granted"
    assert desk.enter("b", small(left_s=15), 0.0) == "busy"  # 20 s with the one before it
    assert desk.enter("c", small(left_s=21), 0.0) == "granted"


def test_what_no_empty_line_could_end_is_too_large() -> None:
    desk = line()
    assert desk.enter("a", small(left_s=9), 0.0) == "too_large"
    assert desk.enter("b", Ask(950, 10, 1000), 0.0) == "too_large"


def test_leaving_before_ones_turn_frees_the_place() -> None:
    desk = line()
    for name in "abc":
        desk.enter(name, small(), 0.0)
    called(desk, 0.0)
    desk.leave("c", None, 1.0)
    desk.leave("c", None, 1.0)
    assert desk.inside == 2


def test_a_slower_machine_is_noticed() -> None:
    desk = line(rate=100.0)
    for step in range(20):
        desk.enter("a", small(), step * 10.0)
        called(desk, step * 10.0)
        desk.leave("a", 51, step * 10.0 + 10.0)
    assert 9 < desk.rate < 15


def test_idle_time_is_not_slowness() -> None:
    desk = line(rate=50.0)
    for step in range(20):
        begin = step * 1000.0
        desk.enter("a", small(), begin)
        called(desk, begin)
        desk.leave("a", 51, begin + 2.0)
    assert 49 < desk.rate <= 50


def test_what_a_lost_user_had_running_teaches_nothing() -> None:
    desk = line(rate=50.0)
    for step in range(20):
        begin = step * 1000.0
        desk.enter("a", small(), begin)
        called(desk, begin)
        desk.leave("a", None, begin + 100.0)
    assert desk.rate == 50.0


def crowd(desk: Line, true_rate: float, start: float, end: float) -> tuple[int, int, int]:
    """Offer one more each second to a model that shares `true_rate` evenly; count its ends.

    A generation stops at its deadline of 30 s with what it has written by then.
    """
    ended = late = refused = 0
    left: dict[object, float] = {}
    due: dict[object, float] = {}
    now = start
    while now < end or due:
        if now < end:
            granted = desk.enter(now, small(left_s=30.0), now) == "granted"
            refused += not granted
            due |= {now: now + 30.0} if granted else {}
        left |= {ticket: small().work for ticket in called(desk, now)}
        for ticket in list(left):
            left[ticket] -= true_rate / len(left)
        now += 1.0
        for ticket in list(due):
            if left.get(ticket, 1.0) <= 0:
                desk.leave(ticket, small().max_tokens, now)
                ended += 1
            elif now >= due[ticket]:
                work = small().work - left.get(ticket, 0.0)
                read = min(70, int(work / PROMPT_SHARE))
                desk.leave(ticket, int(work - PROMPT_SHARE * read), now, read)
                late += 1
            else:
                continue
            del due[ticket]
            left.pop(ticket, None)
    return ended, late, refused


def test_overload_is_noticed_from_what_the_deadline_stopped() -> None:
    desk = line(parallel=5, rate=100.0)
    crowd(desk, 10.0, 0.0, 300.0)  # a tenth of what was believed: at first nearly all are late
    assert 8 < desk.rate < 15
    ended, late, _ = crowd(desk, 10.0, 400.0, 1000.0)
    assert ended > 4 * late


def test_a_machine_that_is_free_again_is_noticed_too() -> None:
    desk = line(parallel=5, rate=100.0)
    crowd(desk, 1.0, 0.0, 600.0)  # nothing can end: the line lets nobody in
    assert desk.rate < 10
    crowd(desk, 100.0, 700.0, 1300.0)
    assert desk.rate > 50


def test_what_is_stopped_at_once_makes_no_machine_look_fast() -> None:
    desk = line(rate=50.0)
    for step in range(200):
        desk.enter("a", small(), step * 1.0)
        called(desk, step * 1.0)
        desk.leave("a", 0, step * 1.0 + 0.1, 0)
    assert desk.rate <= 50.0


@given(st.lists(st.tuples(st.sampled_from(["enter", "leave", "turns"]), st.integers(0, 9))))
def test_no_order_of_events_breaks_the_bounds(events: list[tuple[str, int]]) -> None:
    desk = line(parallel=3, cells=1000, rate=40.0)
    waiting: set[object] = set()
    running: dict[object, int] = {}
    for moment, (event, number) in enumerate(events):
        ticket = (number, moment) if event == "enter" else None
        if event == "enter":
            if desk.enter(ticket, Ask(number * 60, 50, 30.0), float(moment)) == "granted":
                waiting.add(ticket)
        elif event == "leave" and running:
            gone = next(iter(running))
            del running[gone]
            desk.leave(gone, 50, float(moment))
        for turn in called(desk, float(moment)):
            assert turn in waiting
            waiting.discard(turn)
            running[turn] = 1
        assert len(running) <= 3
        assert desk.inside == len(waiting) + len(running)
        assert not waiting or running  # nobody waits for nothing
