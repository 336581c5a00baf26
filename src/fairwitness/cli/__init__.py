"""The command line: one file a command; heavy parts are imported by the command that needs them."""

from fairwitness.cli.main import main

__all__ = ["main"]
