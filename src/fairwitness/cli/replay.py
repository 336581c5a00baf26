"""`fairwitness replay`: makes judged evaluations again from their records, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.console import Console

from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.cli.protocol_option import evaluator_for
from fairwitness.contract.errors import InvalidRequest

_SHOWN_FAULTS = 20


def replay(
    records: Annotated[Path, Parameter(help="A record, or a file of them, one a line.")],
    /,
    *,
    protocol: Annotated[Path, Parameter(help="The protocol file they were made by.")],
    results: Annotated[
        Path | None, Parameter(help="Results of a batch whose evaluations must be among them.")
    ] = None,
    signature: Annotated[
        Path | None, Parameter(help="The signature of a single record; its key must be trusted.")
    ] = None,
    key: Annotated[
        str | None, Parameter(help="Trusted keys, as for verify; else those in DATA_DIR.")
    ] = None,
    output: Output = TEXT,
) -> Result:
    """Evaluate judged exchanges again from their records and compare every byte.

    Nothing is sent anywhere: the answers are those of the records.

    Exit code: 0 all are the same, 1 something differs, 2 bad input.
    """
    from fairwitness.batch.line_faults import line_fault
    from fairwitness.contract.judge_record import JudgeRecord
    from fairwitness.evaluator.judges.replay import replay as replayed

    evaluator = evaluator_for(protocol)
    faults: list[str] = []
    evaluations: set[bytes] = set()
    lines = [line for line in records.read_bytes().splitlines() if line.strip()]
    for number, line in enumerate(lines, 1):
        try:
            found = replayed(line, evaluator)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            wrong = line_fault(error, JudgeRecord, line)
            raise InvalidRequest(details=[f"{records}:{number}: is no record: {wrong}"]) from None
        faults += [f"{records}:{number}: {fault}" for fault in found.faults]
        evaluations.add(msgspec.json.encode(found.evaluation))
    if not lines:
        raise InvalidRequest(details=[f"{records}: holds no record"])
    if signature is not None:
        faults += _signature_faults(lines, signature, key)
    rows = 0
    for number, line in enumerate(results.read_bytes().splitlines() if results else (), 1):
        rows += 1
        try:
            held = bytes(msgspec.json.decode(line, type=_Row).evaluation)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            wrong = line_fault(error, _Row, line)
            raise InvalidRequest(details=[f"{results}:{number}: {wrong}"]) from None
        if held and held not in evaluations:
            faults.append(f"{results}:{number}: no record gives this evaluation")
    data: dict[str, Any] = {"records": len(lines), "rows": rows, "faults": faults}
    return output.result(data, lambda console: _show(console, data), 1 if faults else 0)


def _signature_faults(lines: list[bytes], signature: Path, key: str | None) -> list[str]:
    from fairwitness.cli.verify import public_keys
    from fairwitness.evidence.judge_record import signature_faults

    if len(lines) != 1:
        raise InvalidRequest(details=["--signature: is of one record, and there are more"])
    try:
        envelope = msgspec.json.decode(signature.read_bytes())
    except msgspec.MsgspecError:
        raise InvalidRequest(details=[f"{signature}: is not JSON"]) from None
    return signature_faults(lines[0], envelope, public_keys(key))


class _Row(msgspec.Struct):
    evaluation: msgspec.Raw = msgspec.Raw()


def _show(console: Console, data: dict[str, Any]) -> None:
    for fault in data["faults"][:_SHOWN_FAULTS]:
        say(console, f"differs: {fault}")
    rows = f" and {data['rows']:,} rows of results" if data["rows"] else ""
    count = len(data["faults"])
    told = "every byte is the same" if not count else f"differences: {count:,}"
    say(console, f"Replayed {data['records']:,} records{rows} without a network: {told}.")
