"""`fairwitness batch`: judges every row of a file, resumable, and holds the whole against gates."""

from __future__ import annotations

import shlex
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from rich.console import Console

from fairwitness.cli.batch_engine import Engine
from fairwitness.cli.batch_progress import BatchProgress, noting_interrupts
from fairwitness.cli.batch_reports import BatchReports, ReportFiles
from fairwitness.cli.batch_traces import Traces
from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.cli.terminal import tell
from fairwitness.contract.errors import InvalidRequest

if TYPE_CHECKING:
    from fairwitness.batch.columns import Columns
    from fairwitness.batch.gates import Gates, Outcome
    from fairwitness.batch.run import BatchRun, Event
    from fairwitness.batch.tally import Tally
    from fairwitness.reports.made_by import MadeBy


@Parameter(name="*")
@dataclass(frozen=True)
class Named:
    """The columns that were named."""

    prompt: Annotated[
        str | None, Parameter(help="Column of the prompt, or a path: item.question.")
    ] = None
    response: Annotated[str | None, Parameter(help="Column of the response.")] = None
    messages: Annotated[
        str | None,
        Parameter(help="Column of a chat; without --response its last message is judged."),
    ] = None
    context: Annotated[
        str | None, Parameter(help="Column of what the response should rest on: texts.")
    ] = None
    reference: Annotated[str | None, Parameter(help="Column of an expected answer.")] = None
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
    baseline: Annotated[
        Path | None, Parameter(help="Exit 1 where it is worse than these results of the same rows.")
    ] = None


