"""No caller keeps another from its turn, whatever is put in, in whatever order.

The scheduler has no clock: every promise here is counted in turns and work, never in seconds.
"""

from __future__ import annotations

import random

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from fairwitness.service.fair_queue import PAID_IN_A_ROW, PATIENCE, Entry, FairQueue

Queue = FairQueue[str]


def entry(caller: str, cost: float = 1.0, *, paid: bool = False) -> Entry[str]:
    return Entry(caller.encode(), cost, caller, paid)


def serve(queue: Queue, actual: float | None = None) -> Entry[str]:
    taken = queue.take()
    assert taken is not None
    queue.finish(taken, taken.cost if actual is None else actual)
    return taken


def test_a_newcomer_is_next_however_much_another_has_waiting() -> None:
    queue = Queue(threads=1, places=64)
    for _ in range(50):
        queue.put(entry("greedy"))
    running = queue.take()
    assert running is not None
    queue.put(entry("other"))
    queue.finish(running, 1.0)
    assert serve(queue).work == "other"


def test_work_is_shared_by_what_it_cost_in_fact_not_by_what_was_expected() -> None:
    queue = Queue(threads=1, places=64)
    done = {"slow": 0.0, "quick": 0.0}
    for _ in range(400):
        for caller in done:
            while queue.direct.inside(caller.encode()) < 2:
                queue.put(entry(caller))
        taken = queue.take()
        assert taken is not None
        actual = 10.0 if taken.work == "slow" else 1.0
        queue.finish(taken, actual)
        done[taken.work] += actual
    assert abs(done["slow"] - done["quick"]) <= 10.0


def test_short_work_of_a_caller_goes_first_but_long_work_is_reached() -> None:
    queue = Queue(threads=1, places=64)
    queue.put(entry("one", 10.0))
    passed = 0
    while True:
        queue.put(entry("one", 1.0))
        taken = serve(queue)
        if taken.cost == 10.0:
            break
        passed += 1
    assert 1 <= passed <= PATIENCE * 10.0


def test_the_greedy_caller_loses_its_last_place_to_a_newcomer() -> None:
    queue = Queue(threads=1, places=3)
    greedy = [entry("greedy", cost) for cost in (1.0, 4.0, 2.0, 3.0)]
    assert [queue.put(one) for one in greedy] == [None] * 4
    more = entry("greedy")
    assert queue.put(more) is more, "it cannot push out its own"
    assert queue.put(entry("other")) is greedy[1]
    assert queue.put(entry("third")) is greedy[3]
    assert queue.put(entry("fourth")) is greedy[2]
    fifth = entry("fifth")
    assert queue.put(fifth) is fifth, "nobody holds more than one"


def test_where_nobody_holds_more_than_one_the_newcomer_gives_way() -> None:
    queue = Queue(threads=1, places=1)
    assert queue.put(entry("a")) is None
    assert queue.put(entry("b")) is None
    late = entry("c")
    assert queue.put(late) is late


def test_paid_work_goes_ahead_but_never_shuts_direct_work_out() -> None:
    queue = Queue(threads=1, places=8)
    for _ in range(4):
        queue.put(entry("direct"))
    for _ in range(12):
        queue.put(entry("", paid=True))
    order = ["paid" if serve(queue).paid else "direct" for _ in range(16)]
    assert order == (["paid"] * PAID_IN_A_ROW + ["direct"]) * 4


def test_paid_work_is_taken_when_every_place_is_full() -> None:
    queue = Queue(threads=1, places=1)
    queue.put(entry("a"))
    queue.put(entry("a"))
    for _ in range(100):
        assert queue.put(entry("", paid=True)) is None
    assert queue.paid.waiting == 100


def test_a_stream_of_new_callers_does_not_starve_one_that_was_served() -> None:
    """Every newcomer begins with nothing on its tag: virtual time must move on all the same."""
    queue = Queue(threads=1, places=16)
    queue.put(entry("old"))
    serve(queue)
    for number in range(8):
        queue.put(entry(f"new {number}"))
    queue.put(entry("old", 2.0))
    for number in range(8, 400):
        queue.put(entry(f"new {number}"))
        if serve(queue).work == "old":
            break
    else:
        raise AssertionError("400 newcomers went before it")


