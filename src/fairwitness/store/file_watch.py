"""Tells whether the files at a path are still the database that was opened there, and still one at all.

SQLite goes on writing to a file that was moved, deleted or cut under it, where nobody else looks, and
goes on answering from memory for one that was overwritten.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_DATABASE_MAGIC = b"SQLite format 3\0"
_LOG_MAGIC = (bytes.fromhex("377f0682"), bytes.fromhex("377f0683"), b"")


@dataclass(frozen=True)
class FileState:
    """What was at a path at one moment: the file, its write-ahead log, and its size."""

    file: tuple[int, int]
    log: int | None
    size: int

    @classmethod
    def of(cls, path: Path) -> FileState:
        """Look at a path; FileNotFoundError where nothing is there."""
        found = os.stat(path)
        try:
            log = os.stat(f"{path}-wal").st_ino
        except FileNotFoundError:
            log = None
        return cls((found.st_dev, found.st_ino), log, found.st_size)

    def matches(self, path: Path) -> bool:
        """Say whether the same files are still there, none of them cut short."""
        now = FileState.of(path)
        return (now.file, now.log) == (self.file, self.log) and now.size >= self.size


class FileWatch:
    """Watches the files under one connection, from the one thread that uses it."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is looked at yet."""
        self._path = path
        self._seen: FileState | None = None
        self._opened: dict[tuple[int, int], int] = {}

    def begin(self) -> None:
        """Take what is there now for what was opened."""
        self._seen = FileState.of(self._path)

    def unchanged(self) -> bool:
        """Say whether what was opened is still there."""
        return self._seen is None or self._seen.matches(self._path)

    def intact(self) -> bool:
        """Say whether both files begin as theirs do; what lies behind, SQLite checks as it reads it."""
        seen = self._seen or FileState.of(self._path)
        if self._begins("", seen.file, len(_DATABASE_MAGIC)) != _DATABASE_MAGIC:
            return False
        return seen.log is None or self._begins("-wal", (seen.file[0], seen.log), 4) in _LOG_MAGIC

    def end(self) -> None:
        """Let go of the files; only once every connection of this process to them is closed."""
        while self._opened:
            os.close(self._opened.popitem()[1])

    def _begins(self, suffix: str, file: tuple[int, int], size: int) -> bytes:
        # Kept open: closing any descriptor of a file ends every lock this process holds on it.
        if file not in self._opened:
            self._opened[file] = os.open(f"{self._path}{suffix}", os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._opened[file], size, 0)
