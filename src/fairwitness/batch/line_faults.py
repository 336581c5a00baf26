"""Says in plain words why a JSON line is not what a file must hold: the field, what was found, what is allowed."""

from __future__ import annotations

from typing import Any

import msgspec

from fairwitness.evaluator.protocol_faults import fault


def line_fault(error: Exception, kind: Any, line: bytes) -> str:
    """Return what is wrong with a line that msgspec refused to read as this type."""
    if not isinstance(error, msgspec.ValidationError):
        return "not valid JSON"
    value = msgspec.json.decode(line)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and not isinstance(value, dict):
        return "not a JSON object"
    key, wrong = fault(error, kind, value)
    return f"{'.'.join(key)}: {wrong}" if key else wrong
