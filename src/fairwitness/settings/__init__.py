"""Every setting in one table: name, default, help, and how its text is read.

A setting comes from the environment (FAIRWITNESS_PORT) or from the TOML file that
FAIRWITNESS_CONFIG names (port = 9000); the environment wins. Read once, at start; an unknown or
bad one is an error that names it. It knows nothing of what the settings are used for.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import platformdirs

from fairwitness.settings import value_parsers as read
from fairwitness.settings.cores import available_cores
from fairwitness.settings.databases import engine_of
from fairwitness.settings.value_parsers import Reader, in_one

__all__ = [
    "CONFIG",
    "PREFIX",
    "PROVIDER_FIELDS",
    "SLOTS",
    "Settings",
    "SettingsError",
    "available_cores",
    "in_one",
    "load",
    "shown_default",
    "table",
]

PREFIX = "FAIRWITNESS_"
CONFIG = "FAIRWITNESS_CONFIG"
# Where clients find a service: none of its settings, but often in the same environment.
_OF_CLIENTS = "FAIRWITNESS_URL"
SLOTS = tuple(f"provider_{letter}" for letter in "abcdefg")
PROVIDER_FIELDS = {
    "kind": str,
    "model": str,
    "base_url": str,
    "api_key_env": str,
    "api_key_file": str,
    "max_output_tokens": int,
    "temperature": float,
    "timeout_s": float,
    "input_usd_per_mtok": float,
    "output_usd_per_mtok": float,
}


class SettingsError(Exception):
    """The settings cannot be used; the message lists each fault with the setting's name."""

    def __init__(self, faults: list[str]) -> None:
        """Keep the faults, one line each."""
        self.faults = faults
        super().__init__("\n".join(faults))


def option(
    default: Any, reader: Reader, help: str, *, shown: str = "", secret: bool = False
) -> Any:
    """Declare one setting: `shown` is its default in words, `secret` keeps its value out of sight."""
    metadata = {"read": reader, "help": help, "shown": shown, "secret": secret}
    if callable(default):
        return dataclasses.field(default_factory=default, metadata=metadata, repr=not secret)
    return dataclasses.field(default=default, metadata=metadata, repr=not secret)


def _default_data_dir() -> Path:
    return Path(platformdirs.user_data_dir("fairwitness", appauthor=False))


