"""Reads the published protocol file into typed data, and refuses one that contradicts itself."""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib import resources
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from fairwitness.contract.evaluation import Severity

Share = Annotated[float, Meta(ge=0, le=1)]
Line = Annotated[float, Meta(ge=0, le=100)]


class CriterionSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One criterion as published: what it asks, what it weighs, and its two lines."""

    id: str
    title: str
    question: str
    weight: Share
    critical: bool
    fail_below: Line
    pass_from: Line
    # Where a plain yes or no is forced, as benchmarks do: under this the criterion is not met.
    decide_below: Line = 50.0


class OverallSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How criterion scores become one score and one verdict."""

    fail_below: Line
    pass_from: Line
    critical_cap: Line
    review_below_confidence: Share
    review_from_weight: Share
    noise: Line


class Protocol(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The whole protocol; `digest` is that of the file it was read from."""

    version: str
    overall: OverallSpec
    severity: dict[Severity, Share]
    criteria: list[CriterionSpec]

    def __post_init__(self) -> None:
        """Refuse lines that cross, a cap that could pass, and ids that repeat."""
        overall = self.overall
        if not overall.critical_cap < overall.fail_below <= overall.pass_from:
            raise ValueError("overall: needs critical_cap < fail_below <= pass_from")
        for spec in self.criteria:
            if not 0 < spec.fail_below <= spec.pass_from:
                raise ValueError(f"{spec.id}: needs 0 < fail_below <= pass_from")
        ids = [spec.id for spec in self.criteria]
        if len(set(ids)) != len(ids):
            raise ValueError("criteria: an id appears twice")

    @cached_property
    def source(self) -> bytes:
        """The published file's bytes."""
        return _file()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the published file."""
        return hashlib.sha256(self.source).hexdigest()


def _file() -> bytes:
    return resources.files("fairwitness.evaluator.protocols").joinpath("protocol.toml").read_bytes()


def load() -> Protocol:
    """Read the protocol this version ships with."""
    return msgspec.toml.decode(_file(), type=Protocol)
