"""Loads labelled sets: gzipped JSON lines, each file named by its digest. It knows no set's meaning."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

Row = Mapping[str, Any]


class BadData(ValueError):
    """A data file that is missing or is not what a labelled set looks like."""


@dataclass(frozen=True)
class DataSet:
    """One file's rows and the digest of its bytes."""

    name: str
    sha256: str
    rows: tuple[Row, ...]


def locate(data_dir: Path, name: str) -> Path | None:
    """Return where a set lies: `bench/<name>.jsonl.gz` as published, or beside it without the folder."""
    for path in (data_dir / f"{name}.jsonl.gz", data_dir / f"{Path(name).name}.jsonl.gz"):
        if path.is_file():
            return path
    return None


def load(path: Path, name: str) -> DataSet:
    """Read one set whole; a line that is no JSON object with a prompt fails with its number."""
    packed = path.read_bytes()
    try:
        lines = gzip.decompress(packed).split(b"\n")
    except (OSError, EOFError, zlib.error) as error:
        raise BadData(f"{path}: not a gzip file that can be read ({error})") from error
    rows = tuple(_row(line, path, number) for number, line in enumerate(lines, 1) if line.strip())
    if not rows:
        raise BadData(f"{path}: holds no rows")
    return DataSet(name, hashlib.sha256(packed).hexdigest(), rows)


def _row(line: bytes, path: Path, number: int) -> Row:
    try:
        row = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise BadData(f"{path}: line {number} is not JSON") from error
    if not isinstance(row, dict) or not isinstance(row.get("labels"), dict):
        raise BadData(f"{path}: line {number} is not an object with labels")
    return row