# fmt: off
@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """The service's settings, each with a working default."""

    data_dir: Path = option(_default_data_dir, read.path, "Folder for keys, ledger and feedback.", shown="the user's data folder")
    host: str = option("127.0.0.1", read.words, "Address to listen on.")
    port: int = option(8080, read.whole(0, 65535), "Port to listen on; 0 picks a free one.")
    base_path: str = option("", read.base_path, "Sub-path the service is reached at behind a proxy, such as /fairwitness; requests are answered with and without it.", shown="none")
    workers: int = option(available_cores, read.whole(1, 256), "Worker processes.", shown="number of cores")
    queue_size: int = option(64, read.whole(0, 100_000), "Evaluations that may wait in one worker before 503 overloaded.")
    protocols: tuple[str, ...] = option((), read.files, "Protocol files to judge by, comma-separated (a path with a comma in double quotes); `fairwitness` is the shipped one. Contract 1 uses the first.", shown="the shipped protocol")
    max_tokens_read: int = option(8192, read.whole(6000, 1_000_000), "Tokens of one exchange that learned readers read, the response first; a longer response of contract 2 is refused.")
    header_timeout_s: float = option(10.0, read.seconds(0.1, 3600), "Maximum time for a request's headers to arrive.")
    body_timeout_s: float = option(20.0, read.seconds(0.1, 3600), "Maximum time for a request's body to arrive.")
    shutdown_grace_s: float = option(30.0, read.seconds(0, 3600), "Time a stopping worker waits for requests in flight.")
    max_connections: int = option(2048, read.whole(1, 1_000_000), "Open connections per worker; at the limit idle ones are closed, then new ones get 503.")
    max_connections_per_address: int = option(128, read.whole(1, 1_000_000), "Open connections one worker accepts from one address (IPv6: one /64); listed proxies are not counted.")
    max_slow_bodies_per_caller: int = option(16, read.whole(1, 1_000_000), "Requests of one caller whose bodies are still arriving in one worker; beyond, the slowest is cut off.")
    trusted_proxies: tuple[str, ...] = option((), read.networks, "Proxies whose forwarded headers are trusted: addresses or networks, comma-separated.", shown="none")
    api_keys: Path | None = option(None, read.path, "File of API keys with quotas of their own (`fairwitness api-keys`).", shown="none: no keys")
    cors_origins: tuple[str, ...] = option((), read.origins, "Origins that may call the API from a browser, comma-separated.", shown="none")
    tool_endpoints: bool = option(True, read.switch, "Whether the endpoints in the shapes of other tools (promptfoo, LiteLLM) are served.")
    metrics_token: str | None = option(None, read.words, "Bearer token for /metrics from addresses other than loopback.", shown="none", secret=True)
    otel_url: str | None = option(None, read.web_address, "OpenTelemetry collector (OTLP over HTTP) that gets each evaluation as events, such as http://127.0.0.1:4318.", shown="none: nothing is sent")
    otel_headers: tuple[tuple[str, str], ...] = option((), read.headers, "Headers for the collector: name=value, comma-separated.", shown="none", secret=True)
    otel_quote: bool = option(False, read.switch, "Whether those events hold quoted text of prompts and responses.")
    log_level: str = option("info", read.words, "debug, info, warning or error.")
    log_format: str = option("auto", read.words, "json, console, or auto: console on a terminal, JSON elsewhere.")
    spend_enabled: bool = option(True, read.switch, "Whether provider-backed requests are served at all.")
    ledger_url: str | None = option(None, read.store_url, "Ledger database; postgresql://... to share it between machines.", shown="a SQLite file in DATA_DIR", secret=True)
    feedback_url: str | None = option(None, read.store_url, "Feedback database.", shown="a separate SQLite file in DATA_DIR", secret=True)
    secret_key: str | None = option(None, read.key(16), "Secret for the hashes of callers and requests, 16 characters or more; required with postgresql://.", shown="created in DATA_DIR", secret=True)
    quota_per_hour: int = option(120, read.whole(0, 10**9), "Provider-backed runs a caller may make in any hour.")
    quota_per_day: int = option(600, read.whole(0, 10**9), "Provider-backed runs a caller may make in any day.")
    units_per_day: int = option(2000, read.whole(0, 10**9), "Provider generations a caller may ask for in any day.")
    budget_per_hour_usd: Decimal = option(Decimal("1.00"), read.usd, "Spend of all callers in a UTC hour, in US dollars.")
    budget_per_day_usd: Decimal = option(Decimal("5.00"), read.usd, "Spend of all callers in a UTC day, in US dollars.")
    concurrency: int = option(8, read.whole(0, 100_000), "Provider-backed runs in flight for all callers.")
    concurrency_per_caller: int = option(4, read.whole(0, 100_000), "Provider-backed runs in flight for one caller.")
    duplicate_window_s: float = option(10.0, read.seconds(0, 86_400), "How long a repeat of a completed request is refused.")
    provider_deadline_s: float = option(60.0, read.seconds(0.1, 600), "Deadline for all providers of one run.")
    provider_proxy: str | None = option(None, read.proxy, "Proxy for requests to hosted providers, such as http://proxy.example:3128; the environment's proxies are not used.", shown="none", secret=True)
    embedded_max_tokens: int = option(96, read.whole(1, 2048), "Maximum tokens the embedded model writes.")
    evidence_key: str | None = option(None, read.words, "File of the Ed25519 key that signs Arena evidence.", shown="created in DATA_DIR, mode 0600")
    feedback_per_day: int = option(50, read.whole(0, 10**6), "Feedback entries a caller may send in a day.")
    feedback_retention_days: int = option(90, read.whole(1, 3650), "Days feedback is kept.")
    feedback_max_mb: int = option(256, read.whole(1, 10**6), "Disk space for all feedback, in MB.")
    feedback_contact_key: str | None = option(None, read.words, "Key that encrypts feedback contacts; required where FEEDBACK_URL is postgresql://.", shown="created in DATA_DIR", secret=True)

    # Provider slots come from the TOML file's [providers.*] tables alone; None means none was given.
    providers: Mapping[str, Mapping[str, Any]] | None = None
