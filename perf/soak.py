"""Saturation for minutes with good and bad requests mixed: statuses, latency and memory, minute by minute.

    python -m perf.soak [--seconds 600]

Fails where an answer is 5xx other than a deliberate 503, a 503 does not say when to come again, a request is lost,
memory grows past a tenth between the first third and the last, or the slowest hundredth grows past twice what it was.
A run shorter than three minutes is told in slices of a twentieth.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from typing import Any

from perf import client, report, servers
from perf.sample_texts import body

CONNECTIONS = 16
MINUTE = 60.0


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
    """Load two workers and note each minute."""
    found = []
    slices = round(seconds / MINUTE) if seconds >= 3 * MINUTE else 20
    with servers.ours(2, QUEUE_SIZE="6") as server:
        client.load(server.port, mixture(), connections=CONNECTIONS, seconds=min(10, seconds / 10))
        for number in range(slices):
            outcome = client.load(
                server.port, mixture(), connections=CONNECTIONS, seconds=seconds / slices
            )
            found.append(_told(number + 1, outcome) | {"memory_mb": server.memory_mb()})
    return found


def _told(number: int, outcome: client.Outcome) -> dict[str, Any]:
    return {
        "slice": number,
        "seconds": outcome.window,
        "rate": outcome.rate,
        "statuses": dict(sorted(outcome.statuses.items())),
        "lost": outcome.lost,
        "told_when": outcome.told_when,
        "p50_ms": outcome.quantile_of(200, 0.5) * 1000,
        "p99_ms": outcome.quantile_of(200, 0.99) * 1000,
        "client_cores": outcome.cpu_s / outcome.seconds,
    }


def faults(found: list[dict[str, Any]]) -> list[str]:
    """Return what went wrong, in words."""
    said = []
    for one in found:
        said += [
            f"slice {one['slice']}: {status} x{count}"
            for status, count in one["statuses"].items()
            if status >= 500 and status != 503
        ]
        if one["lost"]:
            said.append(f"slice {one['slice']}: {one['lost']} lost")
        if one["told_when"] != one["statuses"].get(503, 0):
            said.append(f"slice {one['slice']}: a 503 did not say when to come again")
    third = len(found) // 3
    for name, bound in (("memory_mb", 1.1), ("p99_ms", 2.0)):
        early, late = (
            statistics.median(one[name] for one in part) for part in (found[:third], found[-third:])
        )
        if late > bound * early:
            said.append(f"{name} grew {late / early:.2f} times")
    return said


def main() -> int:
    """Soak, keep the figures, and say whether it held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    seconds = parser.parse_args().seconds
    found = soak(seconds)
    wrong = faults(found)
    header = ["Minute" if seconds >= 3 * MINUTE else "Slice", "Answers/s", "Median ms of 200"]
    header += ["99% ms of 200", "Memory MB", "200", "4xx", "503 with `Retry-After`", "other 5xx"]
    header += ["Lost", "Load generator's share of a core"]
    shown = report.table(header, [_row(one) for one in found])
    held = "; ".join(wrong) or (
        "no 5xx except 503, no request lost, memory within a tenth and the 99th percentile within twice "
        "that of the first third"
    )
    said = f"{seconds:.0f} seconds, two workers, {CONNECTIONS} connections: {held}."
    figures = {"seconds": seconds, "faults": wrong, "slices": found}
    report.keep("soak", f"{said}\n\n{shown}", figures)
    return 1 if wrong else 0


def _row(one: dict[str, Any]) -> list[object]:
    counts: dict[int, int] = one["statuses"]
    others = sum(n for status, n in counts.items() if status >= 500 and status != 503)
    return [
        one["slice"],
        one["rate"],
        one["p50_ms"],
        one["p99_ms"],
        one["memory_mb"],
        counts.get(200, 0),
        sum(n for status, n in counts.items() if 400 <= status < 500),
        one["told_when"],
        others,
        one["lost"],
        one["client_cores"],
    ]


if __name__ == "__main__":
    sys.exit(main())
