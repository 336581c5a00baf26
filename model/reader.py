"""Reads many texts with the packed encoder, each alone, on several processes; order and numbers do not depend on how many."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from fairwitness.evaluator.readers.encoder import Encoder, Reading

#: Gives the raw outputs for each prompt and response, in order.
Read = Callable[[list[tuple[str, str]]], list[np.ndarray]]

_encoder: Encoder | None = None


def _open(directory: Path) -> None:
    global _encoder  # noqa: PLW0603 (one encoder a process)
    _encoder = Encoder.load(directory)


def _read(pair: tuple[str, str]) -> Reading:
    return replace(_encoder.read(*pair), offsets=(), strengths={})


def readings(directory: Path, pairs: list[tuple[str, str]], workers: int = 0) -> list[Reading]:
    """One reading a pair (token scores dropped), in order."""
    with ProcessPoolExecutor(
        workers or os.cpu_count() or 1, initializer=_open, initargs=(directory,)
    ) as pool:
        return list(pool.map(_read, pairs, chunksize=16))


def reader(directory: Path) -> Read:
    """What reads with the packed encoder in a folder."""
    return partial(_logits, directory)


def _logits(directory: Path, pairs: list[tuple[str, str]]) -> list[np.ndarray]:
    return [np.asarray(found.logits, np.float32) for found in readings(directory, pairs)]
