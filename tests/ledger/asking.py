"""Short ways to say what the ledger is asked."""

from __future__ import annotations

import hashlib
import itertools

from fairwitness.contract.errors import ErrorCode
from fairwitness.ledger import Ask, Charge, Outcome

SECOND = 1000
HOUR = 3600 * SECOND
DAY = 24 * HOUR
LEASE = 20 * SECOND

_numbers = itertools.count(1)


def key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:16]


def ask(*worst: int, caller: str = "caller", same: str | None = None) -> Ask:
    """Ask for a run with one charge a worst case; `same` names the request for duplicates."""
    number = next(_numbers)
    return Ask(
        run_id=number.to_bytes(16, "big"),
        caller=key(caller),
        endpoint="arena",
        duplicate=key(same if same is not None else f"request {number}"),
        charges=tuple(Charge(f"slot_{index}", amount) for index, amount in enumerate(worst)),
        lease_ms=LEASE,
    )


def turned_away(asked: Ask) -> Outcome:
    """End a run that never started, for want of room."""
    never_sent = tuple((charge.slot, None) for charge in asked.charges)
    return Outcome(asked.run_id, never_sent, True, ErrorCode.CONCURRENCY_LIMIT)


def ended(asked: Ask, *costs: int | None, frees: bool = False) -> Outcome:
    """End a run with one cost a charge, all of them at their worst where none is given."""
    given = costs or tuple(charge.worst for charge in asked.charges)
    pairs = tuple((charge.slot, cost) for charge, cost in zip(asked.charges, given, strict=True))
    return Outcome(asked.run_id, pairs, frees)
