"""Ids and times the service stamps on its answers: UUIDv7 and RFC 3339 in UTC."""

from __future__ import annotations

import os
import threading
import time
from datetime import UTC, datetime

_lock = threading.Lock()
_last = 0


def new_id() -> str:
    """Return a UUIDv7: time-ordered within this process, random beyond the millisecond."""
    global _last  # noqa: PLW0603 - the one counter that keeps ids of a process in order
    with _lock:
        # 48 bits of milliseconds and 12 bits that count on within one.
        tick = max(time.time_ns() * 4096 // 1_000_000, _last + 1)
        _last = tick
    millis, counter = divmod(tick, 4096)
    tail = int.from_bytes(os.urandom(8)) & ((1 << 62) - 1)
    value = (millis & ((1 << 48) - 1)) << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62 | tail
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def now() -> str:
    """Return the current time as RFC 3339, UTC, to the millisecond, with Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
