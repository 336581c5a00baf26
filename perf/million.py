"""A million mixed and fuzzed requests to real servers, half on SQLite and half on PostgreSQL.

    python -m perf.million [--requests 1000000] [--seed 1] [--engine sqlite|postgres] [--only N] [--minutes M]
        [--side-by-side] [--workers 2] [--connections 32] [--clients 1]

Fails where a request is answered with a status or a body it must not get, where one is lost, where confirmed feedback
is not in the store, where the ledger, the answers and the provider disagree, where signed evidence does not verify,
where a criterion raises, where a server logs an error, or where a worker grows, dies or keeps files open. A fault names
its request: `--only N` with the same seed sends it again, alone. PostgreSQL is started here, or named by
FAIRWITNESS_TEST_POSTGRES_URL. Workers, connections and client processes are counted for each engine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from fairwitness import settings as settings_module
from fairwitness.evaluator import Evaluator
from fairwitness.evidence.keys import parse_public_keys
from fairwitness.evidence.verify import verify
from fairwitness.ledger import Report, ledger_of
from perf import million_report, servers
from perf.counting_provider import CountingProvider
from perf.million_client import Lane, Lost, Tally
from perf.million_load import Plan, send_all
from perf.million_log import logged_errors
from perf.million_requests import PROVIDERS, trial
from tests import real_postgres

ENGINES = ("sqlite", "postgres")
SAMPLES = 200
_USAGE = {"prompt_tokens": 9, "completion_tokens": 20, "total_tokens": 29}


@dataclass
class House:
    """A server under load, its settings, the provider it pays, and what was seen of its workers."""

    server: servers.Server
    given: dict[str, str]
    peer: CountingProvider
    key: bytes
    samples: list[dict[str, Any]] = field(default_factory=list)

    def command(self, *arguments: str) -> str:
        """Run `fairwitness` as the operator would."""
        return _command(self.given, *arguments)

    def turn(self, to: str) -> None:
        """Turn the operator's switch."""
        self.command("switch", to, *(("--reason", "a trial") if to == "off" else ()))

    def sample(self, sent: int, began: float) -> None:
        """Note the memory and open files of every worker."""
        seen = {}
        for worker in self.server.workers():
            seen[str(worker.pid)] = [worker.memory_info().rss / 1e6, worker.num_fds()]
        self.samples.append({"sent": sent, "seconds": time.monotonic() - began, "workers": seen})


@contextmanager
def house(engine: str, workers: int = 2) -> Iterator[House]:
    """Start a provider, a database and a server."""
    with ExitStack() as stack:
        folder = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="fairwitness-million-"))
        )
        peer = CountingProvider(usage=_USAGE)
        stack.callback(peer.close)
        given = _settings(folder, peer)
        if engine == "postgres":
            url = stack.enter_context(_postgres())
            given |= {"LEDGER_URL": url, "FEEDBACK_URL": url}
        issued = _command(given, "api-keys", "issue", "small", "--quota-per-hour", "3", "--json")
        server = stack.enter_context(servers.ours(workers, **given))
        yield House(server, given, peer, json.loads(issued)["key"].encode())


@contextmanager
def _postgres() -> Iterator[str]:
    given = os.environ.get(real_postgres.VARIABLE)
    server = None if given else real_postgres.PostgresServer(durable=True)
    try:
        with real_postgres.fresh_database(given or server.url("postgres")) as url:  # type: ignore[union-attr]
            yield url
    finally:
        if server is not None:
            server.close()


def _settings(folder: Path, peer: CountingProvider) -> dict[str, str]:
    slots = (
        f'[providers.{slot}]\nkind = "openai"\nmodel = "priced"\nbase_url = "{peer.base_url}"\n'
        "max_output_tokens = 64\ninput_usd_per_mtok = 2.5\noutput_usd_per_mtok = 10.0\n"
        for slot in PROVIDERS
    )
    (folder / "config.toml").write_text("\n".join(slots))
    given = {"CONFIG": str(folder / "config.toml"), "DATA_DIR": str(folder / "data")}
    given |= {"API_KEYS": str(folder / "keys.json"), "TRUSTED_PROXIES": "127.0.0.1"}
    given |= {"SECRET_KEY": "k" * 32, "FEEDBACK_CONTACT_KEY": "c" * 43 + "="}
    given |= {"DUPLICATE_WINDOW_S": "86400"}
    # Room for what the mix asks for: what is refused is what the mix means to be refused.
    given |= {"CONCURRENCY": "64", "CONCURRENCY_PER_CALLER": "64", "FEEDBACK_PER_DAY": "1000000"}
    given |= dict.fromkeys(("QUOTA_PER_HOUR", "QUOTA_PER_DAY", "UNITS_PER_DAY"), "1000000")
    return given | {"BUDGET_PER_DAY_USD": "100000", "BUDGET_PER_HOUR_USD": "100000"}


def _variables(given: dict[str, str]) -> dict[str, str]:
    return {f"FAIRWITNESS_{name}": value for name, value in given.items()}


