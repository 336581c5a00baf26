"""Whole files: rows a second of `fairwitness batch` beside the bare evaluator, its memory, and five kills.

    python -m perf.batch ROWS.jsonl [--count 1000] [--rounds 5]

ROWS needs `prompt` and `response`. Rates are of interleaved rounds over the same rows: the bare evaluator, then
one worker, then two. Starting a process and loading the model are taken out: they are measured with one row.
Each ratio is rows a second against workers times the bare evaluator in the same round, by elapsed time and by
processor time. On a machine that is busy with other work they are left out.
The kills and the memory are measured by a protocol of rules alone, so that writing, not judging, is what is tested.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import psutil

from fairwitness.evaluator import Evaluator, protocol
from perf import report

KILLS = 5
# Beside more work than this of others, rates say nothing, and are not measured.
BUSY_LOAD = 1.0
RULES = ("privacy", "calculation", "instruction_following")
Pair = tuple[float, float]


def timed(command: list[str]) -> Pair:
    """Run a command; return elapsed and processor seconds of it and its processes."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def batch(rows: Path, output: Path, workers: int, *more: str) -> list[str]:
    """Return the command."""
    run = [sys.executable, "-m", "fairwitness", "batch", str(rows), "-o", str(output)]
    return [*run, "--workers", str(workers), "--overwrite", *more]


def bare(evaluator: Evaluator, texts: list[tuple[str, str]]) -> Pair:
    """Judge in this process, and nothing else."""
    began, used = time.monotonic(), time.process_time()
    for prompt, response in texts:
        evaluator.evaluate(prompt, response)
    return time.monotonic() - began, time.process_time() - used


def rates(lines: list[bytes], rounds: int, folder: Path) -> dict[str, list[Pair]]:
    """Return seconds for each round's rows, the start taken out."""
    evaluator = Evaluator.shipped()
    found: dict[str, list[Pair]] = {"bare": [], "1": [], "2": []}
    one, part = folder / "one.jsonl", folder / "part.jsonl"
    one.write_bytes(lines[0])
    for number in range(rounds):
        chosen = lines[number::rounds]
        part.write_bytes(b"".join(chosen))
        texts = [(row["prompt"], row["response"]) for row in map(msgspec.json.decode, chosen)]
        found["bare"].append(bare(evaluator, texts))
        for workers in (1, 2):
            start = timed(batch(one, folder / "out.jsonl", workers))
            whole = timed(batch(part, folder / "out.jsonl", workers))
            # Two workers load two models, which one row starts only one of.
            extra = 0.0 if workers == 1 else start[1] / 2
            found[str(workers)].append((whole[0] - start[0], whole[1] - start[1] - extra))
        print(
            f"round {number + 1}: {len(chosen)} rows",
            {k: v[-1] for k, v in found.items()},
            flush=True,
        )
    return found


def rules_only(folder: Path) -> Path:
    """Write the shipped protocol with its criteria of rules alone."""
    sections = protocol.shipped().source.decode().split("\n[")
    names = ("overall]", "severity]", *(f"criteria.{name}]" for name in RULES))
    kept = [sections[0], *(part for part in sections[1:] if part.startswith(names))]
    path = folder / "rules.toml"
    path.write_text("\n[".join(kept))
    return path


def memory(rows: Path, folder: Path, rules: Path) -> int:
    """Return the most memory, in MiB, that the command itself held."""
    run = subprocess.Popen(
        batch(rows, folder / "memory.jsonl", 2, "--protocol", str(rules)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    most, process = 0, psutil.Process(run.pid)
    while run.poll() is None:
        try:
            most = max(most, process.memory_info().rss)
        except psutil.NoSuchProcess:
            break
        time.sleep(0.05)
    assert run.wait() == 0
    return most // 1024**2


def killed(rows: Path, folder: Path, rules: Path) -> tuple[list[int], bool]:
    """Kill a run at random moments and take it up again; return the rows at each kill, and whether the files are equal."""
    expected, output = folder / "memory.jsonl", folder / "killed.jsonl"
    run = [
        part for part in batch(rows, output, 2, "--protocol", str(rules)) if part != "--overwrite"
    ]
    draw, size, reached = random.Random(), expected.stat().st_size, 0
    moments: list[int] = []
    for _ in range(KILLS):
        reached = draw.randrange(reached, reached + size // (KILLS + 1))
        process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not output.exists() or output.stat().st_size <= reached):
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, "it ended before it was killed"
        moments.append(output.read_bytes().count(b"\n"))
    subprocess.run(run, check=True, capture_output=True)
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (expected, output)]
    return moments, digests[0] == digests[1]


def rate_table(found: dict[str, list[Pair]], lines: list[bytes], rounds: int) -> str:
    """Return the rates beside the bare evaluator's."""
    rows = []
    for workers in (1, 2):
        pairs = list(zip(found["bare"], found[str(workers)], strict=True))
        elapsed = statistics.median(one[0] / (workers * many[0]) for one, many in pairs)
        used = statistics.median(one[1] / many[1] for one, many in pairs)
        rate = statistics.median(len(lines) / rounds / many[0] for _, many in pairs)
        rows.append([f"{workers}", rate, elapsed, used])
    header = [
        "workers",
        "rows/s",
        "against workers × bare, elapsed",
        "against bare, processor time",
    ]
    note = f"{len(lines):,} rows, medians of {rounds} rounds."
    return f"{report.table(header, rows)}\n\n{note}"


def main() -> int:
    """Measure and keep."""
    parser = argparse.ArgumentParser(prog="python -m perf.batch", description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--count", type=int, default=1000, help="rows for the rates")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    load = os.getloadavg()[0]  # of others: what runs below adds its own
    is_quiet = load <= BUSY_LOAD
    with given.rows.open("rb") as file:
        lines = list(itertools.islice(file, given.count))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rules = rules_only(folder)
        tenth = folder / "tenth.jsonl"
        whole = given.rows.read_bytes().splitlines(keepends=True)
        tenth.write_bytes(b"".join(whole[: len(whole) // 10]))
        small = memory(tenth, folder, rules)
        large = memory(given.rows, folder, rules)
        moments, is_equal = killed(given.rows, folder, rules)
        print(f"{small} MiB, {large} MiB; kills at rows {moments}: {is_equal}", flush=True)
        found = rates(lines, given.rounds, folder) if is_quiet else {}
    told = [rate_table(found, lines, given.rounds), ""] if is_quiet else []
    told.append(
        f"Memory and kills, with the {len(RULES)} criteria {', '.join(RULES)}, which are rules alone and load no model:"
        f" the command held {small} MiB with {len(whole) // 10:,} rows, {large} MiB with {len(whole):,}. Killed with `kill -9` at rows"
        f" {', '.join(f'{moment:,}' for moment in moments)} of {len(whole):,} and taken up again: the results were"
        f" {'the same, byte by byte' if is_equal else 'NOT the same'}."
    )
    if not is_quiet:
        told.append(
            "Rates of rows a second were not measured in this run: the machine was busy with other work"
            f" (load average {load:.0f})."
        )
    figures = {
        "rows": len(lines) if found else 0,
        "seconds": found,
        "loadAverage": load,
        "memoryMiB": {"tenth": small, "whole": large},
        "kills": {"rows": moments, "sameBytes": is_equal},
    }
    report.keep("batch", "\n".join(told), figures, report.PAGE.with_name("batch.md"))
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
