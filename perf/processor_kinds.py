"""Measures how far evaluations move between kinds of processor, which is what the evidence tolerance is for.

    python -m perf.processor_kinds write one.json       # on one kind of processor
    python -m perf.processor_kinds write other.json     # on another, or under qemu-x86_64 -cpu NAME
    python -m perf.processor_kinds compare one.json other.json

Evaluates every example the criteria carry, and prose of several lengths; prints the largest moves.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from fairwitness.evaluator import Evaluator
from fairwitness.evaluator import protocol as protocols
from fairwitness.evidence import runtime
from perf.sample_texts import prose

LENGTHS = (80, 400, 1200, 3000)


def exchanges() -> Iterator[tuple[str, str]]:
    """Yield what is evaluated: the same everywhere."""
    for spec in protocols.shipped().criteria:
        for example in import_module(f"fairwitness.evaluator.criteria.{spec.id}").EXAMPLES:
            yield example.prompt, example.response
    for seed, length in enumerate(LENGTHS):
        yield "Tell me about the old mill.", prose(length, seed)


def write(target: Path, most: int) -> None:
    """Evaluate and write down everything, with what it ran on."""
    evaluator = Evaluator.shipped()
    made = [
        msgspec.to_builtins(evaluator.evaluate(*one))
        for one, _ in zip(exchanges(), range(most), strict=False)
    ]
    about = msgspec.to_builtins(runtime.describe())
    content = {"version": evaluator.version, "runtime": about, "evaluations": made}
    target.write_text(json.dumps(content), encoding="utf-8")


def moves(one: Any, other: Any, key: str = "") -> Iterator[tuple[str, float]]:
    """Yield each number that moved, by its name; anything else that differs counts as moved for good."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for name in one:
            yield from moves(one[name], other[name], name)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for left, right in zip(one, other, strict=True):
            yield from moves(left, right, key)
    elif one != other:
        numbers = all(isinstance(item, int | float) for item in (one, other))
        yield key, abs(one - other) if numbers else float("inf")


def compare(one: Path, other: Path) -> None:
    """Print how many evaluations moved, and the largest move of each kind of number."""
    left, right = (json.loads(path.read_text(encoding="utf-8")) for path in (one, other))
    pairs = list(zip(left["evaluations"], right["evaluations"], strict=False))
    largest: dict[str, float] = {}
    for first, second in pairs:
        for name, move in moves(first, second):
            largest[name] = max(move, largest.get(name, 0.0))
    told = {
        "same_version": left["version"] == right["version"],
        "instruction_sets": [item["runtime"]["instructionSets"] for item in (left, right)],
        "evaluations": len(pairs),
        "identical": sum(first == second for first, second in pairs),
        "largest_moves": largest,
    }
    print(json.dumps(told, indent=2))


def main() -> None:
    """Write one file, or compare two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("write", "compare"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=10_000, help="evaluate no more than this")
    options = parser.parse_args()
    if options.task == "write":
        write(options.files[0], options.most)
    else:
        compare(*options.files[:2])


if __name__ == "__main__":
    main()
