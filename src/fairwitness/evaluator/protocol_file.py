"""One protocol file: its bytes, the tables read from them, and errors that name file, line and key.

TOML, or YAML where the file's name says so. A file that could cost more than it is worth (too long, too
deep, aliases that multiply) is refused before anything is made of it.
"""

from __future__ import annotations

import os
import stat
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from fairwitness.evaluator import toml_lines, yaml_tables
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.protocol_faults import Key, fault

T = TypeVar("T")

MAX_BYTES = 1_000_000
MAX_DEPTH = 20
# The parser's work grows with the square of a dotted key's length.
_LONG_KEY = Pattern(r"[\w\-\"'](?:[ \t]*\.[ \t]*[\w\-\"']+){40}")
# What people are shown: one line, and nothing that cannot be seen.
_SHOWN = frozenset({"name", "version", "title", "question", "message", "extends", "kind"})


class ProtocolError(ValueError):
    """A protocol that cannot be used: where it is wrong, and how."""

    def __init__(self, place: str, key: str, message: str) -> None:
        """Name the file and line, the key, and what is wrong with it."""
        super().__init__(": ".join(part for part in (place, key, message) if part))


@dataclass(frozen=True)
class ProtocolFile:
    """The bytes of one file, and what errors call it."""

    path: str
    source: bytes

    @classmethod
    def open(cls, path: Path) -> ProtocolFile:
        """Read a file, and no more of it than is allowed."""
        try:
            # A pipe that nobody writes to would be waited for without end.
            with open(path, "rb", opener=_at_once) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise ProtocolError(str(path), "", "is not a regular file")
                return cls(str(path), file.read(MAX_BYTES + 1))
        except ProtocolError:
            raise
        except OSError as error:
            raise ProtocolError(str(path), "", error.strerror or "cannot be read") from error
        except ValueError as error:  # a path no file can have
            raise ProtocolError(str(path), "", str(error)) from error

    @cached_property
    def _text(self) -> str:
        if len(self.source) > MAX_BYTES:
            raise ProtocolError(self.path, "", f"is longer than {MAX_BYTES:,} bytes")
        try:
            return self.source.decode("utf-8-sig")  # some editors begin a file with a mark
        except UnicodeDecodeError as error:
            raise ProtocolError(self.path, "", "is not UTF-8") from error

    @property
    def _is_yaml(self) -> bool:
        return self.path.lower().endswith((".yaml", ".yml"))

    @cached_property
    def tables(self) -> dict[str, Any]:
        """Everything the file says, as plain data without control characters or infinite numbers."""
        tables = self._yaml[0] if self._is_yaml else self._toml()
        for key, message in _faults(tables, ()):
            raise error_in((self,), key, message)
        return tables

    @cached_property
    def lines(self) -> dict[Key, int]:
        """The line, from 1, on which each key stands."""
        return self._yaml[1] if self._is_yaml else toml_lines.lines_of(self._text)

    @cached_property
    def _yaml(self) -> tuple[dict[str, Any], dict[Key, int]]:
        try:
            return yaml_tables.read(self._text, MAX_DEPTH)
        except yaml_tables.YamlFault as error:
            raise ProtocolError(self.path, "", f"is not valid YAML: {error}") from error

    def _toml(self) -> dict[str, Any]:
        if _LONG_KEY.search(self._text.encode()):
            raise ProtocolError(self.path, "", "has a key of more than 40 parts")
        try:
            return tomllib.loads(self._text)
        except RecursionError as error:
            raise ProtocolError(self.path, "", f"nests deeper than {MAX_DEPTH}") from error
        except tomllib.TOMLDecodeError as error:
            said, _, place = str(error).rstrip(")").partition(" (at line ")
            line = f":{place.partition(',')[0]}" if place else ""
            raise ProtocolError(f"{self.path}{line}", "", f"is not TOML: {said}") from error
        except ValueError as error:
            raise ProtocolError(self.path, "", "has a number with too many digits") from error


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def error_in(files: Sequence[ProtocolFile], key: Sequence[str], message: str) -> ProtocolError:
    """Return the error that names a key, in the file of a chain that says most of it, and its line."""
    for length in range(len(key), 0, -1):
        for file in files:
            for name in (key[length - 1], key[length - 1].partition("[")[0]):
                line = file.lines.get((*key[: length - 1], name))
                if line is not None:
                    return ProtocolError(f"{file.path}:{line}", ".".join(key), message)
    return ProtocolError(files[0].path, ".".join(key), message)


def decode(table: Any, kind: type[T], key: Key, files: Sequence[ProtocolFile]) -> T:
    """Turn one table into its type; raise ProtocolError where it does not fit."""
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        path, message = fault(error, kind, table)
        raise error_in(files, (*key, *path), message) from error


def _faults(value: Any, key: Key, depth: int = 0) -> Iterator[tuple[Key, str]]:
    """Yield what no value of a protocol may be, wherever it stands."""
    if depth > MAX_DEPTH:
        yield key[:3], f"nests deeper than {MAX_DEPTH}"
    elif isinstance(value, dict):
        for name, inner in value.items():
            if not name.isprintable():
                yield key, "has a key with a control character"
            yield from _faults(inner, (*key, name), depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _faults(inner, (*key[:-1], f"{key[-1]}[{index}]"), depth + 1)
    elif isinstance(value, float) and not isfinite(value):
        yield key, "must be a finite number"
    elif isinstance(value, str) and not value.isprintable() and _is_hidden(value, key):
        yield key, "contains a control or invisible character"


def _is_hidden(value: str, key: Key) -> bool:
    if key[0].startswith("examples"):  # these may need any character
        return any(unicodedata.category(char) == "Cs" for char in value)
    if key[-1] in _SHOWN:
        return True
    return any(
        unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\r\t" for char in value
    )
