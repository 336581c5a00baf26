"""Describes what ran an evaluation: interpreter, runtime and kind of CPU, as far as they can move a last bit."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from fairwitness.evidence.statement import Runtime

_CPUINFO = Path("/proc/cpuinfo")

# The extensions by which quantised arithmetic picks its kernels.
_KERNEL_SETS = (
    *("sse4_2", "avx", "avx2", "fma", "avx_vnni"),
    *("avx512f", "avx512bw", "avx512_vnni", "amx_int8"),
    *("asimd", "asimddp", "i8mm", "sve"),
)


@cache
def describe() -> Runtime:
    """Return this machine's description; it names no host and no user."""
    name, flags = _cpu()
    return Runtime(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        onnxruntime=_version("onnxruntime"),
        system=platform.system(),
        machine=platform.machine(),
        cpu=name,
        instruction_sets=[kind for kind in _KERNEL_SETS if kind in flags],
    )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _cpu() -> tuple[str, frozenset[str]]:
    try:
        lines = _CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or "unknown", frozenset()
    return read_cpuinfo(lines)


def read_cpuinfo(lines: Iterable[str]) -> tuple[str, frozenset[str]]:
    """Return the first processor's name and feature flags (x86 and Arm spell them differently)."""
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    flags = fields.get("flags") or fields.get("Features") or ""
    return fields.get("model name") or "unknown", frozenset(flags.split())
