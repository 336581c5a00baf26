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
from functools import cache
from multiprocessing.pool import Pool
from typing import Any

from bench import client, report, servers
from bench.texts import body
from fairwitness.evaluator import Evaluator

BODIES = [body(1200, seed) for seed in range(8)]
REQUESTS = [client.post("/api/evaluate-response", one) for one in BODIES]
CONNECTIONS = (1, 8, 64)
ROUNDS = 3


def _evaluate(seconds: float) -> tuple[int, float, float]:
    """Evaluate the bodies in this process; return how many, in what time and processor time."""
    evaluator = _evaluator()
    parsed = [json.loads(one) for one in BODIES]
    done, began, worked = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - began < seconds:
        one = parsed[done % len(parsed)]
        evaluator.evaluate(one["prompt"], one["response"])
        done += 1
    return done, time.perf_counter() - began, time.process_time() - worked


@cache
def _evaluator() -> Evaluator:
    evaluator = Evaluator.shipped()
    evaluator.evaluate("Say hello.", "Hello.")
    return evaluator


def bare(pool: Pool, processes: int, seconds: float) -> tuple[float, float]:
    """Return evaluations a second of that many processes at once, and processor seconds of one evaluation."""
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
    """Measure the share of the bare rate, bare and served in turns; return its table and figures."""
    found = []
    for workers in (1, 2):
        # Room for all 64: here the rate is measured, not the refusals.
        with _pool(workers) as pool, servers.ours(workers, QUEUE_SIZE="128") as server:
            bare(pool, workers, 0.5)
            for connections in CONNECTIONS:
                rounds = []
                for _ in range(ROUNDS):
                    rate, cpu = bare(pool, workers, seconds / ROUNDS)
                    one = loaded(server, connections, seconds / ROUNDS)
                    shares = {"share": one["rate"] / rate, "cpu_share": cpu * 1e6 / one["cpu_us"]}
                    rounds.append({"bare_rate": rate, **one, **shares})
                middle = sorted(rounds, key=lambda one: one["share"])[ROUNDS // 2]
                found.append({"workers": workers, "connections": connections, **middle})
    names = (
        "workers",
        "connections",
        "rate",
        "bare_rate",
        "share",
        "cpu_share",
        "p50_ms",
        "p99_ms",
    )
    header = "Workers|Connections|Evaluations/s|Bare evaluator/s|Share|Share by processor time|Median ms|99% ms"
    rows = [[one[name] for name in names] for one in found]
    return report.table(header.split("|"), rows), found


def _pool(processes: int) -> Pool:
    return multiprocessing.get_context("spawn").Pool(processes)


def overhead(seconds: float) -> tuple[str, dict[str, float]]:
    """Compare our layers around an empty evaluator with a bare Starlette echo, in turns."""
    taken: dict[str, list[float]] = {"echo": [], "ours": [], "whole": [], "evaluation": []}
    with (
        servers.echo() as echo,
        servers.ours(1, entry="bench.unjudged") as empty,
        servers.ours(1) as whole,
        _pool(1) as pool,
    ):
        bare(pool, 1, 0.5)
        for _ in range(3):
            for name, server in (("echo", echo), ("ours", empty), ("whole", whole)):
                taken[name].append(loaded(server, 8, seconds / 2)["cpu_us"])
            taken["evaluation"].append(bare(pool, 1, seconds / 2)[1] * 1e6)
    best = {name: min(values) for name, values in taken.items()}
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
    parser.add_argument("--seconds", type=float, default=6.0, help="for each line of a table")
    seconds = parser.parse_args().seconds
    shown, layers = overhead(seconds)
    report.keep("overhead", shown, {"cpu_us": layers})
    shown, rates = throughput(seconds)
    report.keep("throughput", shown, {"loads": rates})


if __name__ == "__main__":
    main()
