"""`fairwitness protocol`: shows the shipped protocol, and starts, checks, compares and tests one of your own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from cyclopts import App, Parameter
from msgspec import UNSET
from rich.console import Console

from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.cli.protocol_measure import measure
from fairwitness.cli.protocol_option import evaluator_for, protocol_from
from fairwitness.cli.protocol_package import package
from fairwitness.cli.terminal import tell, write_bytes
from fairwitness.contract.errors import InvalidRequest
from fairwitness.reports.printable import visible

if TYPE_CHECKING:
    from fairwitness.evaluator import Evaluator
    from fairwitness.evaluator.protocol import Protocol
    from fairwitness.evaluator.protocol_diff import Difference
    from fairwitness.evaluator.protocol_examples import ExampleResult

app = App(
    name="protocol", help="Show the shipped protocol; start, check, compare or test your own."
)

app.command(measure)
app.command(package)

_File = Annotated[Path, Parameter(help="A protocol file, TOML or YAML.")]
_Either = Annotated[Path, Parameter(help="A protocol file, or fairwitness for the shipped one.")]


@app.command
def show(*, output: Output = TEXT) -> Result:
    """Print the shipped protocol as the file it is, byte for byte.

    Exit code: 0.
    """
    from fairwitness.evaluator import protocol

    shipped = protocol.shipped()
    content = {**_about(shipped), "file": shipped.source.decode()}
    return output.result(content, lambda console: write_bytes(shipped.source))


@app.command
def init(
    file: Annotated[Path, Parameter(help="Where to write it; the name ends in .toml.")],
    /,
    *,
    example: Annotated[
        Literal["support_policy", "childrens_product", "code_assistant"] | None,
        Parameter(help="A whole example instead."),
    ] = None,
    force: Annotated[bool, Parameter(help="Write over a file that is there.")] = False,
    output: Output = TEXT,
) -> Result:
    """Write a commented protocol file to start from: it extends the shipped one and has examples.

    Exit code: 0 written, 2 the file is there already or cannot be written.
    """
    from importlib import resources

    if file.suffix != ".toml":
        raise InvalidRequest(details=[f"{file}: the name must end in .toml"])
    name = f"examples/{example}.toml" if example else "starting_point.toml"
    source = resources.files("fairwitness.evaluator.protocols").joinpath(name)
    try:
        with file.open("wb" if force else "xb") as written:
            written.write(source.read_bytes())
    except FileExistsError:
        raise InvalidRequest(
            details=[f"{file}: already exists; use --force to overwrite it"]
        ) from None
    text = f"{file} written. Next: fairwitness protocol test {file}"
    return output.result({"written": str(file)}, lambda console: say(console, text))


@app.command
def check(file: _File, /, *, output: Output = TEXT) -> Result:
    """Check that a protocol file can be used: its keys, numbers, criteria, and the files it extends.

    Exit code: 0 it can be used, 2 it cannot, with the file, line and key that is wrong.
    """
    from fairwitness.service.protocols import name_fault

    protocol = evaluator_for(file).protocol
    about = _about(protocol)
    if fault := name_fault(protocol.name):
        tell(f"Note: {fault}.")
    text = (
        f"{file}: {protocol.name} {protocol.version}, {len(protocol.criteria)} criteria, "
        f"{len(protocol.examples)} example{'' if len(protocol.examples) == 1 else 's'}. SHA-256 {protocol.digest}"
    )
    return output.result(about, lambda console: say(console, text))


@app.command
def diff(before: _Either, after: _Either, /, *, output: Output = TEXT) -> Result:
    """Say what differs between two protocols, by criterion and key.

    Exit code: 0 nothing differs, 1 something does, 2 a file that is wrong.
    """
    from fairwitness.evaluator.protocol_diff import differences

    found = differences(protocol_from(before), protocol_from(after))
    return output.result(found, lambda console: _show_diff(found, console), 1 if found else 0)


@app.command(name="test")
def run_tests(file: _File, /, *, output: Output = TEXT) -> Result:
    """Judge the examples of a protocol file and compare their verdicts with those they expect.

    Exit code: 0 all are as expected, 1 some are not, 2 a file that is wrong or has no examples.
    """
    evaluator = evaluator_for(file)
    if not evaluator.protocol.examples:
        raise InvalidRequest(details=[f"{file}: has no [[examples]] to test"])
    results = _results(evaluator)
    failed = any(not result.met for result in results)
    return output.result(results, lambda console: _show_results(results, console), int(failed))


def _results(evaluator: Evaluator) -> list[ExampleResult]:
    """Judge the examples; raise InvalidRequest with the file, line and key of one that cannot be judged."""
    from fairwitness.evaluator.protocol_examples import run_examples

    results: list[ExampleResult] = []
    try:
        for result in run_examples(evaluator):
            results.append(result)
    except InvalidRequest as error:
        faults = (fault.partition(": ") for fault in error.details)
        told = [
            str(evaluator.protocol.error((f"examples[{len(results)}]", name), message))
            for name, _, message in faults
        ]
        raise InvalidRequest(details=told) from None
    return results


def _about(protocol: Protocol) -> dict[str, Any]:
    return {
        "name": protocol.name,
        "version": protocol.version,
        "digest": protocol.digest,
        "files": [file.path for file in protocol.files],
        "criteria": [spec.id for spec in protocol.criteria],
        "examples": len(protocol.examples),
    }


def _show_diff(found: list[Difference], console: Console) -> None:
    if not found:
        say(console, "Nothing differs.")
    table = None
    for item in found:
        if item.table != table and item.table:
            say(console, item.table)
        table = item.table
        indent = "  " if table else ""
        if not item.key:
            title, word = (
                (item.after, "added") if item.before is UNSET else (item.before, "removed")
            )
            say(console, f"{indent}{word}: {visible(str(title))}")
            continue
        say(console, f"{indent}{item.key}: {_value(item.before)} to {_value(item.after)}")


def _value(value: Any) -> str:
    return "not set" if value is UNSET else visible(msgspec.json.encode(value).decode())


def _show_results(results: list[ExampleResult], console: Console) -> None:
    for result in results:
        line = " ".join(result.response.split())
        brief = visible(line if len(line) <= 60 else f"{line[:60]}…")
        say(console, f"{'ok' if result.met else 'FAILED'} {result.number}: {brief}")
        for verdict in result.verdicts:
            if not verdict.met:
                say(
                    console,
                    f"  {verdict.criterion}: expected {verdict.expected}, found {verdict.found}",
                )
    met = sum(result.met for result in results)
    say(console, f"{met} of {len(results)} examples passed.")
