"""The number of the last commit, kept beside a SQLite file: commits that a damaged log lost are missed.

After a crash SQLite reads its log as far as the checksums are right and forgets the rest without a word.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_WRAP = 1 << 32


def after(number: int) -> int:
    """Return the number of the next commit, as `PRAGMA user_version` holds it: 32 bits with a sign."""
    return (number + 1 + _WRAP // 2) % _WRAP - _WRAP // 2


def behind(number: int, other: int) -> int:
    """Return by how many commits `number` is behind `other`; 0 where it is not."""
    ahead = (other - number) % _WRAP
    return ahead if ahead < _WRAP // 2 else 0


class Mark:
    """Remembers how many commits were made; a mark behind the truth costs nothing, one ahead shows a loss."""

    def __init__(self, path: Path) -> None:
        """Name the database file."""
        self.path = Path(f"{path}-mark")
        self._handle: int | None = None

    def read(self) -> int | None:
        """Open the mark anew and return the number it holds; None before the first commit."""
        self.end()
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        text = os.pread(self._handle, 32, 0)
        if not text:
            return None
        try:
            return int(text)
        except ValueError:
            raise OSError(f"{self.path.name} holds no number; remove it") from None

    def noted(self) -> bytes:
        """Return what the open mark holds now: it changes with every commit, whichever process makes it."""
        return b"" if self._handle is None else os.pread(self._handle, 32, 0)

    def write(self, number: int) -> None:
        """Note a commit. Not forced to the disk: where power is lost the mark is behind, which is safe."""
        if self._handle is not None:
            os.pwrite(self._handle, b"%-11d\n" % number, 0)

    def end(self) -> None:
        """Let go of the file."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.close(self._handle)
        self._handle = None
