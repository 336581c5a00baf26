"""`fairwitness doctor`: what is configured, what is missing, and how to fix it."""

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
from rich.console import Console
from rich.markup import escape

from fairwitness import __version__
from fairwitness import settings as settings_module
from fairwitness.cli.output import TEXT, Output, Result
from fairwitness.extras import (
    EXTRAS,
    INSTALL_WEIGHTS,
    MissingExtra,
    install_line,
    is_installed,
    require_extra,
)
from fairwitness.settings import Settings, SettingsError

if TYPE_CHECKING:
    from fairwitness.cli.provider_check import Probe


@dataclass(frozen=True, slots=True)
class InstallationCheck:
    """One check of the installation: whether it passed, what was found, and how to fix it."""

    name: str
    well: bool
    seen: str
    fix: str = ""


def doctor(
    *,
    providers: Annotated[
        bool, Parameter(help="Also send one small request to each provider.")
    ] = False,
    output: Output = TEXT,
) -> Result:
    """Check the installation and report what is missing and how to fix it.

    With --providers each configured provider is asked once, through the same admission as a
    caller's request: it is reserved, counted and settled, and may cost a little.

    Exit code: 0 when all is well, 1 when something needs fixing, 2 when settings cannot be read.
    """
    if providers:
        require_extra("serve", "doctor --providers")
    settings = settings_module.load()
    checks = list(_checks(settings))
    probes: list[Probe] = []
    if providers:
        from fairwitness.cli import provider_check

        with Console(stderr=True).status("Sending a request to each provider..."):
            probes = provider_check.check(settings)
    faults = sum(not check.well for check in checks) + sum(not probe.well for probe in probes)
    return output.result(
        {"version": __version__, "faults": faults, "checks": checks, "providers": probes},
        lambda console: _show(console, checks, probes if providers else None, faults),
        1 if faults else 0,
    )


def _show(
    console: Console, checks: list[InstallationCheck], probes: list[Probe] | None, faults: int
) -> None:
    console.print(f"Fair Witness {__version__} on Python {platform.python_version()}")
    for check in checks:
        mark = "[green]ok[/] " if check.well else "[red]fix[/]"
        console.print(f"  {mark}  {check.name}: {escape(check.seen)}", soft_wrap=True)
        if check.fix:
            console.print(f"        {escape(check.fix)}", soft_wrap=True)
    if probes is not None:
        from fairwitness.cli import provider_check

        console.print(provider_check.table(probes))
    console.print("No problems found." if not faults else f"Problems to fix: {faults}.")


def _checks(settings: Settings) -> Iterator[InstallationCheck]:
    checks: tuple[Callable[[Settings], InstallationCheck], ...] = (
        _python,
        _config,
        _data_dir,
        _extras,
        _evaluator,
        _criteria_packages,
        _ledger,
        _providers,
        _evidence,
    )
    for check in checks:
        name = check.__name__.strip("_").replace("_", " ")
        try:
            found = check(settings)
            yield replace(found, fix="") if found.well else found
        except SettingsError as error:
            fix = "Correct the setting; see /docs/settings and /docs/providers."
            yield InstallationCheck(name, False, "; ".join(error.faults), fix)
        except MissingExtra as error:
            yield InstallationCheck(name, False, str(error))
        except Exception as error:
            yield InstallationCheck(
                name, False, f"{type(error).__name__}: {error}", "Run `make setup` again."
            )


def _python(settings: Settings) -> InstallationCheck:
    return InstallationCheck(
        "Python",
        sys.version_info >= (3, 11),
        platform.python_version(),
        "Install Python 3.11 or newer and run `make setup` with it.",
    )


def _config(settings: Settings) -> InstallationCheck:
    file = os.environ.get(settings_module.CONFIG)
    changed = [
        field.name.upper()
        for field in settings_module.table()
        if f"{settings_module.PREFIX}{field.name.upper()}" in os.environ
    ]
    source = f"file {file}" if file else "no file (all settings have defaults)"
    return InstallationCheck(
        "settings", True, f"{source}; from the environment: {', '.join(changed) or 'none'}"
    )


