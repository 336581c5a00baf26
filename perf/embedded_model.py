"""Measures the embedded model through the real server: Arena with five slots, and direct evaluation meanwhile.

    python -m perf.embedded_model [--runs 3] [--prompt-chars 200]

Prints seconds and the model's processor seconds for Arena (cold, then warm), the latency of direct
evaluation alone and while Arenas run, and how soon generation stops after a caller leaves. Bounded in
count and time; it speaks to the server it starts on loopback alone.
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
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

ARENA = ["provider_a", "provider_d", "provider_g", "provider_e", "provider_f"]
SUBJECTS = "sea rain bread maps owls trains stars rivers clocks bees".split()
DIRECT = {
    "contractVersion": "1.0.0",
    "prompt": "How do plants make food?",
    "response": "Plants make sugar from water and carbon dioxide, using the energy of light. " * 5,
    "privacyAcknowledged": True,
}


def prompt(number: int, chars: int) -> str:
    """Return a prompt of its own for each run: a repeat would be refused as a duplicate."""
    text = f"Run {number}. Explain what you know about {SUBJECTS[number % len(SUBJECTS)]}, step by step. "
    return (text * (chars // len(text) + 1))[:chars]


@contextmanager
def server() -> Iterator[tuple[str, Path]]:
    """Start the service on a port of its own, with a data folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "FAIRWITNESS_DATA_DIR": folder, "FAIRWITNESS_LOG_LEVEL": "error"}
        port = "18473"
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "from fairwitness.cli import main; main()",
                "serve",
                "--port",
                port,
            ],
            env=environ,
            stdout=subprocess.DEVNULL,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            _until_ready(url)
            yield url, Path(folder)
        finally:
            process.terminate()
            process.wait(60)


def _until_ready(url: str) -> None:
    for _ in range(300):
        try:
            if httpx2.get(f"{url}/readyz", trust_env=False).status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.2)
    raise SystemExit("the server did not become ready")


def processor_s(folder: Path) -> float:
    """Return the processor time the model's process has taken: it does not depend on other load."""
    try:
        pid = json.loads((folder / "embedded.json").read_bytes())["pid"]
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError, KeyError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def arena(
    client: httpx2.AsyncClient, folder: Path, number: int, chars: int
) -> dict[str, Any]:
    """Run one Arena and return its time, the model's processor time, and tokens."""
    body = {
        "contractVersion": "1.0.0",
        "prompt": prompt(number, chars),
        "providers": ARENA,
        "privacyAcknowledged": True,
    }
    started, worked = time.perf_counter(), processor_s(folder)
    response = await client.post("/api/arena", json=body)
    seconds, worked = time.perf_counter() - started, processor_s(folder) - worked
    response.raise_for_status()
    results = response.json()["results"]
    done = [one for one in results if one["status"] == "completed"]
    return {
        "seconds": round(seconds, 2),
        "processor_s": round(worked, 2),
        "completed": len(done),
        "read": sum(one["usage"]["inputTokens"] for one in done),
        "written": sum(one["usage"]["outputTokens"] for one in done),
    }


async def direct(client: httpx2.AsyncClient, stop: asyncio.Event, most: int) -> list[float]:
    """Evaluate directly, one after another, until told to stop."""
    taken: list[float] = []
    while not stop.is_set() and len(taken) < most:
        started = time.perf_counter()
        (await client.post("/api/evaluate-response", json=DIRECT)).raise_for_status()
        taken.append((time.perf_counter() - started) * 1000)
        await asyncio.sleep(0.02)
    return taken


async def stopping(client: httpx2.AsyncClient, folder: Path, number: int) -> dict[str, int]:
    """Leave in the middle of an Arena; return how long, and how much, the model's process works on.

    By turns while it writes, and while it reads a long prompt. On a machine with other work to do
    the time is mostly that work's: the processor time is the model's own.
    """
    body = {
        "contractVersion": "1.0.0",
        "prompt": prompt(number, 2000 if number % 2 else 60),
        "providers": ARENA,
        "privacyAcknowledged": True,
    }
    task = asyncio.create_task(client.post("/api/arena", json=body))
    before = processor_s(folder)
    while processor_s(folder) < before + 0.5:  # noqa: ASYNC110 - another process works
        await asyncio.sleep(0.02)
    task.cancel()
    left = worked_until = time.perf_counter()
    worked = last = processor_s(folder)
    await asyncio.gather(task, return_exceptions=True)
    while time.perf_counter() - worked_until < 0.5:
        await asyncio.sleep(0.005)
        if (now := processor_s(folder)) > last:
            last, worked_until = now, time.perf_counter()
    return {
        "ms": round((worked_until - left) * 1000),
        "processor_ms": round((last - worked) * 1000),
    }


def spread(taken: list[float]) -> dict[str, float]:
    """Return count, median and 95th percentile in milliseconds."""
    cuts = statistics.quantiles(taken, n=20)
    return {"count": len(taken), "p50_ms": round(cuts[9], 1), "p95_ms": round(cuts[18], 1)}


async def measure(url: str, folder: Path, runs: int, chars: int) -> dict[str, Any]:
    """Measure everything once."""
    async with httpx2.AsyncClient(base_url=url, timeout=120, trust_env=False) as client:
        alone = await direct(client, asyncio.Event(), 100)
        cold = await arena(client, folder, 0, chars)
        warm = [await arena(client, folder, number, chars) for number in range(1, runs + 1)]
        stop = asyncio.Event()
        beside = asyncio.create_task(direct(client, stop, 100_000))
        loaded = [
            await arena(client, folder, number, chars) for number in range(runs + 1, 2 * runs + 1)
        ]
        stop.set()
        stopped = [
            await stopping(client, folder, number) for number in range(2 * runs + 1, 4 * runs + 1)
        ]
        return {
            "cores": len(os.sched_getaffinity(0)),
            "prompt_chars": chars,
            "arena_cold": cold,
            "arena_warm": warm,
            "arena_while_evaluating": loaded,
            "stopped": stopped,
            "direct_alone": spread(alone),
            "direct_while_generating": spread(await beside),
        }


def main() -> None:
    """Measure and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--prompt-chars", type=int, default=200)
    options = parser.parse_args()
    with server() as (url, folder):
        found = asyncio.run(measure(url, folder, options.runs, options.prompt_chars))
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
