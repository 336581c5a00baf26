"""Results to review, made by a real run, and the real command that serves them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairwitness.batch.columns import Columns
from fairwitness.batch.run import BatchRun
from fairwitness.batch.sources import Input
from fairwitness.evaluator import Evaluator, protocol
from tests import warm_start
from tests.batch.judging import quick_source, write_lines
from tests.warm_start import WarmProcess


def results_of(folder: Path, rows: list[dict[str, Any]], source: bytes | None = None) -> Path:
    """Evaluate rows by a protocol of rules and return the results file."""
    given = write_lines(folder / "rows.jsonl", rows)
    output = folder / "results.jsonl"
    evaluator = Evaluator.of(protocol.read(source or quick_source(), "quick.toml"))
    BatchRun(Input.of(str(given), output), output, evaluator, Columns(), overwrite=True).run()
    return output


@dataclass
class ServedReview:
    """A `fairwitness review` process, and the address it printed, without the last slash."""

    process: WarmProcess
    url: str


@contextmanager
def serving_review(results: Path, *more: str) -> Iterator[ServedReview]:
    """Run the real command until the block ends."""
    reading, writing = os.pipe()
    with open(reading) as errors, open(os.devnull, "r+b", 0) as nothing:
        with open(writing, "w") as told_to:
            words = ["review", str(results), *more]
            process = warm_start.start(words, (nothing, nothing, told_to), os.environ)
        try:
            told = ""
            while not (found := re.search(r"http://127\.0\.0\.1:\d+/[\w-]+(?=/)", told)):
                line = errors.readline()
                assert line, f"it ended: {told}"
                told += line
            yield ServedReview(process, found.group())
        finally:
            process.kill()
            process.wait()
