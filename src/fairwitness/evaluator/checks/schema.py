"""Checks JSON against a schema of the commonest keywords; a keyword it does not know is refused, never ignored.

No references and no alternatives: the work is bounded by the size of the value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from fairwitness.evaluator.checks.check import MAX_PATTERN_CHARS, compiled, named

MAX_SCHEMAS = 1_000


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": _is_number,
    "integer": lambda value: _is_number(value) and value == value // 1,
}
_SPOKEN = frozenset({"$schema", "$id", "title", "description", "examples", "default"})


def check_schema(schema: dict[str, Any]) -> None:
    """Raise ValueError where a schema says what is not checked here."""
    waiting: list[tuple[Any, str]] = [(schema, "schema")]
    for count, (here, place) in enumerate(waiting):
        if count == MAX_SCHEMAS:
            raise ValueError(f"schema: more than {MAX_SCHEMAS} parts")
        if not isinstance(here, dict):
            raise ValueError(f"{place}: must be a table")
        for keyword, value in here.items():
            if keyword in _SPOKEN:
                continue
            if keyword not in KEYWORDS:
                known = ", ".join(KEYWORDS)
                raise ValueError(f"{place}.{keyword}: unknown keyword; known keywords: {known}")
            if not KEYWORDS[keyword](value):
                raise ValueError(f"{place}.{keyword}: invalid value")
            if keyword == "properties":
                waiting += [(inner, f"{place}.properties.{name}") for name, inner in value.items()]
            elif keyword == "items" or (
                keyword == "additionalProperties" and value not in (True, False)
            ):
                waiting.append((value, f"{place}.{keyword}"))
            elif keyword == "pattern":
                compiled(value)


def fault(value: Any, schema: dict[str, Any]) -> str:
    """Return the first thing wrong with a value, by its path; empty where nothing is."""
    found = next(_faults(value, schema, "$"), "")
    # A key of JSON can hold half a surrogate pair, which no message can, or drive a terminal.
    return "".join(char if char.isprintable() else "\ufffd" for char in found)


def _faults(value: Any, schema: dict[str, Any], path: str) -> Iterator[str]:
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_TYPES[name](value) for name in types):
        yield f"{path} is not of type {' or '.join(types)}"
        return
    if "const" in schema and not _same(value, schema["const"]):
        yield f"{path} is not {json.dumps(schema['const'], ensure_ascii=False)}"
    if "enum" in schema and not any(_same(value, one) for one in schema["enum"]):
        yield f"{path} is not one of {named(map(_written, schema['enum']))}"
    if isinstance(value, str):
        yield from _of_size(len(value), schema, "Length", f"the length of {path}")
        if "pattern" in schema and not compiled(schema["pattern"]).search(_utf8(value)):
            yield f"{path} does not match {schema['pattern']}"
    elif _is_number(value):
        yield from _of_number(value, schema, path)
    elif isinstance(value, list):
        yield from _of_size(len(value), schema, "Items", f"the number of items of {path}")
        for index, item in enumerate(value if "items" in schema else ()):
            yield from _faults(item, schema["items"], f"{path}[{index}]")
    elif isinstance(value, dict):
        yield from _of_object(value, schema, path)


def _of_object(value: dict[str, Any], schema: dict[str, Any], path: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path}.{name} is missing"
    for name, inner in value.items():
        place = f"{path}.{name[:60]}"
        if name in properties:
            yield from _faults(inner, properties[name], place)
        elif others is False:
            yield f"{place} is not expected"
        elif others is not True:
            yield from _faults(inner, others, place)


def _of_size(size: int, schema: dict[str, Any], unit: str, what: str) -> Iterator[str]:
    least, most = schema.get(f"min{unit}"), schema.get(f"max{unit}")
    if least is not None and size < least:
        yield f"{what} is {size}, at least {least}"
    if most is not None and size > most:
        yield f"{what} is {size}, at most {most}"


def _of_number(value: float, schema: dict[str, Any], path: str) -> Iterator[str]:
    for keyword, wrong, words in _BOUNDS:
        if keyword in schema and wrong(value, schema[keyword]):
            yield f"{path} is {str(value)[:40]}, {words} {schema[keyword]}"


_BOUNDS: tuple[tuple[str, Callable[[float, float], bool], str], ...] = (
    ("minimum", lambda value, bound: value < bound, "at least"),
    ("maximum", lambda value, bound: value > bound, "at most"),
    ("exclusiveMinimum", lambda value, bound: value <= bound, "more than"),
    ("exclusiveMaximum", lambda value, bound: value >= bound, "less than"),
)


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float | bool)


def _same(one: Any, other: Any) -> bool:
    # To Python true is 1; to JSON it is not.
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _utf8(value: str) -> bytes:
    # A string of JSON can hold half a surrogate pair.
    return value.encode(errors="replace")


def _are_types(value: Any) -> bool:
    names = [value] if isinstance(value, str) else value
    return _are_names(names) and bool(names) and all(name in _TYPES for name in names)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


# The keywords that are checked, and which values each may have.
KEYWORDS: dict[str, Callable[[Any], bool]] = {
    "type": _are_types,
    "enum": lambda value: isinstance(value, list) and bool(value) and all(map(_is_scalar, value)),
    "const": _is_scalar,
    "properties": lambda value: isinstance(value, dict),
    "required": _are_names,
    "additionalProperties": lambda value: isinstance(value, bool | dict),
    "items": lambda value: isinstance(value, dict),
    "minItems": _is_size,
    "maxItems": _is_size,
    "minLength": _is_size,
    "maxLength": _is_size,
    "pattern": lambda value: isinstance(value, str) and 0 < len(value) <= MAX_PATTERN_CHARS,
    "minimum": _is_number,
    "maximum": _is_number,
    "exclusiveMinimum": _is_number,
    "exclusiveMaximum": _is_number,
}
