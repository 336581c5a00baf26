"""The gate of everything that spends: reserve the worst case, hold a lease, settle the true cost.

It translates the ledger's decisions into the service's errors, keeps leases alive, stops runs when
the operator says so, and fails closed: where the ledger cannot answer, nothing is sent.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import structlog

from fairwitness.contract.errors import (
    ConcurrencyLimit,
    ErrorCode,
    KillSwitchActive,
    LedgerUnavailable,
    SpendDisabled,
    public_errors,
)
from fairwitness.ledger import Admitted, Ask, Charge, Ledger, Outcome, Refusal
from fairwitness.service.ledger_metrics import metric_values
from fairwitness.service.run import Run, SpendAsk
from fairwitness.settings import Settings
from fairwitness.store import SchemaMismatch, StoreError, StoreUnavailable

# A holder that died is found out after LEASE_S; a live one renews four times before that.
LEASE_S = 20.0
RENEW_EVERY_S = 5.0
WATCH_EVERY_S = 0.2
PRUNE_EVERY_S = 600.0
# A run past its providers' deadline has only to judge and answer; then its lease is let go.
GRACE_S = 60.0
# Longer than the store's own time-outs, so that its reason is the one heard.
ADMIT_WAIT_S = 12.0
SETTLE_WAIT_S = 2.0
SETTLE_FOR_S = 600.0
MAX_UNSETTLED = 1000

# A caller's own quotas, by the names of the ledger's limits; empty for most.
QuotasOf = Callable[[bytes], Mapping[str, int]]

_log = structlog.get_logger("fairwitness.admission")


class Admission:
    """Admits runs of one process; many processes and machines share the ledger behind it."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        secret: bytes,
        spend_enabled: bool,
        provider_deadline_s: float,
        quotas_of: QuotasOf = lambda caller: {},
    ) -> None:
        """Take the ledger, the key of the duplicate hashes, how long providers have, and callers' own quotas."""
        self._ledger = ledger
        self._quotas_of = quotas_of
        self._secret = secret
        self._spend_enabled = spend_enabled
        self._longest_s = provider_deadline_s + GRACE_S
        self._open: dict[bytes, tuple[Run, asyncio.Task[Any]]] = {}
        self._settling: set[asyncio.Task[None]] = set()
        self._loops: list[asyncio.Task[None]] = []
        self._ledger_up = True

    @classmethod
    def of(
        cls,
        settings: Settings,
        ledger: Ledger,
        secret: bytes,
        quotas_of: QuotasOf = lambda caller: {},
    ) -> Admission:
        """Build admission as the settings say."""
        return cls(
            ledger,
            secret=secret,
            spend_enabled=settings.spend_enabled,
            provider_deadline_s=settings.provider_deadline_s,
            quotas_of=quotas_of,
        )

    @property
    def ledger_up(self) -> bool:
        """Whether the ledger answered when it was last asked."""
        return self._ledger_up

    async def start(self) -> None:
        """Open the ledger and begin watching it; one that is away is waited for, closed meanwhile.

        Raises SchemaMismatch where the ledger is of another version.
        """
        try:
            await self._ledger.open()
        except SchemaMismatch:
            raise
        except StoreError as error:
            self._note(up=False, error=error)
        self._loops = [
            asyncio.create_task(self._every(WATCH_EVERY_S, self._watch)),
            asyncio.create_task(self._every(RENEW_EVERY_S, self._renew)),
            asyncio.create_task(self._every(PRUNE_EVERY_S, self._prune)),
        ]

    async def close(self) -> None:
        """Stop watching, wait a little for what is being settled, and let the ledger go."""
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        if self._settling:
            await asyncio.wait(self._settling, timeout=SETTLE_WAIT_S)
        for settling in self._settling:
            settling.cancel()
        await self._ledger.close()

    @asynccontextmanager
    async def run(
        self, *, endpoint: str, caller: bytes, body_key: bytes, asks: Sequence[SpendAsk]
    ) -> AsyncIterator[Run]:
        """Admit a run or raise why not; on the way out, however it ends, settle it.

        A ConcurrencyLimit that leaves the body with nothing sent is a refusal: it uses no quota.
        Where the operator stops runs in flight, the body is cancelled and KillSwitchActive raised.
        """
        if not self._spend_enabled:
            raise SpendDisabled()
        run = await self._enter(endpoint, caller, body_key, asks)
        task = asyncio.current_task()
        assert task is not None
        cancelling = task.cancelling()
        self._open[run.run_id] = (run, task)
        try:
            yield run
        except asyncio.CancelledError:
            if run.stopped.is_set() and task.uncancel() <= cancelling:
                run.failed_wholesale()
                raise KillSwitchActive() from None
            raise
        except ConcurrencyLimit:
            # A provider had no room for what was already admitted.
            run.refused_after_all(ErrorCode.CONCURRENCY_LIMIT)
            raise
        except Exception:
            run.failed_wholesale()
            raise
        finally:
            del self._open[run.run_id]
            await self._leave(run.outcome())

    async def figures(self) -> dict[str, float]:
        """Return the ledger's figures by metric name, money in US dollars; no caller is named."""
        try:
            async with asyncio.timeout(ADMIT_WAIT_S):
                found = await self._ledger.figures()
        except (StoreError, TimeoutError) as error:
            self._note(up=False, error=error)
            return {"fairwitness_ledger_up": 0.0}
        self._note(up=True)
        return {"fairwitness_ledger_up": 1.0} | metric_values(found)

    async def _enter(
        self, endpoint: str, caller: bytes, body_key: bytes, asks: Sequence[SpendAsk]
    ) -> Run:
        ask = Ask(
            run_id=int(time.time_ns() // 1_000_000).to_bytes(6, "big") + os.urandom(10),
            caller=caller,
            endpoint=endpoint,
            duplicate=self._duplicate_key(endpoint, caller, body_key),
            charges=tuple(Charge(one.slot, one.worst_case_micro_usd) for one in asks),
            lease_ms=int(LEASE_S * 1000),
            quotas=self._quotas_of(caller),
        )
        asked_at = time.monotonic()
        decision = await self._decide(ask)
        if isinstance(decision, Refusal):
            details = () if decision.limit == "switch" else (f"limit: {decision.limit}",)
            error = public_errors()[decision.code]
            raise error(details=details, retry_after=decision.retry_after_s)
        return Run(ask, decision.cancel_seq, asked_at + LEASE_S)

    async def _decide(self, ask: Ask) -> Admitted | Refusal:
        try:
            async with asyncio.timeout(ADMIT_WAIT_S):
                decision = await self._ledger.admit(ask)
        except (asyncio.CancelledError, TimeoutError) as error:
            # Not begun, it never will be; begun, it may still be admitted: then it is given back.
            self._give_back(ask)
            if isinstance(error, asyncio.CancelledError):
                raise
            self._note(up=False, error=error)
            raise LedgerUnavailable() from error
        except StoreError as error:
            self._note(up=False, error=error)
            if isinstance(error, StoreUnavailable) and error.maybe_done:
                self._give_back(ask)
            raise LedgerUnavailable() from error
        self._note(up=True)
        return decision

    def _give_back(self, ask: Ask) -> None:
        # Past this bound reservations are left to expire, which counts them in full.
        if len(self._settling) < MAX_UNSETTLED:
            never_sent = tuple((charge.slot, None) for charge in ask.charges)
            self._spawn(self._settle(Outcome(ask.run_id, never_sent, frees_duplicate=True)))

    async def _leave(self, outcome: Outcome) -> None:
        # A task of its own: cancelling the request does not cancel the settling.
        settling = self._spawn(self._settle(outcome))
        await asyncio.wait([settling], timeout=SETTLE_WAIT_S)

    async def _settle(self, outcome: Outcome) -> None:
        give_up = time.monotonic() + SETTLE_FOR_S
        pause = 0.1
        while True:
            try:
                await self._ledger.finish(outcome)
                self._note(up=True)
                return
            except StoreError as error:
                self._note(up=False, error=error)
                if time.monotonic() > give_up:
                    _log.error("run_left_to_expire", run=outcome.run_id.hex())
                    return
            await asyncio.sleep(pause)
            pause = min(pause * 2, 5.0)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)
        return task

    async def _watch(self) -> bool:
        if not self._ledger_up:
            # The switch is one row; what is asked here must be written and adds up the money.
            await self._ledger.figures()
        switch = await self._ledger.switch()
        for run, task in list(self._open.values()):
            if switch.cancel_seq > run.cancel_seq and not run.stopped.is_set():
                run.stopped.set()
                task.cancel()
        return True

    async def _renew(self) -> bool:
        asked_at = time.monotonic()
        renewed = {
            run_id: run
            for run_id, (run, _) in self._open.items()
            if asked_at - run.started < self._longest_s
        }
        if not renewed:
            return False
        held = await self._ledger.renew(list(renewed), int(LEASE_S * 1000))
        for run_id, run in renewed.items():
            run.held_until(asked_at + LEASE_S if run_id in held else 0.0)
        return True

    async def _prune(self) -> bool:
        await self._ledger.prune()
        return True

    async def _every(self, pause_s: float, work: Callable[[], Awaitable[bool]]) -> None:
        """Do `work` again and again; it says whether the ledger was asked, and so is there."""
        while True:
            await asyncio.sleep(pause_s)
            try:
                async with asyncio.timeout(ADMIT_WAIT_S):
                    asked = await work()
                if asked:
                    self._note(up=True)
            except (StoreError, TimeoutError) as error:
                self._note(up=False, error=error)
            except Exception:
                # A watcher that dies would leave leases and the switch unwatched.
                _log.exception("admission_watch_failed")

    def _note(self, *, up: bool, error: BaseException | None = None) -> None:
        if up != self._ledger_up:
            self._ledger_up = up
            if up:
                _log.info("ledger_back")
            else:
                _log.error("ledger_away", error=str(error))

    def _duplicate_key(self, endpoint: str, caller: bytes, body_key: bytes) -> bytes:
        said = b"\0".join((b"duplicate", endpoint.encode(), caller.hex().encode(), body_key))
        return hmac.digest(self._secret, said, hashlib.sha256)[:16]
