"""Direct evaluation over HTTP: how much of the bare evaluator's rate is left, and what our layers cost.

    python -m perf.http [--seconds 4]

Throughput is measured at 1, 8 and 64 connections with one and two workers, as a share of the rate of the bare
evaluator on the same texts in the same run, in as many processes as can be at work at once: one connection keeps one
worker busy. The client runs on the same cores, and what it takes of one is said beside.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections import defaultdict
from functools import cache
from multiprocessing.pool import Pool
from typing import Any

from fairwitness.evaluator import Evaluator
from perf import client, report, servers
from perf.sample_texts import body

BODIES = [body(1200, seed) for seed in range(8)]
REQUESTS = [client.post("/api/evaluate-response", one) for one in BODIES]
CONNECTIONS = (1, 8, 64)
ROUNDS, OVERHEAD_ROUNDS = 3, 6


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
        "client_cores": outcome.cpu_s / outcome.seconds,
    }


def throughput(seconds: float) -> tuple[str, list[dict[str, Any]]]:
    """Measure the share of the bare rate, bare and served in turns; return its table and figures."""
    found = []
    for workers in (1, 2):
        # Room for all 64: here the rate is measured, not the refusals.
        with _pool(workers) as pool, servers.ours(workers, QUEUE_SIZE="128") as server:
            bare(pool, workers, 0.5)
            for connections in CONNECTIONS:
                rounds = [
                    _beside(pool, server, min(workers, connections), connections, seconds / ROUNDS)
                    for _ in range(ROUNDS)
                ]
                middle = sorted(rounds, key=lambda one: one["share"])[ROUNDS // 2]
                found.append({"workers": workers, "connections": connections, **middle})
    columns = {
        "workers": "Workers",
        "connections": "Connections",
        "rate": "Evaluations/s",
        "bare_rate": "Bare evaluators/s",
        "share": "Share",
        "cpu_share": "Share by processor time",
        "p50_ms": "Median ms",
        "p99_ms": "99% ms",
        "client_cores": "Load generator's share of a core",
    }
    rows = [[one[name] for name in columns] for one in found]
    return report.table(list(columns.values()), rows), found


def _beside(
    pool: Pool, server: servers.Server, at_work: int, connections: int, seconds: float
) -> dict[str, Any]:
    rate, cpu = bare(pool, at_work, seconds)
    one = loaded(server, connections, seconds)
    shares = {"share": one["rate"] / rate, "cpu_share": cpu * 1e6 / one["cpu_us"]}
    return {"bare_rate": rate, **one, **shares}


def _pool(processes: int) -> Pool:
    return multiprocessing.get_context("spawn").Pool(processes)


def overhead(seconds: float) -> tuple[str, dict[str, float]]:
    """Compare our layers around a constant answer with a bare Starlette echo, in turns."""
    taken: dict[str, list[float]] = defaultdict(list)
    with (
        servers.echo() as echo,
        servers.fixed_answer(handover=False) as layer,
        servers.fixed_answer(handover=True) as handed,
        servers.ours(1) as whole,
        _pool(1) as pool,
    ):
        bare(pool, 1, 0.5)
        for _ in range(OVERHEAD_ROUNDS):
            for name, server in (("echo", echo), ("layer", layer), ("handed", handed)):
                taken[name].append(loaded(server, 8, seconds / OVERHEAD_ROUNDS)["cpu_us"])
        for _ in range(ROUNDS):
            taken["whole"].append(loaded(whole, 8, seconds / ROUNDS)["cpu_us"])
            taken["evaluation"].append(bare(pool, 1, seconds / ROUNDS)[1] * 1e6)
    best = {name: min(values) for name, values in taken.items()}
    rows = [
        ["bare Starlette echo", best["echo"], 1.0],
        ["our HTTP layer around a constant answer", best["layer"], best["layer"] / best["echo"]],
        [
            "the same, with the evaluator's thread",
            best["handed"],
            best["handed"] / best["echo"],
        ],
        ["bare evaluation", best["evaluation"], best["evaluation"] / best["echo"]],
        ["direct evaluation over HTTP", best["whole"], best["whole"] / best["echo"]],
    ]
    return report.table(
        ["µs of processor time per request", "µs", "Relative to the echo"], rows
    ), best


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
