"""Ids and times the service stamps on its answers: UUIDv7 and RFC 3339 in UTC."""

from __future__ import annotations

import os
import threading
import time
from datetime import UTC, datetime
from functools import lru_cache

_lock = threading.Lock()
_last = 0
# The part of an id that one millisecond's ids share.
_shared = (0, "")
# Random ends of ids that are not used yet: the kernel is asked for many at a time.
_ends: list[str] = []
_MANY = 128
# A process that is forked must not use its parent's.
os.register_at_fork(after_in_child=_ends.clear)
# The digit that holds the two bits of the variant, for each digit drawn.
_VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}


def new_id() -> str:
    """Return a UUIDv7: time-ordered within this process, random beyond the millisecond."""
    global _last, _shared  # noqa: PLW0603 - what keeps the ids of a process in order
    with _lock:
        if not _ends:
            _ends.extend(_drawn())
        end = _ends.pop()
        # 48 bits of milliseconds and 12 bits that count on within one.
        _last = tick = max(time.time_ns() * 4096 // 1_000_000, _last + 1)
        millisecond = tick >> 12
        if _shared[0] != millisecond:
            when = f"{millisecond & (1 << 48) - 1:012x}"
            _shared = (millisecond, f"{when[:8]}-{when[8:]}-7")
        return f"{_shared[1]}{tick & 4095:03x}-{end}"


def _drawn() -> list[str]:
    """Return random ends: the two bits of the variant, then 62 random ones."""
    drawn = os.urandom(8 * _MANY).hex()
    starts = range(0, len(drawn), 16)
    return [
        f"{_VARIANT[drawn[at]]}{drawn[at + 1 : at + 4]}-{drawn[at + 4 : at + 16]}" for at in starts
    ]


def now() -> str:
    """Return the current time as RFC 3339, UTC, to the millisecond, with Z."""
    second, millis = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_to_the_second(second)}.{millis:03d}Z"


@lru_cache(maxsize=4)
def _to_the_second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
