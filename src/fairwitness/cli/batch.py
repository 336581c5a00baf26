"""`fairwitness batch`: judges every row of a file, resumable, and holds the whole against gates."""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from rich.console import Console

from fairwitness.cli.batch_progress import BatchProgress
from fairwitness.cli.batch_reports import BatchReports, ReportFiles
from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.cli.terminal import tell
from fairwitness.contract.errors import InvalidRequest
from fairwitness.settings import available_cores

if TYPE_CHECKING:
    from fairwitness.batch.columns import Columns
    from fairwitness.batch.gates import Gates, Outcome
    from fairwitness.batch.run import BatchRun, Event
    from fairwitness.batch.tally import Tally


@Parameter(name="*")
@dataclass(frozen=True)
class Named:
    """The columns that were named."""

    prompt: Annotated[
        str | None, Parameter(help="Column of the prompt, or a path: item.question.")
    ] = None
    response: Annotated[str | None, Parameter(help="Column of the response.")] = None
    messages: Annotated[
        str | None, Parameter(help="Column of a whole chat whose last message is judged.")
    ] = None
    id: Annotated[
        str | None, Parameter(help="Column of the row's id; else a column id, else its number.")
    ] = None


@Parameter(name="*")
@dataclass(frozen=True)
class Limits:
    """The gates that were asked for."""

    fail_under: Annotated[
        float | None, Parameter(help="Exit 1 where the mean score is under this.")
    ] = None
    max_fail: Annotated[
        tuple[str, ...],
        Parameter(
            help="Exit 1 where more rows fail: N, or CRITERION=N for one criterion; repeatable."
        ),
    ] = ()
    max_review: Annotated[
        str | None, Parameter(help="Exit 1 where more rows need review: N, or a share such as 5%.")
    ] = None


def batch(
    input: Annotated[
        str,
        Parameter(
            help="JSON lines, CSV or JSON, gzipped or not; a folder of them; - for stdin.",
            allow_leading_hyphen=True,
        ),
    ],
    /,
    *,
    results: Annotated[Path, Parameter(name=("--results", "-o"), help="File for the results.")],
    columns: Named = Named(),  # noqa: B008 - frozen
    protocol: Annotated[
        Path | None, Parameter(help="Protocol file to judge by; else the shipped one.")
    ] = None,
    workers: Annotated[
        int | None, Parameter(help="Processes that judge; else one for each core.")
    ] = None,
    on_error: Annotated[
        Literal["stop", "skip"],
        Parameter(help="A row that cannot be judged: stop there, or keep it with its error."),
    ] = "stop",
    dedupe: Annotated[bool, Parameter(help="Judge the same texts once.")] = False,
    overwrite: Annotated[bool, Parameter(help="Replace results that are there.")] = False,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    files: ReportFiles = ReportFiles(),  # noqa: B008 - frozen
    output: Output = TEXT,
) -> Result:
    """Evaluate every row of a file.

    The same command again goes on where it stopped, or does nothing where all is done.

    Exit code: 0 gates met, 1 a gate not met, 2 bad input, 130 interrupted.
    """
    from fairwitness.batch.rows import BadInput
    from fairwitness.evaluator.protocol import ProtocolError

    given = {"protocol": protocol, "workers": workers, "on_error": on_error, "dedupe": dedupe}
    again = _again(input, results, {**asdict(columns), **given, **asdict(limits), **asdict(files)})
    try:
        if workers is not None and not 1 <= workers <= 1024:
            raise BadInput("--workers: must be 1 to 1024")
        run, gates = _prepared(input, results, columns, protocol, limits)
        run.workers, run.on_error = workers or available_cores(), on_error
        run.dedupe, run.overwrite = dedupe, overwrite
    except (BadInput, ProtocolError) as error:
        raise InvalidRequest(details=[str(error)]) from None
    reports = files.open(run, input)
    tally = _finished(run, again, reports)
    outcomes = gates.outcomes(tally)
    reports.write(tally, outcomes)
    return output.result(
        _data(results, tally, outcomes),
        lambda console: _show(console, results, tally, outcomes),
        0 if all(outcome.met for outcome in outcomes) else 1,
    )


