"""Rows, and runs over them by a protocol of rules alone, which judges a row in under a millisecond."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from fairwitness.batch.columns import Columns
from fairwitness.batch.run import BatchRun, Event
from fairwitness.batch.sources import Input
from fairwitness.evaluator import Evaluator, protocol

KEPT = ("privacy", "calculation")


def quick_source() -> bytes:
    """The shipped protocol's text with two criteria of rules alone."""
    sections = protocol.shipped().source.decode().split("\n[")
    names = ("overall]", "severity]", *(f"criteria.{name}]" for name in KEPT))
    kept = [sections[0], *(part for part in sections[1:] if part.startswith(names))]
    source = "\n[".join(kept)
    assert set(tomllib.loads(source)["criteria"]) == set(KEPT)
    return source.encode()


@cache
def quick() -> Evaluator:
    return Evaluator.of(protocol.read(quick_source(), "quick.toml"))


def some_rows(count: int) -> list[dict[str, Any]]:
    """Rows of every verdict, a few of them alike, with a column of their own."""
    answers = (
        "2 + 2 = 4.",
        "2 + 2 = 5.",
        "Write to jane.roe@gmail.com.",
        "Ünï — 日本語 \U0001f600",
    )
    return [
        {"prompt": f"Question {n % 7}?", "response": answers[n % 4], "model": {"name": "a", "n": n}}
        for n in range(count)
    ]


def write_lines(path: Path, rows: Iterable[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run_over(path: Path, output: Path, **options: Any) -> list[Event]:
    """Run over a file and return what was told of each result."""
    told: list[Event] = []
    asked = options.pop("columns", Columns())
    run = BatchRun(Input.of(str(path), output), output, quick(), asked, on_result=told.append)
    for name, value in options.items():
        setattr(run, name, value)
    run.run()
    return told


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def errors_of(path: Path) -> Sequence[str | None]:
    return [line.get("error") for line in lines_of(path)]
