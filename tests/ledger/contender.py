"""What a contending process does: many tasks at once at one ledger, and an account of what it got."""

from __future__ import annotations

import asyncio
import os
import random
import secrets
from dataclasses import dataclass
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from typing import Any

from fairwitness.ledger import Admitted, Ask, Charge, Ledger, Limits, Outcome
from tests.ledger.asking import LEASE, key
from tests.ledger_engines import NOON, ledger_at

TASKS = 50


@dataclass(frozen=True)
class Contest:
    """One contest: where, under which limits, and what the tasks do."""

    place: str
    limits: Limits
    # How many different requests, and callers, the tasks are spread over.
    requests: int
    callers: int
    # None: hold the run open; else settle at once, at this share of the worst case or below.
    settles: float | None
    rounds: int = 1


@dataclass(frozen=True)
class Account:
    """What one process got."""

    admitted: int
    refused: tuple[str, ...]
    cost: int


WORST = 1000


def contend(contests: list[Contest], barrier: Barrier, accounts: Queue[list[Account]]) -> None:
    accounts.put([asyncio.run(_contend(contest, barrier)) for contest in contests])


async def _contend(contest: Contest, barrier: Barrier) -> Account:
    ledger = ledger_at(contest.place, contest.limits, lambda: NOON)
    await ledger.open()
    await asyncio.to_thread(barrier.wait, 30)
    try:
        parts = await asyncio.gather(*(_task(ledger, contest, n) for n in range(TASKS)))
    finally:
        await ledger.close()
    return Account(
        admitted=sum(part.admitted for part in parts),
        refused=tuple(code for part in parts for code in part.refused),
        cost=sum(part.cost for part in parts),
    )


async def _task(ledger: Ledger, contest: Contest, number: int) -> Account:
    admitted, refused, cost = 0, [], 0
    dice = random.Random(number * 1000 + os.getpid())
    for _ in range(contest.rounds):
        ask = Ask(
            run_id=secrets.token_bytes(16),
            caller=key(f"caller {dice.randrange(contest.callers)}"),
            endpoint="arena",
            duplicate=key(f"request {dice.randrange(contest.requests)}"),
            charges=(Charge("a", WORST // 2), Charge("b", WORST // 2)),
            lease_ms=LEASE,
        )
        answer: Any = await ledger.admit(ask)
        if not isinstance(answer, Admitted):
            refused.append(answer.code.value)
            continue
        admitted += 1
        if contest.settles is not None:
            costs = [int(WORST // 2 * contest.settles * dice.random()) for _ in "ab"]
            if contest.settles == 1.0:
                costs = [WORST // 2, WORST // 2]
            await ledger.finish(
                Outcome(ask.run_id, tuple(zip("ab", costs, strict=True)), frees_duplicate=True)
            )
            cost += sum(costs)
    return Account(admitted, tuple(refused), cost)
