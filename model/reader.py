"""Reads many texts with the packed encoder, each alone, on several processes; order and numbers do not depend on how many."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from fairwitness.evaluator.encoder import Encoder, Reading

_encoder: Encoder | None = None


def _open(directory: Path) -> None:
    global _encoder  # noqa: PLW0603 (one encoder a process)
    _encoder = Encoder.load(directory)


def _read(pair: tuple[str, str]) -> Reading:
    return replace(_encoder.read(*pair), tokens=())


def readings(directory: Path, pairs: list[tuple[str, str]], workers: int = 0) -> list[Reading]:
    """One reading a pair (token scores dropped), in order."""
    with ProcessPoolExecutor(
        workers or os.cpu_count() or 1, initializer=_open, initargs=(directory,)
    ) as pool:
        return list(pool.map(_read, pairs, chunksize=16))
