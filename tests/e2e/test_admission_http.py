"""The gate through HTTP: two servers on one ledger, a priced provider whose real calls are counted."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx2

from fairwitness import settings as settings_module
from fairwitness.ledger import Report, ledger_of
from fairwitness.providers import slots
from fairwitness.store.clock import system_clock
from perf.counting_provider import CountingProvider
from tests import warm_start
from tests.conftest import GOOD, RunningServer, serving
from tests.real_postgres import PostgresServer

PROMPT = "How do plants make food?"
CONCURRENCY, QUOTA, RUNS = 6, 5, 40
LEASE_S = 20


@dataclass
class House:
    """Servers on one ledger, and the provider they pay."""

    peer: CountingProvider
    environment: dict[str, str]
    servers: list[RunningServer]
    worst: int

    def command(self, *arguments: str) -> Any:
        """Run `fairwitness` as the operator would, and read its JSON."""
        environment = os.environ | variables(self.environment)
        told = warm_start.run([*arguments, "--json"], environment)
        assert told.returncode == 0, told.stderr
        return json.loads(told.stdout)

    def report(self, later_s: int = 0) -> Report:
        """Read the ledger, some seconds on."""
        settings = settings_module.load(variables(self.environment))

        async def read() -> Report:
            ledger = ledger_of(settings, lambda: system_clock() + later_s * 1000)
            try:
                return await ledger.report()
            finally:
                await ledger.close()

        return asyncio.run(read())


def variables(environment: dict[str, str]) -> dict[str, str]:
    return {f"FAIRWITNESS_{name}": value for name, value in environment.items()}


def configure(folder: Path, peer: CountingProvider, ledger_url: str) -> tuple[dict[str, str], int]:
    """Write the settings, with a day's budget for exactly RUNS runs; return them and a run's worst case."""
    tables = "\n".join(
        f'[providers.{slot}]\nkind = "openai"\nmodel = "priced"\nbase_url = "{peer.base_url}"\n'
        "max_output_tokens = 64\ninput_usd_per_mtok = 2.5\noutput_usd_per_mtok = 10.0\n"
        for slot in ("provider_a", "provider_d")
    )
    (folder / "config.toml").write_text(tables)
    environment = {"CONFIG": str(folder / "config.toml"), "LEDGER_URL": ledger_url}
    environment |= {"SECRET_KEY": "k" * 32, "TRUSTED_PROXIES": "127.0.0.1"}
    environment |= {"CONCURRENCY": str(CONCURRENCY), "QUOTA_PER_HOUR": str(QUOTA)}
    provider = slots.build(settings_module.load(variables(environment)))["provider_a"]
    assert provider is not None
    worst = 2 * provider.worst_case_micro_usd(PROMPT)
    budget = Decimal(worst * RUNS + worst - 1) / 1_000_000
    environment |= {"BUDGET_PER_DAY_USD": str(budget), "BUDGET_PER_HOUR_USD": str(budget)}
    return environment, worst


@contextmanager
def house(folder: Path, ledger_url: str, workers: list[int]) -> Iterator[House]:
    with ExitStack() as stack:
        peer = CountingProvider()
        stack.callback(peer.close)
        environment, worst = configure(folder, peer, ledger_url)
        running = []
        for number, count in enumerate(workers):
            own = folder / str(number)
            own.mkdir()
            running.append(stack.enter_context(serving(own, count, **environment)))
        yield House(peer, environment, running, worst)


Answers = list[httpx2.Response]


async def ask_all(house: House, callers: list[str], prompts: list[str] | None = None) -> Answers:
    """Ask for one Arena run a caller, all at once, spread over the servers."""
    prompts = prompts or [PROMPT] * len(callers)
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(timeout=60, trust_env=False, limits=limits) as client:
        return await asyncio.gather(
            *(
                ask(client, house.servers[number % len(house.servers)], caller, prompt)
                for number, (caller, prompt) in enumerate(zip(callers, prompts, strict=True))
            )
        )


async def ask(
    client: httpx2.AsyncClient, server: RunningServer, caller: str, prompt: str = PROMPT
) -> httpx2.Response:
    body = {
        "contractVersion": "1.0.0",
        "prompt": prompt,
        "providers": ["provider_a", "provider_d"],
        "privacyAcknowledged": True,
    }
    return await client.post(
        f"{server.url}/api/arena", json=body, headers={"X-Forwarded-For": caller}
    )


def codes(answers: Answers) -> Counter[str]:
    return Counter(
        "ok" if answer.status_code == 200 else answer.json()["error"]["code"] for answer in answers
    )


def callers(first: int, count: int) -> list[str]:
    return [f"10.{first}.{number // 250}.{number % 250}" for number in range(count)]


async def while_held(house: House, calls: int, asking: Any) -> Answers:
    """Hold the provider until it has `calls` calls and everyone else has their answer."""
    house.peer.hold()
    before = len(house.peer.calls)
    task = asyncio.ensure_future(asking)
    give_up = time.monotonic() + 120
    while len(house.peer.calls) < before + calls:
        assert time.monotonic() < give_up
        await asyncio.sleep(0.02)
    await asyncio.sleep(1.0)
    assert len(house.peer.calls) == before + calls
    house.peer.free()
    found: Answers = await task
    return found


async def contests(house: House) -> int:
    """Let each limit bind in turn; return how many runs were admitted."""
    same = await while_held(house, 2, ask_all(house, ["10.1.0.1"] * 40))
    assert codes(same) == {"ok": 1, "duplicate_request": 39}
    assert all("retry-after" not in answer.headers for answer in same)
    (again,) = await ask_all(house, ["10.1.0.1"])
    assert codes([again]) == {"duplicate_request": 1}
    assert 1 <= int(again.headers["retry-after"]) <= 10

    leases = await while_held(house, 2 * CONCURRENCY, ask_all(house, callers(2, 60)))
    assert codes(leases) == {"ok": CONCURRENCY, "concurrency_limit": 60 - CONCURRENCY}
    assert all("retry-after" not in answer.headers for answer in leases)

    quota: Answers = []
    for number in range(12):  # prompts of one length, so of one worst case
        quota += await ask_all(house, ["10.3.0.1"], [PROMPT[:-1] + chr(65 + number)])
    assert codes(quota) == {"ok": QUOTA, "quota_exceeded": 12 - QUOTA}
    assert 3500 < int(quota[-1].headers["retry-after"]) <= 3600
    return 1 + CONCURRENCY + QUOTA


async def exhaust(house: House) -> Answers:
    """200 callers who come again until they are served or the budget is gone."""
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(timeout=60, trust_env=False, limits=limits) as client:

        async def insist(number: int, caller: str) -> httpx2.Response:
            while True:
                answer = await ask(client, house.servers[number % len(house.servers)], caller)
                if codes([answer]) != {"concurrency_limit": 1}:
                    return answer
                await asyncio.sleep(random.uniform(0.3, 1.2))

        return await asyncio.gather(
            *(insist(number, caller) for number, caller in enumerate(callers(4, 200)))
        )


async def in_flight(house: House, runs: int, then: Callable[[], None]) -> list[Any]:
    """Bring runs to the provider's door, do something, and return what their callers got."""
    house.peer.hold()
    before = len(house.peer.calls)
    task = asyncio.gather(
        *(ask_all(house, [caller]) for caller in callers(100 + before, runs)),
        return_exceptions=True,
    )
    give_up = time.monotonic() + 120
    while len(house.peer.calls) < before + 2 * runs:
        assert time.monotonic() < give_up
        await asyncio.sleep(0.02)
    await asyncio.to_thread(then)
    house.peer.free()
    return await task


