"""Starts a module of ours as a process that finds what this one finds, and that Ctrl+C does not reach."""

from __future__ import annotations

import io
import os
import subprocess
import sys

# Ctrl+C is for us alone: a child ends when its input does, or when it is ended.
_APART: dict[str, int] = (
    {"process_group": 0}
    if os.name == "posix"
    else {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
)


def start_module(
    module: str, stdin: int | io.BufferedReader = subprocess.PIPE, **environment: str
) -> subprocess.Popen[bytes]:
    """Start `python -m module` with pipes to and from it."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", module],
        stdin=stdin,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, **environment},
        **_APART,
    )
