"""Results of a batch as scores in the tools where the traces are: Langfuse, Phoenix, LangSmith.

An exporter turns one row into requests of its tool. Each request carries an id made from the trace and the criterion, so
that sending it again changes nothing.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from fairwitness.contract.evaluation import Evaluation
from fairwitness.reports import evaluation_lines
from fairwitness.reports.evaluation_lines import OVERALL

if TYPE_CHECKING:
    from fairwitness.integrations.exports.asking import Tool


class BadExport(Exception):
    """What is missing or wrong in what the user gave: the environment, or the results."""


class ToolFailed(BadExport):
    """Why the tool took or gave no more: it refused, is unreachable, or answers in another format."""


@dataclass(frozen=True)
class Judged:
    """One row to export: the id the tool knows it by, its evaluation, and when the results were written."""

    target: str
    evaluation: Evaluation
    versions: Mapping[str, str]
    made: str


@dataclass(frozen=True)
class Options:
    """What the user chose: whether evidence is quoted, and the human queue for what needs review."""

    quote: bool = False
    queue: str | None = None
    config: str | None = None


@dataclass(frozen=True)
class Request:
    """One POST to the tool."""

    path: str
    body: Any


class Exporter(ABC):
    """A tool that takes scores."""

    name: ClassVar[str]
    columns: ClassVar[Sequence[str]]

    @abstractmethod
    def address(self) -> str:
        """Return the tool's base address; raise BadExport where it is not known."""

    @abstractmethod
    def headers(self) -> dict[str, str]:
        """Return the headers that let us in; raise BadExport where a key is missing."""

    def prepare(self, tool: Tool, options: Options) -> None:
        """Ask the tool what must be known before anything is sent; most need nothing."""
        return

    @abstractmethod
    def requests(self, rows: Sequence[Judged], options: Options) -> Iterator[Request]:
        """Yield the requests of some rows."""


def variable(name: str, tool: str) -> str:
    """Return an environment variable the tool's own clients use; raise BadExport where it is not set."""
    value = os.environ.get(name, "").strip()
    if not value:
        raise BadExport(f"{tool}: set {name}")
    return value


def lines_of(judged: Judged, options: Options) -> Iterator[tuple[str, str, float | None, str]]:
    """Yield (name, verdict, score from 0 to 100, explanation): the whole first, then each criterion that applies."""
    for line in evaluation_lines.lines_of(judged.evaluation, quote=options.quote):
        if line.verdict != "not_applicable":
            name = "fairwitness" if line.name == OVERALL else f"fairwitness.{line.name}"
            yield name, line.verdict, line.score, line.explanation


def exporters() -> Mapping[str, type[Exporter]]:
    """Return the tools by name."""
    from fairwitness.integrations.exports.langfuse import Langfuse
    from fairwitness.integrations.exports.langsmith import LangSmith
    from fairwitness.integrations.exports.phoenix import Phoenix

    return {"langfuse": Langfuse, "langsmith": LangSmith, "phoenix": Phoenix}
