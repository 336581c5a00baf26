"""`fairwitness ledger`: today's spend, what is reserved, who asked (by hash), and what was refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TypeVar

from cyclopts import App
from rich.console import Console
from rich.table import Table

from fairwitness import settings as settings_module
from fairwitness.cli.existing_ledger import existing_ledger, place
from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.ledger import Ledger, Report
from fairwitness.ledger.interface import RunLine
from fairwitness.settings import Settings

app = App(name="ledger", help="Show what was spent, reserved and refused; maintain the ledger.")

Answer = TypeVar("Answer")


@app.default
def show(*, output: Output = TEXT) -> Result:
    """Show today's spend, runs in flight, runs whose process died, callers and refusals.

    Exit code: 0, or 1 when the ledger cannot be reached.
    """
    settings, report = _do(lambda ledger: ledger.report())
    return output.result(report, lambda console: _print(console, report, settings))


@app.command
def migrate(*, output: Output = TEXT) -> Result:
    """Upgrade an older ledger to this version. Stop every server first.

    Exit code: 0, or 1 when the ledger cannot be reached or is newer than this program.
    """
    settings, _ = _do(lambda ledger: ledger.open(upgrade=True))
    told = f"The ledger is up to date: {place(settings)}"
    return output.result({"ledger": place(settings)}, lambda console: say(console, told))


@app.command
def accept_clock(*, output: Output = TEXT) -> Result:
    """Accept the current clock after it was wrongly ahead and has been corrected.

    The ledger's time never goes back by itself: it waits until the clock has caught up.

    Exit code: 0, or 1 when the ledger cannot be reached.
    """
    settings, step_ms = _do(lambda ledger: ledger.accept_clock())
    told = f"The ledger's time went back {step_ms / 1000:g} s: {place(settings)}"
    return output.result(
        {"ledger": place(settings), "stepMs": step_ms}, lambda console: say(console, told)
    )


def _do(work: Callable[[Ledger], Awaitable[Answer]]) -> tuple[Settings, Answer]:
    settings = settings_module.load()

    async def with_ledger() -> Answer:
        async with existing_ledger(settings) as ledger:
            return await work(ledger)

    return settings, asyncio.run(with_ledger())


def _print(console: Console, report: Report, settings: Settings) -> None:
    figures = report.figures
    state = "[bold red]off[/]" if figures.switch.stopped else "[bold green]on[/]"
    console.print(f"{_time(figures.now_ms)} UTC  switch {state}")
    say(console, f"Ledger: {place(settings)}")
    if figures.clock_behind_ms:
        console.print(
            f"[yellow]The clock is {figures.clock_behind_ms / 1000:g} s behind the ledger's time; "
            "quota windows wait until it catches up (see `fairwitness ledger accept-clock`).[/]"
        )
    console.print(_money(report))
    console.print(f"Admitted today: {figures.runs_day} runs")
    if figures.refusals_day:
        console.print(_refusals(report))
    for title, runs in (
        ("In flight", report.open_runs),
        ("Process died or never settled: counted in full", report.expired_runs),
    ):
        if runs:
            console.print(_runs(title, runs))
    if report.callers:
        console.print(_callers(report))


def _money(report: Report) -> Table:
    figures = report.figures
    table = _table("Spend in US dollars", "", "settled", "reserved", "budget", "left")
    for name, spent, reserved, budget in (
        ("this hour", figures.spent_hour, figures.reserved_hour, figures.budget_per_hour),
        ("today", figures.spent_day, figures.reserved_day, figures.budget_per_day),
    ):
        amounts = (spent, reserved, budget, budget - spent - reserved)
        table.add_row(name, *map(_usd, amounts))
    if figures.overruns_day:
        table.caption = f"{figures.overruns_day} charges today cost more than their worst case."
    return table


def _refusals(report: Report) -> Table:
    table = _table("Refused today", "reason", "times")
    for code, count in report.figures.refusals_day.items():
        table.add_row(code, str(count))
    return table


def _runs(title: str, runs: list[RunLine]) -> Table:
    table = _table(title, "run", "endpoint", "caller", "admitted", "lease until", "reserved")
    for run in runs:
        table.add_row(
            run.run_id[:16],
            run.endpoint,
            run.caller[:12],
            _time(run.admitted_ms),
            _time(run.lease_ms),
            ", ".join(f"{slot} {_usd(worst)}" for slot, worst in run.charges.items()),
        )
    return table


def _callers(report: Report) -> Table:
    table = _table("Callers of the last day, by hash", "caller", "runs/h", "runs/d", "units", "USD")
    for line in report.callers:
        counts = (line.runs_hour, line.runs_day, line.units_day)
        table.add_row(line.caller[:12], *map(str, counts), _usd(line.cost_day))
    return table


def _table(title: str, first: str, *rest: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1))
    table.add_column(first)
    for name in rest:
        table.add_column(name, justify="right")
    return table


def _usd(micro: int) -> str:
    return f"{micro / 1_000_000:.6f}"


def _time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
