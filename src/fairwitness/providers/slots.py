"""The seven slots as this service has them configured, built from settings and prepared before the first request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fairwitness.providers import config as configs
from fairwitness.providers import weights
from fairwitness.providers.config import ProviderConfig
from fairwitness.providers.provider import Provider
from fairwitness.settings import SLOTS, Settings

if TYPE_CHECKING:
    from fairwitness.providers.embedded import Model

Slots = Mapping[str, Provider | None]


def build(settings: Settings, environ: Mapping[str, str] | None = None) -> Slots:
    """Return every slot's provider, None where it is not configured.

    Raises SettingsError on a fault, and MissingExtra where a provider's packages are not installed.
    """
    found = configs.read(settings, environ)

    @cache
    def model() -> Model:
        from fairwitness.providers.embedded import Model
        from fairwitness.providers.embedded_server import EmbeddedServer

        return Model(EmbeddedServer(settings.data_dir))

    return {slot: _build(found[slot], model) if slot in found else None for slot in SLOTS}


def _build(config: ProviderConfig, model: Callable[[], Model]) -> Provider | None:
    if config.kind == "embedded":
        if weights.locate() is None or not weights.runtime_installed():
            return None
        arguments: tuple[Any, ...] = (config, model())
    else:
        arguments = (config,)
    provider: Provider = import_module(f"fairwitness.providers.{config.kind}").build(*arguments)
    return provider


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
