"""The SQLite ledger's decisions: each a function inside one write transaction, decided in order.

Their twins for PostgreSQL stand in schema_postgres/; one suite runs over both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from fairwitness.contract.errors import ErrorCode
from fairwitness.ledger.interface import (
    DAY,
    HOUR,
    KEPT,
    Admitted,
    Ask,
    Limits,
    Outcome,
    Refusal,
    Switch,
    day_of,
    hour_of,
    retry_after,
)


@dataclass(frozen=True)
class Moment:
    """One transaction: its connection, the clock's time, the ledger's (never earlier), the switch."""

    db: sqlite3.Connection
    wall: int
    now: int
    switch: Switch


def begin(db: sqlite3.Connection, wall: int) -> Moment:
    """Read the gate, let its time go on, and count what has lapsed by it."""
    seen, *switch = db.execute(
        "SELECT clock_ms, stopped, reason, changed_ms, cancel_seq FROM ledger_gate"
    ).fetchone()
    if wall > seen:
        db.execute("UPDATE ledger_gate SET clock_ms = ?", (wall,))
    moment = Moment(db, wall, max(wall, seen), Switch(bool(switch[0]), *switch[1:]))
    _expire(moment)
    return moment


def admit(moment: Moment, ask: Ask, limits: Limits) -> Admitted | Refusal:
    refusal = (
        (Refusal(ErrorCode.KILL_SWITCH_ACTIVE, "switch") if moment.switch.stopped else None)
        or _duplicate(moment, ask, limits)
        or _quota(moment, ask, limits)
        or _concurrency(moment, ask, limits)
        or _budget(moment, ask, limits)
    )
    if refusal is not None:
        _count_refusal(moment, refusal.code)
        return refusal
    moment.db.execute(
        "INSERT INTO ledger_run VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, NULL, 'open')",
        (
            ask.run_id,
            ask.caller,
            ask.endpoint,
            ask.duplicate,
            ask.units,
            ask.worst,
            moment.now,
            moment.now + ask.lease_ms,
        ),
    )
    moment.db.executemany(
        "INSERT INTO ledger_charge VALUES (?, ?, ?, NULL)",
        [(ask.run_id, charge.slot, charge.worst) for charge in ask.charges],
    )
    _spend(moment, moment.now, reserved=ask.worst, settled=0)
    return Admitted(moment.switch.cancel_seq)


def _count_refusal(moment: Moment, code: ErrorCode) -> None:
    moment.db.execute(
        "INSERT INTO ledger_refusal VALUES (?, ?, 1)"
        " ON CONFLICT DO UPDATE SET refused = refused + 1",
        (hour_of(moment.now), code.value),
    )


def _duplicate(moment: Moment, ask: Ask, limits: Limits) -> Refusal | None:
    in_flight, finished = moment.db.execute(
        "SELECT count(*) FILTER (WHERE state = 'open'),"
        " max(finished_ms) FILTER (WHERE state = 'done') FROM ledger_run WHERE duplicate = ?",
        (ask.duplicate,),
    ).fetchone()
    if in_flight:
        return Refusal(ErrorCode.DUPLICATE_REQUEST, "in_flight")
    if finished is None or finished + limits.duplicate_window_ms <= moment.now:
        return None
    wait = retry_after(finished + limits.duplicate_window_ms, moment.wall)
    return Refusal(ErrorCode.DUPLICATE_REQUEST, "duplicate_window_s", wait)


def _quota(moment: Moment, ask: Ask, limits: Limits) -> Refusal | None:
    hour, day, units = moment.db.execute(
        "SELECT count(*) FILTER (WHERE admitted_ms > ?), count(*), coalesce(sum(units), 0)"
        " FROM ledger_run WHERE caller = ? AND admitted_ms > ?",
        (moment.now - HOUR, ask.caller, moment.now - DAY),
    ).fetchone()
    broken: list[tuple[str, int | None]] = []
    if hour + 1 > limits.quota_per_hour:
        freed = _leaves(moment, ask, HOUR, "1", hour + 1 - limits.quota_per_hour)
        broken.append(("quota_per_hour", freed))
    if day + 1 > limits.quota_per_day:
        freed = _leaves(moment, ask, DAY, "1", day + 1 - limits.quota_per_day)
        broken.append(("quota_per_day", freed))
    if units + ask.units > limits.units_per_day:
        freed = _leaves(moment, ask, DAY, "units", units + ask.units - limits.units_per_day)
        broken.append(("units_per_day", freed))
    if not broken:
        return None
    limit, until = max(broken, key=lambda one: float("inf") if one[1] is None else one[1])
    wait = None if until is None else retry_after(until, moment.wall)
    return Refusal(ErrorCode.QUOTA_EXCEEDED, limit, wait)


def _leaves(moment: Moment, ask: Ask, window: int, weight: str, excess: int) -> int | None:
    # When will enough of the caller's oldest runs have left the window? None: never.
    row = moment.db.execute(
        f"SELECT admitted_ms FROM (SELECT admitted_ms, sum({weight}) OVER"  # noqa: S608 - constants
        " (ORDER BY admitted_ms, id) AS gone FROM ledger_run"
        " WHERE caller = ? AND admitted_ms > ?) WHERE gone >= ? ORDER BY admitted_ms LIMIT 1",
        (ask.caller, moment.now - window, excess),
    ).fetchone()
    return None if row is None else int(row[0]) + window


def _concurrency(moment: Moment, ask: Ask, limits: Limits) -> Refusal | None:
    everyone, callers = moment.db.execute(
        "SELECT count(*), count(*) FILTER (WHERE caller = ?) FROM ledger_run WHERE state = 'open'",
        (ask.caller,),
    ).fetchone()
    if callers + 1 > limits.concurrency_per_caller:
        return Refusal(ErrorCode.CONCURRENCY_LIMIT, "concurrency_per_caller")
    if everyone + 1 > limits.concurrency:
        return Refusal(ErrorCode.CONCURRENCY_LIMIT, "concurrency")
    return None


def _budget(moment: Moment, ask: Ask, limits: Limits) -> Refusal | None:
    hour, day = hour_of(moment.now), day_of(moment.now)
    in_hour, in_day = moment.db.execute(
        "SELECT coalesce(sum(reserved + settled) FILTER (WHERE hour_ms = ?), 0),"
        " coalesce(sum(reserved + settled), 0) FROM ledger_spend WHERE hour_ms BETWEEN ? AND ?",
        (hour, day, day + DAY - 1),
    ).fetchone()
    for limit, spent, bound, resets in (
        ("budget_per_day_usd", in_day, limits.budget_per_day, day + DAY),
        ("budget_per_hour_usd", in_hour, limits.budget_per_hour, hour + HOUR),
    ):
        if spent + ask.worst > bound:
            fits_later = ask.worst <= min(limits.budget_per_day, limits.budget_per_hour)
            wait = retry_after(resets, moment.wall) if fits_later else None
            return Refusal(ErrorCode.BUDGET_EXHAUSTED, limit, wait)
    return None


def finish(moment: Moment, outcome: Outcome) -> None:
    row = moment.db.execute(
        "SELECT state, worst, admitted_ms FROM ledger_run WHERE id = ?", (outcome.run_id,)
    ).fetchone()
    if row is None or row[0] not in {"open", "expired"}:
        return
    state, worst, admitted = row
    costs = [(slot, cost or 0) for slot, cost in outcome.costs]
    total = sum(cost for _, cost in costs)
    if outcome.refused is not None:
        moment.db.execute("DELETE FROM ledger_charge WHERE run_id = ?", (outcome.run_id,))
        moment.db.execute("DELETE FROM ledger_run WHERE id = ?", (outcome.run_id,))
        _count_refusal(moment, outcome.refused)
    else:
        moment.db.executemany(
            "UPDATE ledger_charge SET cost = ? WHERE run_id = ? AND slot = ?",
            [(cost, outcome.run_id, slot) for slot, cost in costs],
        )
        moment.db.execute(
            "UPDATE ledger_run SET state = ?, cost = ?, finished_ms = ? WHERE id = ?",
            ("failed" if outcome.frees_duplicate else "done", total, moment.now, outcome.run_id),
        )
    # A run that had expired was counted in full: its true cost takes that place.
    if state == "open":
        _spend(moment, admitted, reserved=-worst, settled=total)
    else:
        _spend(moment, admitted, reserved=0, settled=total - worst)


def _expire(moment: Moment) -> None:
    lapsed = moment.db.execute(
        "SELECT id, worst, admitted_ms FROM ledger_run WHERE state = 'open' AND lease_ms <= ?",
        (moment.now,),
    ).fetchall()
    for run_id, worst, admitted in lapsed:
        moment.db.execute("UPDATE ledger_charge SET cost = worst WHERE run_id = ?", (run_id,))
        moment.db.execute(
            "UPDATE ledger_run SET state = 'expired', cost = worst, finished_ms = lease_ms"
            " WHERE id = ?",
            (run_id,),
        )
        _spend(moment, admitted, reserved=-worst, settled=worst)


def _spend(moment: Moment, admitted_ms: int, *, reserved: int, settled: int) -> None:
    moment.db.execute(
        "INSERT INTO ledger_spend VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET"
        " reserved = reserved + ?2, settled = settled + ?3",
        (hour_of(admitted_ms), reserved, settled),
    )


def renew(moment: Moment, run_ids: Sequence[bytes], lease_ms: int) -> set[bytes]:
    held = set()
    for run_id in run_ids:
        changed = moment.db.execute(
            "UPDATE ledger_run SET lease_ms = max(lease_ms, ?) WHERE id = ? AND state = 'open'",
            (moment.now + lease_ms, run_id),
        )
        if changed.rowcount:
            held.add(run_id)
    return held


def read_switch(db: sqlite3.Connection) -> Switch:
    stopped, reason, changed_ms, cancel_seq = db.execute(
        "SELECT stopped, reason, changed_ms, cancel_seq FROM ledger_gate"
    ).fetchone()
    return Switch(bool(stopped), reason, changed_ms, cancel_seq)


def turn(moment: Moment, stopped: bool, reason: str, cancel: bool) -> Switch:
    moment.db.execute(
        "UPDATE ledger_gate SET stopped = ?, reason = ?, changed_ms = ?, cancel_seq = cancel_seq + ?",
        (stopped, reason, moment.now, cancel),
    )
    return read_switch(moment.db)


def prune(moment: Moment) -> int:
    old = "SELECT id FROM ledger_run WHERE admitted_ms < ? AND state <> 'open' LIMIT 1000"
    before = (moment.now - KEPT,)
    moment.db.execute(f"DELETE FROM ledger_charge WHERE run_id IN ({old})", before)  # noqa: S608
    gone = moment.db.execute(f"DELETE FROM ledger_run WHERE id IN ({old})", before)  # noqa: S608
    return gone.rowcount
