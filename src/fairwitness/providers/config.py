"""Reads the settings' provider tables into typed slots, naming every fault by its setting.

With no table at all every slot is embedded; once one exists, slots without a table are not configured.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

from fairwitness.extras import require_extra
from fairwitness.providers import prices
from fairwitness.providers.prices import FREE, Price
from fairwitness.providers.provider import Kind
from fairwitness.providers.secret import Secret
from fairwitness.settings import SLOTS, Settings, SettingsError

KINDS: tuple[str, ...] = get_args(Kind)
EMBEDDED_MODEL = "SmolLM2-135M-Instruct"
DEFAULT_MAX_OUTPUT_TOKENS = 1024
DEFAULT_TIMEOUT_S = 60.0
DEFAULT_BASE_URLS = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "gemini": "https://generativelanguage.googleapis.com",
}
_EMBEDDED_ONLY_DEFAULTS = ("base_url", "api_key_env", "api_key_file")
# Where a key was pasted instead of a name, the fault must not show it.
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_PRICES = ("input_usd_per_mtok", "output_usd_per_mtok")


@dataclass(frozen=True, slots=True)
class ProviderConfig:
    """One slot, ready to be built."""

    slot: str
    kind: str
    model: str
    base_url: str
    key: Secret | None
    max_output_tokens: int
    temperature: float | None
    timeout_s: float
    price: Price
    proxy: str | None = field(default=None, repr=False)


def read(settings: Settings, environ: Mapping[str, str] | None = None) -> dict[str, ProviderConfig]:
    """Return the configured slots, or raise SettingsError with every fault, MissingExtra for an SDK."""
    environ = os.environ if environ is None else environ
    tables: Mapping[str, Mapping[str, Any]] = (
        {slot: {"kind": "embedded"} for slot in SLOTS}
        if settings.providers is None
        else settings.providers
    )
    faults: list[str] = []
    found: dict[str, ProviderConfig] = {}
    for slot in SLOTS:
        if slot in tables:
            reader = _Table(slot, tables[slot], environ, settings)
            config = reader.config()
            faults.extend(reader.faults)
            if config is not None:
                found[slot] = config
    if faults:
        raise SettingsError(faults)
    return found


class _Table:
    """One [providers.*] table, with the faults met while reading it."""

    def __init__(
        self, slot: str, fields: Mapping[str, Any], environ: Mapping[str, str], settings: Settings
    ) -> None:
        self.slot = slot
        self.fields = fields
        self.environ = environ
        self.settings = settings
        self.faults: list[str] = []

    def config(self) -> ProviderConfig | None:
        kind = self.fields.get("kind")
        if kind is None:
            self._fault("kind", f"missing; one of {', '.join(KINDS)}")
            return None
        if kind not in KINDS:
            self._fault("kind", f"{kind!r} is not a kind; one of {', '.join(KINDS)}")
            return None
        if kind != "embedded":
            require_extra("providers", f"[providers.{self.slot}] of kind {kind}")
        config = self._embedded() if kind == "embedded" else self._hosted(kind)
        return None if self.faults else config

    def _embedded(self) -> ProviderConfig:
        for name in (*_EMBEDDED_ONLY_DEFAULTS, *_PRICES):
            if name in self.fields:
                self._fault(name, "not supported by the embedded model")
        if self.fields.get("model", EMBEDDED_MODEL) != EMBEDDED_MODEL:
            self._fault("model", f"the embedded model is {EMBEDDED_MODEL}; leave this out")
        tokens = self._number(
            "max_output_tokens", self.settings.embedded_max_tokens, 1, 2048, whole=True
        )
        return self._build(
            kind="embedded",
            model=EMBEDDED_MODEL,
            base_url="",
            key=None,
            max_output_tokens=int(tokens),
            price=FREE,
        )

    def _hosted(self, kind: str) -> ProviderConfig | None:
        model = str(self.fields.get("model", "")).strip()
        if not model:
            self._fault("model", "missing")
            return None
        base_url = self._base_url(kind)
        key = self._key(base_url)
        if kind == "anthropic" and "temperature" in self.fields:
            self._fault(
                "temperature", "not supported by the anthropic kind: its SDK no longer takes one"
            )
        tokens = self._number(
            "max_output_tokens",
            DEFAULT_MAX_OUTPUT_TOKENS,
            1,
            prices.MOST_OUTPUT_TOKENS,
            whole=True,
        )
        price = self._price(model, base_url)
        if price is None or self.faults:
            return None
        return self._build(
            kind=kind,
            model=model,
            base_url=base_url,
            key=key,
            max_output_tokens=int(tokens),
            price=price,
            # A proxy is the way out; this machine and private networks are reached without it.
            proxy=None if _near(base_url) else self.settings.provider_proxy,
        )

    def _build(self, **fields: Any) -> ProviderConfig:
        temperature = self._number("temperature", 0, 0, 2) if "temperature" in self.fields else None
        timeout_s = self._number("timeout_s", DEFAULT_TIMEOUT_S, 0.1, 600)
        return ProviderConfig(
            slot=self.slot, temperature=temperature, timeout_s=timeout_s, **fields
        )

    def _base_url(self, kind: str) -> str:
        text = str(self.fields.get("base_url", DEFAULT_BASE_URLS[kind])).strip().rstrip("/")
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0:
            self._fault("base_url", "must be an address such as https://api.example.org/v1")
        elif parts.username or parts.password or parts.query or parts.fragment:
            self._fault("base_url", "must not contain a user, password, query or fragment")
        return text

    def _key(self, base_url: str) -> Secret | None:
        variable, path = self.fields.get("api_key_env"), self.fields.get("api_key_file")
        if variable is not None and path is not None:
            self._fault("api_key_env", "give this or api_key_file, not both")
            return None
        if variable is None and path is None:
            if "base_url" not in self.fields:
                self._fault(
                    "api_key_env", "missing; name the environment variable that contains the key"
                )
            return None
        key = self._from_variable(str(variable)) if path is None else self._from_file(str(path))
        if key is not None and base_url.startswith("http://") and not _near(base_url):
            self._fault(
                "base_url",
                "a key is sent only over https://, except to this machine or a private network",
            )
        return key

    def _from_variable(self, variable: str) -> Secret | None:
        if not _VARIABLE.fullmatch(variable):
            self._fault("api_key_env", "must be the name of an environment variable, not a key")
            return None
        text = self.environ.get(variable, "").strip()
        if not text:
            self._fault("api_key_env", "the environment variable it names is not set")
            return None
        return self._checked("api_key_env", text)

    def _from_file(self, path: str) -> Secret | None:
        try:
            text = Path(path).expanduser().read_text(encoding="utf-8").strip()
        except (OSError, ValueError, RuntimeError):  # RuntimeError: ~ of nobody
            self._fault("api_key_file", "the file it names cannot be read")
            return None
        return self._checked("api_key_file", text)

    def _checked(self, name: str, text: str) -> Secret | None:
        if not text or not text.isascii() or not text.isprintable() or " " in text:
            self._fault(name, "the key must be printable ASCII without spaces")
            return None
        return Secret(text)

    def _price(self, model: str, base_url: str) -> Price | None:
        given = [name for name in _PRICES if name in self.fields]
        if len(given) == 1:
            missing = next(name for name in _PRICES if name not in self.fields)
            self._fault(missing, f"missing; {given[0]} is given, so give both")
            return None
        if given:
            values = [self._number(name, 0, 0, 100_000) for name in _PRICES]
            inputs, outputs = (Decimal(str(value)) for value in values)
            return Price(inputs, outputs)
        price = prices.published(model, base_url)
        if price is None:
            note = "the price of this model is not known; set both prices (0 for your own server)"
            self._fault(_PRICES[0], note)
        return price

    def _number(
        self, name: str, default: float, low: float, high: float, *, whole: bool = False
    ) -> float:
        value = self.fields.get(name, default)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and low <= value <= high and not (whole and value != int(value)):
            return float(value)
        kind = "a whole number" if whole else "a number"
        self._fault(name, f"must be {kind} from {low:g} to {high:g}")
        return float(default)

    def _fault(self, name: str, text: str) -> None:
        self.faults.append(f"providers.{self.slot}.{name}: {text}")


def _near(base_url: str) -> bool:
    """Say whether a host is this machine or a private network's, where plain HTTP is the operator's choice."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".localhost"))
