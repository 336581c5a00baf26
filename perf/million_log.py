"""Reads what a server logged under the load of `perf.million`: its errors, whole, and the requests they belong to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_ERRORS = {"error", "critical", "exception"}
# Where a machine keeps its packages is no part of what went wrong.
_FOLDERS = re.compile(r"^.*/(?=(?:fairwitness|uvicorn|asyncio|starlette)/)")
_CRASHES = ("Traceback", "Fatal Python error", "Exception ", "Process ")


def logged_errors(log: Path) -> list[dict[str, Any]]:
    """Return every error a server logged, with the requests it then answered with 5xx; none holds a caller's text.

    Of lines that are no JSON, those of a crash are errors as well.
    """
    errors: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    for line in log.read_text(errors="replace").splitlines():
        if not line.startswith("{"):
            if line.startswith(_CRASHES):
                errors.append({"level": "error", "event": line[:1000]})
            continue
        try:
            told = json.loads(line)
        except ValueError:  # two workers' lines in one: what is left of an error still counts
            told = {"level": "error" if '"level":"error"' in line else "", "event": line[:1000]}
        if told.get("level") in _ERRORS or told.get("event") == "request failed":
            errors.append(told)
        elif told.get("event") == "answered" and told["status"] >= 500:
            failed.append(told)
    for error in errors:
        error["requests"] = [one for one in failed if _beside(error, one)]
        for cause in error.get("error", ()):
            cause["where"] = [_FOLDERS.sub("", place) for place in cause["where"]]
    return errors


def _beside(error: dict[str, Any], answered: dict[str, Any]) -> bool:
    """Say whether a request is the error's own or, where it names none, was answered in the same second."""
    if "request_id" in error:
        return bool(error["request_id"] == answered["request_id"])
    return str(error.get("timestamp", ""))[:19] == str(answered["timestamp"])[:19]
