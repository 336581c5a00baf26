"""Writes what a run measured: its table into /docs/speed between its markers, its figures into perf/results/."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "src" / "fairwitness" / "pages" / "speed.md"
RESULTS = Path(__file__).parent / "results"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines += ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    return "\n".join(lines)


def keep(name: str, shown: str, figures: dict[str, Any], page: Path = PAGE) -> None:
    """Put `shown` into the page and `figures` beside what they were measured on."""
    measured = {"measuredAt": datetime.now(UTC).strftime("%Y-%m-%d"), "machine": machine()}
    RESULTS.mkdir(exist_ok=True)
    whole = {**measured, **figures}
    (RESULTS / f"{name}.json").write_text(json.dumps(whole, indent=2) + "\n")
    note = f"Measured {measured['measuredAt']} on {machine()}."
    _between(page, name, f"{shown}\n\n{note}")
    print(f"## {name}\n\n{shown}\n\n{note}\n", flush=True)


def machine() -> str:
    """Name the machine as far as figures depend on it."""
    cores = len(os.sched_getaffinity(0))
    return f"{cores} cores of {_processor()}, Python {platform.python_version()}"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(errors="replace").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _between(file: Path, name: str, text: str) -> None:
    begin, end = f"[//]: # (begin {name})", f"[//]: # (end {name})"
    page = file.read_text()
    head, found, rest = page.partition(begin)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"{file.name}: has no place for {name}")
    file.write_text(f"{head}{begin}\n\n{text}\n\n{end}{tail}")


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if value >= 100 else f"{value:.2f}" if value < 10 else f"{value:.1f}"
    return str(value).replace("|", "\\|")
