"""Ids and times the service stamps on its answers: UUIDv7 and RFC 3339 in UTC."""

from __future__ import annotations

import os
import struct
import threading
import time
from datetime import UTC, datetime
from functools import lru_cache

_lock = threading.Lock()
_last = 0
# Random numbers not used yet: the kernel is asked for many at a time.
_drawn: list[int] = []
_MANY = struct.Struct("128Q")


def new_id() -> str:
    """Return a UUIDv7: time-ordered within this process, random beyond the millisecond."""
    global _last  # noqa: PLW0603 - the one counter that keeps ids of a process in order
    with _lock:
        if not _drawn:
            _drawn.extend(_MANY.unpack(os.urandom(_MANY.size)))
        drawn = _drawn.pop()
        # 48 bits of milliseconds and 12 bits that count on within one.
        tick = max(time.time_ns() * 4096 // 1_000_000, _last + 1)
        _last = tick
    when = f"{tick & (1 << 60) - 1:015x}"
    # The two bits of the variant, then 62 random ones.
    tail = f"{1 << 63 | drawn >> 2:016x}"
    return f"{when[:8]}-{when[8:12]}-7{when[12:]}-{tail[:4]}-{tail[4:]}"


def now() -> str:
    """Return the current time as RFC 3339, UTC, to the millisecond, with Z."""
    second, millis = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_to_the_second(second)}.{millis:03d}Z"


@lru_cache(maxsize=4)
def _to_the_second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
