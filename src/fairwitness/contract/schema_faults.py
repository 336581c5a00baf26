"""Says everything a JSON value has wrong by one of our published schemas: fields and bounds, never the text a caller sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# Unknown and repeated keys are echoed so that a caller can find them, but never at length, nor in the thousands.
_KEY_ECHO = 60
SHOWN = 20
# Of a longer array no more is walked: it is too long for its total, too.
MAX_ITEMS = 2_000


@dataclass(frozen=True, slots=True)
class SchemaFaults:
    """A schema, and the definitions its references name."""

    schema: Mapping[str, Any]
    definitions: Mapping[str, Any]

    def of(self, value: dict[str, Any]) -> Iterator[str]:
        """Yield the faults of an object."""
        yield from self._object("", value, self.schema)

    def at(self, path: str, value: Any) -> Iterator[str]:
        """Yield the faults of a value of any kind, which stands at a path."""
        yield from self._value(path, value, self.schema)

    def _object(self, path: str, value: dict[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
        properties: dict[str, dict[str, Any]] = schema["properties"]
        for name, rule in properties.items():
            place = f"{path}.{name}" if path else name
            if name in value:
                yield from self._value(place, value[name], rule)
            elif name in schema.get("required", ()):
                yield f"{place}: required"
        unknown = [name for name in value if name not in properties]
        before = f"{path}." if path else ""
        yield from (f"{before}{echo(name)}: unknown field" for name in unknown[:SHOWN])
        if len(unknown) > SHOWN:
            yield f"{path or 'body'}: {len(unknown) - SHOWN} more unknown fields"

    def _value(self, path: str, value: Any, rule: Mapping[str, Any]) -> Iterator[str]:
        if "$ref" in rule:
            rule = self.definitions[rule["$ref"].rpartition("/")[2]]
        if "anyOf" in rule:
            yield from self._choice(path, value, rule["anyOf"])
        elif "const" in rule:
            if value is not rule["const"]:
                yield f"{path}: must be {json.dumps(rule['const'])}"
        elif "enum" in rule:
            if not isinstance(value, str) or value not in rule["enum"]:
                yield f"{path}: {_not_one_of(value, rule['enum'])}"
        elif rule["type"] == "object":
            if not isinstance(value, dict):
                yield f"{path}: must be an object"
            elif "properties" in rule:
                yield from self._object(path, value, rule)
        elif rule["type"] == "array":
            yield from self._array(path, value, rule)
        else:
            told = _text_faults if rule["type"] == "string" else _number_faults
            yield from (f"{path}: {fault}" for fault in told(value, rule))

    def _choice(self, path: str, value: Any, rules: list[dict[str, Any]]) -> Iterator[str]:
        """Yield the faults of a text or an object by the rule for what it is."""
        text = next(rule for rule in rules if rule.get("type") == "string")
        other = next(rule for rule in rules if rule is not text)
        yield from self._value(path, value, other if isinstance(value, dict) else text)

    def _array(self, path: str, value: Any, rule: Mapping[str, Any]) -> Iterator[str]:
        if not isinstance(value, list):
            yield f"{path}: must be an array"
            return
        low, high = rule.get("minItems", 0), rule.get("maxItems")
        if len(value) < low:
            yield f"{path}: at least {low} item{'s' if low > 1 else ''} required"
        if high is not None and len(value) > high:
            yield f"{path}: at most {high} items allowed"
        allowed = rule["items"].get("enum")
        # One more than can be right shows at least one that is wrong.
        most = (high or MAX_ITEMS) if allowed is None else len(allowed) + 1
        for index, item in enumerate(value[:most]):
            yield from self._value(f"{path}[{index}]", item, rule["items"])
        if rule.get("uniqueItems"):
            strings = [item for item in value if isinstance(item, str)]
            if len(set(strings)) != len(strings):
                yield f"{path}: items must be unique"


def _text_faults(value: Any, rule: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(value, str):
        yield "text only" if "contentMediaType" in rule else "must be a string"
        return
    if any("\ud800" <= char <= "\udfff" for char in value):
        yield "contains a lone surrogate, which is not a character"
    if len(value) < rule.get("minLength", 0):
        yield "must not be empty"
    if len(value) > rule.get("maxLength", len(value)):
        yield f"longer than {rule['maxLength']} characters"


def _number_faults(value: Any, rule: Mapping[str, Any]) -> Iterator[str]:
    low, high = rule["minimum"], rule["maximum"]
    number = type(value) in {int, float} and low <= value <= high
    step = rule.get("multipleOf")
    if not number or (step and value % step):
        yield f"must be a {'whole ' if step else ''}number from {low:g} to {high:g}"


def _not_one_of(value: Any, values: list[str]) -> str:
    quoted = [json.dumps(each) for each in values]
    if len(quoted) > 1:
        return "must be one of " + ", ".join(quoted)
    # Every word of a version is ours; what it is not is never repeated.
    alpha = re.compile(r"(\d+\.\d+\.\d+)-alpha\.\d{1,4}")
    if isinstance(value, str) and (known := alpha.fullmatch(values[0])):
        sent = alpha.fullmatch(value)
        if sent is not None and sent[1] == known[1]:
            return f"this alpha of the contract is no longer served; the current one is {quoted[0]}"
    return f"must be {quoted[0]}"


def echo(key: str) -> str:
    """Return a key as an error may repeat it."""
    safe = key.encode("utf-8", "replace").decode()
    safe = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in safe)
    return safe if len(safe) <= _KEY_ECHO else safe[:_KEY_ECHO] + "…"
