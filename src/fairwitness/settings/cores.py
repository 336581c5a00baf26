"""How many cores this process may use: those it is bound to, and no more than its container's share."""

from __future__ import annotations

import math
import os
from pathlib import Path

_CGROUPS = Path("/sys/fs/cgroup")


def available_cores(cgroups: Path = _CGROUPS) -> int:
    """Return how many cores this process may use, at least one."""
    bound = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    share = _share(cgroups)
    return bound if share is None else max(1, min(bound, math.ceil(share)))


def _share(cgroups: Path) -> float | None:
    """Return the cores a container is limited to, as the kernel tells it inside; None where there is no limit."""
    try:
        quota, period = (cgroups / "cpu.max").read_text().split()
    except (OSError, ValueError):
        try:
            quota = (cgroups / "cpu/cpu.cfs_quota_us").read_text().strip()
            period = (cgroups / "cpu/cpu.cfs_period_us").read_text().strip()
        except OSError:
            return None
    try:
        cores = int(quota) / int(period)
    except (ValueError, ZeroDivisionError):
        return None  # "max"
    return cores if cores > 0 else None
