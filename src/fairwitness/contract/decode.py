"""Strict decoding: bytes to a request, or InvalidRequest naming every fault at once.

The fast path is one typed msgspec decode plus a check for repeated keys. Only a refused body takes
the slow path, which walks the very JSON Schema we publish. Faults name fields and bounds, never
the text a caller sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec import UNSET

from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.requests import Body, Request
from fairwitness.contract.requests_2 import Faults
from fairwitness.contract.schema_faults import SHOWN, SchemaFaults, echo
from fairwitness.contract.tool_body import ToolBody

R = TypeVar("R", bound=Body)

# A caller fixes the first faults first.
_MAX_FAULTS = 90


class _RepeatedKey(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


def decode(body: bytes, request_type: type[R]) -> R:
    """Return the request `body` holds, or raise InvalidRequest with one detail per fault."""
    try:
        request: R = _decoder(request_type).decode(body)
        if _may_repeat(body, request):
            _REPEATS.decode(body.decode())
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, _RepeatedKey) as refusal:
        faults = _faults(body, request_type, refusal)
        raise InvalidRequest(details=list(islice(faults, _MAX_FAULTS))) from None
    return request


@cache
def _decoder(request_type: type[R]) -> msgspec.json.Decoder[R]:
    return msgspec.json.Decoder(request_type)


def _may_repeat(body: bytes, request: Body) -> bool:
    """Tell whether a key may be repeated in an object; exact only where it says no."""
    if isinstance(request, Request):
        # Each key has two quotation marks, and what a repeated one says is lost: more stand in the body than are left.
        return body.count(b'"') - _escaped_quotes(body) != _quotes(request)
    if isinstance(request, ToolBody):
        # Written plainly each known key shows in the bytes; \u alone can hide a letter.
        return b"\\u" in body or any(body.count(key) > 1 for key in _keys(type(request)))
    return True


def _escaped_quotes(body: bytes) -> int:
    """Return how many quotation marks stand behind a backslash that is not itself behind one."""
    found = 0
    behind = iter(body.split(b"\\")[1:])
    for piece in behind:
        if not piece:
            next(behind, None)  # two backslashes: what follows them is not escaped
        elif piece.startswith(b'"'):
            found += 1
    return found


def _quotes(request: Request) -> int:
    """Return how many quotation marks a request of contract 1 is written with: two for each key and each string."""
    quotes = 0
    for name in request.__struct_fields__:
        value = getattr(request, name)
        if value is UNSET:
            continue
        quotes += 2
        if isinstance(value, str):
            quotes += 2
        elif isinstance(value, list):
            quotes += 2 * len(value)
    return quotes


@cache
def _keys(request_type: type[Body]) -> tuple[bytes, ...]:
    return tuple(f'"{name}"'.encode() for name in request_type.__struct_encode_fields__)


@cache
def request_schema(request_type: type[Body]) -> dict[str, Any]:
    """Return the published JSON Schema of one request body."""
    schema: dict[str, Any] = _definitions(request_type)[request_type.__name__]
    return schema


@cache
def _definitions(request_type: type[Body]) -> dict[str, Any]:
    return msgspec.json.schema_components(
        [request_type], ref_template="#/components/schemas/{name}"
    )[1]


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen = dict(pairs)
    if len(seen) != len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKey(next(key for key in keys if keys.count(key) > 1))
    return seen


# Made once: json.loads would build a decoder for each body.
_REPEATS = json.JSONDecoder(object_pairs_hook=_refuse_repeats, parse_int=str, parse_float=str)


def _faults(body: bytes, request_type: type[Body], refusal: Exception) -> Iterator[str]:
    if not body.strip():
        yield "body: empty; a JSON object is required"
        return
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        yield f"body: not valid UTF-8 (byte {error.start})"
        return
    repeated: dict[str, None] = {}
    try:
        value = json.loads(
            text,
            object_pairs_hook=_note_repeats(repeated),
            parse_constant=_no_constant,
            parse_int=float,  # Python's int refuses thousands of digits, which JSON allows
        )
    except RecursionError:
        yield "body: nested too deeply"
        return
    except ValueError as error:
        where = (
            f" (line {error.lineno}, column {error.colno})"
            if isinstance(error, json.JSONDecodeError)
            else ""
        )
        yield f"body: not valid JSON{where}"
        return
    yield from (f"{echo(key)}: appears more than once" for key in list(repeated)[:SHOWN])
    if len(repeated) > SHOWN:
        yield f"body: {len(repeated) - SHOWN} more keys that appear more than once"
    if not isinstance(value, dict):
        yield "body: must be a JSON object"
        return
    if issubclass(request_type, ToolBody):
        # Of a shape that is not ours only the place is told; the rest of msgspec's words may quote a text.
        place = str(refusal).partition(" - at `$.")[2].rstrip("`") or "body"
        yield f"{place}: not what the tool sends here"
        return
    schema = SchemaFaults(request_schema(request_type), _definitions(request_type))
    found = list(islice(schema.of(value), _MAX_FAULTS))
    if not found and isinstance(refusal.__cause__, Faults):
        found = list(refusal.__cause__.faults)
    yield from found
    if not found and not repeated:
        # msgspec refused what the schema lets pass: say so without repeating the text.
        yield (
            "body: not valid JSON"
            if isinstance(refusal, msgspec.DecodeError)
            else "body: does not match the contract"
        )


def _note_repeats(repeated: dict[str, None]) -> Any:
    def hook(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                repeated[key] = None
            seen.add(key)
        return dict(pairs)

    return hook


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
