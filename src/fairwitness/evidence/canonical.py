"""Canonical JSON (RFC 8785), and a reader strict enough that every JSON library agrees on what it read.

A digest of JSON means something only where two readers cannot understand one file differently. So
the reader refuses what they are known to disagree on: repeated keys, numbers that are no
double as written, lone surrogates, and nesting beyond any use of ours.
"""

from __future__ import annotations

import hashlib
import json
import math
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from fairwitness.contract.canonical_json import canonical
from fairwitness.contract.exchange_faults import MAX_SAFE_INTEGER

__all__ = ["BadDocument", "canonical", "digest", "read", "shown"]

MAX_DEPTH = 32
MAX_DOCUMENT_BYTES = 8 * 1024 * 1024

# Room for any double written without an exponent; longer literals meet no arithmetic.
_MAX_NUMBER_CHARS = 400


class BadDocument(ValueError):
    """The file cannot be read as the JSON it should be; the message says why, fit for a terminal."""


def digest(value: Any) -> str:
    """Return the SHA-256, in hex, of a value's canonical form."""
    return hashlib.sha256(canonical(value)).hexdigest()


def shown(value: Any, limit: int = 60) -> str:
    """Return a value as short, plain ASCII, safe to print whatever a stranger put into it."""
    text = json.dumps(value)
    return text if len(text) <= limit else text[:limit] + "..."


def read(data: bytes) -> Any:
    """Return the JSON value `data` holds, or raise BadDocument."""
    if len(data) > MAX_DOCUMENT_BYTES:
        raise BadDocument(f"larger than {MAX_DOCUMENT_BYTES} bytes")
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_members,
            parse_int=_whole,
            parse_float=_number,
            parse_constant=_constant,
        )
    except UnicodeDecodeError as error:
        raise BadDocument(f"not valid UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadDocument(f"not valid JSON ({where})") from None
    except RecursionError:
        raise BadDocument("nested too deeply") from None
    _check(value)
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise BadDocument(f"the key {shown(key)} appears twice in one object")
        members[key] = value
    return members


def _whole(literal: str) -> int:
    if len(literal) > 17 or abs(int(literal)) > MAX_SAFE_INTEGER:
        raise BadDocument(f"the number {literal[:40]} is too large for JSON parsers to agree on")
    return int(literal)


def _number(literal: str) -> float:
    try:
        value = float(literal)
        # Writers print a double in its shortest form or with 17 digits; nothing else is taken.
        exact = len(literal) <= _MAX_NUMBER_CHARS and (
            Decimal(literal) in (Decimal(repr(value)), Decimal(f"{value:.17g}"))
        )
    except InvalidOperation:
        exact = False
    if (
        not exact
        or not math.isfinite(value)
        or (abs(value) > MAX_SAFE_INTEGER and value.is_integer())
    ):
        raise BadDocument(f"the number {literal[:40]} is one that JSON parsers disagree on")
    return value


def _constant(name: str) -> NoReturn:
    raise BadDocument(f"{name} is not JSON")


def _check(value: Any) -> None:
    pending = [(value, 1)]
    while pending:
        item, depth = pending.pop()
        if depth > MAX_DEPTH:
            raise BadDocument("nested too deeply")
        if isinstance(item, dict):
            pending.extend((key, depth + 1) for key in item)
            pending.extend((member, depth + 1) for member in item.values())
        elif isinstance(item, list):
            pending.extend((member, depth + 1) for member in item)
        elif isinstance(item, str):
            _check_text(item)


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadDocument(f"the text {shown(text)} contains a lone surrogate") from None
