"""One caller against everybody: another's waiting time, its refusals and paid answers, while one address does its worst.

    python -m perf.fairness [--connections 200] [--seconds 20] [--characters 8000]

A caller asks alone first, then beside so many connections of another address that send nothing but the slowest legal
text, while provider-backed runs go on. Holds where the caller's median is within twice its own alone plus the time of one
hostile text, nothing of it is refused, and every answer a provider was paid for is judged.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2

from perf import client, report, servers
from perf.counting_provider import CountingProvider
from perf.sample_texts import body

PATH = "/api/evaluate-response"
HOSTILE_ADDRESS, OTHER_ADDRESS = "127.0.0.2", "127.0.0.3"
ORDINARY = [client.post(PATH, body(2000, seed)) for seed in range(8)]


def hostile(characters: int) -> bytes:
    """Return a request with the text that was slowest: repeated Korean sentences."""
    fields = json.loads(body(10))
    sentence = "한국어 문장입니다. "
    fields["response"] = (sentence * (characters // len(sentence) + 1))[:characters]
    return client.post(PATH, json.dumps(fields).encode())


def measure(connections: int, seconds: float, characters: int) -> dict[str, Any]:
    """Attack a server of its own and return what each side saw."""
    peer = CountingProvider(usage={"prompt_tokens": 9, "completion_tokens": 20, "total_tokens": 29})
    try:
        with (
            tempfile.TemporaryDirectory(prefix="fairwitness-fair-") as folder,
            servers.ours(2, **_settings(Path(folder), peer)) as server,
        ):
            client.load(server.port, ORDINARY, connections=4, seconds=1, source=OTHER_ADDRESS)
            alone = _ask(server.port, ORDINARY, seconds / 4)
            text = [hostile(characters)]
            # Two at once: during the attack both workers are at such a text.
            one = client.load(
                server.port, text, connections=2, seconds=60, most=6, source=HOSTILE_ADDRESS
            )
            attack = _attack(server.port, connections, seconds, characters)
            paid = Paid(server.url)
            try:
                time.sleep(1.0)
                beside = _ask(server.port, ORDINARY, seconds, meanwhile=paid.go_on_for(seconds))
                load = httpx2.get(f"{server.url}/readyz", timeout=60, trust_env=False).json()
            finally:
                told = json.loads(attack.communicate(timeout=600)[0])
    finally:
        peer.close()
    return {
        "connections": connections,
        "characters": characters,
        "alone_p50_ms": alone.quantile(0.5) * 1000,
        "hostile_text_ms": one.quantile(0.5) * 1000,
        "beside_p50_ms": beside.quantile(0.5) * 1000,
        "beside_max_ms": beside.quantile(1.0) * 1000,
        "allowed_ms": (2 * alone.quantile(0.5) + one.quantile(0.5)) * 1000,
        "served": beside.statuses[200],
        "not_served": beside.answered - beside.statuses[200] + beside.lost,
        "hostile": told,
        "paid_calls": len(peer.calls),
        "paid_judged": paid.judged,
        "paid_failed": paid.failed,
        "load": load["load"],
    }


class Paid:
    """Provider-backed runs, one after another, each as another caller with a prompt of its own."""

    def __init__(self, url: str) -> None:
        """Ask this server."""
        self.url = url
        self.judged = 0
        self.failed: list[str] = []

    def go_on_for(self, seconds: float) -> Any:
        """Return what asks for that long."""

        def ask() -> None:
            until = time.monotonic() + seconds
            number = 0
            while time.monotonic() < until:
                number += 1
                self._one(number)

        return ask

    def _one(self, number: int) -> None:
        asked = {"prompt": f"Run {number}: how do plants make food?", "providerIds": ["provider_a"]}
        answer = httpx2.post(
            f"{self.url}/api/evaluate",
            json={"contractVersion": "1.0.0", "privacyAcknowledged": True, **asked},
            headers={"X-Forwarded-For": f"10.0.{number // 250}.{number % 250}"},
            timeout=120,
            trust_env=False,
        )
        if answer.status_code == 200 and answer.json()["results"][0]["status"] == "completed":
            self.judged += 1
        else:
            self.failed.append(answer.text[:200])


def _ask(port: int, requests: list[bytes], seconds: float, meanwhile: Any = None) -> client.Outcome:
    return client.load(
        port, requests, connections=1, seconds=seconds, source=OTHER_ADDRESS, meanwhile=meanwhile
    )


def _attack(port: int, connections: int, seconds: float, characters: int) -> subprocess.Popen[str]:
    """Attack from a process of its own, so that our own client is not what slows the caller down."""
    given = [str(port), str(connections), str(seconds + 2), str(characters)]
    return subprocess.Popen(
        [sys.executable, "-m", "perf.fairness", "--attack", *given],
        stdout=subprocess.PIPE,
        text=True,
        cwd=report.ROOT,
        env=servers._clean(),
    )


def attack(port: int, connections: int, seconds: float, characters: int) -> None:
    """Be the hostile caller, and print what it was answered."""
    seen = client.load(
        port,
        [hostile(characters)],
        connections=connections,
        seconds=seconds,
        source=HOSTILE_ADDRESS,
    )
    print(json.dumps({"statuses": seen.statuses, "told_when": seen.told_when, "lost": seen.lost}))


def _settings(folder: Path, peer: CountingProvider) -> dict[str, str]:
    (folder / "config.toml").write_text(
        f'[providers.provider_a]\nkind = "openai"\nmodel = "priced"\nbase_url = "{peer.base_url}"\n'
        "max_output_tokens = 64\ninput_usd_per_mtok = 2.5\noutput_usd_per_mtok = 10.0\n"
    )
    given = {"CONFIG": str(folder / "config.toml"), "TRUSTED_PROXIES": "127.0.0.1"}
    return given | {"BUDGET_PER_DAY_USD": "1000", "BUDGET_PER_HOUR_USD": "1000"}


def faults(found: dict[str, Any]) -> list[str]:
    """Return what did not hold, in words."""
    said = []
    if found["beside_p50_ms"] > found["allowed_ms"]:
        said.append("the caller's median was over twice its own alone plus one hostile text")
    if found["not_served"]:
        said.append(f"{found['not_served']} of the caller's requests were not served")
    if found["paid_failed"] or found["paid_judged"] != found["paid_calls"]:
        said.append(f"{found['paid_calls']} answers were paid for, {found['paid_judged']} judged")
    if found["hostile"]["lost"]:
        said.append("hostile connections were dropped without an answer")
    return said


def main() -> int:
    """Measure and say whether it held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--characters", type=int, default=8000)
    parser.add_argument("--attack", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.attack:
        port, connections, seconds, characters = given.attack
        attack(int(port), int(connections), float(seconds), int(characters))
        return 0
    found = measure(given.connections, given.seconds, given.characters)
    wrong = faults(found)
    print(json.dumps(found, indent=2))
    print("; ".join(wrong) or "It held.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
