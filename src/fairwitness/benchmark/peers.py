"""Reads peers.toml: what others published on the same rows, by set and figure."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from fairwitness.benchmark.report import Peer


class Published(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Several peers' values of one figure, from one source."""

    set: str
    figure: str
    source: str
    values: dict[str, float]


class _File(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    peer: list[Published]


@cache
def published() -> tuple[Published, ...]:
    """Return every entry of the file."""
    content = resources.files("fairwitness.benchmark").joinpath("peers.toml").read_bytes()
    return tuple(msgspec.toml.decode(content, type=_File).peer)


def of(set_name: str) -> dict[str, list[Peer]]:
    """Return the peers of one set, by the name of the figure they stand beside."""
    found: dict[str, list[Peer]] = {}
    for entry in published():
        if entry.set == set_name:
            found[entry.figure] = [
                Peer(name=name, value=value, source=entry.source)
                for name, value in entry.values.items()
            ]
    return found
