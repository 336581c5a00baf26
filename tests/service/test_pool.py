"""The pool over real threads: the greedy caller is refused, others are not, and what was paid for is never lost.

Work waits for events of the test, so that nothing here depends on how quick the machine is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from threading import Barrier, Event
from typing import Any, cast

import pytest

from fairwitness.contract.errors import Overloaded
from fairwitness.evaluator import Evaluator
from fairwitness.service.pool import EvaluationPool, Load

PATIENCE_S = 60


class Gate:
    """Work that notes when it was served, and waits until the test lets it go."""

    def __init__(self) -> None:
        self.open = Event()
        self.started = Event()
        self.served: list[str] = []

    def work(self, name: str) -> Any:
        def run() -> str:
            self.served.append(name)
            self.started.set()
            assert self.open.wait(PATIENCE_S)
            return name

        return run


class Surroundings:
    """A pool of one thread that is already at work, and what it said of itself."""

    def __init__(self, places: int) -> None:
        self.refused: list[str] = []
        self.gate = Gate()
        self.pool = EvaluationPool(
            cast(Evaluator, None),
            1,
            places,
            on_refused=self.refused.append,
            hold_refusal_s=0.0,
        )

    async def ask(self, name: str, *, paid: bool = False, cost: float = 1.0) -> str:
        caller = name.partition(" ")[0].encode()
        found: str = await self.pool.run(self.gate.work(name), caller=caller, cost=cost, paid=paid)
        return found

    async def begin(self, name: str, **options: Any) -> asyncio.Task[str]:
        """Ask in a task of its own, and return once the pool has been asked."""
        task = asyncio.ensure_future(self.ask(name, **options))
        await asyncio.sleep(0)
        return task

    async def occupied(self) -> asyncio.Task[str]:
        """Put the one thread to work."""
        first = await self.begin("greedy running")
        await asyncio.to_thread(self.gate.started.wait, PATIENCE_S)
        return first


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, 2 * PATIENCE_S))


def test_another_caller_is_served_next_and_never_refused() -> None:
    async def go() -> tuple[Surroundings, list[Any]]:
        here = Surroundings(places=8)
        tasks = [await here.occupied()]
        tasks += [await here.begin(f"greedy {number}") for number in range(200)]
        tasks.append(await here.begin("other"))
        here.gate.open.set()
        return here, await asyncio.gather(*tasks, return_exceptions=True)

    here, outcomes = run(go())
    assert outcomes[-1] == "other"
    assert here.gate.served[:2] == ["greedy running", "other"]
    refused = [one for one in outcomes if isinstance(one, Overloaded)]
    assert len(refused) == 200 - 8 + 1, "the greedy caller lost one more place, to the other"
    assert here.refused == ["share"] * len(refused)
    assert all(one.retry_after for one in refused)


def test_nothing_that_was_paid_for_is_refused_or_lost() -> None:
    async def go() -> list[Any]:
        here = Surroundings(places=2)
        await here.occupied()
        for number in range(20):
            await here.begin(f"greedy {number}")
        paid = [await here.begin(f"paid {number}", paid=True) for number in range(60)]
        assert here.pool.load.waiting_paid == 60
        assert here.pool.load.saturation > 1
        here.gate.open.set()
        return await asyncio.gather(*paid, return_exceptions=True)

    assert run(go()) == [f"paid {number}" for number in range(60)]


def test_who_leaves_gives_its_place_back_and_is_not_worked_for() -> None:
    async def go() -> Surroundings:
        here = Surroundings(places=1)
        first = await here.occupied()
        waiting = await here.begin("greedy waiting")
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert here.pool.load.waiting == 0
        second = await here.begin("greedy again")
        here.gate.open.set()
        await asyncio.gather(first, second)
        return here

    here = run(go())
    assert here.gate.served == ["greedy running", "greedy again"]
    assert here.refused == []


def test_nobody_is_charged_for_a_machine_that_stood_still() -> None:
    """Its first text took long without working: its next is not put behind everything the others have."""

    async def go() -> Surroundings:
        here = Surroundings(places=200)
        waiting = [await here.occupied()]
        waiting += [await here.begin(f"other{n % 2} {n}", cost=0.01) for n in range(100)]
        waiting.append(await here.begin("greedy again", cost=0.01))
        await asyncio.sleep(0.5)
        here.gate.open.set()
        await asyncio.gather(*waiting)
        return here

    served = run(go()).gate.served
    assert served.index("greedy again") < 100


def test_a_failure_reaches_who_asked_and_the_thread_goes_on() -> None:
    async def go() -> str:
        here = Surroundings(places=4)
        here.gate.open.set()
        with pytest.raises(ZeroDivisionError):
            await here.pool.run(lambda: 1 // 0, caller=b"a", cost=1.0)
        return await here.ask("b")

    assert run(go()) == "b"


def test_what_it_says_of_itself_ends_at_rest() -> None:
    async def go() -> Surroundings:
        here = Surroundings(places=4)
        tasks = [await here.occupied(), *[await here.begin(f"a {n}") for n in range(3)]]
        assert here.pool.load == Load(threads=1, busy=1, places=4, waiting=3, waiting_paid=0)
        assert here.pool.load.saturation == 0.8
        here.gate.open.set()
        await asyncio.gather(*tasks)
        return here

    here = run(go())
    assert here.pool.load == Load(threads=1, busy=0, places=4, waiting=0, waiting_paid=0)


def test_a_pool_that_is_closed_takes_no_work_and_ends_with_what_runs() -> None:
    async def go() -> Surroundings:
        here = Surroundings(places=4)
        first, second = await here.occupied(), await here.begin("other")
        here.pool.close()
        with pytest.raises(RuntimeError):
            await here.ask("late")
        here.gate.open.set()
        assert await first == "greedy running"
        await asyncio.sleep(0.05)
        second.cancel()
        return here

    assert run(go()).gate.served == ["greedy running"]


def test_every_thread_serves_while_work_waits_and_each_comes_back() -> None:
    async def go() -> list[int]:
        pool = EvaluationPool(cast(Evaluator, None), 3, 100)
        found = []
        for _ in range(200):
            together = Barrier(3)
            meet = partial(together.wait, PATIENCE_S)
            asked = [pool.run(meet, caller=b"a", cost=1.0) for _ in range(3)]
            found += await asyncio.gather(*asked)
        pool.close()
        return found

    assert sorted(run(go())) == sorted([0, 1, 2] * 200)
