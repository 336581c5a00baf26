"""Ten times what can be served: what is accepted stays quick, the rest is told when to come again, and it passes.

    python -m perf.overload [--seconds 15]

Capacity is measured first, with as many connections as keep every worker busy. Then requests are sent at ten times
that rate, and as soon as that ends one client alone asks until it is served as quickly as before.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from perf import client, report, servers
from perf.sample_texts import body

WORKERS, QUEUE, TIMES = 2, 8, 10
# Connections enough to keep the rate up while some of them wait in the line.
CROWD = 240
REQUESTS = [client.post("/api/evaluate-response", body(1200, seed)) for seed in range(8)]


def measure(seconds: float, workers: int = WORKERS) -> dict[str, Any]:
    """Load a server of its own and return what its clients saw."""
    with servers.ours(workers, QUEUE_SIZE=str(QUEUE)) as server:
        client.load(server.port, REQUESTS, connections=2 * workers, seconds=1)
        alone = client.load(server.port, REQUESTS, connections=1, seconds=seconds / 5)
        fits = client.load(server.port, REQUESTS, connections=2 * workers, seconds=seconds / 3)
        offered = TIMES * fits.rate
        crowd = client.load(
            server.port, REQUESTS, connections=CROWD, seconds=seconds, pace=CROWD / offered
        )
        recovered = _recovery_s(server.port, 2 * alone.quantile(0.9))
    refused = crowd.statuses[503]
    return {
        "capacity": fits.rate,
        "alone_p50_ms": alone.quantile(0.5) * 1000,
        "offered": offered,
        "sent": crowd.rate,
        "accepted": crowd.statuses[200] / crowd.seconds,
        "statuses": dict(sorted(crowd.statuses.items())),
        "lost": crowd.lost,
        "told_when": crowd.told_when,
        "refused": refused,
        "accepted_p50_ms": crowd.quantile_of(200, 0.5) * 1000,
        "accepted_p99_ms": crowd.quantile_of(200, 0.99) * 1000,
        "accepted_max_ms": crowd.quantile_of(200, 1.0) * 1000,
        "refused_p50_ms": crowd.quantile_of(503, 0.5) * 1000,
        "refused_p99_ms": crowd.quantile_of(503, 0.99) * 1000,
        "bound_ms": (QUEUE + 2) * workers / fits.rate * 1000,
        "recovery_s": recovered,
        "client_cores": crowd.cpu_s / crowd.seconds,
    }


def _recovery_s(port: int, quick_s: float) -> float:
    """Return how long until one client alone is served, and as quickly as before the crowd."""
    began = time.perf_counter()
    while time.perf_counter() - began < 30:
        one = client.load(port, REQUESTS[:1], connections=1, seconds=30, most=1)
        if one.statuses[200] and one.quantile(1.0) <= quick_s:
            break
        time.sleep(0.05)
    return time.perf_counter() - began


def faults(found: dict[str, Any]) -> list[str]:
    """Return what did not hold, in words; the bound leaves room for a busy machine."""
    said = []
    if set(found["statuses"]) - {200, 503}:
        said.append(f"answers other than 200 and 503: {found['statuses']}")
    if found["lost"]:
        said.append(f"{found['lost']} requests were lost")
    if not found["refused"]:
        said.append("nothing was refused: this was no overload")
    if found["told_when"] != found["refused"]:
        said.append("a refusal did not say when to come again")
    if found["accepted_p99_ms"] > 5 * found["bound_ms"]:
        said.append("what was accepted waited longer than five full lines")
    if found["accepted"] < 0.3 * found["capacity"]:
        said.append("refusing took the place of working")
    if found["recovery_s"] > 10:
        said.append("it took more than 10 s to recover")
    return said


def main() -> int:
    """Measure, keep, and say whether it held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15)
    found = measure(parser.parse_args().seconds)
    wrong = faults(found)
    rows = [
        ["capacity, measured first", f"{found['capacity']:.0f} evaluations/s"],
        [
            "sent, of ten times that rate",
            f"{found['sent']:.0f} of {found['offered']:.0f} requests/s",
        ],
        ["accepted", f"{found['accepted']:.0f} evaluations/s"],
        ["median and 99% of accepted requests", _pair(found, "accepted")],
        ["one full queue at that capacity", f"{found['bound_ms']:.0f} ms"],
        ["refused: 503 with `Retry-After`", f"{found['told_when']} of {found['refused']}"],
        ["median and 99% of the refusals", _pair(found, "refused")],
        ["other answers, lost requests", f"{_others(found)}, {found['lost']}"],
        ["until a single client is served as fast as before", f"{found['recovery_s']:.1f} s"],
        ["the load generator's share of a core", f"{found['client_cores']:.2f}"],
    ]
    held = "; ".join(wrong) or "passed"
    shown = f"Two workers, a queue of {QUEUE} in each: {held}.\n\n" + report.table(
        ["What", "Measured"], rows
    )
    report.keep("overload", shown, {**found, "faults": wrong})
    return 1 if wrong else 0


def _pair(found: dict[str, Any], name: str) -> str:
    return f"{found[f'{name}_p50_ms']:.0f} and {found[f'{name}_p99_ms']:.0f} ms"


def _others(found: dict[str, Any]) -> int:
    return sum(count for status, count in found["statuses"].items() if status not in {200, 503})


if __name__ == "__main__":
    sys.exit(main())
