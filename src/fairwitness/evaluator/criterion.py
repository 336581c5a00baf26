"""What a criterion is, and how installed criteria and readers are found.

A criterion is a module with a `judge`; it may name the signals it requires (`NEEDS`), the options a
protocol gives it (`Options`), and what it reads beside the prompt and the response's text (`READS`). One made of checks alone needs no module. The shipped ones are found by their
id in `criteria/`. An installed package adds its own through the entry point group `fairwitness.criteria`, and
readers of further signals through `fairwitness.readers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from types import ModuleType

from msgspec import Struct

from fairwitness.evaluator import checks
from fairwitness.evaluator.coverage import Part
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.judges import panel
from fairwitness.evaluator.protocol import CriterionSpec
from fairwitness.evaluator.signals import Reader, Signals

Judge = Callable[[Exchange, CriterionSpec, Signals], Judgement]

CRITERIA_GROUP = "fairwitness.criteria"
READERS_GROUP = "fairwitness.readers"
_SHIPPED = "fairwitness.evaluator.criteria"


@dataclass(frozen=True)
class Criterion:
    """How one criterion is judged, and the signals and options it takes from the protocol."""

    judge: Judge
    needs: tuple[str, ...] = ()
    options: type[Struct] | None = None
    # What its closed forms read whole, beside the prompt and the text of the response.
    reads: tuple[Part, ...] = ()
    # The installed package it comes from, as name and version; empty for ours.
    package: str = ""

    @property
    def judges_calls(self) -> bool:
        """Whether it has something to judge where a response holds tool calls and no text."""
        return self.judge is checks.judge or "toolCalls" in self.reads

    @classmethod
    def of(cls, module: ModuleType, package: str = "") -> Criterion:
        """Return the criterion a module describes."""
        needs, options = getattr(module, "NEEDS", ()), getattr(module, "Options", None)
        return cls(module.judge, needs, options, getattr(module, "READS", ()), package)


def find_criteria(specs: Iterable[CriterionSpec]) -> dict[str, Criterion]:
    """Return those of the named criteria that are there: shipped, made of checks, or installed."""
    found: dict[str, Criterion] = {}
    others: list[str] = []
    for spec in specs:
        name = spec.id
        if name.isidentifier() and find_spec(f"{_SHIPPED}.{name}") is not None:
            found[name] = Criterion.of(import_module(f"{_SHIPPED}.{name}"))
        elif spec.checks:
            found[name] = Criterion(checks.judge, reads=checks.reads(spec))
        elif spec.judge:
            found[name] = Criterion(panel.judge, panel.NEEDS, reads=panel.reads(spec))
        else:
            others.append(name)
    for entry in metadata.entry_points(group=CRITERIA_GROUP) if others else ():
        if entry.name in others:
            found[entry.name] = Criterion.of(entry.load(), _package(entry))
    return found


def find_readers(signals: Iterable[str], given: Iterable[Reader]) -> list[Reader]:
    """Return the given readers, and those of installed packages for signals these do not provide."""
    readers = list(given)
    missing = {*signals} - {name for reader in readers for name in reader.signals}
    for entry in metadata.entry_points(group=READERS_GROUP) if missing else ():
        reader = entry.load()()
        if missing.intersection(reader.signals):
            readers.append(reader)
    return readers


def packages(criteria: Mapping[str, Criterion]) -> list[str]:
    """Return the installed packages these criteria come from, each once, in order of their names."""
    return sorted({criterion.package for criterion in criteria.values()} - {""})


def _package(entry: metadata.EntryPoint) -> str:
    return f"{entry.dist.name}-{entry.dist.version}" if entry.dist else ""
