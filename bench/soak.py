"""Saturation for minutes with good and bad requests mixed: statuses, latency and memory, slice by slice.

    python -m bench.soak [--seconds 600]

Fails where an answer is 5xx other than a deliberate 503, a request is lost, memory grows past a tenth between the
first third and the last, or the slowest hundredth grows past twice what it was.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from typing import Any

from bench import client, report, servers
from bench.texts import body

SLICES = 20


def mixture() -> list[bytes]:
    """Return requests good and bad in about the measure a public service sees."""
    path = "/api/evaluate-response"
    good = [client.post(path, body(size, size)) for size in (200, 400, 800, 1200, 3000, 8000)]
    demo = json.loads(body(1500, 9))
    return [
        *good,
        *good[:4],
        client.post("/api/improvement-demo", json.dumps(demo).encode()),
        client.post(path, body(9000)),
        client.post(path, b'{"contractVersion": "1.0.0"'),
        client.post(path, b"x" * 200_000),
        client.post(path, body(), content_type="text/plain"),
        client.post("/nowhere", body()),
        b"GET /docs/api HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ]


def soak(seconds: float) -> list[dict[str, Any]]:
    """Load two workers with 16 connections and note each slice."""
    found = []
    with servers.ours(2, QUEUE_SIZE="6") as server:
        client.load(server.port, mixture(), connections=16, seconds=min(10, seconds / 10))
        for number in range(SLICES):
            outcome = client.load(server.port, mixture(), connections=16, seconds=seconds / SLICES)
            found.append(
                {
                    "slice": number + 1,
                    "rate": outcome.rate,
                    "statuses": dict(sorted(outcome.statuses.items())),
                    "lost": outcome.lost,
                    "p50_ms": outcome.quantile_of(200, 0.5) * 1000,
                    "p99_ms": outcome.quantile_of(200, 0.99) * 1000,
                    "memory_mb": server.memory_mb(),
                }
            )
    return found


def faults(found: list[dict[str, Any]]) -> list[str]:
    """Return what went wrong, in words."""
    said = [
        f"slice {one['slice']}: {status} x{count}"
        for one in found
        for status, count in one["statuses"].items()
        if status >= 500 and status != 503
    ]
    said += [f"slice {one['slice']}: {one['lost']} lost" for one in found if one["lost"]]
    third = len(found) // 3
    early, late = found[:third], found[-third:]
    for name, bound in (("memory_mb", 1.1), ("p99_ms", 2.0)):
        growth = statistics.median(one[name] for one in late) / statistics.median(
            one[name] for one in early
        )
        if growth > bound:
            said.append(f"{name} grew {growth:.2f} times")
    return said


def main() -> int:
    """Soak, keep the figures, and say whether it held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    seconds = parser.parse_args().seconds
    found = soak(seconds)
    wrong = faults(found)
    rows = [
        [
            one["slice"],
            one["rate"],
            one["p50_ms"],
            one["p99_ms"],
            one["memory_mb"],
            one["statuses"].get(503, 0),
            one["lost"],
        ]
        for one in found
    ]
    header = "Slice|Answers/s|Median ms|99% ms|Memory MB|503|Lost".split("|")
    shown = report.table(header, rows)
    held = (
        "; ".join(wrong)
        if wrong
        else "no 5xx but 503, none lost, memory and the slowest hundredth steady"
    )
    said = (
        f"{seconds:.0f} seconds in {SLICES} slices, two workers, 16 connections: {held}.\n\n{shown}"
    )
    report.keep("soak", said, {"seconds": seconds, "faults": wrong, "slices": found})
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
