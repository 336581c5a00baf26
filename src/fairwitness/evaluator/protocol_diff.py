"""Says what differs between two protocols, by criterion and key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from fairwitness.evaluator.protocol import Protocol


class Difference(Struct, frozen=True, omit_defaults=True):
    """One key of a table that is not the same in both; a side that lacks it has no value.

    `table` is `criteria.` and the criterion's id, or `overall`, `severity`, or empty for the top level.
    A criterion that only one side asks has an empty `key`, and its title as the value.
    """

    table: str
    key: str
    before: Any | UnsetType = UNSET
    after: Any | UnsetType = UNSET


def differences(before: Protocol, after: Protocol) -> list[Difference]:
    """Return every difference that a reader of the two files would care for; comments are none."""
    found = [*_of_tables("", _top(before), _top(after))]
    found += _of_tables("overall", _plain(before.overall), _plain(after.overall))
    found += _of_tables("severity", _plain(before.severity), _plain(after.severity))
    old = {spec.id: spec for spec in before.criteria}
    new = {spec.id: spec for spec in after.criteria}
    for name in [*old, *(name for name in new if name not in old)]:
        table = f"criteria.{name}"
        if name not in new:
            found.append(Difference(table, "", before=old[name].title))
        elif name not in old:
            found.append(Difference(table, "", after=new[name].title))
        else:
            found += _of_tables(table, _flat(_plain(old[name])), _flat(_plain(new[name])))
    return found


def _top(protocol: Protocol) -> dict[str, Any]:
    return {"name": protocol.name, "version": protocol.version}


def _plain(value: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(value)
    return plain


def _flat(table: dict[str, Any]) -> dict[str, Any]:
    options = table.pop("options")
    return {**table, **{f"options.{name}": value for name, value in options.items()}}


def _of_tables(table: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Difference]:
    for key in [*old, *(key for key in new if key not in old)]:
        if old.get(key, UNSET) != new.get(key, UNSET):
            yield Difference(table, key, old.get(key, UNSET), new.get(key, UNSET))
