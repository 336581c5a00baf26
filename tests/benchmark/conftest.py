"""Writes labelled rows the way the loaders find them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairwitness.benchmark import statistics

Write = Callable[[str, list[dict[str, Any]]], None]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, rows: list[dict[str, Any]]) -> None:
        path = tmp_path / f"{name}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode(), mtime=0))

    return write


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer draws for each interval, where figures are tested: intervals have tests of their own."""
    monkeypatch.setattr(statistics, "RESAMPLES", 100)
