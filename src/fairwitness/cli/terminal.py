"""The terminal a command writes its report to; a reader that leaves early changes no exit code."""

from __future__ import annotations

import os
import sys
from typing import Any

import msgspec
from rich.console import Console


class Terminal(Console):
    """A console that goes quiet when nobody reads it any more, instead of ending the command."""

    def on_broken_pipe(self) -> None:
        """Write the rest to nowhere: the verdict, and so the exit code, is already known."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_json(value: Any) -> None:
    """Write a value as indented JSON; a reader that has left is no error."""
    try:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
