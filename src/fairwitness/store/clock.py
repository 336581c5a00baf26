"""The clock rooms take as an argument: whole milliseconds of UTC since 1970."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]


def system_clock() -> int:
    """Return this machine's UTC time in milliseconds."""
    return time.time_ns() // 1_000_000
