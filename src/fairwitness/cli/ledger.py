"""`fairwitness ledger`: today's spend, what is reserved, who asked (by hash), and what was refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TypeVar

from cyclopts import App
from rich.table import Table

from fairwitness import settings as settings_module
from fairwitness.cli.existing_ledger import existing_ledger, place
from fairwitness.cli.terminal import Json, Terminal, tell, write_json
from fairwitness.ledger import Ledger, Report
from fairwitness.ledger.interface import RunLine
from fairwitness.settings import Settings
from fairwitness.store import StoreError

app = App(name="ledger", help="Show what was spent, reserved and refused; look after the ledger.")

Answer = TypeVar("Answer")


@app.default
def show(*, json: Json = False) -> int:
    """Show today's spend, the runs in flight, those whose holder died, callers and refusals.

    Exit code: 0, or 1 when the ledger cannot be reached.
    """
    return _do(lambda ledger: ledger.report(), lambda *told: _print(*told, as_json=json))


@app.command
def migrate() -> int:
    """Bring an older ledger to this program's version; stop every server first.

    Exit code: 0, or 1 when the ledger cannot be reached or is newer than this program.
    """
    return _do(
        lambda ledger: ledger.open(upgrade=True),
        lambda _, settings: _say(f"The ledger is current: {place(settings)}"),
    )


@app.command
def accept_clock() -> int:
    """Take the clock as it is now, after it was wrongly ahead and has been put right.

    The ledger's time never runs backwards by itself: it waits until the clock has caught up.

    Exit code: 0, or 1 when the ledger cannot be reached.
    """
    return _do(
        lambda ledger: ledger.accept_clock(),
        lambda step_ms, settings: _say(
            f"The ledger's time went back {step_ms / 1000:g} s: {place(settings)}"
        ),
    )


def _do(
    work: Callable[[Ledger], Awaitable[Answer]], show: Callable[[Answer, Settings], None]
) -> int:
    settings = settings_module.load()

    async def with_ledger() -> Answer:
        async with existing_ledger(settings) as ledger:
            return await work(ledger)

    try:
        answer = asyncio.run(with_ledger())
    except StoreError as error:
        tell(f"fairwitness: {error}")
        return 1
    show(answer, settings)
    return 0


def _say(text: str) -> None:
    Terminal(highlight=False).print(text, markup=False, soft_wrap=True)


def _print(report: Report, settings: Settings, *, as_json: bool) -> None:
    if as_json:
        write_json(report)
        return
    console = Terminal(highlight=False)
    figures = report.figures
    state = "[bold red]off[/]" if figures.switch.stopped else "[bold green]on[/]"
    console.print(f"{_time(figures.now_ms)} UTC  switch {state}")
    _say(f"Ledger: {place(settings)}")
    if figures.clock_behind_ms:
        console.print(
            f"[yellow]The clock is {figures.clock_behind_ms / 1000:g} s behind the ledger's time; "
            "windows wait for it (see `fairwitness ledger accept-clock`).[/]"
        )
    console.print(_money(report))
    console.print(f"Admitted today: {figures.runs_day} runs")
    if figures.refusals_day:
        console.print(_refusals(report))
    for title, runs in (
        ("In flight", report.open_runs),
        ("Holder died or never settled: counted in full", report.expired_runs),
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
    table = _table(title, "run", "endpoint", "caller", "admitted", "lease to", "reserved")
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
