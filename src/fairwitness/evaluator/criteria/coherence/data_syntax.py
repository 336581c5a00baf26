"""Checks data blocks: does text that says it is JSON, YAML, TOML or XML parse as that?

Nothing is built from what is read: parsers are bounded in size and depth, and aliases are never expanded.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from xml.parsers import expat

import yaml

_MAX_DEPTH = 60
_MAX_DOTS, _MAX_TABLES = 40, 100


def fault(language: str, source: str) -> str | None:
    """Return what is wrong with `source` as `language`, or None where it parses or cannot be judged."""
    check = _CHECKS.get(language)
    if check is None or not source.strip() or is_too_deep(source):
        return None
    try:
        return check(source)
    except (RecursionError, MemoryError):
        return None


def is_too_deep(source: str) -> bool:
    """Tell whether brackets nest deeper than any real example, which is costly to parse."""
    depth = 0
    for char in source:
        if char in "([{<":
            depth += 1
            if depth > _MAX_DEPTH:
                return True
        elif char in ")]}>" and depth:
            depth -= 1
    return False


def json_fault(source: str) -> str | None:
    """Return why the JSON text that `source` begins with does not parse."""
    try:
        json.loads(source, parse_int=len, parse_float=len)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return None  # one value a line, or words after the value: whole as far as it goes
        if source.lstrip()[0] == '"' and _parses("{" + source.strip().rstrip(",") + "}"):
            return None  # members without their braces: a fragment
        return f"{error.msg} at line {error.lineno}, column {error.colno}"
    return None


def _parses(source: str) -> bool:
    try:
        json.loads(source, parse_int=len, parse_float=len)
    except json.JSONDecodeError:
        return False
    return True


def _yaml_fault(source: str) -> str | None:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        # Events only: no object is built, so no alias is ever expanded.
        for _ in yaml.parse(source, Loader=loader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        return f"{error.problem} at line {mark.line + 1}" if mark else str(error.problem)
    except yaml.YAMLError:
        return "a character that YAML does not allow"
    return None


def _toml_fault(source: str) -> str | None:
    # The reader walks every dotted key from the top: long chains cost it their square.
    if (
        any(line.count(".") > _MAX_DOTS for line in source.split("\n"))
        or source.count("[[") > _MAX_TABLES
    ):
        return None
    try:
        tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        return str(error)
    except ValueError:  # a number over the interpreter's digit limit
        return None
    return None


def _xml_fault(source: str) -> str | None:
    if "<!" in source.replace("<!--", "").replace("<![CDATA[", ""):
        return None  # a document type can define entities: not read at all
    parser = expat.ParserCreate()
    try:
        parser.Parse(source.strip().encode(), True)
    except expat.ExpatError as error:
        if error.code in _XML_FRAGMENT:
            return None
        return f"{expat.ErrorString(error.code)} at line {error.lineno}"
    return None


# Several roots, text outside the root, a prefix or entity declared elsewhere: a fragment, not a fault.
_XML_FRAGMENT = frozenset(
    expat.errors.codes[name]
    for name in (
        expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT,
        expat.errors.XML_ERROR_UNDEFINED_ENTITY,
        expat.errors.XML_ERROR_UNBOUND_PREFIX,
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_SYNTAX,
        expat.errors.XML_ERROR_MISPLACED_XML_PI,
        expat.errors.XML_ERROR_UNKNOWN_ENCODING,
        expat.errors.XML_ERROR_INCORRECT_ENCODING,
    )
)
_CHECKS: dict[str, Callable[[str], str | None]] = {
    "json": json_fault,
    "yaml": _yaml_fault,
    "yml": _yaml_fault,
    "toml": _toml_fault,
    "xml": _xml_fault,
}
