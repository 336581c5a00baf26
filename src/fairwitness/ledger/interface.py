"""What a ledger is: the words both engines share, and the one small interface they keep.

Times are whole milliseconds of UTC, money whole micro-dollars, callers and duplicates keyed
hashes. It knows nothing of providers, HTTP or what a run does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fairwitness.contract.errors import ErrorCode
from fairwitness.settings import Settings

SECOND = 1000
HOUR = 3600 * SECOND
DAY = 24 * HOUR
# Runs are kept for two days: twice the longest window a decision looks back.
KEPT = 2 * DAY


@dataclass(frozen=True)
class Limits:
    """The bounds every decision is held to."""

    quota_per_hour: int
    quota_per_day: int
    units_per_day: int
    concurrency: int
    concurrency_per_caller: int
    budget_per_hour: int
    budget_per_day: int
    duplicate_window_ms: int

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """Read the limits from the settings, dollars as micro-dollars."""
        return cls(
            quota_per_hour=settings.quota_per_hour,
            quota_per_day=settings.quota_per_day,
            units_per_day=settings.units_per_day,
            concurrency=settings.concurrency,
            concurrency_per_caller=settings.concurrency_per_caller,
            budget_per_hour=int(settings.budget_per_hour_usd * 1_000_000),
            budget_per_day=int(settings.budget_per_day_usd * 1_000_000),
            duplicate_window_ms=round(settings.duplicate_window_s * SECOND),
        )


@dataclass(frozen=True)
class Charge:
    """The most one provider's part of a run can cost, retries included."""

    slot: str
    worst: int

    def __post_init__(self) -> None:
        """Refuse a price nobody knows: it must never count as zero by accident."""
        if not isinstance(self.worst, int) or isinstance(self.worst, bool) or self.worst < 0:
            raise ValueError(f"{self.slot}: the worst case must be whole micro-dollars, 0 or more")


@dataclass(frozen=True)
class Ask:
    """One run that wants in. Its id is the asker's, so that it can be given up by name."""

    run_id: bytes
    caller: bytes
    endpoint: str
    duplicate: bytes
    charges: tuple[Charge, ...]
    lease_ms: int
    # Quotas of the caller's own, by the names of Limits.
    quotas: Mapping[str, int] = field(default_factory=dict)

    @property
    def worst(self) -> int:
        """The most the whole run can cost."""
        return sum(charge.worst for charge in self.charges)

    @property
    def units(self) -> int:
        """The generations it asks for."""
        return len(self.charges)


@dataclass(frozen=True)
class Admitted:
    """The run is in: its worst case is reserved, its lease held, its duplicate key taken."""

    cancel_seq: int


@dataclass(frozen=True)
class Refusal:
    """The run is not in: why, by which limit, and after how many seconds that will have passed."""

    code: ErrorCode
    limit: str
    retry_after_s: int | None = None


@dataclass(frozen=True)
class Outcome:
    """How a run ended: the cost of every charge, None for one that was surely never sent.

    With `refused` it never started, for that reason: it is forgotten, and counted as a refusal.
    """

    run_id: bytes
    costs: tuple[tuple[str, int | None], ...]
    frees_duplicate: bool
    refused: ErrorCode | None = None

    def __post_init__(self) -> None:
        """Refuse to forget what something was sent for."""
        if self.refused is not None and any(cost is not None for _, cost in self.costs):
            raise ValueError("a run that was refused cannot have cost anything")


@dataclass(frozen=True)
class Switch:
    """The kill switch; `cancel_seq` grows each time runs in flight are to be cancelled too."""

    stopped: bool
    reason: str
    changed_ms: int
    cancel_seq: int


@dataclass(frozen=True)
class RunLine:
    """One run as an operator sees it."""

    run_id: str
    endpoint: str
    caller: str
    state: str
    admitted_ms: int
    lease_ms: int
    charges: dict[str, int]


@dataclass(frozen=True)
class CallerLine:
    """One caller's use of the last day, by hash."""

    caller: str
    runs_hour: int
    runs_day: int
    units_day: int
    cost_day: int


@dataclass(frozen=True)
class Figures:
    """The ledger in plain numbers: nothing here names a caller."""

    now_ms: int
    clock_behind_ms: int
    switch: Switch
    spent_hour: int
    spent_day: int
    reserved_hour: int
    reserved_day: int
    budget_per_hour: int
    budget_per_day: int
    runs_open: int
    runs_day: int
    runs_expired_day: int
    expired_day: int
    overruns_day: int
    refusals_day: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """The figures, with the lines behind them."""

    figures: Figures
    open_runs: list[RunLine]
    expired_runs: list[RunLine]
    callers: list[CallerLine]


class Ledger(Protocol):
    """Admission's state. Any method may raise StoreError: then nothing may be sent to a provider."""

    async def open(self, *, upgrade: bool = False) -> None:
        """Connect and check the schema now rather than on first use."""

    async def close(self) -> None:
        """Finish what was asked and let go of the database."""

    async def admit(self, ask: Ask) -> Admitted | Refusal:
        """Decide switch, duplicate, quota, concurrency and budget in one transaction."""

    async def finish(self, outcome: Outcome) -> None:
        """Settle a run; asked twice, or for a run that was never admitted, it does nothing."""

    async def renew(self, run_ids: Sequence[bytes], lease_ms: int) -> set[bytes]:
        """Extend leases from now; return those still held."""

    async def switch(self) -> Switch:
        """Read the kill switch."""

    async def turn_off(self, reason: str, *, cancel: bool) -> Switch:
        """Stop admission; with `cancel`, runs in flight are to stop too."""

    async def turn_on(self) -> Switch:
        """Let admission go on."""

    async def figures(self) -> Figures:
        """Return the numbers of this hour and day."""

    async def report(self) -> Report:
        """Return the numbers with their lines."""

    async def prune(self) -> int:
        """Forget runs no decision can look back to; return how many."""

    async def accept_clock(self) -> int:
        """Take the clock as it is, though the ledger has seen a later one; return the step in ms."""


def retry_after(until_ms: int, wall_ms: int) -> int:
    """Return whole seconds from the clock's time to `until_ms`, never less than 1.

    Counted from the clock, not from the ledger's time: where the clock stepped back, the ledger
    waits for it, and so must the caller.
    """
    return max(1, -((wall_ms - until_ms) // SECOND))


def hour_of(now_ms: int) -> int:
    """Return the start of the UTC hour."""
    return now_ms - now_ms % HOUR


def day_of(now_ms: int) -> int:
    """Return the start of the UTC day."""
    return now_ms - now_ms % DAY