def _prepared(
    source: str, results: Path, columns: Named, protocol: Path | None, limits: Limits
) -> tuple[BatchRun, Gates]:
    from fairwitness.batch.columns import Columns
    from fairwitness.batch.gates import Gates
    from fairwitness.batch.run import BatchRun
    from fairwitness.batch.sources import Input
    from fairwitness.evaluator import Evaluator
    from fairwitness.evaluator import protocol as protocols

    judge = Evaluator.of(protocols.load(protocol) if protocol else protocols.shipped())
    gates = Gates.of(
        (spec.id for spec in judge.protocol.criteria),
        limits.fail_under,
        limits.max_fail,
        limits.max_review,
    )
    run = BatchRun(Input.of(source, results), results, judge, Columns(**asdict(columns)))
    run.on_columns = _tell_columns
    return run, gates


def _tell_columns(columns: Columns, recognised: str) -> None:
    if recognised:
        tell(f"Recognised {recognised}: {columns.in_words()}.")


def _finished(run: BatchRun, again: str, reports: BatchReports) -> Tally:
    """Run to the end; where it ends early, say why, what is kept, and how to go on."""
    from fairwitness.batch.rows import BadInput

    try:
        return _watched(run, reports)
    except BadInput as error:
        raise InvalidRequest(details=[str(error), *_kept(run, again)]) from None
    except OSError as error:
        fault = f"{error.filename or run.output}: {error.strerror}"
        raise InvalidRequest(details=[fault, *_kept(run, again)]) from None
    except KeyboardInterrupt:
        tell(f"fairwitness: interrupted. {' '.join(_kept(run, again))}")
        raise


def _watched(run: BatchRun, reports: BatchReports) -> Tally:
    with closing(BatchProgress(run.input.size)) as progress, _noting_interrupts() as interrupted:

        def note(event: Event) -> None:
            if interrupted:
                raise KeyboardInterrupt
            progress.add(event.row.position, is_new=event.is_new)
            reports.add(event)

        run.on_result = note
        return run.run()


@contextmanager
def _noting_interrupts() -> Iterator[list[int]]:
    """Keep every Ctrl+C: one that arrives inside a destructor is dropped by Python, and must still stop the run."""
    seen: list[int] = []

    def note(number: int, frame: object) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield seen
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)


def _kept(run: BatchRun, again: str) -> list[str]:
    if not run.tally.rows:
        return []
    rows = f"{run.tally.rows:,} row{'s are' if run.tally.rows > 1 else ' is'} kept in {run.output}."
    return [f"{rows} To go on: {again}"]


def _again(source: str, results: Path, given: dict[str, Any]) -> str:
    """Return the command that goes on where this one stops."""
    words = ["fairwitness", "batch", source, "-o", str(results)]
    for name, value in given.items():
        for one in value if isinstance(value, tuple) else (value,):
            if one is not None and one is not False:
                words += [f"--{name.replace('_', '-')}", *(() if one is True else (str(one),))]
    return shlex.join(words)


def _data(results: Path, tally: Tally, outcomes: list[Outcome]) -> dict[str, Any]:
    from fairwitness.batch.sources import shown

    mean = tally.mean_score
    return {
        "results": shown(results),
        "rows": tally.rows,
        "judged": tally.judged,
        "errors": tally.errors,
        "meanScore": None if mean is None else round(mean, 2),
        "verdicts": {name: tally.verdicts[name] for name in ("pass", "fail", "needs_review")},
        "criteria": {
            name: {"pass": 0, "fail": 0, "needs_review": 0, "not_applicable": 0, **counts}
            for name, counts in tally.criteria.items()
        },
        "gates": outcomes,
    }


def _show(console: Console, results: Path, tally: Tally, outcomes: list[Outcome]) -> None:
    from fairwitness.reports.batch_table import show_criteria

    verdicts = tally.verdicts
    words = [f"{tally.rows:,} row{'' if tally.rows == 1 else 's'}"]
    words += [f"{verdicts['pass']:,} pass", f"{verdicts['fail']:,} fail"]
    words += [f"{verdicts['needs_review']:,} need review"]
    if tally.errors:
        words.append(f"{tally.errors:,} could not be judged")
    if tally.mean_score is not None:
        words.append(f"mean score {tally.mean_score:.1f}")
    say(console, ", ".join(words))
    show_criteria(console, tally.criteria)
    for outcome in outcomes:
        found = "nothing was judged" if outcome.value is None else f"{outcome.value:g}"
        say(console, f"{'met' if outcome.met else 'NOT MET'}: {outcome.gate} ({found})")
    say(console, f"Results: {results}")
