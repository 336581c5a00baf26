"""DataFrame in, DataFrame out: evaluates every row of a pandas, polars or Arrow table and adds columns.

Columns are found by the rules of `fairwitness batch`. Neither library is imported unless the table is one of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isnan
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Raw

from fairwitness.batch.columns import ADDED, ID, Columns, choose
from fairwitness.batch.executor import executor_of
from fairwitness.batch.library import evaluator_of
from fairwitness.batch.rows import BadInput, Row, RowFault, Texts
from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.evaluation import Evaluation
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.protocol import Protocol
from fairwitness.reports.made_by import MadeBy
from fairwitness.settings import available_cores

__all__ = ["evaluate"]

T = TypeVar("T")
Kind = Literal["text", "number", "count", "texts"]


def evaluate(
    frame: T,
    *,
    prompt: str | None = None,
    response: str | None = None,
    messages: str | None = None,
    context: str | None = None,
    reference: str | None = None,
    protocol: str | os.PathLike[str] | Protocol | None = None,
    workers: int | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    prefix: str = "",
) -> T:
    """Return a frame like this one, with its index and columns, and the evaluation of each row beside them.

    Adds `overall_score`, `overall_verdict`, `reasons` (a list), `findings` (how many), for each criterion
    `CRITERION_score` and `CRITERION_verdict`, `evaluation` (all of it, as JSON), `protocol_version`,
    `evaluator_version` and `protocol_digest`; `prefix` is put before each of these names. A name that the frame has
    already raises InvalidRequest, and so does a row that cannot be judged, with its number from 1; with
    `on_error="skip"` such a row has empty cells and an `error`.
    """
    if workers is not None and workers < 1:
        raise ValueError("workers must be at least 1")
    table = _table(frame)
    evaluator = evaluator_of(protocol)
    names = [f"{prefix}{name}" for name in _kinds(evaluator, on_error)]
    for name in names:
        if name in table.names:
            fault = f"column {name!r}: the result has a column of this name; rename it, or give a prefix"
            raise InvalidRequest(details=[fault])
    asked = Columns(prompt, response, messages, context=context, reference=reference)
    try:
        found = list(_results(table, asked, evaluator, workers or available_cores(), on_error))
    except BadInput as error:
        # The rules are those of the command; here its flags are arguments.
        raise InvalidRequest(details=[str(error).replace("--", "")]) from None
    kinds = _kinds(evaluator, on_error)
    columns = {
        f"{prefix}{name}": (kind, [row.get(name) for row in found]) for name, kind in kinds.items()
    }
    added: T = table.add(columns)
    return added


@dataclass(frozen=True)
class _Table:
    """A frame of some library: its columns' names, a column as a list, and how columns are added."""

    names: list[str]
    length: int
    column: Callable[[str], Sequence[Any]]
    add: Callable[[dict[str, tuple[Kind, list[Any]]]], Any]


def _kinds(evaluator: Evaluator, on_error: str) -> dict[str, Kind]:
    """Return the columns that are added and what each holds."""
    kinds: dict[str, Kind] = {
        "overall_score": "number",
        "overall_verdict": "text",
        "reasons": "texts",
        "findings": "count",
    }
    for spec in evaluator.protocol.criteria:
        kinds[f"{spec.id}_score"] = "number"
        kinds[f"{spec.id}_verdict"] = "text"
    kinds["evaluation"] = "text"
    for name in ("protocol_version", "evaluator_version", "protocol_digest"):
        kinds[name] = "text"
    if on_error == "skip":
        kinds["error"] = "text"
    return kinds


def _results(
    table: _Table, asked: Columns, evaluator: Evaluator, workers: int, on_error: str
) -> Iterator[dict[str, Any]]:
    """Yield what each row adds; raise BadInput where one cannot be judged."""
    if not table.length:
        return
    chosen, rows = _rows(table, asked, evaluator)
    decode = msgspec.json.Decoder(Evaluation).decode
    made_by = msgspec.structs.asdict(MadeBy.of(evaluator))
    with executor_of(evaluator, min(workers, table.length)) as executor:
        for (row, unread), answer in executor.ordered(_asked(rows, chosen)):
            fault = unread
            if answer is not None and answer.startswith(b"["):
                fault = "; ".join(msgspec.json.decode(answer, type=list[str]))
            if fault is None:
                assert answer is not None
                yield {**_flat(decode(answer)), "evaluation": answer.decode(), **made_by}
            elif on_error == "stop":
                raise BadInput(f"{row.place}: {fault}")
            else:
                yield {"error": fault, **made_by}


