"""How a command's result is printed: one table of formats for every command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.console import Console

from fairwitness.cli.terminal import Terminal, write_bytes


class CommandFailed(Exception):
    """The command could not do what it was asked; the message says why. Exit code 1."""


@dataclass(frozen=True)
class Result:
    """What a command found: data for tools, how people are shown it, and the exit code."""

    data: Any
    show: Callable[[Console], None]
    exit_code: int = 0
    format: str = "text"

    def print(self) -> int:
        """Print it in its format and return the exit code."""
        FORMATS[self.format](self)
        return self.exit_code


def _text(result: Result) -> None:
    result.show(Terminal(highlight=False))


def _json(result: Result) -> None:
    write_bytes(msgspec.json.format(msgspec.json.encode(result.data), indent=2) + b"\n")


def _jsonl(result: Result) -> None:
    items = result.data if isinstance(result.data, list) else [result.data]
    write_bytes(b"".join(msgspec.json.encode(item) + b"\n" for item in items))


# A new format is one entry here, and every command has it.
FORMATS: dict[str, Callable[[Result], None]] = {"text": _text, "json": _json, "jsonl": _jsonl}


def _known(_: Any, name: str | None) -> None:
    if name is not None and name not in FORMATS:
        raise ValueError(f"Known formats: {', '.join(FORMATS)}.")


def _not_both(_: Any, output: Output | None) -> None:
    if output is not None and output.json and output.format not in (None, "json"):
        raise ValueError(f"--json means --format json: give it or --format {output.format}.")


@Parameter(name="*", validator=_not_both)
@dataclass(frozen=True)
class Output:
    """The flags that choose a format, the same for every command."""

    format: Annotated[
        str | None,
        Parameter(help="text, json, or jsonl with one item per line.", validator=_known),
    ] = None
    json: Annotated[bool, Parameter(help="Short for --format json.")] = False

    def result(self, data: Any, show: Callable[[Console], None], exit_code: int = 0) -> Result:
        """Return a command's result, to be printed in the format that was asked for."""
        return Result(data, show, exit_code, "json" if self.json else self.format or "text")


TEXT = Output()


def say(console: Console, text: str) -> None:
    """Print a text as it is, in whole lines."""
    console.print(text, markup=False, soft_wrap=True)
