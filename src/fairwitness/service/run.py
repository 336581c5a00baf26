"""One admitted run in this process's hands: what was sent, what it cost, and whether it must stop.

It knows nothing of the ledger: admission.py fills it, and settles what it recorded.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from fairwitness.contract.errors import ErrorCode, KillSwitchActive, LedgerUnavailable
from fairwitness.ledger import Ask, Outcome


@dataclass(frozen=True)
class SpendAsk:
    """One provider of a run: its slot, and the most its generation can cost, retries included."""

    slot: str
    worst_case_micro_usd: int


class Run:
    """A reservation being used. Every method is cheap and local; settling happens at the end."""

    def __init__(
        self,
        ask: Ask,
        cancel_seq: int,
        held_until: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take what was admitted, and until when (monotonic seconds) its lease is surely held."""
        self.run_id = ask.run_id
        self.cancel_seq = cancel_seq
        self.started = monotonic()
        self.stopped = asyncio.Event()
        self._monotonic = monotonic
        self._held_until = held_until
        self._worst = {charge.slot: charge.worst for charge in ask.charges}
        self._costs: dict[str, int] = {}
        self._sent: set[str] = set()
        self._failed = False
        self._refused: ErrorCode | None = None

    def sent(self, slot: str) -> None:
        """Say that a request's first byte is about to be written; call it before each attempt's.

        From here the slot's reservation can only be settled. Raises, and nothing may be sent,
        where the operator has stopped runs in flight or the lease has run out.
        """
        self._known(slot)
        if self.stopped.is_set():
            raise KillSwitchActive()
        if self._monotonic() >= self._held_until:
            raise LedgerUnavailable()
        self._sent.add(slot)

    def settle(self, slot: str, cost_micro_usd: int | None) -> None:
        """Say what a slot truly cost; None, or never saying it, counts all that was reserved for what was sent."""
        self._known(slot)
        if cost_micro_usd is None:
            return
        if cost_micro_usd < 0:
            raise ValueError("a cost cannot be negative")
        if cost_micro_usd > 0:
            self._sent.add(slot)
        self._costs[slot] = cost_micro_usd

    def failed_wholesale(self) -> None:
        """Say that nothing came of the run, so that the same request may be made again at once."""
        self._failed = True

    def refused_after_all(self, code: ErrorCode) -> None:
        """Say that the run could not start; where nothing was sent it then counts as a refusal."""
        self._failed = True
        self._refused = code

    def held_until(self, moment: float) -> None:
        """Note until when the lease is held (admission calls this as it renews, or loses, leases)."""
        self._held_until = moment

    def counted(self, slot: str) -> int | None:
        """Return what a slot counts as spent so far, in micro-dollars; None where nothing was sent."""
        self._known(slot)
        return self._costs.get(slot, self._worst[slot]) if slot in self._sent else None

    def outcome(self) -> Outcome:
        """Return what is to be settled: costs for what was sent, nothing for what never was."""
        return Outcome(
            self.run_id,
            tuple((slot, self.counted(slot)) for slot in self._worst),
            frees_duplicate=self._failed or not self._sent,
            refused=None if self._sent else self._refused,
        )

    def _known(self, slot: str) -> None:
        if slot not in self._worst:
            raise ValueError(f"{slot} is not a slot of this run")
