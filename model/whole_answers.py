"""Counts whole answers that grounding lets pass: python -m model.whole_answers FILE... (files of lessons).

Only lessons that were kept out of training are judged, as the service judges them, model and rules together. A right
answer is all supported lines of a lesson; a faulty one has one of them exchanged for its contradicted twin. Short answers
are the first so many lines of them.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from fairwitness.evaluator import scoring, shipped
from fairwitness.evaluator.exchange import Exchange

from .rows import held, key

#: How many lines of a lesson make an answer; the last means all.
LENGTHS = (1, 2, 4, 99)


class Answer(NamedTuple):
    """A response to judge, of how many lines it is made, and whether one of them is wrong."""

    prompt: str
    response: str
    lines: int
    faulty: bool


def answers(paths: list[Path]) -> Iterator[Answer]:
    """Yield the right and the faulty answers of the lessons that were kept out of training."""
    for path in paths:
        for item in map(json.loads, path.read_text("utf-8").splitlines()):
            if held(f"lesson_{path.stem}", key(item["context"])):
                prompt = f"{item['task']}\n\n{item['context']}"
                for most in LENGTHS:
                    yield from _of_length(prompt, item, most)


def _of_length(prompt: str, item: dict, most: int) -> Iterator[Answer]:
    lines = item["supported"][:most]
    yield Answer(prompt, "\n".join(lines), most, faulty=False)
    # One fault for each length keeps the count of right and faulty answers equal.
    at = min(len(lines), len(item["contradicted"])) - 1
    if at >= 0:
        wrong = [*lines[:at], item["contradicted"][at], *lines[at + 1 :]]
        yield Answer(prompt, "\n".join(wrong), most, faulty=True)


def passes(answer: Answer) -> bool:
    """Tell whether grounding passes an answer."""
    evaluator = shipped()
    found = evaluator.judge("grounding", Exchange(answer.prompt, answer.response))
    spec = next(one for one in evaluator.protocol.criteria if one.id == "grounding")
    return scoring.score(found, spec, evaluator.protocol).verdict in {"pass", "not_applicable"}


def main(paths: list[Path]) -> None:
    """Print for each length how many right and how many faulty answers do not pass."""
    told = [*answers(paths)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        passed = [*pool.map(passes, told, chunksize=8)]
    every = Counter((one.lines, one.faulty) for one in told)
    stopped = Counter(
        (one.lines, one.faulty) for one, fine in zip(told, passed, strict=True) if not fine
    )
    for most in LENGTHS:
        right, faulty = (most, False), (most, True)
        name = "all lines" if most == LENGTHS[-1] else f"at most {most}"
        print(
            f"{name}: right answers that do not pass {stopped[right]} of {every[right]}"
            f" ({stopped[right] / max(1, every[right]):.1%}), faulty ones {stopped[faulty]} of {every[faulty]}"
            f" ({stopped[faulty] / max(1, every[faulty]):.1%})"
        )


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m model.whole_answers FILE...")
    main([Path(name) for name in sys.argv[1:]])
