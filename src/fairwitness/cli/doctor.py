"""`fairwitness doctor`: what is configured, what is missing, and how to mend it."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.markup import escape

from fairwitness import __version__
from fairwitness import settings as settings_module
from fairwitness.cli.terminal import Json, Terminal, write_json
from fairwitness.settings import Settings, SettingsError

if TYPE_CHECKING:
    from fairwitness.cli.providers import Probe


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: whether it is well, what was seen, and what to do where it is not."""

    name: str
    well: bool
    seen: str
    mend: str = ""


def doctor(
    *,
    providers: Annotated[
        bool, Parameter(help="Also send one tiny request to each provider.")
    ] = False,
    json: Json = False,
) -> int:
    """Look at the installation and say what is well, what is not, and how to mend it.

    With --providers each configured provider is asked once, through the same admission as a
    caller's request: it is reserved, counted and settled, and may cost a little.

    Exit code: 0 when all is well, 1 when something needs mending, 2 when settings cannot be read.
    """
    settings = settings_module.load()
    console = Terminal(highlight=False, quiet=json)
    console.print(f"Fair Witness {__version__} on Python {platform.python_version()}")
    checks = []
    for check in _checks(settings):
        checks.append(check)
        mark = "[green]ok[/]  " if check.well else "[red]mend[/]"
        console.print(f"  {mark}  {check.name}: {escape(check.seen)}", soft_wrap=True)
        if check.mend:
            console.print(f"        {escape(check.mend)}", soft_wrap=True)
    probes: list[Probe] = []
    if providers:
        from fairwitness.cli import providers as asking

        probes = asking.check(settings)
        console.print(asking.table(probes))
    faults = [found.well for found in checks].count(False)
    faults += [found.well for found in probes].count(False)
    console.print("All is well." if not faults else f"{faults} to mend.")
    if json:
        write_json(
            {"version": __version__, "faults": faults, "checks": checks, "providers": probes}
        )
    return 1 if faults else 0


def _checks(settings: Settings) -> Iterator[Check]:
    checks: tuple[Callable[[Settings], Check], ...] = (
        _python,
        _config,
        _data_dir,
        _evaluator,
        _ledger,
        _providers,
        _evidence,
    )
    for check in checks:
        name = check.__name__.strip("_").replace("_", " ")
        try:
            found = check(settings)
            yield replace(found, mend="") if found.well else found
        except SettingsError as error:
            mend = "Correct it where it is set; /docs/settings and /docs/providers say how."
            yield Check(name, False, "; ".join(error.faults), mend)
        except Exception as error:
            yield Check(name, False, f"{type(error).__name__}: {error}", "Run `make setup` again.")


def _python(settings: Settings) -> Check:
    return Check(
        "Python",
        sys.version_info >= (3, 11),
        platform.python_version(),
        "Install Python 3.11 or newer and run `make setup` with it.",
    )


def _config(settings: Settings) -> Check:
    file = os.environ.get(settings_module.CONFIG)
    changed = [
        field.name.upper()
        for field in settings_module.table()
        if f"{settings_module.PREFIX}{field.name.upper()}" in os.environ
    ]
    source = f"file {file}" if file else "no file (all settings have defaults)"
    return Check(
        "settings", True, f"{source}; from the environment: {', '.join(changed) or 'none'}"
    )


def _data_dir(settings: Settings) -> Check:
    folder = settings.data_dir
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        return Check(
            "data folder",
            False,
            f"{folder} (cannot be written: {error.strerror})",
            f"Make {nearest} writable, or set {settings_module.PREFIX}DATA_DIR to a folder that is.",
        )
    return Check(
        "data folder", True, f"{folder} ({'writable' if folder.exists() else 'will be made'})"
    )


def _evaluator(settings: Settings) -> Check:
    from fairwitness.evaluator import Evaluator

    started = perf_counter()
    evaluator = Evaluator.shipped()
    evaluator.evaluate("Say hello.", "Hello!")
    loaded = perf_counter()
    result = evaluator.evaluate("Say hello.", "Hello! How can I help you today?")
    broken = [
        item.criterion_id
        for item in result.verdicts
        if item.summary.startswith("This criterion could not")
    ]
    return Check(
        "evaluator",
        not broken,
        f"protocol {evaluator.protocol.version}, {len(evaluator.protocol.criteria)} criteria, "
        f"{evaluator.version}; loads in {loaded - started:.1f} s, "
        f"evaluates in {1000 * (perf_counter() - loaded):.1f} ms",
        f"These criteria break: {', '.join(broken)}. Reinstall with `make setup`.",
    )


def _ledger(settings: Settings) -> Check:
    import asyncio

    from fairwitness.cli.existing_ledger import is_there, place
    from fairwitness.ledger import Ledger, ledger_of
    from fairwitness.store import StoreError

    async def ask(ledger: Ledger) -> str:
        try:
            switch = await ledger.switch()
        finally:
            await ledger.close()
        return f"switch off: {switch.reason}" if switch.stopped else "switch on"

    engine = "PostgreSQL" if (settings.ledger_url or "").startswith("postgres") else "SQLite"
    if not is_there(settings):
        return Check("ledger", True, f"{engine}, made on first start: {place(settings)}")
    try:
        seen = asyncio.run(ask(ledger_of(settings, make=False)))
    except StoreError as error:
        return Check(
            "ledger",
            False,
            f"{engine}, cannot be reached: {error}",
            f"Provider-backed requests are refused until it can; check {settings_module.PREFIX}LEDGER_URL "
            "and the data folder. Direct evaluation goes on.",
        )
    spending = "" if settings.spend_enabled else "; SPEND_ENABLED is false, so nothing is spent"
    return Check("ledger", True, f"{engine}, {seen}{spending}: {place(settings)}")


def _providers(settings: Settings) -> Check:
    from fairwitness.providers import slots

    built = slots.build(settings)
    configured = [f"{slot} ({found.model})" for slot, found in built.items() if found is not None]
    return Check(
        "providers",
        bool(configured),
        f"{len(configured)} of {len(built)} slots: {'; '.join(configured[:3])}"
        + (" ..." if len(configured) > 3 else "")
        if configured
        else "no slot is configured",
        "Install the embedded model with `make setup`, or configure [providers.*]; see /docs/providers.",
    )


def _evidence(settings: Settings) -> Check:
    from fairwitness.evidence import Keyring

    keyring = Keyring(settings)
    if not keyring.path.exists():
        return Check("evidence key", True, "made on first start")
    return Check("evidence key", True, f"signs as {keyring.signer().public.keyid[:16]}...")
