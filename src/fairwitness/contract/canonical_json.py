"""Canonical JSON (RFC 8785): the one form in which tool calls are quoted and evidence is signed."""

from __future__ import annotations

from typing import Any


def canonical(value: Any) -> bytes:
    """Return the RFC 8785 form of plain JSON data; raise ValueError where it has none."""
    # Imported here: an evaluation without tool calls needs no canonical form.
    import rfc8785

    return rfc8785.dumps(value)
