"""Follows a protocol file to those it extends, and lays each over the one before it.

A file says only what it changes: a criterion's keys, options and the overall numbers are replaced one by
one, criteria of its own come after those it takes over, and `without` names those it drops.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from fairwitness.evaluator.protocol_file import ProtocolError, ProtocolFile, decode, error_in

SHIPPED_NAME = "fairwitness"
MAX_FILES = 8
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Tables = dict[str, dict[str, Any]]


class _Top(Struct, frozen=True, forbid_unknown_fields=True):
    """The top level of a protocol file; its tables are decoded one by one, so that a fault names its key."""

    name: Name
    version: Name
    extends: Annotated[str, Meta(min_length=1, max_length=1_000)] | None = None
    without: list[str] = []
    overall: dict[str, Any] = {}
    severity: dict[str, Any] = {}
    criteria: Tables = {}
    examples: list[dict[str, Any]] = []


@dataclass(frozen=True)
class Layer:
    """One file of a chain, and its top level."""

    file: ProtocolFile
    top: _Top


@dataclass(frozen=True)
class Whole:
    """What a chain says together."""

    overall: dict[str, Any]
    severity: dict[str, Any]
    criteria: Tables


def shipped_file() -> ProtocolFile:
    """Return the protocol file this version ships."""
    name = f"{SHIPPED_NAME}.toml"
    found = resources.files("fairwitness.evaluator.protocols").joinpath(name)
    return ProtocolFile(name, found.read_bytes())


def layers_of(file: ProtocolFile) -> list[Layer]:
    """Return a file and those it extends, the nearest first; raise ProtocolError where the chain is wrong."""
    layers = [_layer(file)]
    seen = {os.path.realpath(file.path)}
    while (extends := layers[-1].top.extends) is not None:
        here = layers[-1].file
        if extends == SHIPPED_NAME:
            layers.append(_layer(shipped_file()))
            break
        path = Path(here.path).parent / extends
        real = os.path.realpath(path)  # unlike Path.resolve it takes links that lead in a circle
        if real in seen:
            raise error_in((here,), ("extends",), f"{extends} extends this file: a cycle")
        if len(layers) == MAX_FILES:
            raise error_in((here,), ("extends",), f"a chain of more than {MAX_FILES} files")
        seen.add(real)
        try:
            found = ProtocolFile.open(path)
        except ProtocolError as error:
            raise error_in((here,), ("extends",), str(error)) from error
        layers.append(_layer(found))
    return layers


def _layer(file: ProtocolFile) -> Layer:
    return Layer(file, decode(file.tables, _Top, (), (file,)))


def merged(layers: Sequence[Layer]) -> Whole:
    """Lay every file over the one it extends, from the farthest to the nearest."""
    whole = Whole({}, {}, {})
    for layer in reversed(layers):
        _check_dropped(layer, whole)
        top = layer.top
        kept = {name: table for name, table in whole.criteria.items() if name not in top.without}
        for name, table in top.criteria.items():
            kept[name] = _laid_over(kept.get(name, {}), table)
        whole = Whole(whole.overall | top.overall, whole.severity | top.severity, kept)
    return whole


def _check_dropped(layer: Layer, base: Whole) -> None:
    for name in layer.top.without:
        if name not in base.criteria:
            known = ", ".join(base.criteria) or "none, because this file extends nothing"
            message = f"{name!r} is not a criterion of the extended file; known criteria: {known}"
            raise error_in((layer.file,), ("without",), message)
        if name in layer.top.criteria:
            raise error_in((layer.file,), ("criteria", name), "is also dropped by `without`")


def _laid_over(base: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    """Return a criterion's table with the keys of another; its options are replaced one by one too."""
    both = {**base, **table}
    old, new = base.get("options"), table.get("options")
    if isinstance(old, dict) and isinstance(new, dict):
        both["options"] = {**old, **new}
    return both
