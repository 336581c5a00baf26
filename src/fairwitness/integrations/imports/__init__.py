"""Assertions of other tools as a protocol file, and what could not be taken over, each with the reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import yaml

from fairwitness.batch.line_faults import line_fault
from fairwitness.contract.errors import InvalidRequest
from fairwitness.evaluator.checks import KINDS

MAX_FILE_BYTES = 10_000_000
MAX_CHECKS = 100


class _Value(Exception):
    """A value that TOML cannot hold."""


@dataclass
class Imported:
    """What came of an import: checks, what was left with its reason, and what the user has to do."""

    name: str
    checks: list[dict[str, Any]] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def take(self, place: str, kind: str, message: str, **keys: Any) -> None:
        """Add a check, or note why it cannot be one."""
        check = {"kind": kind, "severity": "high", "message": _printable(message)[:500], **keys}
        try:
            msgspec.convert(check, KINDS[kind])
            _toml(check)
        except msgspec.ValidationError as error:
            self.leave(
                place, f"{kind}: {line_fault(error, KINDS[kind], msgspec.json.encode(check))}"
            )
            return
        except (ValueError, _Value) as error:
            self.leave(place, f"{kind}: {error}")
            return
        if len(self.checks) == MAX_CHECKS:
            self.leave(place, f"a protocol has at most {MAX_CHECKS} checks")
        elif check not in self.checks:
            self.checks.append(check)

    def leave(self, place: str, reason: str) -> None:
        """Note what is not taken over, and why."""
        self.left.append((place, reason))

    def note(self, text: str) -> None:
        """Say something once."""
        if text not in self.notes:
            self.notes.append(text)

    def toml(self) -> str:
        """Return the protocol file: the shipped criteria and one with the checks; any check that fails, fails the response."""
        left = [f"not taken over: {place}: {reason}" for place, reason in self.left]
        lines = [
            *(_comment(line) for line in (f"Imported from {self.name}.", *left)),
            f"name = {_toml(_identifier(self.name))}",
            'version = "1.0.0"',
            'extends = "fairwitness"',
        ]
        if self.checks:
            lines += [
                "",
                "[criteria.imported]",
                'title = "Imported assertions"',
                'question = "Does it pass the assertions that were imported?"',
                "weight = 1.0",
                "critical = true",
                "fail_below = 100",
                "pass_from = 100",
                "checks = [",
                *(f"  {_toml(check)}," for check in self.checks),
                "]",
            ]
        return "\n".join(lines) + "\n"


def document(path: Path) -> Mapping[str, Any]:
    """Return the table a JSON or YAML file holds; raise InvalidRequest where it holds none."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InvalidRequest(details=[f"{path}: larger than {MAX_FILE_BYTES} bytes"])
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        told = " ".join(str(error).split())
        raise InvalidRequest(details=[f"{path}: cannot be read as JSON or YAML: {told}"]) from None
    if not isinstance(found, dict):
        raise InvalidRequest(details=[f"{path}: must hold a table of settings"])
    return found


def has_template(value: Any) -> bool:
    """Tell whether a value has a place that each row fills."""
    return "{{" in json.dumps(value, default=str) or "{%" in json.dumps(value, default=str)


def _comment(text: str) -> str:
    return f"# {_printable(text)}"


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _identifier(name: str) -> str:
    kept = "".join(char if char.isalnum() or char in "._-" else "-" for char in name)
    return kept.strip("-.") or "imported"


def _toml(value: Any) -> str:
    """Return a value as TOML writes it on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        if not value.replace("\n", "").replace("\t", "").isprintable():
            raise _Value("a protocol file cannot hold a control or invisible character")
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(str(k))} = {_toml(v)}" for k, v in value.items()) + " }"
    raise _Value(f"a protocol file cannot hold {type(value).__name__}")


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if bare else _toml(name)
