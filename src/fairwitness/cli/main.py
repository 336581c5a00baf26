"""Puts the commands together, and turns bad input into a clear line and exit code 2."""

from __future__ import annotations

import sys
from typing import Any

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError

from fairwitness import __version__
from fairwitness.cli import (
    api_keys,
    batch,
    benchmark,
    calibrate,
    compare,
    doctor,
    evaluate,
    export,
    feedback,
    import_command,
    improve,
    keys,
    ledger,
    mcp,
    protocol,
    replay,
    report,
    review,
    serve,
    switch,
    terminal,
    verify,
)
from fairwitness.cli.output import CommandFailed, Result
from fairwitness.cli.terminal import Terminal, tell
from fairwitness.contract.errors import InvalidRequest
from fairwitness.extras import MissingExtra
from fairwitness.settings import SettingsError
from fairwitness.store import StoreError

FAILED = 1
BAD_INPUT = 2


def _worth_telling(default: Any) -> Any:
    return default or None  # do not show the default of a flag that is off or a list that is empty


app = App(
    name="fairwitness",
    help="Scores the text of AI responses against a published protocol and quotes the evidence.",
    version=__version__,
    version_flags=["--version"],
    default_parameter=Parameter(negative=(), show_default=_worth_telling),
)
app.command(serve.serve)
app.command(evaluate.evaluate)
app.command(batch.batch)
app.command(export.export)
app.command(import_command.import_, name="import")
app.command(review.review)
app.command(calibrate.calibrate)
app.command(report.report)
app.command(compare.compare)
app.command(improve.improve)
app.command(doctor.doctor)
app.command(benchmark.benchmark, alias="bench")
app.command(verify.verify)
app.command(mcp.mcp)
app.command(replay.replay)
app.command(protocol.app)
app.command(keys.app)
app.command(api_keys.app)
app.command(switch.app)
app.command(ledger.app)
app.command(feedback.app)


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit with its code."""
    terminal.prepare()
    # Made here and not before: it takes standard output as it is now.
    app.console = Terminal()
    try:
        found = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        code = found.print() if isinstance(found, Result) else found
        terminal.finish()
    except CycloptsError as error:
        tell(f"fairwitness: {_in_words(error)}")
        tell(f"Try: {' '.join(['fairwitness', *(error.command_chain or ())])} --help")
        code = BAD_INPUT
    except SettingsError as error:
        tell("fairwitness: invalid settings:")
        for fault in error.faults:
            tell(f"  {fault}")
        code = BAD_INPUT
    except InvalidRequest as error:
        for fault in error.details or (error.message,):
            tell(f"fairwitness: {fault}")
        code = BAD_INPUT
    except MissingExtra as error:
        tell(f"fairwitness: {error}")
        code = BAD_INPUT
    except (CommandFailed, StoreError) as error:
        tell(f"fairwitness: {error}")
        code = FAILED
    except BrokenPipeError:
        code = 0
    except OSError as error:
        tell(f"fairwitness: {error.filename or 'the output'}: {error.strerror}")
        terminal.give_up()
        code = BAD_INPUT
    except KeyboardInterrupt:
        code = 130
    sys.exit(code if isinstance(code, int) else 0)


def _in_words(error: CycloptsError) -> str:
    if isinstance(error, UnusedCliTokensError):
        return f"unexpected argument: {' '.join(error.unused_tokens or ())}"
    return " ".join(str(error).split())
