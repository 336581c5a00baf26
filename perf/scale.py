"""Rows a second of `fairwitness batch`: local processes, and a Ray cluster of one node and of two, one of them killed.

    python -m perf.scale [--rows 1500]

Nodes are processes of this machine with one CPU each, so two of them use two cores. Rates are taken between the first
results and the last: starting up is counted apart. The cost of a row is the processor time of one process that does
nothing else; the plan for larger files is worked out from it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from perf import report
from perf.sample_texts import prose
from tests.batch.ray_cluster import ray_cluster

PAGE = report.ROOT / "src" / "fairwitness" / "pages" / "scale.md"
# What a machine of the plan has and costs; put in your own.
CORES, USD_PER_CORE_HOUR = 16, 0.04
BUSY = (
    " **Other work took most of the machine, so these rates cannot be compared, and the processor time is too high;"
    " measure again on a quiet one.**"
)
SIZES = (10**4, 10**6, 10**9)
WITHIN_H = 24


@dataclass(frozen=True)
class Timed:
    """One run: rows a second between the first results and the last, and how long it took to begin."""

    rate: float
    begin_s: float
    whole_s: float


def write_rows(path: Path, count: int) -> int:
    """Write rows of mixed length, the same every time, and return how many characters they have."""
    dice, total = Random(17), 0
    with path.open("w") as file:
        for number in range(count):
            size = min(8000, round(dice.lognormvariate(6.5, 0.9)))
            prompt = f"Tell me about the old mill, part {number}. {prose(120, number)}"
            response = prose(size, number + 1)
            total += len(prompt) + len(response)
            file.write(json.dumps({"prompt": prompt, "response": response}) + "\n")
    return total


def lines_in(path: Path) -> int:
    """Count the results that are there."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def timed(
    rows: Path,
    count: int,
    *flags: str,
    environment: dict[str, str] | None = None,
    half_way: Callable[[], None] | None = None,
) -> tuple[Timed, bytes]:
    """Run the command to its end, watching its results grow."""
    output = rows.with_name("results.jsonl")
    command = [sys.executable, "-m", "fairwitness", "batch", str(rows), "-o", str(output)]
    began = time.monotonic()
    first: tuple[float, int] | None = None
    with subprocess.Popen(
        [*command, "--overwrite", "--json", *flags],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        while process.poll() is None:
            done = lines_in(output)
            if first is None and done >= count // 20:
                first = (time.monotonic(), done)
            if half_way is not None and done >= count // 2:
                half_way()
                half_way = None
            if done >= count:
                break
            time.sleep(0.02)
        ended = time.monotonic()
        assert process.stderr is not None
        told = process.stderr.read().decode()
    if process.returncode or first is None:
        raise SystemExit(f"{' '.join(flags)}: exit {process.returncode}\n{told}")
    rate = (count - first[1]) / (ended - first[0])
    found = output.read_bytes()
    output.unlink()
    return Timed(rate, first[0] - began, ended - began), found


def processor_s(rows: Path, count: int) -> float:
    """Return the processor time of a row: that of one process which evaluates them all, less its start."""
    code = (
        "import json, sys, time; from fairwitness.evaluator import shipped; judge = shipped();"
        "rows = [json.loads(line) for line in open(sys.argv[1])]; judge.evaluate('Hi', 'Hello');"
        "began = time.process_time();"
        "[judge.evaluate(row['prompt'], row['response']) for row in rows];"
        "print((time.process_time() - began) / len(rows))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(rows)], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def duration(seconds: float) -> str:
    """Return a time in words."""
    for limit, size, name in ((120, 1, "s"), (7200, 60, "min"), (172800, 3600, "h")):
        if seconds < limit:
            return f"{seconds / size:.0f} {name}"
    return f"{seconds / 86400:.1f} days"


def plan(row_s: float) -> str:
    """Return what files of three sizes need, worked out from the processor time of a row."""
    lines = []
    for size in SIZES:
        core_h = size * row_s / 3600
        machines = max(1, -(-core_h // (CORES * WITHIN_H)))
        lines.append(
            [
                f"{size:,}",
                f"{core_h:,.1f}" if core_h < 100 else f"{core_h:,.0f}",
                duration(size * row_s),
                duration(size * row_s / CORES),
                f"{machines:.0f}",
                duration(size * row_s / CORES / machines),
                f"{core_h * USD_PER_CORE_HOUR:,.2f} USD",
            ]
        )
    header = [
        "rows",
        "core hours",
        "one core",
        f"one machine of {CORES} cores",
        f"machines for {WITHIN_H} h",
        "time with these",
        f"at {USD_PER_CORE_HOUR} USD a core hour",
    ]
    return report.table(header, lines)


def main() -> None:
    """Measure, compare bytes, and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1500)
    count = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.jsonl"
        chars = write_rows(rows, count) / count
        row_s = processor_s(rows, count)
        runs: dict[str, Timed] = {}
        runs["local, 1 process"], expected = timed(rows, count, "--workers", "1")
        found: dict[str, bytes] = {}
        runs["local, 2 processes"], found["local"] = timed(rows, count, "--workers", "2")
        for nodes in (1, 2):
            with ray_cluster(nodes) as cluster:
                on_ray = ("--engine", "ray", "--address", cluster.address)
                name = f"Ray, {nodes} node{'s' * (nodes - 1)}"
                runs[name], found[name] = timed(
                    rows, count, *on_ray, environment=cluster.environment
                )
                if nodes == 2:
                    name = "Ray, 2 nodes, one killed half way"
                    runs[name], found[name] = timed(
                        rows,
                        count,
                        *on_ray,
                        environment=cluster.environment,
                        half_way=cluster.kill_a_node,
                    )
    same = {name: content == expected for name, content in found.items()}
    lines = [
        [name, one.rate, one.rate / runs["local, 1 process"].rate, one.begin_s, one.whole_s]
        for name, one in runs.items()
    ]
    header = ["", "rows a second", "relative to 1 process", "s to begin", "s in all"]
    said = (
        f"{count:,} rows of {chars:,.0f} characters in the mean; processor time of a row {1000 * row_s:.1f} ms."
        f" Results byte by byte the same in all runs: {'yes' if all(same.values()) else 'NO'}."
        f" Other work on the machine meanwhile: load {os.getloadavg()[2]:.1f}."
    )
    if os.getloadavg()[2] > 2 * len(os.sched_getaffinity(0)):
        said += BUSY
    figures = {
        "rows": count,
        "meanCharacters": chars,
        "processorMsPerRow": 1000 * row_s,
        "sameBytes": same,
        "runs": {name: vars(one) for name, one in runs.items()},
    }
    report.keep("scale", f"{report.table(header, lines)}\n\n{said}", figures, PAGE)
    report.keep("scale_plan", plan(row_s), {"processorMsPerRow": 1000 * row_s}, PAGE)


if __name__ == "__main__":
    main()
