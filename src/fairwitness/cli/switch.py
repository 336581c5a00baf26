"""`fairwitness switch`: stops provider-backed requests on every process and machine, and lets them go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated

from cyclopts import App, Parameter
from rich.markup import escape

from fairwitness import settings as settings_module
from fairwitness.cli.existing_ledger import NoLedger, existing_ledger, place
from fairwitness.cli.terminal import Json, Terminal, tell, visible, write_json
from fairwitness.contract.errors import InvalidRequest
from fairwitness.ledger import Ledger, Switch
from fairwitness.settings import Settings
from fairwitness.store import StoreError

app = App(name="switch", help="Stop provider-backed requests everywhere, or let them go on.")


@app.command
def off(
    *,
    reason: Annotated[str, Parameter(help="Why; shown by `switch status`.")],
    now: Annotated[bool, Parameter(help="Cancel runs in flight too, within a second.")] = False,
    json: Json = False,
) -> int:
    """Stop provider-backed requests; once this returns, no process admits another one.

    Exit code: 0 when stopped, 1 when the ledger cannot be reached, 2 bad input.
    """
    if not reason.strip():
        raise InvalidRequest(details=["--reason: must say why; it is blank"])
    if not reason.isprintable():
        raise InvalidRequest(details=["--reason: must be one line of printable characters"])
    return _do(lambda ledger: ledger.turn_off(reason, cancel=now), json)


@app.command
def on(*, json: Json = False) -> int:
    """Let provider-backed requests go on.

    Exit code: 0 when on, 1 when the ledger cannot be reached.
    """
    return _do(lambda ledger: ledger.turn_on(), json)


@app.command
def status(*, json: Json = False) -> int:
    """Say whether provider-backed requests are served, since when, and why not.

    Exit code: 0 when the ledger answered, 1 when it cannot be reached.
    """
    return _do(lambda ledger: ledger.switch(), json)


def _do(work: Callable[[Ledger], Awaitable[Switch]], as_json: bool) -> int:
    settings = settings_module.load()
    try:
        found = asyncio.run(_with_ledger(settings, work))
    except NoLedger as error:
        tell(f"fairwitness: {error} The switch was neither read nor set.")
        return 1
    except StoreError as error:
        tell(
            "fairwitness: the ledger cannot be reached, so the switch was neither read nor set: "
            f"{error}\nServers that cannot reach it either admit nothing."
        )
        return 1
    _show(found, settings, as_json)
    return 0


async def _with_ledger(settings: Settings, work: Callable[[Ledger], Awaitable[Switch]]) -> Switch:
    async with existing_ledger(settings) as ledger:
        return await work(ledger)


def _show(switch: Switch, settings: Settings, as_json: bool) -> None:
    since = None
    if switch.changed_ms:
        since = datetime.fromtimestamp(switch.changed_ms / 1000, UTC).isoformat(timespec="seconds")
    if as_json:
        told = {
            "serving": not switch.stopped and settings.spend_enabled,
            "switch": "off" if switch.stopped else "on",
            "reason": switch.reason,
            "since": since,
            "spendEnabled": settings.spend_enabled,
            "ledger": place(settings),
        }
        write_json(told)
        return
    console = Terminal(highlight=False)
    if switch.stopped:
        console.print(
            f"[bold red]off[/]  since {since}: {escape(visible(switch.reason))}", soft_wrap=True
        )
    else:
        console.print("[bold green]on[/]" + (f"  since {since}" if since else ""))
    console.print(f"Ledger: {place(settings)}", markup=False, soft_wrap=True)
    if not settings.spend_enabled:
        console.print("Here SPEND_ENABLED is false: with these settings nothing is admitted.")