# fmt: on


def table() -> list[dataclasses.Field[Any]]:
    """Return every setting's field; its metadata holds help, default in words, and reader."""
    return [field for field in dataclasses.fields(Settings) if field.metadata]


def shown_default(field: dataclasses.Field[Any]) -> str:
    """Return a setting's default as the docs print it."""
    return str(field.metadata["shown"] or _as_text(field.default))


def load(environ: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
    """Read settings from the environment and the TOML file; `overrides` (command line) win over both."""
    environ = os.environ if environ is None else environ
    faults: list[str] = []
    file_values, providers = _read_file(environ.get(CONFIG), faults)
    known = {field.name: field for field in table()}
    given: dict[str, tuple[str, str]] = {}
    for name, value in file_values.items():
        if name not in known:
            faults.append(f"{name}: unknown setting{_nearest(name, known)}")
        elif isinstance(value, dict | list) and known[name].metadata["read"] not in read.LISTS:
            faults.append(f"{name}: must be one value, not a list or a table")
        else:
            given[name] = (name, _as_text(value))
    for variable, value in environ.items():
        if not variable.startswith(PREFIX) or variable in {CONFIG, _OF_CLIENTS}:
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name in known:
            given[name] = (variable, value)
        else:
            faults.append(f"{variable}: unknown setting{_nearest(name, known)}")
    values: dict[str, Any] = {}
    for name, (label, text) in given.items():
        try:
            values[name] = known[name].metadata["read"](text)
        except ValueError as error:
            faults.append(f"{label}: {error}")
    values |= {name: value for name, value in overrides.items() if value is not None}
    settings = Settings(**values, providers=providers)
    faults.extend(_joint_faults(settings))
    if faults:
        raise SettingsError(faults)
    return settings


def _read_file(
    path: str | None, faults: list[str]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]] | None]:
    if path is None:
        return {}, None
    try:
        content = tomllib.loads(Path(path).expanduser().read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        faults.append(f"{CONFIG}: cannot read {path}: {error}")
        return {}, None
    providers = content.pop("providers", None)
    if providers is not None:
        faults.extend(_provider_faults(providers))
    return content, providers


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return in_one(map(str, value)) if isinstance(value, list) else str(value)


def _provider_faults(providers: Any) -> list[str]:
    if not isinstance(providers, dict):
        return ["providers: must be tables such as [providers.provider_a]"]
    faults = []
    for slot, fields in providers.items():
        if slot not in SLOTS:
            faults.append(f"providers.{slot}: unknown slot; slots are {', '.join(SLOTS)}")
        if not isinstance(fields, dict):
            faults.append(f"providers.{slot}: must be a table")
            continue
        for name, value in fields.items():
            label = f"providers.{slot}.{name}"
            if name not in PROVIDER_FIELDS:
                faults.append(
                    f"{label}: unknown provider setting; known: {', '.join(PROVIDER_FIELDS)}"
                )
            elif not _fits(value, PROVIDER_FIELDS[name]):
                faults.append(f"{label}: must be of type {PROVIDER_FIELDS[name].__name__}")
    return faults


def _fits(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)


def _joint_faults(settings: Settings) -> list[str]:
    faults = []
    if settings.log_level not in {"debug", "info", "warning", "error"}:
        faults.append(f"{PREFIX}LOG_LEVEL: must be debug, info, warning or error")
    if settings.log_format not in {"auto", "json", "console"}:
        faults.append(f"{PREFIX}LOG_FORMAT: must be auto, json or console")
    shared = {
        room
        for room, url in (("ledger", settings.ledger_url), ("feedback", settings.feedback_url))
        if url is not None and engine_of(url).many_machines
    }
    if shared and settings.secret_key is None:
        faults.append(
            f"{PREFIX}SECRET_KEY: required with a postgresql:// database, the same on every machine"
        )
    if "feedback" in shared and settings.feedback_contact_key is None:
        faults.append(
            f"{PREFIX}FEEDBACK_CONTACT_KEY: required with a postgresql:// feedback database, the same "
            "on every machine, or no machine can decrypt the contacts another one encrypted"
        )
    return faults


def _nearest(name: str, known: Mapping[str, Any]) -> str:
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else ""
