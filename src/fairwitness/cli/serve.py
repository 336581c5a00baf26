"""`fairwitness serve`: the HTTP service."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fairwitness import settings as settings_module
from fairwitness.cli.output import CommandFailed
from fairwitness.cli.terminal import tell
from fairwitness.extras import MissingExtra, require_extra
from fairwitness.settings import Settings, SettingsError


def serve(
    *,
    host: Annotated[str | None, Parameter(help="Address to listen on (127.0.0.1).")] = None,
    port: Annotated[int | None, Parameter(help="Port to listen on (8080); 0 picks one.")] = None,
    workers: Annotated[int | None, Parameter(help="Worker processes (one per core).")] = None,
    protocol: Annotated[
        list[str] | None,
        Parameter(
            help="A protocol file to judge by, or fairwitness for the shipped one; repeatable. "
            "Contract 1 uses the first.",
            negative=(),
        ),
    ] = None,
) -> int:
    """Serve the HTTP API, the web page and the documents.

    Settings come from FAIRWITNESS_* variables and the TOML file that FAIRWITNESS_CONFIG names.
    These flags override both.

    Exit code: 0 stopped, 1 cannot listen or the ledger has another version, 2 bad settings or a missing extra.
    """
    if sys.platform == "win32":
        raise MissingExtra(
            "serve runs on Linux and macOS; on Windows, use it in WSL or a container"
        )
    require_extra("serve", "serve")
    # Workers read the environment, so the flags must be set there.
    listed = settings_module.in_one(protocol) if protocol else None
    for name, value in (
        ("HOST", host),
        ("PORT", port),
        ("WORKERS", workers),
        ("PROTOCOLS", listed),
    ):
        if value is not None:
            os.environ[settings_module.PREFIX + name] = str(value)
    settings = settings_module.load()
    _prepare(settings.data_dir)
    _try_parts(settings)
    warnings = _judges_missing(settings)
    from fairwitness.http import server

    fault = _schema_fault(settings)
    if fault:
        raise CommandFailed(fault)
    try:
        listener = server.bind(settings.host, settings.port)
    except server.CannotListen as error:
        raise CommandFailed(f"{error}; try another --port or --host") from None
    shown_host = f"[{settings.host}]" if ":" in settings.host else settings.host
    port_taken = listener.getsockname()[1]
    url = f"http://{shown_host}:{port_taken}{settings.base_path}"
    with server.share_metrics():
        _announce(url, warnings)
        server.run(settings, listener, "fairwitness.bootstrap:application")
    return 0


def _announce(url: str, warnings: Sequence[str]) -> None:
    """Say where it listens: in words at a terminal, otherwise as lines of JSON like the log."""
    on_terminal = sys.stderr.isatty()
    if on_terminal:
        tell(f"Fair Witness on {url} (Ctrl+C stops it)")
    else:
        tell(json.dumps({"event": "listening", "url": url}))
    for warning in warnings:
        line = json.dumps({"event": "judge_missing", "warning": warning})
        tell(f"Warning: {warning}" if on_terminal else line)


def _try_parts(settings: Settings) -> None:
    """Raise SettingsError for what only the parts can tell of the settings: every worker would die of it."""
    from fairwitness.evidence import Keyring
    from fairwitness.providers import slots
    from fairwitness.service.api_keys import keys_of
    from fairwitness.service.caller import secret_of
    from fairwitness.service.protocols import Protocols
    from fairwitness.store import StoreError

    faults: list[str] = []
    for part in (
        slots.build,
        lambda given: Keyring(given).signer(),
        secret_of,
        Protocols.of,
        lambda given: keys_of(given, b""),
    ):
        try:
            part(settings)
        except SettingsError as error:
            faults.extend(error.faults)
        except StoreError as error:
            faults.append(f"{settings_module.PREFIX}SECRET_KEY: {error}")
    if faults:
        raise SettingsError(faults)


def _judges_missing(settings: Settings) -> list[str]:
    """Return what the judged criteria of the served protocols lack: the service starts, but nobody is asked."""
    from fairwitness.providers import slots
    from fairwitness.service.judging import missing_parts
    from fairwitness.service.protocols import Protocols

    served = [one.protocol for one in Protocols.of(settings).evaluators if one.protocol.judged]
    built = slots.build(settings) if served else {}
    return [
        f"protocol {protocol.name}: {fault}. Until then its judged criteria need review."
        for protocol in served
        for fault in missing_parts(protocol, built, settings)
    ]


def _schema_fault(settings: Settings) -> str:
    """Return why the ledger's tables do not fit this program: every worker would die of it, in turn."""
    import asyncio

    from fairwitness.ledger import ledger_of
    from fairwitness.store import SchemaMismatch, StoreError

    async def look() -> str:
        ledger = ledger_of(settings)
        try:
            await ledger.open()
        except SchemaMismatch as error:
            return str(error)
        except StoreError:
            return ""  # away, not wrong: the service starts, and spends nothing until it is back
        finally:
            await ledger.close()
        return ""

    return asyncio.run(look())


def _prepare(folder: Path) -> None:
    """Make the data folder, or say at once that it cannot be used: every worker would fail on it."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        fault = f"{settings_module.PREFIX}DATA_DIR: cannot write to {folder}: {error.strerror}"
        raise SettingsError([fault]) from None
