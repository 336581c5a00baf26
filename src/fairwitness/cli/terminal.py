"""The terminal a command writes to: any encoding, any reader, and nothing it is shown can drive it."""

from __future__ import annotations

import os
import sys

from rich.console import Console

from fairwitness.reports.printable import visible


class Terminal(Console):
    """A console that goes quiet when nobody reads it any more, instead of ending the command."""

    def on_broken_pipe(self) -> None:
        """Write the rest to nowhere: the verdict, and so the exit code, is already known."""
        self.quiet = True
        _write_to_nowhere()


def prepare() -> None:
    """Make standard output fit to be written to, whatever it is."""
    if sys.stdout is None:  # closed by whoever started us; a file opened next would take its place
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - to the end
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def finish() -> None:
    """Write out what is still kept back; a reader that has left is no error."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _write_to_nowhere()


def give_up() -> None:
    """Write out what is still kept back, or drop it where that cannot be: nobody tries it again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        _write_to_nowhere()


def write_bytes(content: bytes) -> None:
    """Write bytes as they are; a reader that has left is no error."""
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    except BrokenPipeError:
        _write_to_nowhere()


def tell(message: str) -> None:
    """Say something on standard error, whole lines, however wide it is."""
    errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    errors.print(visible(message))


def _write_to_nowhere() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
