"""Reads a protocol file into typed data, and rejects a wrong one with its file, line and key.

A protocol is only data: the criteria, the weight and thresholds of each, and the signals it takes. None of
it is repeated in code, and its digest is that of the bytes that were read.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from functools import cached_property
from importlib import resources
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from fairwitness.contract.evaluation import CriterionVerdict, Severity
from fairwitness.evaluator.toml_lines import line_of

Share = Annotated[float, Meta(ge=0, le=1)]
Points = Annotated[float, Meta(ge=0, le=100)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
T = TypeVar("T")

SHIPPED = "fairwitness.toml"


class ProtocolError(ValueError):
    """A protocol that cannot be used: where it is wrong, and how."""

    def __init__(self, place: str, key: str, message: str) -> None:
        """Name the file and line, the key, and what is wrong with it."""
        super().__init__(": ".join(part for part in (place, key, message) if part))


class CriterionSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One criterion as published: its question, weight, thresholds and signals."""

    id: str
    title: Name
    question: str
    weight: Share
    critical: bool = False
    fail_below: Points
    pass_from: Points
    # Where a yes or no is required, as in benchmarks: below this the criterion is not met.
    decide_below: Points = 50.0
    # The learned signals this criterion is given; its rules always apply.
    signals: tuple[str, ...] = ()
    # Settings of this criterion alone; its module declares them (`Options`).
    options: Any = {}

    def verdict(self, score: float) -> CriterionVerdict:
        """Return the verdict of a score from 0 to 1 by the two thresholds alone."""
        points = in_points(score)
        if points < self.fail_below:
            return "fail"
        return "pass" if points >= self.pass_from else "needs_review"


class OverallSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How criterion scores become one score and one verdict."""

    fail_below: Points
    pass_from: Points
    critical_cap: Points
    review_below_confidence: Share
    review_from_weight: Share
    noise: Points


class Protocol(Struct, frozen=True, kw_only=True, dict=True):
    """A protocol, and the bytes it was read from."""

    name: str
    version: str
    overall: OverallSpec
    severity: dict[Severity, Share]
    criteria: tuple[CriterionSpec, ...]
    source: bytes
    path: str

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file this protocol was read from."""
        return hashlib.sha256(self.source).hexdigest()

    def __getitem__(self, criterion: str) -> CriterionSpec:
        """Return one criterion's spec."""
        return next(spec for spec in self.criteria if spec.id == criterion)

    def with_criteria(self, *specs: CriterionSpec) -> Protocol:
        """Return this protocol with other criteria; its numbers and its source stay."""
        return msgspec.structs.replace(self, criteria=specs)

    def error(self, key: Sequence[str], message: str) -> ProtocolError:
        """Return the error that names this protocol's file, the line of a key, and the key."""
        return _error(self.source.decode(), self.path, key, message)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The top level of a protocol file; its tables are decoded one by one, so that a fault names its key."""

    name: Name
    version: Name
    overall: dict[str, Any]
    severity: dict[str, Any]
    criteria: dict[str, dict[str, Any]]


def in_points(score: float) -> float:
    """Return a score from 0 to 1 as it is published: 0 to 100, one decimal."""
    return round(100 * score, 1)


def shipped() -> Protocol:
    """Read the protocol this version ships with."""
    found = resources.files("fairwitness.evaluator.protocols").joinpath(SHIPPED)
    return read(found.read_bytes(), SHIPPED)


def load(path: Path) -> Protocol:
    """Read a protocol file; raise ProtocolError where it is wrong."""
    try:
        return read(path.read_bytes(), str(path))
    except OSError as error:
        raise ProtocolError(str(path), "", error.strerror or "cannot be read") from error


def read(source: bytes, path: str) -> Protocol:
    """Read a protocol from the bytes of a TOML file; `path` is what errors call it."""
    try:
        text = source.decode()
        tables = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ProtocolError(path, "", "is not UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ProtocolError(path, "", f"is not TOML: {error}") from error
    decode = _Decoder(text, path)
    top = decode(tables, _File, ())
    protocol = Protocol(
        name=top.name,
        version=top.version,
        overall=decode(top.overall, OverallSpec, ("overall",)),
        severity=decode(top.severity, dict[Severity, Share], ("severity",)),
        criteria=tuple(
            decode({"id": name, **table}, CriterionSpec, ("criteria", name))
            for name, table in top.criteria.items()
        ),
        source=source,
        path=path,
    )
    _check(protocol)
    return protocol


def _check(protocol: Protocol) -> None:
    """Reject thresholds that cross, a cap that could pass, a missing severity and a protocol without criteria."""
    overall = protocol.overall
    if not overall.critical_cap < overall.fail_below <= overall.pass_from:
        raise protocol.error(("overall",), "needs critical_cap < fail_below <= pass_from")
    for name in get_args(Severity):
        if name not in protocol.severity:
            raise protocol.error(("severity",), f"{name} is missing")
    if not protocol.criteria:
        raise protocol.error(("criteria",), "names no criterion")
    for spec in protocol.criteria:
        if not 0 < spec.fail_below <= spec.pass_from:
            raise protocol.error(("criteria", spec.id), "needs 0 < fail_below <= pass_from")


class _Decoder:
    """Turns one table into its type; a fault becomes an error with file, line and key."""

    def __init__(self, text: str, path: str) -> None:
        self._text, self._path = text, path

    def __call__(self, table: dict[str, Any], kind: type[T], key: tuple[str, ...]) -> T:
        for name, value in table.items():
            if isinstance(value, float) and not isfinite(value):
                raise _error(self._text, self._path, (*key, name), "must be a finite number")
        try:
            return msgspec.convert(table, kind)
        except msgspec.ValidationError as error:
            path, message = fault(error, kind)
            raise _error(self._text, self._path, (*key, *path), message) from error


def fault(error: msgspec.ValidationError, kind: Any) -> tuple[tuple[str, ...], str]:
    """Return the key of a validation error, inside its table, and its message in plain words."""
    said, _, place = str(error).partition(" - at `$")
    path = tuple(part for part in place.strip("`").replace("[...]", "").split(".") if part)
    what, _, name = said.rstrip("`").partition(" field `")
    if what == "Object contains unknown":
        known = ", ".join(field.encode_name for field in msgspec.structs.fields(kind))
        return (*path, name), f"unknown key; known keys: {known}"
    if what == "Object missing required":
        return path, f"{name} is missing"
    return path, said[0].lower() + said[1:]


def _error(text: str, path: str, key: Sequence[str], message: str) -> ProtocolError:
    line = line_of(text, key)
    return ProtocolError(f"{path}:{line}" if line else path, ".".join(key), message)