def _data_dir(settings: Settings) -> InstallationCheck:
    folder = settings.data_dir
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        return InstallationCheck(
            "data folder",
            False,
            f"{folder} (cannot be written: {error.strerror})",
            f"Make {nearest} writable, or set {settings_module.PREFIX}DATA_DIR to a folder that is.",
        )
    return InstallationCheck(
        "data folder", True, f"{folder} ({'writable' if folder.exists() else 'will be created'})"
    )


def _extras(settings: Settings) -> InstallationCheck:
    from fairwitness.providers import weights

    seen = [
        f"{extra} installed" if is_installed(extra) else f"{extra} missing ({install_line(extra)})"
        for extra in EXTRAS
    ]
    if is_installed("embedded") and weights.locate() is None:
        seen.append(f"weights of the embedded model missing ({INSTALL_WEIGHTS})")
    return InstallationCheck("extras", True, "; ".join(seen))


def _evaluator(settings: Settings) -> InstallationCheck:
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
    return InstallationCheck(
        "evaluator",
        not broken,
        f"protocol {evaluator.protocol.version}, {len(evaluator.protocol.criteria)} criteria, "
        f"{evaluator.version}; loads in {loaded - started:.1f} s, "
        f"evaluates in {1000 * (perf_counter() - loaded):.1f} ms",
        f"These criteria fail: {', '.join(broken)}. Reinstall with `make setup`.",
    )


def _criteria_packages(settings: Settings) -> InstallationCheck:
    from fairwitness.evaluator.package_sources import installed_packages

    found = installed_packages()
    named = [f"{one.name} ({', '.join(one.adds)})" for one in found]
    faults = [f"{one.name}: {fault}" for one in found for fault in one.faults]
    return InstallationCheck(
        "criteria packages",
        not faults,
        "; ".join([*(named or ["none installed"]), *faults[:5]]),
        "A criterion must give the same result for the same text: it may not use the network, the clock, chance, "
        "files or processes. Remove these imports, or uninstall the package; see /docs/criteria-packages.",
    )


def _ledger(settings: Settings) -> InstallationCheck:
    import asyncio

    from fairwitness.cli.existing_ledger import is_there, place
    from fairwitness.ledger import Ledger, ledger_database, ledger_of
    from fairwitness.store import StoreError

    async def ask(ledger: Ledger) -> str:
        try:
            switch = await ledger.switch()
        finally:
            await ledger.close()
        return f"switch off: {switch.reason}" if switch.stopped else "switch on"

    engine = ledger_database(settings).engine.name
    if not is_there(settings):
        return InstallationCheck(
            "ledger", True, f"{engine}, created on first start: {place(settings)}"
        )
    try:
        seen = asyncio.run(ask(ledger_of(settings, make=False)))
    except StoreError as error:
        return InstallationCheck(
            "ledger",
            False,
            f"{engine}, cannot be reached: {error}",
            f"Provider-backed requests are refused until it can be reached; check {settings_module.PREFIX}LEDGER_URL "
            "and the data folder. Direct evaluation still works.",
        )
    spending = "" if settings.spend_enabled else "; SPEND_ENABLED is false, so nothing is spent"
    return InstallationCheck("ledger", True, f"{engine}, {seen}{spending}: {place(settings)}")


def _providers(settings: Settings) -> InstallationCheck:
    from fairwitness.providers import slots

    built = slots.build(settings)
    configured = [f"{slot} ({found.model})" for slot, found in built.items() if found is not None]
    return InstallationCheck(
        "providers",
        bool(configured) or not is_installed("serve"),  # without the service nothing asks them
        f"{len(configured)} of {len(built)} slots: {'; '.join(configured[:3])}"
        + (" ..." if len(configured) > 3 else "")
        if configured
        else "no slot is configured",
        "Install the embedded model with `make setup`, or configure [providers.*]; see /docs/providers.",
    )


def _evidence(settings: Settings) -> InstallationCheck:
    from fairwitness.evidence import Keyring

    keyring = Keyring(settings)
    if not keyring.path.exists():
        return InstallationCheck("evidence key", True, "created on first start")
    return InstallationCheck(
        "evidence key", True, f"signs as {keyring.signer().public.keyid[:16]}..."
    )
