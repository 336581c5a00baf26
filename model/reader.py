"""Reads many texts with the packed encoder, each alone, on several processes; order and numbers do not depend on how many."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from fairwitness.evaluator.readers.encoder import Encoder

#: A prompt and a response, or a passage and the sentence held against it: the last says which.
Item = tuple[str, str, bool]
#: Gives the raw outputs for each item, in order.
Read = Callable[[list[Item]], list[np.ndarray]]

_encoder: Encoder | None = None


def _open(directory: Path) -> None:
    global _encoder  # noqa: PLW0603 (one encoder a process)
    _encoder = Encoder.load(directory)


def _read(item: Item) -> np.ndarray:
    first, second, against = item
    found = _encoder.compare(first, second) if against else _encoder.read(first, second)
    return np.asarray(found.logits, np.float32)


def reader(directory: Path) -> Read:
    """What reads with the packed encoder in a folder."""
    return partial(_logits, directory)


def _logits(directory: Path, items: list[Item]) -> list[np.ndarray]:
    with ProcessPoolExecutor(os.cpu_count() or 1, initializer=_open, initargs=(directory,)) as pool:
        return list(pool.map(_read, items, chunksize=16))