def spends_as_one(both: House, spent_runs: int) -> None:
    """Exhaust the budget and hold the ledger's account beside the provider's own."""
    last = asyncio.run(exhaust(both))
    left = RUNS - spent_runs
    assert codes(last) == {"ok": left, "budget_exhausted": 200 - left}
    to_midnight = 86_400 - int(time.time()) % 86_400
    refused = next(answer for answer in last if answer.status_code == 429)
    assert to_midnight <= int(refused.headers["retry-after"]) <= to_midnight + 60
    # The other end's own count: what was paid for is what was admitted, to the last call.
    assert len(both.peer.calls) == 2 * RUNS
    figures = both.command("ledger")["figures"]
    assert figures["spent_day"] == RUNS * both.worst <= figures["budget_per_day"]
    assert figures["reserved_day"] == 0
    told = httpx2.get(f"{both.servers[-1].url}/metrics").text
    assert f"fairwitness_ledger_spent_day_usd {RUNS * both.worst / 1_000_000:g}\n" in told


def judges(server: RunningServer) -> bool:
    """Direct evaluation needs no ledger and no provider."""
    return httpx2.post(f"{server.url}/api/evaluate-response", json=GOOD).status_code == 200


def test_four_workers_on_sqlite_spend_as_one_and_obey_the_switch(tmp_path: Path) -> None:
    with house(tmp_path, f"sqlite:///{tmp_path}/ledger.sqlite3", workers=[4]) as one:
        admitted = asyncio.run(contests(one))
        stopped = the_switch_stops_every_worker_and_what_is_in_flight(one)
        spends_as_one(one, admitted + stopped)


