"""Counts the overall verdicts of right and wrong answers: python -m model.verdicts FILE...

A file holds JSON lines, each with a prompt and either lists of answers, right and wrong, or one good and one bad answer.
"""

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
                asked = [
                    (one["prompt"], answer) for one in problems for answer in _answers(one, which)
                ]
                found = Counter(pool.map(verdict, asked, chunksize=8))
                print(path.name, which, dict(sorted(found.items())))


def _answers(problem: dict, which: str) -> list[str]:
    alone = {"right": "good", "wrong": "bad"}[which]
    return [problem[alone]] if alone in problem else problem[which]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m model.verdicts FILE...")
    main([Path(name) for name in sys.argv[1:]])