def _command(given: dict[str, str], *arguments: str) -> str:
    told = subprocess.run(
        [sys.executable, "-m", "fairwitness", *arguments],
        env=servers._clean() | _variables(given),
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout


def _load(home: House, numbers: range, plan: Plan, label: str) -> tuple[Tally, float]:
    """Send the requests; return what they met with, and the seconds it took."""
    began, every = time.monotonic(), max(1, len(numbers) // SAMPLES)
    progress = million_report.Progress(label, len(numbers))

    def look(sent: int) -> None:
        if not home.samples or sent - home.samples[-1]["sent"] >= every:
            home.sample(sent, began)
            progress.tell(sent, home.samples[-1])

    tally, seconds = send_all(home.server.port, home.key, numbers, plan, home.turn, look)
    return tally, seconds


def measure(engine: str, numbers: range, plan: Plan, same: dict[str, bytes]) -> dict[str, Any]:
    """Send requests to a server on one engine, then hold clients, provider, ledger and store beside each other.

    `same` maps a text to the digest of its evaluation, on whichever engine.
    """
    with house(engine, plan.workers) as home:
        tally, seconds = _load(home, numbers, plan, engine)
        tally.compare(tally.same, same)
        sent = sum(tally.sent.values())
        report = _settled(home)
        home.sample(sent, time.monotonic() - seconds)
        kept = {
            json.loads(line)["feedbackId"]
            for line in home.command("feedback", "export", "--format", "jsonl").splitlines()
        }
        errors = logged_errors(home.server.folder / "server.log")
        return {
            "engine": engine,
            "requests": sent,
            "planned": len(numbers),
            "seconds": seconds,
            "by_kind": {kind: dict(sorted(n.items())) for kind, n in sorted(tally.by_kind.items())},
            "sent_by_kind": dict(tally.sent),
            "fault_count": tally.fault_count,
            "faults": [
                f"request {number}, {what}" if number >= 0 else what
                for number, what in tally.faults
            ],
            "lost": tally.lost,
            "evaluations_repeated": tally.repeated,
            "evaluation_p50_ms": statistics.median(tally.evaluation_s) * 1000,
            "evaluation_p99_ms": statistics.quantiles(tally.evaluation_s, n=100)[-1] * 1000,
            "feedback_confirmed": len(tally.feedback),
            "feedback_missing": len(tally.feedback - kept),
            "feedback_kept": len(kept),
            "provider_calls": len(home.peer.calls),
            "paid_items": tally.paid_items,
            "answers_micro_usd": tally.paid_micro_usd,
            "ledger_micro_usd": sum(caller.cost_day for caller in report.callers),
            "ledger_open": report.figures.runs_open,
            "evidence": _verified(home, tally.documents),
            "criterion_failures": _metric(home, "fairwitness_criterion_failures_total"),
            # The request for the metrics is one of those in flight.
            "in_flight": _metric(home, "fairwitness_requests_in_flight") - 1,
            "logged_errors": len(errors),
            "logged_error_lines": errors[: million_report.KEPT_LINES],
            "samples": home.samples,
            "versions": million_report.versions(home.server.url),
        }


def _settled(home: House) -> Report:
    """Return the ledger's report once nothing is open any more, or after half a minute."""
    settings = settings_module.load(_variables(home.given))

    async def read() -> Report:
        ledger = ledger_of(settings)
        try:
            for _ in range(60):
                report = await ledger.report()
                if not report.figures.runs_open:
                    break
                await asyncio.sleep(0.5)
            return report
        finally:
            await ledger.close()

    return asyncio.run(read())


def _metric(home: House, name: str) -> float:
    told = httpx2.get(f"{home.server.url}/metrics", timeout=60, trust_env=False).text
    values = [line.rpartition(" ")[2] for line in told.splitlines() if line.startswith(name)]
    return sum(map(float, values))


def _verified(home: House, documents: list[bytes]) -> dict[str, int]:
    """Verify the signed answers that were kept, each as it is and with one character changed."""
    told = httpx2.get(f"{home.server.url}/docs/keys.json", timeout=60, trust_env=False).content
    keys, evaluator = parse_public_keys(told), Evaluator.shipped()
    good = sum(verify(one, keys, evaluator).good for one in documents)
    changed = (one.replace(b"plants", b"plance", 1) for one in documents)
    found = sum(not verify(one, keys, evaluator).good for one in changed)
    return {"kept": len(documents), "verified": good, "changes_found": found}


def repeat(seed: int, number: int) -> int:
    """Send one request alone to a server of its own and show what it got."""
    one = trial(seed, number)
    print(f"{one.kind}: allowed {sorted(one.allowed)[:9]}, {one.then.value}")
    for piece in one.pieces:
        print(repr(piece))
    with house("sqlite") as home:
        try:
            answers = asyncio.run(Lane(home.server.port, home.key).send(one))
        except Lost as lost:
            print(lost)
            return 1
    for answer in answers:
        print(answer.status, answer.body[:2000])
    return 0


def main() -> int:
    """Send them all, keep the figures, and say whether it held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=ENGINES, help="only this one, with all the requests")
    parser.add_argument("--only", type=int, metavar="N", help="send request N alone")
    parser.add_argument("--side-by-side", action="store_true", help="both engines at once")
    parser.add_argument("--workers", type=int, default=2, help="of each server")
    parser.add_argument("--connections", type=int, default=32, help="to each server")
    parser.add_argument("--clients", type=int, default=1, help="processes that send to each server")
    parser.add_argument("--minutes", type=float, help="stop each engine's load after this time")
    given = parser.parse_args()
    if given.only is not None:
        return repeat(given.seed, given.only)
    plan = Plan(
        given.seed,
        given.workers,
        given.connections,
        given.clients,
        given.minutes,
        given.side_by_side,
    )
    engines = [given.engine] if given.engine else list(ENGINES)
    part = given.requests // len(engines)
    same: dict[str, bytes] = {}

    def measured(at: int) -> dict[str, Any]:
        return measure(engines[at], range(at * part, (at + 1) * part), plan, same)

    # Threads are enough: servers and clients are processes of their own, and these wait for them.
    with ThreadPoolExecutor(len(engines) if plan.side_by_side else 1) as pool:
        found = list(pool.map(measured, range(len(engines))))
    return million_report.keep(found, plan)


if __name__ == "__main__":
    sys.exit(main())
