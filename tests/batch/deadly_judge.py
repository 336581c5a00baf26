"""Judges on a cluster where two rows end the process that judges them, and prints what became of each row."""

from __future__ import annotations

import json
import os
import sys

from fairwitness.batch.executor import LOST
from fairwitness.batch.ray_executor import Judge, RayActors
from fairwitness.batch.rows import Texts
from tests.batch.judging import quick

COUNT, DEADLY = 60, {7, 30}


class DeadlyJudge(Judge):
    """Ends where a row says so: with its process, or with an error."""

    def judge(self, chunk: list[Texts]) -> list[bytes]:
        """Judge, or end."""
        for _, response, *_ in chunk:
            if response == "Deadly.":
                os._exit(9)
            if response == "Faulty.":
                raise RuntimeError("a fault of the evaluator")
        return super().judge(chunk)


class DeadlyActors(RayActors):
    """Actors that may end."""

    judge = DeadlyJudge


def main() -> None:
    """Judge, and tell."""
    texts = [(f"Question {n}", "An answer.") for n in range(COUNT)]
    texts[7], texts[30] = ("Question", "Deadly."), ("Question", "Faulty.")
    with DeadlyActors(quick(), None, sys.argv[1]) as actors:
        found = list(actors.ordered(enumerate(texts)))
    answers = dict(found)
    told = {
        "count": COUNT,
        "order": [number for number, _ in found],
        "judged": sum(
            answer is not None and answer.startswith(b"{") for answer in answers.values()
        ),
        "lost": {number: answers[number] == LOST for number in sorted(DEADLY)},
    }
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
