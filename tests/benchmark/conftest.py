"""Writes labelled rows the way the loaders find them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Write = Callable[[str, list[dict[str, Any]]], None]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, rows: list[dict[str, Any]]) -> None:
        path = tmp_path / f"{name}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode(), mtime=0))

    return write
