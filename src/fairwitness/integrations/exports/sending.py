"""Reads a results file and sends its rows: in order, again where the tool asks to wait, and never past an error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from fairwitness.batch.line_faults import line_fault
from fairwitness.contract.evaluation import Evaluation
from fairwitness.integrations.exports import BadExport, Exporter, Judged, Options, Request
from fairwitness.integrations.exports.asking import Tool

_ROWS_AT_ONCE = 20
_VERSIONS = ("protocolVersion", "evaluatorVersion", "protocolDigest")


@dataclass
class Sent:
    """How much was sent: rows, requests, and rows that have no evaluation or no id of the tool's."""

    rows: int = 0
    requests: int = 0
    skipped: int = 0


def send(
    results: Path,
    exporter: Exporter,
    options: Options,
    column: str | None,
    sent: Sent,
    *,
    dry_run: bool = False,
) -> Iterator[Request]:
    """Send a results file, counting in `sent`, and yield each request after it was taken."""
    tool = None if dry_run else Tool(exporter)
    try:
        if tool is not None:
            exporter.prepare(tool, options)
        waiting: list[Judged] = []
        for row in _judged(results, exporter, column, sent):
            waiting.append(row)
            if len(waiting) == _ROWS_AT_ONCE:
                yield from _post(tool, exporter, options, waiting, sent)
                waiting = []
        yield from _post(tool, exporter, options, waiting, sent)
    finally:
        if tool is not None:
            tool.close()


def _post(
    tool: Tool | None,
    exporter: Exporter,
    options: Options,
    rows: list[Judged],
    sent: Sent,
) -> Iterator[Request]:
    for request in exporter.requests(rows, options):
        if tool is not None:
            tool.post(request.path, request.body)
        sent.requests += 1
        yield request
    sent.rows += len(rows)


def _judged(results: Path, exporter: Exporter, column: str | None, sent: Sent) -> Iterator[Judged]:
    # The same file has the same time, so that sending it again is the same as sending it once.
    made = datetime.fromtimestamp(int(results.stat().st_mtime), UTC).isoformat()
    with results.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            row = _decoded(line, results, number)
            target = _target(row, exporter, column, f"{results}:{number}")
            if row.get("evaluation") is None:
                sent.skipped += 1  # a row that could not be judged has nothing to export
                continue
            evaluation = _evaluation(row["evaluation"], f"{results}:{number}")
            versions = {name: str(row[name]) for name in _VERSIONS if name in row}
            yield Judged(target, evaluation, versions, made)


def _decoded(line: bytes, results: Path, number: int) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadExport(
            f"{results}:{number}: not a line of batch results, which is a JSON object"
        ) from None


def _evaluation(value: Any, place: str) -> Evaluation:
    try:
        return msgspec.convert(value, Evaluation)
    except msgspec.ValidationError as error:
        wrong = line_fault(error, Evaluation, msgspec.json.encode(value))
        raise BadExport(f"{place}: evaluation: {wrong}") from None


def _target(row: dict[str, Any], exporter: Exporter, column: str | None, place: str) -> str:
    names = exporter.columns if column is None else (column,)
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value:
            return value
    raise BadExport(
        f"{place}: no column {' or '.join(names)} with the id {exporter.name} knows this row by; "
        "name it with --trace"
    )
