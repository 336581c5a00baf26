"""What a run wrote down: figures with intervals and slices, beside the peers', and what they came from."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

Status = Literal["measured", "not_covered", "no_data"]
SliceBy = Literal["length", "source", "style", "topic"]


class Peer(Struct, frozen=True, kw_only=True):
    """A figure somebody else published on the same rows."""

    name: str
    value: float
    source: str


class Slice(Struct, frozen=True, kw_only=True):
    """The same figure on a part of the rows."""

    by: SliceBy
    part: str
    value: float | None
    count: int


class Figure(Struct, frozen=True, kw_only=True):
    """One number with its 95% interval; null where the rows do not define it.

    A detail is a figure of a part, kept in the file and left out of a short table.
    """

    name: str
    statistic: str
    value: float | None
    low: float | None
    high: float | None
    count: int
    detail: bool = False
    peers: list[Peer] = []
    slices: list[Slice] = []


class DataFile(Struct, frozen=True, kw_only=True):
    """A file that was read."""

    name: str
    sha256: str
    rows: int


class SetResult(Struct, frozen=True, kw_only=True):
    """One set's outcome; `note` says why where it was not measured."""

    name: str
    title: str
    status: Status
    note: str
    files: list[DataFile]
    cut: int
    figures: list[Figure]


class Runtime(Struct, frozen=True, kw_only=True):
    """What the run ran on."""

    python: str
    packages: dict[str, str]
    system: str
    cpu: str


class BenchmarkReport(Struct, frozen=True, kw_only=True, rename="camel"):
    """A whole run."""

    date: str
    evaluator_version: str
    protocol_version: str
    protocol_sha256: str
    seed: int
    resamples: int
    runtime: Runtime
    sets: list[SetResult]

    def to_json(self) -> bytes:
        """Return the result file's bytes: indented, in a fixed order, ending in a newline."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @classmethod
    def from_json(cls, content: bytes) -> BenchmarkReport:
        """Read a result file back; the card is made from it."""
        return msgspec.json.decode(content, type=cls)
