"""Checks a SQLite write-ahead log against its own checksums, as SQLite itself does only after a crash.

A frame of the log is 24 bytes of header and a page. Its checksum goes on from the frame before it:
for each pair of words (a, b), s0 += a + s1 and s1 += b + s0, modulo 2 to the 32nd. That is linear, so a
frame's share of it is one product with fixed weights.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint32]

_HEADER_BYTES = 32
_FRAME_HEADER_BYTES = 24
_LITTLE, _BIG = 0x377F0682, 0x377F0683
# Where the log's index keeps the number of the last committed frame, in this machine's byte order.
_LAST_FRAME_AT = 16


class LogAudit:
    """Reads the log beside one database file."""

    def __init__(self, path: Path) -> None:
        """Name the database file."""
        self._path = path
        self._opened: dict[tuple[int, int], int] = {}

    def intact(self) -> bool:
        """Say whether every committed frame is as it was written; ask only while holding the write lock."""
        index = self._read("-shm", 0, _LAST_FRAME_AT + 4)
        frames = int(np.frombuffer(index, np.uint32)[-1]) if index else 0
        if not frames:
            return True
        head = self._read("-wal", 0, _HEADER_BYTES)
        if len(head) < _HEADER_BYTES:
            return False
        magic, _, page_bytes, *_ = (int(word) for word in np.frombuffer(head, ">u4"))
        if magic not in {_LITTLE, _BIG} or page_bytes % 512 or not page_bytes:
            return False
        stride = _FRAME_HEADER_BYTES + page_bytes
        body = self._read("-wal", _HEADER_BYTES, frames * stride)
        if len(body) < frames * stride:
            return False
        return _holds(head, np.frombuffer(body, np.uint8).reshape(frames, stride), magic)

    def end(self) -> None:
        """Let go of the files; only once every connection of this process to them is closed."""
        while self._opened:
            os.close(self._opened.popitem()[1])

    def _read(self, suffix: str, offset: int, size: int) -> bytes:
        name = f"{self._path}{suffix}"
        try:
            found = os.stat(name)
        except FileNotFoundError:
            return b""
        file = (found.st_dev, found.st_ino)
        # Kept open: closing any descriptor of a file ends every lock this process holds on it.
        if file not in self._opened:
            self._opened[file] = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._opened[file], size, offset)


def _holds(head: bytes, frames: npt.NDArray[np.uint8], magic: int) -> bool:
    order = "<u4" if magic == _LITTLE else ">u4"
    first = _share(np.frombuffer(head[:24], order)[None].astype(np.uint32))
    stored_first = np.frombuffer(head[24:], ">u4").astype(np.uint32)
    if not np.array_equal(first[0], stored_first):
        return False
    salts = np.frombuffer(head[16:24], np.uint8)
    if not (frames[:, 8:16] == salts).all():
        return False
    summed = np.concatenate([frames[:, :8], frames[:, _FRAME_HEADER_BYTES:]], axis=1)
    share = _share(np.ascontiguousarray(summed).view(order).astype(np.uint32, copy=False))
    stored = np.ascontiguousarray(frames[:, 16:24]).view(">u4").astype(np.uint32)
    before = np.concatenate([stored_first[None], stored[:-1]])
    _, carry = _weights(summed.shape[1] // 8)
    return np.array_equal(stored, before @ carry + share)


def _share(words: Words) -> Words:
    """Return what each row of words adds to the two sums."""
    weights, _ = _weights(words.shape[1] // 2)
    found: Words = words @ weights
    return found


@cache
def _weights(pairs: int) -> tuple[Words, Words]:
    """Return the weight of each word in the two sums, and what becomes of the sums before it."""
    rows: list[tuple[int, int]] = []
    p, q, r, s = 1, 0, 0, 1  # the step (1 1; 1 2), to the power of the pairs still to come
    for _ in range(pairs):
        rows += [(q, s), (p + q, r + s)]  # of b, then of a: the list is turned round below
        p, q, r, s = ((p + q), (p + 2 * q), (r + s), (r + 2 * s))
        p, q, r, s = (value & 0xFFFFFFFF for value in (p, q, r, s))
    weights = np.array(rows[::-1], np.uint64).astype(np.uint32)
    return weights, np.array([[p, r], [q, s]], np.uint64).astype(np.uint32)
