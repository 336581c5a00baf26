"""`fairwitness switch`: stops or resumes provider-backed requests on every process and machine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated, Any

from cyclopts import App, Parameter
from rich.console import Console
from rich.markup import escape

from fairwitness import settings as settings_module
from fairwitness.cli.existing_ledger import NoLedger, existing_ledger, place
from fairwitness.cli.output import TEXT, CommandFailed, Output, Result, say
from fairwitness.contract.errors import InvalidRequest
from fairwitness.ledger import Ledger, Switch
from fairwitness.reports.printable import visible
from fairwitness.settings import Settings
from fairwitness.store import StoreError

app = App(name="switch", help="Stop or resume provider-backed requests on every server.")


@app.command
def off(
    *,
    reason: Annotated[str, Parameter(help="The reason, shown by `switch status`.")],
    now: Annotated[bool, Parameter(help="Cancel runs in flight too, within a second.")] = False,
    output: Output = TEXT,
) -> Result:
    """Stop provider-backed requests; once this returns, no process admits another one.

    Exit code: 0 when stopped, 1 when the ledger cannot be reached, 2 bad input.
    """
    if not reason.strip():
        raise InvalidRequest(details=["--reason: must not be blank"])
    if not reason.isprintable():
        raise InvalidRequest(details=["--reason: must be one line of printable characters"])
    return _do(lambda ledger: ledger.turn_off(reason, cancel=now), output)


@app.command
def on(*, output: Output = TEXT) -> Result:
    """Resume provider-backed requests.

    Exit code: 0 when on, 1 when the ledger cannot be reached.
    """
    return _do(lambda ledger: ledger.turn_on(), output)


@app.command
def status(*, output: Output = TEXT) -> Result:
    """Show whether provider-backed requests are served, since when, and why not.

    Exit code: 0 when the ledger answered, 1 when it cannot be reached.
    """
    return _do(lambda ledger: ledger.switch(), output)


def _do(work: Callable[[Ledger], Awaitable[Switch]], output: Output) -> Result:
    settings = settings_module.load()
    try:
        found = asyncio.run(_with_ledger(settings, work))
    except NoLedger as error:
        raise CommandFailed(f"{error} The switch was not read or changed.") from None
    except StoreError as error:
        raise CommandFailed(
            f"the ledger cannot be reached, so the switch was not read or changed: {error}\n"
            "Servers that cannot reach the ledger admit nothing."
        ) from None
    return output.result(_content(found, settings), lambda console: _show(console, found, settings))


async def _with_ledger(settings: Settings, work: Callable[[Ledger], Awaitable[Switch]]) -> Switch:
    async with existing_ledger(settings) as ledger:
        return await work(ledger)


def _content(switch: Switch, settings: Settings) -> dict[str, Any]:
    return {
        "serving": not switch.stopped and settings.spend_enabled,
        "switch": "off" if switch.stopped else "on",
        "reason": switch.reason,
        "since": _since(switch),
        "spendEnabled": settings.spend_enabled,
        "ledger": place(settings),
    }


def _show(console: Console, switch: Switch, settings: Settings) -> None:
    since = _since(switch)
    if switch.stopped:
        console.print(
            f"[bold red]off[/]  since {since}: {escape(visible(switch.reason))}", soft_wrap=True
        )
    else:
        console.print("[bold green]on[/]" + (f"  since {since}" if since else ""))
    say(console, f"Ledger: {place(settings)}")
    if not settings.spend_enabled:
        console.print("SPEND_ENABLED is false in these settings, so nothing is admitted.")


def _since(switch: Switch) -> str | None:
    if not switch.changed_ms:
        return None
    return datetime.fromtimestamp(switch.changed_ms / 1000, UTC).isoformat(timespec="seconds")
