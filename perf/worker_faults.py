"""Workers killed and replaced under load: no money lost sight of, no confirmed row lost, no request lost to a restart.

    python -m perf.worker_faults [--seconds 15]

Killed: Arena runs through a priced provider that counts its calls, feedback and direct evaluations, all at once, while
one worker after another gets SIGKILL. Then the ledger is held beside the provider's own count, with leases run out.
Replaced: direct evaluations while SIGHUP makes the supervisor replace every worker.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from fairwitness import settings as settings_module
from fairwitness.ledger import Report, ledger_of
from fairwitness.providers import slots
from fairwitness.store.clock import system_clock
from perf import client, report, servers
from perf.counting_provider import CountingProvider
from perf.sample_texts import body

PROVIDERS = ["provider_a", "provider_d"]
PROMPT = "Run {:08d}: how do plants make food?"
LEASE_S = 20
DIRECT = json.loads(body(300))


@dataclass
class Clients:
    """Threads that ask without pause and write down what they got."""

    url: str
    stop: threading.Event = field(default_factory=threading.Event)
    statuses: Counter[str] = field(default_factory=Counter)
    resets: int = 0
    confirmed: list[str] = field(default_factory=list)
    runs: itertools.count[int] = field(default_factory=itertools.count)

    def arena(self) -> None:
        """Ask for Arena runs, each as another caller with a prompt of its own."""
        number = next(self.runs)
        asked = {"prompt": PROMPT.format(number), "providers": PROVIDERS}
        caller = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self._post("arena", asked, {"X-Forwarded-For": caller})

    def feedback(self) -> None:
        """Send feedback and keep the ids of what was confirmed."""
        answer = self._post("feedback", {"category": "bug", "message": "a row"})
        if answer is not None and answer.status_code == 201:
            self.confirmed.append(answer.json()["feedbackId"])

    def direct(self) -> None:
        """Ask for a direct evaluation."""
        self._post("evaluate-response", DIRECT)

    def _post(
        self, name: str, fields: dict[str, Any], headers: dict[str, str] | None = None
    ) -> httpx2.Response | None:
        whole = {"contractVersion": "1.0.0", "privacyAcknowledged": True, **fields}
        try:
            answer = httpx2.post(
                f"{self.url}/api/{name}", json=whole, headers=headers, timeout=60, trust_env=False
            )
        except httpx2.TransportError:
            self.resets += 1
            return None
        self.statuses[f"{name} {answer.status_code}"] += 1
        return answer

    def go_on(self, ask: Callable[[], None]) -> None:
        """Ask until told to stop."""
        while not self.stop.is_set():
            ask()

    def run(self, threads: dict[Callable[[], None], int], meanwhile: Callable[[], None]) -> None:
        """Keep that many threads at each kind of request while `meanwhile` runs."""
        going = [
            threading.Thread(target=self.go_on, args=(ask,))
            for ask, count in threads.items()
            for _ in range(count)
        ]
        for thread in going:
            thread.start()
        try:
            meanwhile()
        finally:
            self.stop.set()
        for thread in going:
            thread.join()


def killed(seconds: float, every: float = 3.0) -> dict[str, Any]:
    """Kill a worker every few seconds under load; return what clients, provider, ledger and store say."""
    peer = CountingProvider()
    kills = 0
    with tempfile.TemporaryDirectory(prefix="fairwitness-killed-") as folder:
        given = _settings(Path(folder), peer)
        try:
            with servers.ours(2, **given) as server:
                everyone = Clients(server.url)

                def kill() -> None:
                    nonlocal kills
                    until = time.monotonic() + seconds
                    while time.monotonic() < until:
                        time.sleep(every)
                        victims = server.workers()
                        if len(victims) == 2:
                            random.choice(victims).send_signal(signal.SIGKILL)
                            kills += 1

                load: dict[Callable[[], None], int] = {everyone.arena: 6}
                load |= {everyone.feedback: 2, everyone.direct: 2}
                everyone.run(load, kill)
                calls = len(peer.calls)
                worst = _worst(given)
                now, later = _ledger(given), _ledger(given, LEASE_S + 1)
                kept = _kept(server.folder)
        finally:
            peer.close()
    return {
        "kills": kills,
        "statuses": dict(sorted(everyone.statuses.items())),
        "resets": everyone.resets,
        "provider_calls": calls,
        "called_micro_usd": calls * worst,
        "counted_micro_usd": now.figures.spent_day + now.figures.reserved_day,
        "spent_after_leases_micro_usd": later.figures.spent_day,
        "runs_of_the_dead": len(later.expired_runs),
        "open_after_leases": later.figures.runs_open,
        "feedback_confirmed": len(everyone.confirmed),
        "feedback_missing": len(set(everyone.confirmed) - kept),
    }


def replaced(seconds: float = 120.0, connections: int = 6) -> dict[str, Any]:
    """Replace both workers under load; return what was answered and lost until the old ones were gone."""
    requests = [client.post("/api/evaluate-response", body(300, seed)) for seed in range(4)]
    total = client.Outcome()
    with servers.ours(2) as server:
        before = {one.pid for one in server.workers()}
        client.load(server.port, requests, connections=connections, seconds=1)
        began = time.monotonic()
        server.process.send_signal(signal.SIGHUP)
        gone = False
        while not gone and time.monotonic() - began < seconds:
            one = client.load(server.port, requests, connections=connections, seconds=1)
            total.statuses += one.statuses
            total.lost += one.lost
            gone = not before & {worker.pid for worker in server.workers()}
        taken = time.monotonic() - began
    return {
        "statuses": dict(total.statuses),
        "lost": total.lost,
        "replaced": gone,
        "seconds": taken,
    }


def _settings(folder: Path, peer: CountingProvider) -> dict[str, str]:
    (folder / "config.toml").write_text(
        "\n".join(
            f'[providers.{slot}]\nkind = "openai"\nmodel = "priced"\nbase_url = "{peer.base_url}"\n'
            "max_output_tokens = 64\ninput_usd_per_mtok = 2.5\noutput_usd_per_mtok = 10.0\n"
            for slot in PROVIDERS
        )
    )
    given = {"CONFIG": str(folder / "config.toml"), "LEDGER_URL": f"sqlite:///{folder}/l.sqlite3"}
    given |= {"TRUSTED_PROXIES": "127.0.0.1", "CONCURRENCY": "64", "FEEDBACK_PER_DAY": "100000"}
    return given | {"BUDGET_PER_DAY_USD": "1000", "BUDGET_PER_HOUR_USD": "1000"}


def _loaded(given: dict[str, str]) -> settings_module.Settings:
    return settings_module.load({f"FAIRWITNESS_{name}": value for name, value in given.items()})


def _worst(given: dict[str, str]) -> int:
    provider = slots.build(_loaded(given))[PROVIDERS[0]]
    assert provider is not None
    return provider.worst_case_micro_usd(PROMPT.format(0))


def _ledger(given: dict[str, str], later_s: int = 0) -> Report:
    async def read() -> Report:
        ledger = ledger_of(_loaded(given), lambda: system_clock() + later_s * 1000)
        try:
            return await ledger.report()
        finally:
            await ledger.close()

    return asyncio.run(read())


def _kept(folder: Path) -> set[str]:
    told = subprocess.run(
        [sys.executable, "-m", "fairwitness", "feedback", "export", "--format", "jsonl"],
        env=os.environ | {"FAIRWITNESS_DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return {json.loads(line)["feedbackId"] for line in told.stdout.splitlines()}


def faults_of_kills(dead: dict[str, Any]) -> list[str]:
    """Return what did not hold while workers were killed, in words."""
    said = []
    allowed = {"200", "201", "503"}
    odd = {name: n for name, n in dead["statuses"].items() if name.split()[1] not in allowed}
    if odd:
        said.append(f"killed: answers {odd}")
    for name in ("counted_micro_usd", "spent_after_leases_micro_usd"):
        if dead[name] < dead["called_micro_usd"]:
            said.append(f"killed: money lost sight of ({name})")
    if dead["open_after_leases"]:
        said.append("killed: a dead holder's lease never ran out")
    if dead["feedback_missing"]:
        said.append(f"killed: {dead['feedback_missing']} confirmed rows are gone")
    if not (dead["kills"] and dead["provider_calls"] and dead["feedback_confirmed"]):
        said.append("killed: there was nothing to lose")
    return said


def faults_of_restart(new: dict[str, Any]) -> list[str]:
    """Return what did not hold while workers were replaced, in words."""
    held = set(new["statuses"]) == {200} and not new["lost"] and new["replaced"]
    return [] if held else [f"replaced: {new}"]


def main() -> int:
    """Measure, keep, and say whether it held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15)
    dead, new = killed(parser.parse_args().seconds), replaced()
    wrong = faults_of_kills(dead) + faults_of_restart(new)
    answers = ", ".join(f"{name}: {count}" for name, count in dead["statuses"].items())
    dollars = {name: value / 1e6 for name, value in dead.items() if name.endswith("micro_usd")}
    rows = [
        ["workers killed under load", dead["kills"]],
        ["responses during that time", answers],
        ["requests that got a connection reset", dead["resets"]],
        ["calls the provider counted", dead["provider_calls"]],
        ["their price at most, by the provider's count", f"${dollars['called_micro_usd']:.4f}"],
        ["counted by the ledger at once", f"${dollars['counted_micro_usd']:.4f}"],
        [
            "spent, by the ledger, once leases ran out",
            f"${dollars['spent_after_leases_micro_usd']:.4f}",
        ],
        ["runs whose worker was killed, counted in full", dead["runs_of_the_dead"]],
        [
            "feedback confirmed, and of it missing",
            f"{dead['feedback_confirmed']}, {dead['feedback_missing']}",
        ],
        ["rolling restart of two workers under load", f"{new['seconds']:.0f} s"],
        ["answered and lost during the restart", f"{sum(new['statuses'].values())}, {new['lost']}"],
    ]
    shown = f"{'; '.join(wrong) or 'No confirmed feedback and no spend was lost'}.\n\n"
    shown += report.table(["What", "Measured"], rows)
    report.keep("worker_faults", shown, {"killed": dead, "replaced": new, "faults": wrong})
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
