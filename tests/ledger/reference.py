"""The ledger's rules written the slowest, plainest way: one list of runs, every answer a scan of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fairwitness.contract.errors import ErrorCode
from fairwitness.ledger import Ask, Limits, Outcome, Refusal

HOUR = 3_600_000
DAY = 24 * HOUR


@dataclass
class Entry:
    ask: Ask
    admitted: int
    lease: int
    state: str = "open"
    finished: int = 0
    cost: int = 0

    @property
    def money(self) -> int:
        return self.ask.worst if self.state == "open" else self.cost


@dataclass
class Reference:
    limits: Limits
    seen: int = 0
    stopped: bool = False
    cancel_seq: int = 0
    runs: list[Entry] = field(default_factory=list)
    refused: dict[tuple[int, str], int] = field(default_factory=dict)

    def tick(self, wall: int) -> int:
        self.seen = max(self.seen, wall)
        for run in self.runs:
            if run.state == "open" and run.lease <= self.seen:
                run.state, run.cost, run.finished = "expired", run.ask.worst, run.lease
        return self.seen

    def admit(self, ask: Ask, wall: int) -> Refusal | int:
        now = self.tick(wall)
        refusal = self.refusal(ask, wall)
        if refusal is None:
            self.runs.append(Entry(ask, now, now + ask.lease_ms))
            return self.cancel_seq
        self.count_refusal(refusal.code)
        return refusal

    def count_refusal(self, code: ErrorCode) -> None:
        key = (self.seen // HOUR, code.value)
        self.refused[key] = self.refused.get(key, 0) + 1

    def refusal(self, ask: Ask, wall: int) -> Refusal | None:
        if self.stopped:
            return Refusal(ErrorCode.KILL_SWITCH_ACTIVE, "switch")
        for code, limit, broken in self.checks(ask):
            if broken(self.seen):
                known = limit not in {"in_flight", "concurrency", "concurrency_per_caller"}
                wait = self.first_second(broken, wall) if known else None
                return Refusal(code, limit, wait)
        return None

    def checks(self, ask: Ask) -> list[tuple[ErrorCode, str, Callable[[int], bool]]]:
        mine = [run for run in self.runs if run.ask.caller == ask.caller]
        same = [run for run in self.runs if run.ask.duplicate == ask.duplicate]
        held = [run for run in self.runs if run.state == "open"]
        limits = self.limits

        def runs_in(window: int, now: int) -> list[Entry]:
            return [run for run in mine if run.admitted > now - window]

        def over(period: int, bound: int, now: int) -> bool:
            # Of the periods to come no more is known than whether the ask fits an empty one.
            if now // period != self.seen // period:
                return ask.worst > min(limits.budget_per_hour, limits.budget_per_day)
            spent = [run.money for run in self.runs if run.admitted // period == now // period]
            return sum(spent) + ask.worst > bound

        def units(now: int) -> int:
            return sum(run.ask.units for run in runs_in(DAY, now)) + ask.units

        quotas: list[tuple[str, Callable[[int], bool]]] = [
            ("quota_per_hour", lambda now: len(runs_in(HOUR, now)) + 1 > limits.quota_per_hour),
            ("quota_per_day", lambda now: len(runs_in(DAY, now)) + 1 > limits.quota_per_day),
            ("units_per_day", lambda now: units(now) > limits.units_per_day),
        ]
        return [
            (
                ErrorCode.DUPLICATE_REQUEST,
                "in_flight",
                lambda _: any(r.state == "open" for r in same),
            ),
            (
                ErrorCode.DUPLICATE_REQUEST,
                "duplicate_window_s",
                lambda now: any(
                    run.state == "done" and run.finished + limits.duplicate_window_ms > now
                    for run in same
                ),
            ),
            *((ErrorCode.QUOTA_EXCEEDED, limit, broken) for limit, broken in self.longest(quotas)),
            (
                ErrorCode.CONCURRENCY_LIMIT,
                "concurrency_per_caller",
                lambda _: (
                    len([run for run in held if run.ask.caller == ask.caller])
                    >= limits.concurrency_per_caller
                ),
            ),
            (ErrorCode.CONCURRENCY_LIMIT, "concurrency", lambda _: len(held) >= limits.concurrency),
            (
                ErrorCode.BUDGET_EXHAUSTED,
                "budget_per_day_usd",
                lambda now: over(DAY, limits.budget_per_day, now),
            ),
            (
                ErrorCode.BUDGET_EXHAUSTED,
                "budget_per_hour_usd",
                lambda now: over(HOUR, limits.budget_per_hour, now),
            ),
        ]

    def longest(
        self, quotas: Sequence[tuple[str, Callable[[int], bool]]]
    ) -> list[tuple[str, Callable[[int], bool]]]:
        """Of the quotas broken now, the one that stays broken longest."""
        broken = [one for one in quotas if one[1](self.seen)]
        return sorted(broken, key=lambda one: -self.last_broken(one[1]))[:1]

    def last_broken(self, broken: Callable[[int], bool]) -> float:
        low, high = self.seen, self.seen + 10 * DAY
        if broken(high):
            return float("inf")
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if broken(middle) else (low, middle)
        return high

    def first_second(self, broken: Callable[[int], bool], wall: int) -> int | None:
        low, high = 0, 20 * DAY // 1000
        if broken(max(self.seen, wall + high * 1000)):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            still = broken(max(self.seen, wall + middle * 1000))
            low, high = (middle, high) if still else (low, middle)
        return high

    def finish(self, outcome: Outcome, wall: int) -> None:
        now = self.tick(wall)
        for run in list(self.runs):
            if run.ask.run_id != outcome.run_id or run.state not in {"open", "expired"}:
                continue
            if outcome.refused:
                self.runs.remove(run)
                self.count_refusal(outcome.refused)
            else:
                run.state = "failed" if outcome.frees_duplicate else "done"
                run.finished = now
                run.cost = sum(cost or 0 for _, cost in outcome.costs)

    def renew(self, run_ids: Sequence[bytes], lease_ms: int, wall: int) -> set[bytes]:
        now = self.tick(wall)
        held = [run for run in self.runs if run.state == "open" and run.ask.run_id in run_ids]
        for run in held:
            run.lease = max(run.lease, now + lease_ms)
        return {run.ask.run_id for run in held}

    def prune(self, wall: int) -> int:
        now = self.tick(wall)
        old = [r for r in self.runs if r.admitted < now - 2 * DAY and r.state != "open"]
        self.runs = [run for run in self.runs if run not in old]
        return len(old)