def _rows(table: _Table, asked: Columns, evaluator: Evaluator) -> tuple[Columns, Iterator[Row]]:
    """Choose the columns by the first row, and return each row with those alone."""
    every = {name: table.column(name) for name in table.names}
    # Names that a results file would add are free here: a frame gets others.
    own = {name: _raw(values[0]) for name, values in every.items() if name not in (ID, *ADDED)}
    reads = {part for criterion in evaluator.criteria.values() for part in criterion.reads}
    chosen, _ = choose(asked, Row(1, "row 1", own), reads)
    paths = [path for path in asdict(chosen).values() if isinstance(path, str)]
    used = {name: every[name] for name in every if name in paths}
    used |= {name: every[name] for path in paths if (name := path.split(".")[0]) in every}

    def rows() -> Iterator[Row]:
        for number in range(table.length):
            columns = {name: _raw(values[number]) for name, values in used.items()}
            yield Row(number + 1, f"row {number + 1}", columns)

    return chosen, rows()


def _asked(
    rows: Iterator[Row], columns: Columns
) -> Iterator[tuple[tuple[Row, str | None], Texts | None]]:
    for row in rows:
        try:
            yield (row, None), columns.texts(row)
        except RowFault as fault:
            yield (row, str(fault)), None


def _flat(evaluation: Evaluation) -> dict[str, Any]:
    flat: dict[str, Any] = {
        "overall_score": evaluation.overall_score,
        "overall_verdict": evaluation.overall_verdict,
        "reasons": list(evaluation.reasons),
        "findings": len(evaluation.findings),
    }
    for item in evaluation.verdicts:
        flat[f"{item.criterion_id}_score"] = item.score
        flat[f"{item.criterion_id}_verdict"] = item.verdict
    return flat


def _raw(value: Any) -> Raw:
    """Return a cell as JSON; an empty cell is null, whatever a library keeps in it."""
    is_nan = isinstance(value, float) and isnan(value)
    if value is None or is_nan or type(value).__name__ in {"NAType", "NaTType"}:
        return Raw(b"null")
    return Raw(msgspec.json.encode(value, enc_hook=_plain))


def _plain(value: Any) -> Any:
    """Return what JSON has no form for as a list where it is one, else as text."""
    to_list = getattr(value, "tolist", None) or getattr(value, "to_list", None)
    return to_list() if to_list else str(value)


def _table(frame: Any) -> _Table:
    """Find out whose frame this is, by its own type: nothing is imported for it."""
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas" and hasattr(frame, "assign"):
        return _pandas(frame)
    if library == "polars" and hasattr(frame, "collect"):
        raise TypeError("a LazyFrame has no rows yet; call .collect() first")
    if library == "polars" and hasattr(frame, "with_columns"):
        return _polars(frame)
    if library not in ("pandas", "polars") and hasattr(frame, "__arrow_c_stream__"):
        return _arrow(frame)
    raise TypeError(f"not a pandas, polars or Arrow table: {type(frame).__name__}")


def _pandas(frame: Any) -> _Table:
    pandas = sys.modules["pandas"]
    dtypes = {"number": "float64", "count": "Int64", "text": "string", "texts": "object"}

    def add(columns: dict[str, tuple[Kind, list[Any]]]) -> Any:
        # The index itself is shared, so rows cannot be mixed up, even where its labels repeat.
        made = {
            name: pandas.Series(values, index=frame.index, dtype=dtypes[kind])
            for name, (kind, values) in columns.items()
        }
        return pandas.concat([frame, pandas.DataFrame(made, index=frame.index)], axis=1)

    names = [name for name in frame.columns if isinstance(name, str)]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidRequest(details=[f"column {twice!r}: there are two of this name"])
    return _Table(names, len(frame), lambda name: list(frame[name].tolist()), add)


def _polars(frame: Any) -> _Table:
    polars = sys.modules["polars"]
    dtypes = {
        "number": polars.Float64,
        "count": polars.Int64,
        "text": polars.String,
        "texts": polars.List(polars.String),
    }

    def add(columns: dict[str, tuple[Kind, list[Any]]]) -> Any:
        return frame.with_columns(
            polars.Series(name, values, dtype=dtypes[kind])
            for name, (kind, values) in columns.items()
        )

    return _Table(frame.columns, len(frame), lambda name: list(frame[name].to_list()), add)


def _arrow(frame: Any) -> _Table:
    try:
        import pyarrow
    except ImportError:
        raise TypeError("an Arrow table needs pyarrow: pip install pyarrow") from None
    table = pyarrow.table(frame)
    types = {
        "number": pyarrow.float64(),
        "count": pyarrow.int64(),
        "text": pyarrow.string(),
        "texts": pyarrow.list_(pyarrow.string()),
    }

    def add(columns: dict[str, tuple[Kind, list[Any]]]) -> Any:
        added = table
        for name, (kind, values) in columns.items():
            added = added.append_column(name, pyarrow.array(values, types[kind]))
        return added

    return _Table(table.column_names, len(table), lambda name: list(table[name].to_pylist()), add)