def batch(
    input: Annotated[
        str | None,
        Parameter(
            help="JSON lines, CSV, JSON, Parquet or a log of another tool; a folder; - for stdin.",
            allow_leading_hyphen=True,
        ),
    ] = None,
    /,
    *,
    results: Annotated[Path, Parameter(name=("--results", "-o"), help="JSON lines or .parquet.")],
    traces: Traces = Traces(),  # noqa: B008 - frozen
    columns: Named = Named(),  # noqa: B008 - frozen
    protocol: Annotated[
        Path | None, Parameter(help="Protocol file to judge by; else the shipped one.")
    ] = None,
    engine: Engine = Engine(),  # noqa: B008 - frozen
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
    """Evaluate every row of a file, or the traces of a tool.

    The same command again goes on where it stopped, or does nothing where all is done.

    Exit code: 0 gates met, 1 a gate not met, 2 bad input, 130 interrupted.
    """
    from fairwitness.batch.rows import BadInput
    from fairwitness.evaluator.protocol import ProtocolError

    _check_name(results)
    skips = {"on_error": on_error} if on_error != "stop" else {}
    given = {"protocol": protocol, **engine.again(), "dedupe": dedupe, **skips}
    source, columns = traces.input(input, results, overwrite), traces.columns(columns)
    again = _again(source, results, {**asdict(columns), **given, **asdict(limits), **asdict(files)})
    try:
        if limits.baseline:
            _check_baseline(limits.baseline, results)
        engine.check()
        run, gates = _prepared(source, results, columns, protocol, limits)
        run.on_error, run.dedupe, run.overwrite = on_error, dedupe, overwrite
        engine.prepare(run)
        reports = files.open(run, source)
    except (BadInput, ProtocolError) as error:
        raise InvalidRequest(details=[str(error)]) from None
    tally = _finished(run, again, reports)
    outcomes = [*gates.outcomes(tally), *_against(limits.baseline, results)]
    reports.write(tally, outcomes, results)
    return output.result(
        _data(results, tally, outcomes, reports.made_by),
        lambda console: _show(console, results, tally, outcomes, reports.made_by),
        0 if all(outcome.met for outcome in outcomes) else 1,
    )


def _prepared(
    source: str, results: Path, columns: Named, protocol: Path | None, limits: Limits
) -> tuple[BatchRun, Gates]:
    from fairwitness.batch.columns import Columns
    from fairwitness.batch.gates import Gates
    from fairwitness.batch.run import BatchRun
    from fairwitness.batch.sources import Input
    from fairwitness.cli.protocol_option import evaluator_for

    judge = evaluator_for(protocol)
    gates = Gates.of(
        (spec.id for spec in judge.protocol.criteria),
        limits.fail_under,
        limits.max_fail,
        limits.max_review,
    )
    run = BatchRun(Input.of(source, results), results, judge, Columns(**asdict(columns)))
    run.on_columns = _tell_columns
    return run, gates


def _check_name(results: Path) -> None:
    """Raise InvalidRequest where the name promises a format that results are not written in, nor read back from."""
    ending = Path(results.name.lower().removesuffix(".gz")).suffix
    if ending in {".csv", ".tsv", ".json", ".eval"}:
        table = "; for a table give --report FILE.csv too" if ending in {".csv", ".tsv"} else ""
        how = (
            f"results are JSON lines or Parquet; use a name that ends in .jsonl or .parquet{table}"
        )
        raise InvalidRequest(details=[f"{results}: {how}"])


def _check_baseline(baseline: Path, results: Path) -> None:
    """Raise BadInput before hours of work where there is nothing to hold them against."""
    from fairwitness.batch.rows import BadInput
    from fairwitness.batch.saved_results import read_results

    if baseline.resolve() == results.resolve():
        raise BadInput(f"--baseline {baseline}: these are the results themselves")
    try:
        if next(read_results(baseline), None) is None:
            raise BadInput(f"{baseline}: holds no result")
    except BadInput as error:
        raise BadInput(f"--baseline: {error}") from None


def _against(baseline: Path | None, results: Path) -> list[Outcome]:
    from fairwitness.batch.gates import against_baseline
    from fairwitness.batch.rows import BadInput

    try:
        return against_baseline(results, baseline) if baseline else []
    except BadInput as error:
        raise InvalidRequest(details=[f"--baseline: {error}"]) from None


def _tell_columns(columns: Columns, recognised: str, unread: str | None) -> None:
    if recognised:
        tell(f"Recognised {recognised}: {columns.in_words()}.")
    if unread:
        tell(f"Not read: {unread!r}. If it is the expected answer, give --reference {unread}.")


def _finished(run: BatchRun, again: str, reports: BatchReports) -> Tally:
    """Run to the end; where it ends early, say why, what is kept, and how to go on."""
    from fairwitness.batch.rows import BadInput

    try:
        return _watched(run, reports)
    except BadInput as error:
        how, flag = error.go_on
        raise InvalidRequest(details=[str(error), *_kept(run, again + flag, how)]) from None
    except OSError as error:
        fault = f"{error.filename or run.output}: {error.strerror}"
        raise InvalidRequest(details=[fault, *_kept(run, again)]) from None
    except KeyboardInterrupt:
        tell(f"fairwitness: interrupted. {' '.join(_kept(run, again))}")
        raise


def _watched(run: BatchRun, reports: BatchReports) -> Tally:
    with closing(BatchProgress(run.input.size)) as progress, noting_interrupts() as interrupted:

        def note(event: Event) -> None:
            if interrupted:
                raise KeyboardInterrupt
            progress.add(event.row.position, is_new=event.is_new)
            reports.add(event)

        run.on_result = note
        return run.run()


def _kept(run: BatchRun, again: str, how: str = "To go on") -> list[str]:
    if not run.tally.rows:
        return []
    rows = f"{run.tally.rows:,} row{'s are' if run.tally.rows > 1 else ' is'} kept in {run.output}."
    return [f"{rows} {how}: {again}"]


def _again(source: str, results: Path, given: dict[str, Any]) -> str:
    """Return the command that goes on where this one stops."""
    words = ["fairwitness", "batch", source, "-o", str(results)]
    for name, value in given.items():
        for one in value if isinstance(value, tuple) else (value,):
            if one is not None and one is not False:
                words += [f"--{name.replace('_', '-')}", *(() if one is True else (str(one),))]
    return shlex.join(words)


def _data(results: Path, tally: Tally, outcomes: list[Outcome], made_by: MadeBy) -> dict[str, Any]:
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
        **made_by.to_dict(),
    }


def _show(
    console: Console, results: Path, tally: Tally, outcomes: list[Outcome], made_by: MadeBy
) -> None:
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
    say(console, made_by.in_words())
    say(console, f"Results: {results}")