def test_what_callers_did_is_forgotten() -> None:
    queue = Queue(threads=1, places=16)
    for number in range(5000):
        queue.put(entry(f"new {number}", random.Random(number).random() + 0.1))
        if number > 8:
            serve(queue)
    assert len(queue.direct._callers) < 100
    while queue.direct.waiting:
        serve(queue)
    assert not queue.direct._callers


PLACES, THREADS, CALLERS = 6, 2, ("a", "b", "c", "d")


class Serving(RuleBasedStateMachine):
    """Puts, takes, finishes and drops as a pool would, beside a plain account of what must be inside."""

    running = Bundle("running")

    def __init__(self) -> None:
        super().__init__()
        self.queue = Queue(THREADS, PLACES)
        self.waiting: list[Entry[str]] = []
        self.busy: list[Entry[str]] = []
        self.passed_over: dict[str, int] = {}

    def inside(self, caller: bytes) -> int:
        return sum(one.caller == caller and not one.paid for one in self.waiting + self.busy)

    @rule(caller=st.sampled_from(CALLERS), cost=st.floats(0.1, 10))
    def put(self, caller: str, cost: float) -> None:
        new = entry(caller, cost)
        before = {name: self.inside(name.encode()) for name in CALLERS}
        full = sum(before.values()) >= THREADS + PLACES
        gone = self.queue.put(new)
        if gone is not new:
            self.waiting.append(new)
        if not full:
            assert gone is None
        elif gone is not new:
            assert gone is not None
            self.waiting.remove(gone)
            assert not gone.paid, "what was paid for gives way to nobody"
            assert gone.work != caller
            assert before[gone.work] > before[caller] + 1
        else:
            able = {one.work for one in self.waiting if not one.paid}
            assert all(before[name] <= before[caller] + 1 for name in able)

    @rule(cost=st.floats(0.1, 10))
    def put_paid(self, cost: float) -> None:
        new = entry("", cost, paid=True)
        assert self.queue.put(new) is None
        self.waiting.append(new)

    @rule(target=running)
    def take(self) -> Entry[str] | None:
        if len(self.busy) == THREADS:
            return None
        taken = self.queue.take()
        assert (taken is None) == (not self.waiting)
        if taken is None:
            return None
        self.waiting.remove(taken)
        self.busy.append(taken)
        # A caller that waits is passed over a bounded number of times: costs differ a hundredfold here.
        self.passed_over.pop(taken.work, None)
        for name in {one.work for one in self.waiting}:
            self.passed_over[name] = self.passed_over.get(name, 0) + 1
        assert max(self.passed_over.values(), default=0) < 100 * PAID_IN_A_ROW * (len(CALLERS) + 1)
        return taken

    @rule(taken=consumes(running), factor=st.floats(0.2, 5))
    def finish(self, taken: Entry[str] | None, factor: float) -> None:
        if taken is not None:
            self.busy.remove(taken)
            self.queue.finish(taken, taken.cost * factor)

    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        if self.waiting:
            gone = data.draw(st.sampled_from(self.waiting))
            assert self.queue.drop(gone)
            assert not self.queue.drop(gone)
            self.waiting.remove(gone)

    @invariant()
    def accounts_agree(self) -> None:
        direct, paid = self.queue.direct, self.queue.paid
        assert direct.waiting == sum(not one.paid for one in self.waiting)
        assert paid.waiting == sum(one.paid for one in self.waiting)
        assert direct.running + paid.running == len(self.busy)
        assert direct.waiting + direct.running <= THREADS + PLACES
        for name in CALLERS:
            assert direct.inside(name.encode()) == self.inside(name.encode())

    def teardown(self) -> None:
        """Whatever happened, all that waits is served in the end."""
        for one in self.busy:
            self.queue.finish(one, one.cost)
        while taken := self.queue.take():
            self.waiting.remove(taken)
            self.queue.finish(taken, taken.cost)
        assert not self.waiting


Serving.TestCase.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
TestServing = Serving.TestCase
