"""Checks of data: does the response, or the first block of code in it, parse as JSON, XML or YAML?

Nothing is built from YAML or XML that is read, so no alias and no entity is ever expanded.
"""

from __future__ import annotations

import json
from typing import Any
from xml.parsers import expat

import yaml

from fairwitness.evaluator.checks import schema
from fairwitness.evaluator.checks.check import Check, Fault, brief, spans_of
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.text import Region, Text

_MAX_DEPTH = 200


class _Data(Check, frozen=True, kw_only=True):
    # Read the first fenced block of code; else the whole response, white space around it aside.
    fenced: bool = False

    def fault(self, exchange: Exchange) -> Fault | None:
        """Say what is wrong with the data, and quote the line."""
        text = exchange.response
        region = self._region(text)
        if region is None:
            return Fault("no code block found")
        source = text.slice(region)
        try:
            detail, at = self.problem(source)
        except RecursionError:
            detail, at = "nested too deeply", -1
        if not detail:
            return None
        return Fault(detail, spans_of([] if at < 0 else [_line(text.value, region, at)]))

    def problem(self, source: str) -> tuple[str, int]:
        """Return what is wrong with a text and where, -1 for nowhere; nothing is an empty text."""
        raise NotImplementedError

    def _region(self, text: Text) -> Region | None:
        if self.fenced:
            return text.code_blocks[0].body if text.code_blocks else None
        return Region(0, len(text))


class JsonValid(_Data, frozen=True, kw_only=True, tag="json_valid"):
    """It is JSON and nothing else."""

    def problem(self, source: str) -> tuple[str, int]:
        """Return the first fault of the syntax."""
        return _parsed(source)[1:]


class JsonSchema(_Data, frozen=True, kw_only=True, tag="json_schema"):
    """It is JSON of this shape; `schema` is a JSON Schema of the keywords schema.py knows."""

    schema: dict[str, Any]

    def __post_init__(self) -> None:
        """Refuse a schema with a keyword that would not be checked."""
        schema.check_schema(self.schema)

    def problem(self, source: str) -> tuple[str, int]:
        """Return the first fault of the syntax, or of the shape, by its path."""
        value, detail, at = _parsed(source)
        return (detail, at) if detail else (schema.fault(value, self.schema), -1)


class XmlValid(_Data, frozen=True, kw_only=True, tag="xml"):
    """It is well-formed XML without a document type."""

    def problem(self, source: str) -> tuple[str, int]:
        """Return the first fault of the syntax."""
        parser = expat.ParserCreate("utf-8")  # it was decoded already, whatever it declares
        found: list[int] = []

        def refuse(*_: object) -> None:
            found.append(parser.CurrentByteIndex)
            raise ValueError

        parser.StartDoctypeDeclHandler = refuse  # it can define entities that multiply
        utf8 = source.strip().encode()
        offset = len(source) - len(source.lstrip())
        try:
            parser.Parse(utf8, True)
        except ValueError:
            return "it declares a document type", offset + _codepoints(utf8, found[0])
        except expat.ExpatError as error:
            at = offset + _codepoints(utf8, max(0, parser.ErrorByteIndex))
            return f"{expat.ErrorString(error.code)} at line {error.lineno}", at
        return "", -1


class YamlValid(_Data, frozen=True, kw_only=True, tag="yaml"):
    """It is YAML: a table or a list, not a bare text."""

    def problem(self, source: str) -> tuple[str, int]:
        """Return the first fault of the syntax."""
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        depth, collections = 0, 0
        try:
            for event in yaml.parse(source, Loader=loader):
                if isinstance(event, yaml.CollectionStartEvent):
                    depth, collections = depth + 1, collections + 1
                elif isinstance(event, yaml.CollectionEndEvent):
                    depth -= 1
                if depth > _MAX_DEPTH:
                    return "nested too deeply", -1
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            if mark is None:
                return str(error.problem), -1
            return f"{error.problem} at line {mark.line + 1}", min(mark.index, len(source) - 1)
        except yaml.YAMLError:
            return "a character that YAML does not allow", -1
        return ("", -1) if collections else ("neither a mapping nor a list", -1)


CHECKS: tuple[type[Check], ...] = (JsonValid, JsonSchema, XmlValid, YamlValid)


def _parsed(source: str) -> tuple[Any, str, int]:
    """Return a JSON value, or what is wrong and where."""
    try:
        return json.loads(source, parse_int=_integer, parse_constant=_refuse), "", -1
    except json.JSONDecodeError as error:
        where = f"{error.msg} at line {error.lineno}, column {error.colno}"
        return None, where, min(error.pos, len(source) - 1)
    except ValueError as error:
        return None, str(error), -1


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) < 400 else float(digits)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _codepoints(utf8: bytes, at: int) -> int:
    return len(utf8[:at].decode(errors="ignore"))


def _line(value: str, region: Region, at: int) -> tuple[int, int]:
    """Return the line a fault is on, or its neighbourhood where the line is long."""
    position = region.start + at
    start = max(value.rfind("\n", 0, position) + 1, region.start, position - 100)
    end = value.find("\n", max(position, start))
    span = brief(start, min(len(value) if end < 0 else end, region.end))
    return span.start, span.end
