"""Strict decoding: bytes to a request, or InvalidRequest naming every fault at once.

The fast path is one typed msgspec decode plus a scan for repeated keys. Only a refused body takes
the slow path, which walks the very JSON Schema we publish. Faults name fields and bounds, never
the text a caller sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NoReturn, TypeVar

import msgspec

from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.requests import Request

R = TypeVar("R", bound=Request)

# Unknown and repeated keys are echoed so that a caller can find them, but never at length, nor in the thousands.
_KEY_ECHO = 60
_SHOWN = 20


class _RepeatedKey(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


def decode(body: bytes, request_type: type[R]) -> R:
    """Return the request `body` holds, or raise InvalidRequest with one detail per fault."""
    try:
        request: R = _decoder(request_type).decode(body)
        # Only known keys are left. Written plainly each shows in the bytes; \u alone can hide a letter.
        if b"\\u" in body or any(body.count(key) > 1 for key in _keys(request_type)):
            _REPEATS.decode(body.decode())
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, _RepeatedKey) as refusal:
        raise InvalidRequest(details=list(_faults(body, request_type, refusal))) from None
    return request


@cache
def _decoder(request_type: type[R]) -> msgspec.json.Decoder[R]:
    return msgspec.json.Decoder(request_type)


@cache
def _keys(request_type: type[Request]) -> tuple[bytes, ...]:
    return tuple(f'"{name}"'.encode() for name in request_type.__struct_encode_fields__)


@cache
def request_schema(request_type: type[Request]) -> dict[str, Any]:
    """Return the published JSON Schema of one request body."""
    (components, defs) = msgspec.json.schema_components(
        [request_type], ref_template="#/components/schemas/{name}"
    )
    del components
    schema: dict[str, Any] = defs[request_type.__name__]
    return schema


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen = dict(pairs)
    if len(seen) != len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKey(next(key for key in keys if keys.count(key) > 1))
    return seen


# Made once: json.loads would build a decoder for each body.
_REPEATS = json.JSONDecoder(object_pairs_hook=_refuse_repeats)


def _faults(body: bytes, request_type: type[Request], refusal: Exception) -> Iterator[str]:
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
    yield from (f"{_echo(key)}: appears more than once" for key in list(repeated)[:_SHOWN])
    if len(repeated) > _SHOWN:
        yield f"body: {len(repeated) - _SHOWN} more keys that appear more than once"
    if not isinstance(value, dict):
        yield "body: must be a JSON object"
        return
    found = list(_object_faults(value, request_schema(request_type)))
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


def _object_faults(value: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    properties: dict[str, dict[str, Any]] = schema["properties"]
    for name, rule in properties.items():
        if name in value:
            yield from (f"{name}{fault}" for fault in _value_faults(value[name], rule))
        elif name in schema["required"]:
            yield f"{name}: required"
    unknown = [name for name in value if name not in properties]
    yield from (f"{_echo(name)}: unknown field" for name in unknown[:_SHOWN])
    if len(unknown) > _SHOWN:
        yield f"body: {len(unknown) - _SHOWN} more unknown fields"


def _value_faults(value: Any, rule: dict[str, Any]) -> Iterator[str]:
    if "const" in rule:
        if value is not rule["const"]:
            yield f": must be {json.dumps(rule['const'])}"
    elif "enum" in rule:
        if not isinstance(value, str) or value not in rule["enum"]:
            yield f": must be {_one_of(rule['enum'])}"
    elif rule["type"] == "string":
        yield from _string_faults(value, rule)
    elif rule["type"] == "number":
        low, high = rule["minimum"], rule["maximum"]
        number = type(value) in {int, float} and low <= value <= high
        if not number or value % rule["multipleOf"]:
            yield f": must be a whole number from {low:g} to {high:g}"
    else:
        yield from _array_faults(value, rule)


def _string_faults(value: Any, rule: dict[str, Any]) -> Iterator[str]:
    if not isinstance(value, str):
        yield ": must be a string"
        return
    if any("\ud800" <= char <= "\udfff" for char in value):
        yield ": contains a lone surrogate, which is not a character"
    if len(value) < rule["minLength"]:
        yield ": must not be empty"
    if len(value) > rule["maxLength"]:
        yield f": longer than {rule['maxLength']} characters"


def _array_faults(value: Any, rule: dict[str, Any]) -> Iterator[str]:
    if not isinstance(value, list):
        yield ": must be an array"
        return
    allowed: list[str] = rule["items"]["enum"]
    low, high = rule.get("minItems", 0), rule.get("maxItems")
    if len(value) < low:
        yield f": at least {low} item{'s' if low > 1 else ''} required"
    if high is not None and len(value) > high:
        yield f": at most {high} items allowed"
    if any(not isinstance(item, str) or item not in allowed for item in value):
        for index, item in enumerate(value[: len(allowed) + 1]):
            if not isinstance(item, str) or item not in allowed:
                yield f"[{index}]: must be {_one_of(allowed)}"
    strings = [item for item in value if isinstance(item, str)]
    if len(set(strings)) != len(strings):
        yield ": items must be unique"


def _one_of(values: list[str]) -> str:
    quoted = [json.dumps(value) for value in values]
    return quoted[0] if len(quoted) == 1 else "one of " + ", ".join(quoted)


def _echo(key: str) -> str:
    safe = key.encode("utf-8", "replace").decode()
    safe = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in safe)
    return safe if len(safe) <= _KEY_ECHO else safe[:_KEY_ECHO] + "…"
