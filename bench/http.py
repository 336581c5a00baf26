"""Direct evaluation over HTTP: how much of the bare evaluator's rate is left, and what our layers cost.

    python -m bench.http [--seconds 4]

Throughput is measured at 1, 8 and 64 connections with one and two workers, as a share of workers times the rate of
the bare evaluator in as many processes on the same texts in the same run. The client takes its part of the same
cores; a share by processor time, which it does not touch, stands beside.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from typing import Any

from bench import client, report, servers
from bench.texts import body
from fairwitness.evaluator import Evaluator

BODIES = [body(1200, seed) for seed in range(8)]
REQUESTS = [client.post("/api/evaluate-response", one) for one in BODIES]
CONNECTIONS = (1, 8, 64)


def _evaluate(seconds: float) -> tuple[int, float, float]:
    """Evaluate the bodies in this process; return how many, in what time and processor time."""
    evaluator = Evaluator.shipped()
    parsed = [json.loads(one) for one in BODIES]
    for one in parsed:
        evaluator.evaluate(one["prompt"], one["response"])
    done, began, worked = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - began < seconds:
        one = parsed[done % len(parsed)]
        evaluator.evaluate(one["prompt"], one["response"])
        done += 1
    return done, time.perf_counter() - began, time.process_time() - worked


def bare(processes: int, seconds: float) -> tuple[float, float]:
    """Return evaluations a second of that many processes at once, and processor time of one."""
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        found = pool.map(_evaluate, [seconds] * processes, chunksize=1)
    rate = sum(done / taken for done, taken, _ in found)
    return rate, sum(worked for *_, worked in found) / sum(done for done, *_ in found)


def loaded(server: servers.Server, connections: int, seconds: float) -> dict[str, Any]:
    """Load one server and return what came of it."""
    client.load(server.port, REQUESTS, connections=connections, seconds=0.5)
    worked = server.cpu_s()
    outcome = client.load(server.port, REQUESTS, connections=connections, seconds=seconds)
    worked = server.cpu_s() - worked
    return {
        "rate": outcome.rate,
        "statuses": dict(outcome.statuses),
        "lost": outcome.lost,
        "p50_ms": outcome.quantile(0.5) * 1000,
        "p99_ms": outcome.quantile(0.99) * 1000,
        "cpu_us": worked / outcome.answered * 1e6,
    }


def throughput(seconds: float) -> tuple[str, list[dict[str, Any]]]:
    """Measure the share of the bare rate; return its table and figures."""
    found = []
    for workers in (1, 2):
        rate, cpu = bare(workers, seconds)
        # Room for all 64: here the rate is measured, not the refusals.
        with servers.ours(workers, QUEUE_SIZE="128", LOG_LEVEL="info") as server:
            for connections in CONNECTIONS:
                one = loaded(server, connections, seconds)
                shares = {"share": one["rate"] / rate, "cpu_share": cpu * 1e6 / one["cpu_us"]}
                given = {"workers": workers, "connections": connections, "bare_rate": rate}
                found.append(given | one | shares)
    rows = [
        [
            one["workers"],
            one["connections"],
            one["rate"],
            one["bare_rate"],
            one["share"],
            one["cpu_share"],
            one["p50_ms"],
            one["p99_ms"],
        ]
        for one in found
    ]
    header = "Workers|Connections|Evaluations/s|Bare evaluator/s|Share|Share by processor time|Median ms|99% ms"
    return report.table(header.split("|"), rows), found


def overhead(seconds: float) -> tuple[str, dict[str, float]]:
    """Compare our layers around an empty evaluator with a bare Starlette echo, in turns."""
    taken: dict[str, list[float]] = {"echo": [], "ours": [], "whole": []}
    with (
        servers.echo() as echo,
        servers.ours(1, entry="bench.unjudged") as empty,
        servers.ours(1) as whole,
    ):
        for _ in range(3):
            for name, server in (("echo", echo), ("ours", empty), ("whole", whole)):
                taken[name].append(loaded(server, 8, seconds / 2)["cpu_us"])
    _, evaluation = bare(1, seconds / 2)
    best = {name: min(values) for name, values in taken.items()}
    best["evaluation"] = evaluation * 1e6
    rows = [
        ["bare Starlette echo", best["echo"], 1.0],
        ["every layer of ours, nothing judged", best["ours"], best["ours"] / best["echo"]],
        ["bare evaluation", best["evaluation"], best["evaluation"] / best["echo"]],
        ["direct evaluation over HTTP", best["whole"], best["whole"] / best["echo"]],
        [
            "the same beside echo + bare evaluation",
            best["echo"] + best["evaluation"],
            best["whole"] / (best["echo"] + best["evaluation"]),
        ],
    ]
    return report.table(["µs of processor time a request", "µs", "Ratio"], rows), best


def main() -> None:
    """Measure both and keep them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="for each line of a table")
    seconds = parser.parse_args().seconds
    shown, layers = overhead(seconds)
    report.keep("overhead", shown, {"cpu_us": layers})
    shown, rates = throughput(seconds)
    report.keep("throughput", shown, {"loads": rates})


if __name__ == "__main__":
    main()
