"""When a call is made again: only where twice is the same as once, and after the time the service names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fairwitness.client.calls import Call, Repeats
from fairwitness.client.errors import TimedOut, Unreachable
from fairwitness.contract.errors import ConcurrencyLimit, Overloaded, Refused, Unavailable

_LONGEST_WAIT = 30.0
_FIRST_WAIT = 0.5


@dataclass(frozen=True)
class Retries:
    """How often a repeatable call is made again."""

    most: int

    def wait(self, call: Call[Any], attempt: int, error: Exception) -> float:
        """Return the seconds to wait before the next attempt, or raise the error where there is none."""
        if call.repeats is Repeats.NEVER or attempt >= self.most:
            raise error
        if call.repeats is Repeats.WHEN_REFUSED and not isinstance(
            error, Overloaded | ConcurrencyLimit
        ):
            raise error
        if isinstance(error, Unavailable | Refused) and error.retry_after is not None:
            if error.retry_after > _LONGEST_WAIT:
                raise error  # the caller has better uses for the time
            return float(error.retry_after)
        if isinstance(error, Unavailable | Unreachable) and not isinstance(error, TimedOut):
            return float(_FIRST_WAIT * 2**attempt)
        raise error
