"""The seven slots as this service has them configured, built from settings and prepared before the first request."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from fairwitness.providers import config as configs
from fairwitness.providers import weights
from fairwitness.providers.config import ProviderConfig
from fairwitness.providers.embedded import Model
from fairwitness.providers.embedded_server import EmbeddedServer
from fairwitness.providers.provider import Provider
from fairwitness.settings import SLOTS, Settings

Slots = Mapping[str, Provider | None]


def build(settings: Settings, environ: Mapping[str, str] | None = None) -> Slots:
    """Return every slot's provider, None where it is not configured; raise SettingsError on a fault."""
    found = configs.read(settings, environ)
    model = Model(EmbeddedServer(settings.data_dir))
    return {slot: _build(found[slot], model) if slot in found else None for slot in SLOTS}


def _build(config: ProviderConfig, model: Model) -> Provider | None:
    module = import_module(f"fairwitness.providers.{config.kind}")
    if config.kind != "embedded":
        provider: Provider = module.build(config)
        return provider
    if weights.locate() is None or not weights.runtime_installed():
        return None
    embedded: Provider = module.build(config, model)
    return embedded


async def prepare(slots: Slots) -> None:
    """Load what the slots' first requests would otherwise wait for."""
    for provider in slots.values():
        if provider is not None:
            await provider.prepare()


async def close(slots: Slots) -> None:
    """Let go of every provider's connections and processes."""
    for provider in slots.values():
        if provider is not None:
            await provider.aclose()


def published(slots: Slots) -> dict[str, Any]:
    """Return the content of /docs/providers.json: what each slot is, and no secret or address."""
    return {
        "providers": [
            {"id": slot, "configured": False}
            if provider is None
            else {
                "id": slot,
                "configured": True,
                "kind": provider.kind,
                "model": provider.model,
                "sampling": provider.sampling,
            }
            for slot, provider in slots.items()
        ]
    }
