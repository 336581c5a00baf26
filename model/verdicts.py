"""Counts the overall verdicts of right and wrong answers: python -m model.verdicts FILE... (JSON lines with prompt, right, wrong)."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from fairwitness.evaluator import shipped


def verdict(exchange: tuple[str, str]) -> str:
    """Return the overall verdict on a prompt and its answer."""
    return shipped().evaluate(*exchange).overall_verdict


def main(paths: list[Path]) -> None:
    """Print for each file how many answers got which verdict."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for path in paths:
            problems = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            for which in ("right", "wrong"):
                asked = [(one["prompt"], answer) for one in problems for answer in one[which]]
                found = Counter(pool.map(verdict, asked, chunksize=8))
                print(path.name, which, dict(sorted(found.items())))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m model.verdicts FILE...")
    main([Path(name) for name in sys.argv[1:]])
