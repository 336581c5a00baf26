"""Sends the requests of `perf.million` from client processes of their own, and turns the operator's switch meanwhile."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing.sharedctypes import Synchronized
from typing import Any, TypeAlias

import uvloop

from perf.million_client import Lane, Tally, meet
from perf.million_requests import trial

# While this share of the requests is sent, the operator's switch is off.
SWITCHED_OFF = (0.55, 0.6)
# How often the parent looks at how far its clients are.
LOOK_EVERY_S = 0.02
# Whether runs are refused, by the number the processes share: no, on the way from one to the other, yes.
_REFUSING = ({False}, {False, True}, {True})
_NOT, _TURNING, _REFUSED = range(3)

Number: TypeAlias = "Synchronized[int]"


@dataclass(frozen=True)
class Plan:
    """How the requests are sent, the same for each engine."""

    seed: int = 1
    workers: int = 2
    connections: int = 32
    # One process of asyncio clients sends some two thousand requests a second.
    clients: int = 1
    minutes: float | None = None
    side_by_side: bool = False

    def told(self) -> dict[str, Any]:
        """Return it for the result file, with the machine's cores."""
        return {**self.__dict__, "cores": len(os.sched_getaffinity(0))}


@dataclass(frozen=True)
class _Shared:
    """What one engine's client processes share with their parent."""

    refusing: Number
    sent: list[Number]
    stop: Number


_shared: _Shared


def _begin(shared: _Shared) -> None:
    global _shared  # noqa: PLW0603 - a pool's workers are given what they share when they start
    _shared = shared


def _send(at: int, port: int, key: bytes, seed: int, numbers: range, lanes: int) -> Tally:
    """Send this client's share of the requests; return what they met with."""
    tally, left, mine = Tally({}), iter(numbers), _shared.sent[at]

    async def lane() -> None:
        client = Lane(port, key)
        for number in left:
            if _shared.stop.value:
                break
            await meet(client, number, trial(seed, number), tally, _refusing)
            mine.value += 1
        client.close()

    async def all_lanes() -> None:
        await asyncio.gather(*(lane() for _ in range(lanes)))

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(all_lanes())
    return tally


def _refusing() -> set[bool]:
    return _REFUSING[_shared.refusing.value]


def send_all(
    port: int,
    key: bytes,
    numbers: range,
    plan: Plan,
    turn: Callable[[str], None],
    look: Callable[[int], None],
) -> tuple[Tally, float]:
    """Send every request of `numbers`, or what the plan's minutes allow; return what they met with, and the seconds.

    `turn` turns the operator's switch off or on; `look` is told now and then how many were sent.
    """
    context = multiprocessing.get_context("spawn")
    made = [context.Value("q", 0) for _ in range(plan.clients + 2)]
    shared = _Shared(made[0], made[2:], made[1])
    with ProcessPoolExecutor(plan.clients, context, _begin, (shared,)) as pool:
        began = time.monotonic()
        lanes = [len(range(at, plan.connections, plan.clients)) for at in range(plan.clients)]
        parts = [
            pool.submit(_send, at, port, key, plan.seed, numbers[at :: plan.clients], lanes[at])
            for at in range(plan.clients)
        ]
        asyncio.run(_watch(shared, parts, len(numbers), plan, turn, look))
        seconds = time.monotonic() - began
        whole = parts[0].result()
        for part in parts[1:]:
            whole.add(part.result())
    return whole, seconds


async def _watch(
    shared: _Shared,
    parts: list[Future[Tally]],
    total: int,
    plan: Plan,
    turn: Callable[[str], None],
    look: Callable[[int], None],
) -> None:
    """Look on until all is sent: turn the switch at its time, and end it when the time is up."""
    ends = float("inf") if plan.minutes is None else time.monotonic() + plan.minutes * 60
    off, on = (share * total for share in SWITCHED_OFF)
    turns = [(off, "off", _REFUSED), (on, "on", _NOT)]
    turning: asyncio.Task[None] | None = None

    async def turned(to: str, then: int) -> None:
        shared.refusing.value = _TURNING
        await asyncio.to_thread(turn, to)
        shared.refusing.value = then

    while not all(part.done() for part in parts):
        sent = sum(one.value for one in shared.sent)
        look(sent)
        # The command takes a while: off must be done before on begins.
        if turns and sent >= turns[0][0] and (turning is None or turning.done()):
            turning = asyncio.create_task(turned(*turns.pop(0)[1:]))
        if time.monotonic() > ends:
            shared.stop.value = 1
        await asyncio.sleep(LOOK_EVERY_S)
    if turning is not None:
        await turning
    if len(turns) == 1:  # it is off, and all was sent before it was to go on again
        await turned(*turns[0][1:])
