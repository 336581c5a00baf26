"""Puts the commands together, and turns bad input into one clear line and exit code 2."""

from __future__ import annotations

import sys

from cyclopts import App, CycloptsError
from rich.console import Console

from fairwitness import __version__
from fairwitness.cli import (
    bench,
    doctor,
    evaluate,
    feedback,
    improve,
    keys,
    ledger,
    serve,
    switch,
    verify,
)
from fairwitness.contract.errors import InvalidRequest
from fairwitness.settings import SettingsError

BAD_INPUT = 2

app = App(
    name="fairwitness",
    help="Scores the text of AI responses against a published protocol, and quotes its evidence.",
    version=__version__,
    version_flags=["--version"],
)
app.command(serve.serve)
app.command(evaluate.evaluate)
app.command(improve.improve)
app.command(doctor.doctor)
app.command(bench.bench)
app.command(verify.verify)
app.command(keys.app)
app.command(switch.app)
app.command(ledger.app)
app.command(feedback.app)


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit with its code."""
    errors = Console(stderr=True, highlight=False)
    try:
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        errors.print(f"fairwitness: {_one_line(error)}", markup=False)
        errors.print("Try: fairwitness --help", markup=False)
        code = BAD_INPUT
    except SettingsError as error:
        errors.print("fairwitness: the settings cannot be used:", markup=False)
        for fault in error.faults:
            errors.print(f"  {fault}", markup=False)
        code = BAD_INPUT
    except InvalidRequest as error:
        for fault in error.details or (error.message,):
            errors.print(f"fairwitness: {fault}", markup=False)
        code = BAD_INPUT
    except BrokenPipeError:
        code = 0
    except KeyboardInterrupt:
        code = 130
    sys.exit(code if isinstance(code, int) else 0)


def _one_line(error: CycloptsError) -> str:
    return " ".join(str(error).split())
