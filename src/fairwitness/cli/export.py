"""`fairwitness export`: results of a batch as scores in Langfuse, Phoenix or LangSmith."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from fairwitness.cli.output import TEXT, CommandFailed, Output, Result
from fairwitness.cli.terminal import tell
from fairwitness.contract.errors import InvalidRequest


def export(
    results: Annotated[Path, Parameter(help="The results of a batch (JSONL).")],
    /,
    *,
    to: Annotated[Literal["langfuse", "phoenix", "langsmith"], Parameter(help="The tool.")],
    trace: Annotated[
        str | None,
        Parameter(help="The column with the tool's id of a row: a trace, a span or a run."),
    ] = None,
    queue: Annotated[
        str | None, Parameter(help="Langfuse: the annotation queue for what needs review.")
    ] = None,
    config: Annotated[
        str | None,
        Parameter(help="Langfuse: the score configuration whose scores a person is to set."),
    ] = None,
    quote: Annotated[
        bool, Parameter(help="Send the quoted evidence too; without it no text is sent.")
    ] = False,
    dry_run: Annotated[
        bool, Parameter(help="Print what would be sent, one request a line; send nothing.")
    ] = False,
    output: Output = TEXT,
) -> Result:
    """Send the evaluations of a results file to the tool that holds the traces.

    Addresses and keys come from the variables the tool's own clients use: LANGFUSE_HOST, LANGFUSE_PUBLIC_KEY,
    LANGFUSE_SECRET_KEY; PHOENIX_COLLECTOR_ENDPOINT, PHOENIX_API_KEY; LANGSMITH_ENDPOINT, LANGSMITH_API_KEY.
    Sending the same file again changes nothing.

    Exit code: 0 sent, 1 the tool refused or is unreachable, 2 bad input or a missing variable.
    """
    from fairwitness.integrations.exports import BadExport, Options, ToolFailed, exporters
    from fairwitness.integrations.exports.sending import Sent, send

    if (queue or config) and to != "langfuse":
        raise InvalidRequest(details=["--queue and --config are for Langfuse alone"])
    sent = Sent()
    options = Options(quote=quote, queue=queue, config=config)
    try:
        tool = exporters()[to]()
        for request in send(results, tool, options, trace, sent, dry_run=dry_run):
            if dry_run and output == TEXT:
                print(msgspec.json.encode({"path": request.path, "body": request.body}).decode())
    except BadExport as error:
        done = f" {sent.rows} rows were sent; run the command again to go on." if sent.rows else ""
        told = f"{error}.{done}"
        if isinstance(error, ToolFailed):
            raise CommandFailed(told) from error
        raise InvalidRequest(details=[told]) from error
    words = "would be sent" if dry_run else "sent"
    left = f", {sent.skipped} without an evaluation left out" if sent.skipped else ""
    line = f"{to}: {sent.rows} rows {words} in {sent.requests} requests{left}."
    data = {"to": to, "dryRun": dry_run, **asdict(sent)}
    return output.result(data, lambda console: tell(line))
