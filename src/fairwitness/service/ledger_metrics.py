"""The ledger's figures under the names /metrics gives them."""

from __future__ import annotations

from fairwitness.ledger import Figures


def metric_values(found: Figures) -> dict[str, float]:
    """Return each figure by metric name, money in US dollars."""
    dollars = 1_000_000
    numbers: dict[str, float] = {
        "switch_stopped": found.switch.stopped,
        "clock_behind_seconds": found.clock_behind_ms / 1000,
        "spent_hour_usd": found.spent_hour / dollars,
        "spent_day_usd": found.spent_day / dollars,
        "reserved_hour_usd": found.reserved_hour / dollars,
        "reserved_day_usd": found.reserved_day / dollars,
        "budget_hour_usd": found.budget_per_hour / dollars,
        "budget_day_usd": found.budget_per_day / dollars,
        "runs_in_flight": found.runs_open,
        "runs_day": found.runs_day,
        "runs_expired_day": found.runs_expired_day,
        "expired_day_usd": found.expired_day / dollars,
        "overruns_day": found.overruns_day,
    }
    numbers |= {f'refusals_day{{code="{code}"}}': n for code, n in found.refusals_day.items()}
    return {f"fairwitness_ledger_{name}": float(value) for name, value in numbers.items()}
