"""Reads results that a run wrote, as JSON lines or Parquet: each with its row's own columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Raw

from fairwitness.batch.columns import ADDED, ID
from fairwitness.batch.line_faults import line_fault
from fairwitness.batch.rows import BadInput, Row
from fairwitness.batch.sources import InputFile, is_parquet, shown
from fairwitness.contract.evaluation import Evaluation
from fairwitness.reports.made_by import MadeBy

_UNKNOWN = MadeBy()
_EVALUATION = msgspec.json.Decoder(Evaluation)
# What an evaluation may lack; Parquet has a null there.
_OPTIONAL = {
    "verdicts": ("observed",),
    "findings": ("suggestion",),
    "reasonDetails": ("criterionId",),
}


@dataclass(frozen=True, slots=True)
class SavedResult:
    """One result: its row's number, id and columns, and its evaluation or why it has none."""

    number: int
    id: str | int
    columns: dict[str, Raw]
    evaluation: Evaluation | None
    error: str = ""
    made_by: MadeBy = _UNKNOWN


def read_results(path: Path) -> Iterator[SavedResult]:
    """Yield every result of a file; raise BadInput where one cannot be read."""
    if not path.is_file():
        raise BadInput(f"{path}: no such file")
    for row in InputFile(path, shown(path)).rows():
        if row.fault:
            raise BadInput(f"{row.place}: {row.fault}")
        yield result_of(row, from_parquet=is_parquet(path))


def result_of(row: Row, *, from_parquet: bool) -> SavedResult:
    """Return the result that a row of a results file holds."""
    try:
        row_id = msgspec.json.decode(row.columns[ID], type=str | int)
        raw, fault = (row.columns.get(name, Raw(b"null")) for name in ("evaluation", "error"))
        error = msgspec.json.decode(fault, type=str | None) or ""
        evaluation = None if bytes(raw) == b"null" else _evaluation(raw, from_parquet=from_parquet)
        if evaluation is None and not error:
            raise KeyError("evaluation")
        versions = {name: msgspec.json.decode(row.columns[name]) for name in ADDED[2:] if name in row.columns}  # fmt: skip
        made_by = msgspec.convert(versions, MadeBy)
    except (KeyError, msgspec.MsgspecError) as problem:
        wrong = f"no column {problem}" if isinstance(problem, KeyError) else _wrong_column(row)
        raise BadInput(f"{row.place}: not a result of `fairwitness batch`: {wrong}") from None
    own = {name: value for name, value in row.columns.items() if name not in (*ADDED, ID)}
    return SavedResult(row.number, row_id, own, evaluation, error, made_by)


def _wrong_column(row: Row) -> str:
    """Return the first column that is wrong, and how."""
    for name, kind in {ID: str | int, "error": str | None, "evaluation": Evaluation | None}.items():
        content = bytes(row.columns.get(name, b"null"))
        try:
            msgspec.json.decode(content, type=kind)
        except msgspec.MsgspecError as error:
            return f"column {name!r}: {line_fault(error, kind, content)}"
    return "its versions are not texts"


def _evaluation(raw: Raw, *, from_parquet: bool) -> Evaluation:
    if not from_parquet:
        return _EVALUATION.decode(raw)
    plain = msgspec.json.decode(raw)
    for items, names in _OPTIONAL.items():
        for item in plain[items]:
            for name in names:
                if item.get(name) is None:
                    item.pop(name, None)
    return msgspec.convert(plain, Evaluation)
