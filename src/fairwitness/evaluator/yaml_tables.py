"""Reads YAML that someone else wrote into plain tables: no aliases, no tags beyond the plain ones, bounded depth.

What YAML lets pass and a protocol cannot mean, such as the same key twice, is refused.
"""

from __future__ import annotations

from typing import Any

import yaml

Lines = dict[tuple[str, ...], int]
_MAX_EVENTS = 200_000
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlFault(ValueError):
    """What is wrong with the text, and on which line where that is known."""


def read(text: str, max_depth: int) -> tuple[dict[str, Any], Lines]:
    """Return the tables of a text and the line of every key; raise YamlFault where it is refused."""
    try:
        _check_events(text, max_depth)
        loader = _Loader(text)
        node = loader.get_single_node()
        lines: Lines = {}
        _note(node, (), lines)
        tables = {} if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}: " if mark else ""
        raise YamlFault(f"{where}{' '.join(str(error.problem).split())}") from error
    except yaml.YAMLError as error:
        raise YamlFault("a character that YAML does not allow") from error
    except YamlFault:
        raise
    except (ValueError, OverflowError, RecursionError, TypeError) as error:
        raise YamlFault(f"a value cannot be read: {error}") from error
    if not isinstance(tables, dict):
        raise YamlFault("the top level is not a mapping")
    return tables, lines


def _check_events(text: str, max_depth: int) -> None:
    """Go through the text without building anything from it."""
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=_Loader)):
        line = f"line {event.start_mark.line + 1}: "
        if isinstance(event, yaml.AliasEvent):
            raise YamlFault(f"{line}an alias (*{event.anchor}); write the value out")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > max_depth:
            raise YamlFault(f"{line}nests deeper than {max_depth}")
        if count > _MAX_EVENTS:
            raise YamlFault(f"more than {_MAX_EVENTS:,} values")


def _note(node: Any, key: tuple[str, ...], lines: Lines) -> None:
    """Write down the line of every key; refuse one that is no text or stands twice."""
    if isinstance(node, yaml.SequenceNode) and key:
        for index, inner in enumerate(node.value):
            place = (*key[:-1], f"{key[-1]}[{index}]")
            lines[place] = inner.start_mark.line + 1
            _note(inner, place, lines)
    elif isinstance(node, yaml.MappingNode):
        for name, inner in node.value:
            line = name.start_mark.line + 1
            if name.tag != "tag:yaml.org,2002:str":
                raise YamlFault(f"line {line}: a key that is not a string")
            place = (*key, name.value)
            if place in lines:
                raise YamlFault(f"line {line}: duplicate key {name.value}")
            lines[place] = line
            _note(inner, place, lines)
