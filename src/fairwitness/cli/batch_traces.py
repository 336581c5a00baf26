"""`fairwitness batch --from`: traces of Langfuse or Phoenix, kept in a file beside the results and judged from there."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import msgspec
from cyclopts import Parameter

from fairwitness.cli.output import CommandFailed
from fairwitness.cli.terminal import tell
from fairwitness.contract.errors import InvalidRequest

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")

_MOST = 1000


@Parameter(name="*")
@dataclass(frozen=True)
class Traces:
    """Where traces come from, and how many."""

    source: Annotated[
        Literal["langfuse", "phoenix"] | None,
        Parameter(name="--from", help="Judge traces of this tool instead of a file."),
    ] = None
    most: Annotated[
        int | None, Parameter(help="With --from: the newest so many traces; else 1000.")
    ] = None

    def input(self, given: str | None, results: Path, overwrite: bool) -> str:
        """Return the file to judge: the one that was given, or the traces, fetched once and kept for a resumed run."""
        if (given is None) == (self.source is None):
            raise InvalidRequest(details=["give a file to evaluate, or --from with a tool"])
        if given is not None:
            if self.most is not None:
                raise InvalidRequest(details=["--most: is for --from; every row of a file is read"])
            return given
        kept = results.with_name(results.name + ".traces.jsonl")
        if overwrite or not kept.exists():
            self._fetch(kept)
        return str(kept)

    def columns(self, named: T) -> T:
        """Return the columns to read: those of fetched traces are known."""
        return replace(named, messages="messages", response="response") if self.source else named

    def _fetch(self, kept: Path) -> None:
        from fairwitness.integrations.exports import BadExport, ToolFailed
        from fairwitness.integrations.traces import default_project, pulled

        assert self.source is not None
        most = _MOST if self.most is None else self.most
        if most < 1:
            raise InvalidRequest(details=["--most: must be 1 or more"])
        rows = left = 0
        partial = kept.with_name(kept.name + ".part")
        try:
            # It holds the texts: for the user alone.
            with open(os.open(partial, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
                for row in pulled(self.source, most, default_project()):
                    if row["messages"] and row["response"].strip():
                        file.write(msgspec.json.encode(row) + b"\n")
                        rows += 1
                    else:
                        left += 1
        except BadExport as error:
            partial.unlink(missing_ok=True)
            if isinstance(error, ToolFailed):
                raise CommandFailed(str(error)) from error
            raise InvalidRequest(details=[str(error)]) from error
        if not rows:
            partial.unlink()
            raise CommandFailed(f"{self.source}: no trace with an input and an output")
        partial.rename(kept)
        told = f", {left} without an input or an output left out" if left else ""
        tell(f"{self.source}: {rows} traces fetched into {kept}{told}.")
