"""`fairwitness serve`: the HTTP service."""

from __future__ import annotations

import os
import sys
import tempfile
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
    for name, value in (("HOST", host), ("PORT", port), ("WORKERS", workers)):
        if value is not None:
            os.environ[settings_module.PREFIX + name] = str(value)
    settings = settings_module.load()
    _prepare(settings.data_dir)
    _try_parts(settings)
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
    with server.share_metrics():
        if sys.stderr.isatty():
            tell(f"Fair Witness on http://{shown_host}:{port_taken} (Ctrl+C stops it)")
        else:
            tell(f'{{"event": "listening", "url": "http://{shown_host}:{port_taken}"}}')
        server.run(settings, listener, "fairwitness.bootstrap:application")
    return 0


def _try_parts(settings: Settings) -> None:
    """Raise SettingsError for what only the parts can tell of the settings: every worker would die of it."""
    from fairwitness.evidence import Keyring
    from fairwitness.providers import slots
    from fairwitness.service.caller import secret_of
    from fairwitness.store import StoreError

    faults: list[str] = []
    for part in (slots.build, lambda given: Keyring(given).signer(), secret_of):
        try:
            part(settings)
        except SettingsError as error:
            faults.extend(error.faults)
        except StoreError as error:
            faults.append(f"{settings_module.PREFIX}SECRET_KEY: {error}")
    if faults:
        raise SettingsError(faults)


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
