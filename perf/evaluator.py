"""The evaluator alone: each criterion and the whole by input size, beside the bare model on the same tokens.

    python -m perf.evaluator [--rounds 15]

Times are processor time of this thread, the median of interleaved rounds. Growth is the whole's cost for
twice the text: 2 is linear.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from itertools import pairwise
from typing import Any

from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.exchange import Exchange
from perf import report
from perf.bare_encoder import bare_pass
from perf.known_reader import reading_once
from perf.sample_texts import prose

SIZES = (250, 500, 1000, 2000, 4000, 8000)


def measure(rounds: int) -> dict[int, dict[str, float]]:
    """Return microseconds by size and part."""
    evaluator = Evaluator.shipped()
    taken: dict[int, dict[str, list[float]]] = {size: defaultdict(list) for size in SIZES}
    for number in range(rounds + 2):
        for size in SIZES:
            prompt, response = prose(size // 4, number), prose(size, number + 100)
            one = _once(evaluator, prompt, response)
            for name, value in one.items() if number >= 2 else ():
                taken[size][name].append(value)
    return {
        size: {name: statistics.median(values) * 1e6 for name, values in parts.items()}
        for size, parts in taken.items()
    }


def _once(evaluator: Evaluator, prompt: str, response: str) -> dict[str, float]:
    found: dict[str, float] = {}
    began = time.process_time()
    evaluator.evaluate(prompt, response)
    found["total"] = time.process_time() - began
    exchange = Exchange(prompt, response)
    began = time.process_time()
    known = reading_once(evaluator, exchange)
    found["encoder, one pass"] = time.process_time() - began
    for name in evaluator.criteria:
        began = time.process_time()
        known.judge(name, exchange)
        found[name] = time.process_time() - began
    model = bare_pass(prompt, response)
    began = time.process_time()
    model()
    found["bare model"] = time.process_time() - began
    return found


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    found = measure(parser.parse_args().rounds)
    names = ["total", *(name for name in found[SIZES[0]] if name != "total")]
    rows: list[list[Any]] = [
        [
            name if " " in name or name == "total" else f"`{name}`",
            *(found[size][name] / 1000 for size in SIZES),
        ]
        for name in names
    ]
    growth = [found[b]["total"] / found[a]["total"] for a, b in pairwise(SIZES)]
    rows.append(["growth for twice the text", "", *growth])
    if "bare model" in names:
        rows.append(
            [
                "total relative to bare model",
                *(found[s]["total"] / found[s]["bare model"] for s in SIZES),
            ]
        )
    shown = report.table(["ms of processor time", *(f"{size} characters" for size in SIZES)], rows)
    report.keep("evaluator", shown, {"microseconds": found})


if __name__ == "__main__":
    main()
