"""What `fairwitness doctor --providers` does: one tiny request to each slot, through the same admission."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from time import perf_counter

from rich.table import Table

from fairwitness.bootstrap import Parts
from fairwitness.contract.errors import ServiceError
from fairwitness.providers import slots as provider_slots
from fairwitness.providers.provider import Completion, Provider, ProviderFailure
from fairwitness.service.caller import caller_hash
from fairwitness.service.run import SpendAsk
from fairwitness.settings import Settings

PROMPT = "Reply with the single word: ready."


@dataclass(frozen=True, slots=True)
class Probe:
    """One slot and what came of asking it."""

    slot: str
    model: str
    outcome: str
    well: bool
    latency_ms: int | None = None
    cost_micro_usd: int | None = None


def check(settings: Settings) -> list[Probe]:
    """Ask every slot and return what came of it."""

    async def every() -> list[Probe]:
        return [probe async for probe in probes(Parts(settings))]

    return asyncio.run(every())


def table(found: list[Probe]) -> Table:
    """Return what came of asking, for people."""
    shown = Table("slot", "state", "latency", "cost (USD)", "model", box=None, pad_edge=False)
    for probe in found:
        latency = "" if probe.latency_ms is None else f"{probe.latency_ms} ms"
        shown.add_row(probe.slot, probe.outcome, latency, _dollars(probe), probe.model)
    return shown


async def probes(parts: Parts) -> AsyncIterator[Probe]:
    """Ask each slot in turn; every request is admitted, reserved and settled as a caller's is."""
    await parts.admission.start()
    try:
        for slot, provider in parts.slots.items():
            if provider is None:
                yield Probe(slot, "", "not_configured", True)
            else:
                yield await _probe(parts, slot, provider)
    finally:
        await provider_slots.close(parts.slots)
        await parts.admission.close()


async def _probe(parts: Parts, slot: str, provider: Provider) -> Probe:
    started = perf_counter()
    try:
        found = await _ask(parts, slot, provider)
    except ProviderFailure as failure:
        latency = round((perf_counter() - started) * 1000)
        outcome = f"{failure.code}: {failure.message}"
        return Probe(slot, provider.model, outcome, False, latency, failure.cost_micro_usd)
    except ServiceError as error:
        outcome = f"{error.code.value}: {error.message}"
        return Probe(slot, provider.model, outcome, False)
    latency = round((perf_counter() - started) * 1000)
    return Probe(slot, found.model, "ok", True, latency, found.cost_micro_usd)


async def _ask(parts: Parts, slot: str, provider: Provider) -> Completion:
    deadline = asyncio.get_running_loop().time() + parts.settings.provider_deadline_s
    async with parts.admission.run(
        endpoint="doctor",
        caller=caller_hash(parts.secret, "doctor"),
        body_key=os.urandom(16),  # asking again at once is the point, not a duplicate
        asks=[SpendAsk(slot, provider.worst_case_micro_usd(PROMPT))],
    ) as run:
        try:
            found = await provider.complete(PROMPT, deadline, before_send=lambda: run.sent(slot))
        except ProviderFailure as failure:
            run.settle(slot, failure.cost_micro_usd)
            raise
        run.settle(slot, found.cost_micro_usd)
        return found


def _dollars(probe: Probe) -> str:
    if probe.latency_ms is None:
        return ""
    cost = probe.cost_micro_usd
    return "unknown" if cost is None else f"{cost / 1_000_000:.6f}"
