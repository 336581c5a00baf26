"""Tells whether the file at a path is still the database that was opened there.

SQLite goes on writing to a file that was moved, deleted or cut under it, where nobody else looks.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sighting:
    """What stood at a path at one moment: the file, its write-ahead log, and its size."""

    file: tuple[int, int]
    log: int | None
    size: int

    @classmethod
    def of(cls, path: Path) -> Sighting:
        """Look at a path; FileNotFoundError where nothing stands there."""
        found = os.stat(path)
        try:
            log = os.stat(f"{path}-wal").st_ino
        except FileNotFoundError:
            log = None
        return cls((found.st_dev, found.st_ino), log, found.st_size)

    def holds(self, path: Path) -> bool:
        """Say whether the same files stand there still, none of them cut short."""
        now = Sighting.of(path)
        return (now.file, now.log) == (self.file, self.log) and now.size >= self.size
