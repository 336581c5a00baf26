"""`fairwitness doctor --providers`: each slot asked once, through admission, and told plainly."""

from __future__ import annotations

import asyncio
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from fairwitness.bootstrap import Parts
from fairwitness.cli import provider_check
from fairwitness.cli.provider_check import Probe, probes
from fairwitness.ledger import ledger_of
from fairwitness.settings import Settings
from tests.providers.peers import HostileServer, answer

ANSWER = (
    b'{"choices": [{"message": {"content": "ready"}, "finish_reason": "stop"}],'
    b' "usage": {"prompt_tokens": 10, "completion_tokens": 2}}'
)


def slot(origin: str, **fields: Any) -> dict[str, Any]:
    return {
        "kind": "openai",
        "model": "m-1",
        "base_url": f"{origin}/v1",
        "input_usd_per_mtok": 3,
        "output_usd_per_mtok": 5,
        **fields,
    }


@pytest.fixture
def settings(tmp_path: Path) -> Any:
    well, broken = HostileServer(answer(ANSWER)), HostileServer(answer(b"", status="401 No"))
    tables = {"provider_a": slot(well.origin), "provider_c": slot(broken.origin)}
    yield Settings(data_dir=tmp_path, providers=tables)
    well.close()
    broken.close()


def test_each_slot_is_asked_and_settled(settings: Settings) -> None:
    async def go() -> tuple[list[Probe], int]:
        parts = Parts(settings)
        found = [probe async for probe in probes(parts)]
        ledger = ledger_of(settings)
        spent = (await ledger.figures()).spent_day
        await ledger.close()
        return found, spent

    found, spent = asyncio.run(go())
    states = {probe.slot: (probe.outcome.partition(":")[0], probe.well) for probe in found}
    assert states["provider_a"] == ("ok", True)
    assert states["provider_b"] == ("not_configured", True)
    assert states["provider_c"] == ("unauthorised", False)
    assert found[0].cost_micro_usd == 40
    assert spent == 40


def test_what_is_printed_and_counted(settings: Settings) -> None:
    out = StringIO()
    found = provider_check.check(settings)
    assert [probe.well for probe in found].count(False) == 1
    Console(file=out, width=200).print(provider_check.table(found))
    lines = out.getvalue().splitlines()
    assert "ok" in lines[1]
    assert "0.000040" in lines[1]
    assert "m-1" in lines[1]


def test_where_spending_is_off_nothing_is_sent(tmp_path: Path) -> None:
    server = HostileServer(answer(ANSWER))
    settings = Settings(
        data_dir=tmp_path, spend_enabled=False, providers={"provider_a": slot(server.origin)}
    )

    async def go() -> list[Probe]:
        return [probe async for probe in probes(Parts(settings))]

    found = asyncio.run(go())
    server.close()
    assert found[0].outcome.startswith("spend_disabled")
    assert not server.requests
