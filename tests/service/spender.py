"""A process that spends until it is killed: it writes down each provider call before it makes it."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

from fairwitness.contract.errors import ServiceError
from fairwitness.ledger import ledger_of
from fairwitness.service.admission import Admission
from fairwitness.service.run import SpendAsk
from fairwitness.settings import Settings, load

WORST = {"provider_a": 700, "provider_d": 300}


def admission_of(settings: Settings) -> Admission:
    return Admission.of(settings, ledger_of(settings), b"k" * 32)


async def spend(settings: Settings, book: int, tasks: int) -> None:
    """Run provider-backed runs for ever; `book` is a file open for appending."""
    admission = admission_of(settings)
    await admission.start()
    await asyncio.gather(*(_spend(admission, book) for _ in range(tasks)))


async def _spend(admission: Admission, book: int) -> None:
    asks = [SpendAsk(slot, worst) for slot, worst in WORST.items()]
    while True:
        try:
            async with admission.run(
                endpoint="arena", caller=os.urandom(16), body_key=os.urandom(8), asks=asks
            ) as run:
                for slot, worst in WORST.items():
                    run.sent(slot)
                    # The provider's own book: what it was asked for, kept though we are killed.
                    os.write(book, f"{run.run_id.hex()} {slot}\n".encode())
                    await asyncio.sleep(random.uniform(0, 0.01))
                    run.settle(slot, random.randrange(worst + 1))
        except ServiceError:
            await asyncio.sleep(0.05)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    asyncio.run(spend(load(), os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 20))
