"""Holds a file for one process alone; the system lets go of it when the process ends, however that was."""

from __future__ import annotations

import os
import sys


def lock(descriptor: int) -> bool:
    """Take the lock of an open file; False where another process has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            # A byte that no results reach: what is locked there cannot be read by others.
            os.lseek(descriptor, 1 << 40, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