def the_switch_stops_every_worker_and_what_is_in_flight(one: House) -> int:
    """Switch off with runs in flight and on again; return how many runs had been admitted."""

    def off() -> None:
        told = one.command("switch", "off", "--reason", "a test", "--now")
        assert (told["serving"], told["reason"]) == (False, "a test")
        time.sleep(1.0)  # within a second, in every worker

    before = one.report().figures.spent_day
    stopped = asyncio.run(in_flight(one, 3, off))
    assert codes([answer for (answer,) in stopped]) == {"kill_switch_active": 3}
    calls = len(one.peer.calls)
    refused = asyncio.run(ask_all(one, callers(9, 20)))
    assert codes(refused) == {"kill_switch_active": 20}
    assert {answer.status_code for answer in refused} == {503}
    assert judges(one.servers[0])
    assert len(one.peer.calls) == calls
    # Three runs had reached the provider: cancelled or not, they count in full.
    assert one.report().figures.spent_day == before + 3 * one.worst
    assert one.command("switch", "on")["serving"] is True
    assert codes(asyncio.run(ask_all(one, ["10.9.9.9"]))) == {"ok": 1}
    return 3 + 1


def test_two_servers_on_postgres_spend_as_one_and_close_without_it(tmp_path: Path) -> None:
    database = PostgresServer()
    try:
        with house(tmp_path, database.url("postgres"), workers=[1, 1]) as both:
            admitted = asyncio.run(contests(both))
            calls = len(both.peer.calls)
            database.stop()
            answers = asyncio.run(ask_all(both, callers(6, 10)))
            assert codes(answers) == {"ledger_unavailable": 10}
            assert {answer.status_code for answer in answers} == {503}
            assert len(both.peer.calls) == calls
            assert all(judges(server) for server in both.servers)
            assert "fairwitness_ledger_up 0\n" in httpx2.get(f"{both.servers[0].url}/metrics").text
            database.start()
            spends_as_one(both, admitted)
    finally:
        database.close()


def processes(server: RunningServer) -> list[int]:
    """The server's own number and its workers'."""
    own = server.process.pid
    children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
    return [own, *map(int, children)]


def counted(house: House) -> int:
    """What the ledger holds against the budget."""
    found = house.report().figures
    return found.spent_day + found.reserved_day


def test_a_kill_leaves_what_providers_were_asked_for_counted(tmp_path: Path) -> None:
    with house(tmp_path, f"sqlite:///{tmp_path}/ledger.sqlite3", workers=[2]) as one:
        (server,) = one.servers

        def kill_workers() -> None:
            for number in processes(server)[1:]:
                os.kill(number, signal.SIGKILL)

        lost = asyncio.run(in_flight(one, 4, kill_workers))
        assert all(isinstance(answer, httpx2.TransportError) for answer in lost)
        assert len(one.peer.calls) == 2 * 4
        assert counted(one) == 4 * one.worst

        def kill_server() -> None:
            for number in processes(server):
                os.kill(number, signal.SIGKILL)

        # The supervisor has started others.
        lost = asyncio.run(in_flight(one, CONCURRENCY - 4, kill_server))
        assert all(isinstance(answer, httpx2.TransportError) for answer in lost)
        assert len(one.peer.calls) == 2 * CONCURRENCY
        assert counted(one) == CONCURRENCY * one.worst
        lapsed = one.report(later_s=LEASE_S + 1)
        assert (lapsed.figures.spent_day, lapsed.figures.runs_open) == (CONCURRENCY * one.worst, 0)
        assert len(lapsed.expired_runs) == CONCURRENCY
