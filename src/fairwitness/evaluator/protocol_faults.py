"""Says in plain words what a value of a protocol file must be, and what was found instead."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
from msgspec import inspect

Key = tuple[str, ...]

_MAX_SHOWN_CHARS = 60
# Of a type, msgspec speaks in its own words; every other message is one of ours.
_ITS_OWN = ("Expected `", "Invalid ", "Integer value ")
_IN_WORDS = {"^provider_[a-g]$": "one of provider_a to provider_g"}


def fault(error: msgspec.ValidationError, kind: Any, table: Any) -> tuple[Key, str]:
    """Return the key a validation error speaks of, inside its table, and what is wrong with it."""
    wrong_key, _, of_a_key = str(error).partition(" - at `key` in `$")
    if of_a_key:  # a table whose keys are a closed list, such as the severities
        known = ", ".join(get_args(get_args(kind)[0]))
        return (wrong_key.split("'")[1],), f"unknown key; known keys: {known}"
    said, _, place = str(error).partition(" - at `$")
    path = _path(place.strip("`"), kind, table)
    what, _, name = said.rstrip("`").partition(" field `")
    if what == "Object contains unknown":
        fields = [field.encode_name for field in _node(kind, path).fields]
        known = ", ".join(field for field in fields if field != "id")
        return (*_key(path), name), f"unknown key; known keys: {known}"
    if what == "Object missing required":
        return _key(path), f"{name} is missing"
    if not said.startswith(_ITS_OWN):
        return _key(path), said[0].lower() + said[1:]
    expected, value = _expected(_node(kind, path)), _value(table, path)
    if " of length " in said:
        unit = "character" if isinstance(value, str) else "item" if isinstance(value, list) else "key"  # fmt: skip
        found = f"and has {len(value):,} {unit}s" if len(value) > 1 else "and has one" if value else "and is empty"  # fmt: skip
    else:
        found = f"not {_shown(value)}"
    return _key(path), f"must be {expected}, {found}"


def _path(place: str, kind: Any, table: Any) -> list[str | int]:
    """Return the steps into a table; where msgspec says only that some value of a table is wrong, find its key."""
    path: list[str | int] = []
    for step in place.replace("[...]", "[*]").replace("[", ".[").split(".")[1:]:
        if step == "[*]":
            path.append(_wrong_key(kind, table, path))
        else:
            path.append(int(step[1:-1]) if step.startswith("[") else step)
    return path


def _wrong_key(kind: Any, table: Any, path: list[str | int]) -> str:
    inside: dict[str, Any] = _value(table, path)
    for key, value in inside.items():
        try:
            msgspec.convert(_replaced(table, path, {key: value}), kind)
        except msgspec.ValidationError:
            return key
    raise AssertionError("one of these values is wrong")


def _replaced(table: Any, path: list[str | int], value: Any) -> Any:
    if not path:
        return value
    if isinstance(table, list):
        return [_replaced(one, path[1:], value) if n == path[0] else one for n, one in enumerate(table)]  # fmt: skip
    return {**table, path[0]: _replaced(table[path[0]], path[1:], value)}


def _value(table: Any, path: list[str | int]) -> Any:
    for step in path:
        table = table[step]
    return table


def _key(path: list[str | int]) -> Key:
    """Return steps as errors name them: an index belongs to the key before it."""
    key: list[str] = []
    for step in path:
        if isinstance(step, int) and key:
            key[-1] += f"[{step}]"
        else:
            key.append(f"[{step}]" if isinstance(step, int) else step)
    return tuple(key)


def _node(kind: Any, path: list[str | int]) -> Any:
    """Return the type a value at these steps must have."""
    node: Any = _bare(inspect.type_info(kind))
    for step in path:
        if isinstance(node, inspect.StructType):
            node = next(field.type for field in node.fields if field.encode_name == step)
        elif isinstance(node, inspect.DictType):
            node = node.value_type
        else:
            node = node.item_type
        node = _bare(node)
    return node


def _bare(node: Any) -> Any:
    """Return a type without its description, and without the nothing that a key may be left out for."""
    if isinstance(node, inspect.Metadata):
        return _bare(node.type)
    if isinstance(node, inspect.UnionType):
        some = [one for one in node.types if not isinstance(one, inspect.NoneType)]
        return _bare(some[0]) if len(some) == 1 else inspect.UnionType(tuple(some))
    return node


def _expected(node: Any) -> str:
    node = _bare(node)
    match node:
        case inspect.UnionType():
            return " or ".join(_expected(one) for one in node.types)
        case inspect.LiteralType():
            return f"one of {', '.join(map(str, node.values))}"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"a whole number{_bounds(node)}"
        case inspect.FloatType():
            return f"a number{_bounds(node)}"
        case inspect.StrType():
            if node.pattern is not None:
                return _IN_WORDS.get(node.pattern, f"a text of the form {node.pattern}")
            return f"a text{_length(node, 'character')}"
        case inspect.ListType() | inspect.VarTupleType():
            return f"a list{_length(node, 'item')}"
        case _:
            return f"a table{_length(node, 'key')}"


def _bounds(node: Any) -> str:
    low = None if node.ge is None and node.gt is None else f"over {node.gt:g}" if node.ge is None else f"{node.ge:g}"  # fmt: skip
    high = None if node.le is None and node.lt is None else f"under {node.lt:,g}" if node.le is None else f"{node.le:,g}"  # fmt: skip
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" of at least {low}" if node.gt is None else f" {low}"
    return "" if high is None else f" of at most {high}" if node.lt is None else f" {high}"


def _length(node: Any, unit: str) -> str:
    least, most = getattr(node, "min_length", None), getattr(node, "max_length", None)
    if most is not None:
        return f" of {least} to {most:,} {unit}s" if least else f" of at most {most:,} {unit}s"
    return f" of at least {least} {unit}{'' if least == 1 else 's'}" if least else ""


def _shown(value: Any) -> str:
    """Return what was found, short enough for a line."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if value is None or isinstance(value, bool | int | float | str):
        text = json.dumps(value, ensure_ascii=False)
        return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}…"
    return f"the date or time {value}"
