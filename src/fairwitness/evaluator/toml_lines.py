"""Finds the line of a TOML file on which a key stands, so that an error can name it.

The standard parser keeps no positions. This reads table headers and the keys at the start of lines; what
it cannot find (a key inside an inline table) is answered with the nearest line above it that it can.
"""

from __future__ import annotations

import tomllib
from typing import Any


def lines_of(text: str) -> dict[tuple[str, ...], int]:
    """Return the line, from 1, of every key found; the nth table of an array is `name[n]`, from 0."""
    places: dict[tuple[str, ...], int] = {}
    counts: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith("["):
            table = _keys(bare.split("#")[0].strip().strip("[]"))
            _note(places, table, number)
            if bare.startswith("[[") and table:
                nth = counts[table] = counts.get(table, -1) + 1
                table = (*table[:-1], f"{table[-1]}[{nth}]")
                _note(places, table, number)
        elif "=" in bare and not bare.startswith("#"):
            _note(places, (*table, *_keys(bare.partition("=")[0])), number)
    return places


def _note(places: dict[tuple[str, ...], int], key: tuple[str, ...], number: int) -> None:
    for length in range(1, len(key) + 1):
        places.setdefault(key[:length], number)


def _keys(dotted: str) -> tuple[str, ...]:
    """Split a dotted key as the parser does; what is no key (a line inside a string) gives none."""
    bare = tuple(part.strip() for part in dotted.split("."))
    if all(part.replace("_", "a").replace("-", "a").isalnum() for part in bare):
        return bare  # no quotes in it; the parser is far slower
    try:
        nested: Any = tomllib.loads(f"{dotted.strip()} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    keys: list[str] = []
    while isinstance(nested, dict):
        ((name, nested),) = nested.items()
        keys.append(name)
    return tuple(keys)
