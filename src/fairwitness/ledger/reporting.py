"""The ledger's figures and lists: the queries both engines run, and the report made of their rows.

Every value put into a query is a whole number computed here; nothing a caller sent reaches it.
"""

# ruff: noqa: S608
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairwitness.ledger.interface import (
    DAY,
    HOUR,
    CallerLine,
    Figures,
    Limits,
    Report,
    RunLine,
    Switch,
    day_of,
    hour_of,
)

FIGURES = ("spend", "runs", "overruns", "refusals")
EVERYTHING = (*FIGURES, "open", "expired", "callers")

_LINES = (
    "SELECT r.id, r.endpoint, r.caller, r.state, r.admitted_ms, r.lease_ms, c.slot, c.worst"
    " FROM ledger_run r LEFT JOIN ledger_charge c ON c.run_id = r.id"
)

Rows = Mapping[str, Sequence[Sequence[Any]]]


def queries(names: Sequence[str], now_ms: int) -> dict[str, str]:
    """Return the named queries for this moment."""
    hour, day = hour_of(now_ms), day_of(now_ms)
    known = {
        "spend": "SELECT"
        f" coalesce(sum(settled) FILTER (WHERE hour_ms = {hour}), 0), coalesce(sum(settled), 0),"
        f" coalesce(sum(reserved) FILTER (WHERE hour_ms = {hour}), 0), coalesce(sum(reserved), 0)"
        f" FROM ledger_spend WHERE hour_ms BETWEEN {day} AND {day + DAY - 1}",
        "runs": "SELECT count(*) FILTER (WHERE state = 'open'),"
        f" count(*) FILTER (WHERE admitted_ms >= {day}),"
        f" count(*) FILTER (WHERE state = 'expired' AND admitted_ms >= {day}),"
        f" coalesce(sum(cost) FILTER (WHERE state = 'expired' AND admitted_ms >= {day}), 0)"
        f" FROM ledger_run WHERE admitted_ms >= {day} OR state = 'open'",
        "overruns": "SELECT count(*) FROM ledger_charge c JOIN ledger_run r ON r.id = c.run_id"
        f" WHERE c.cost > c.worst AND r.admitted_ms >= {day}",
        "refusals": "SELECT code, sum(refused) FROM ledger_refusal"
        f" WHERE hour_ms BETWEEN {day} AND {day + DAY - 1} GROUP BY code ORDER BY code",
        "open": f"{_LINES} WHERE r.state = 'open' ORDER BY r.admitted_ms, r.id, c.slot",
        "expired": f"{_LINES} WHERE r.state = 'expired' AND r.admitted_ms > {now_ms - DAY}"
        " ORDER BY r.admitted_ms, r.id, c.slot",
        "callers": f"SELECT caller, count(*) FILTER (WHERE admitted_ms > {now_ms - HOUR}),"
        " count(*), sum(units), sum(coalesce(cost, worst)) FROM ledger_run"
        f" WHERE admitted_ms > {now_ms - DAY} GROUP BY caller ORDER BY 3 DESC, 1 LIMIT 100",
    }
    return {name: known[name] for name in names}


def assemble(rows: Rows, limits: Limits, switch: Switch, now_ms: int, wall_ms: int) -> Report:
    """Make the report of the rows; a list that was not asked for is empty."""
    spent_hour, spent_day, reserved_hour, reserved_day = map(int, rows["spend"][0])
    runs_open, runs_day, runs_expired, expired = map(int, rows["runs"][0])
    figures = Figures(
        now_ms=now_ms,
        clock_behind_ms=now_ms - wall_ms,
        switch=switch,
        spent_hour=spent_hour,
        spent_day=spent_day,
        reserved_hour=reserved_hour,
        reserved_day=reserved_day,
        budget_per_hour=limits.budget_per_hour,
        budget_per_day=limits.budget_per_day,
        runs_open=runs_open,
        runs_day=runs_day,
        runs_expired_day=runs_expired,
        expired_day=expired,
        overruns_day=int(rows["overruns"][0][0]),
        refusals_day={str(code): int(refused) for code, refused in rows["refusals"]},
    )
    return Report(
        figures=figures,
        open_runs=_lines(rows.get("open", ())),
        expired_runs=_lines(rows.get("expired", ())),
        callers=[
            CallerLine(bytes(caller).hex(), int(hour), int(day), int(units), int(cost))
            for caller, hour, day, units, cost in rows.get("callers", ())
        ],
    )


def _lines(rows: Sequence[Sequence[Any]]) -> list[RunLine]:
    found: dict[bytes, RunLine] = {}
    for run_id, endpoint, caller, state, admitted, lease, slot, worst in rows:
        line = found.setdefault(
            bytes(run_id),
            RunLine(run_id.hex(), endpoint, caller.hex(), state, admitted, lease, {}),
        )
        if slot is not None:
            line.charges[slot] = int(worst)
    return list(found.values())
