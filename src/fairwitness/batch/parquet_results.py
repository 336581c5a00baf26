"""Makes Parquet of finished result lines: typed columns, evaluations nested, the same bytes every time.

A column has the type that all its values share. Where they share none, it is kept as JSON text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw
from msgspec import inspect as shapes

from fairwitness.contract.evaluation import Evaluation

EVALUATION = "evaluation"
# Rows are written together up to so many bytes of JSON: what is held in memory at once.
_GROUP_BYTES = 16 * 1024 * 1024
# An object with more names than this is a table of its own, not a record.
_MAX_FIELDS = 200
_INT64 = 1 << 63

_COLUMNS = msgspec.json.Decoder(dict[str, Raw])

# The type of a column as it is found: a word, or {"list": type}, or {"struct": {name: type}}.
Kind = str | dict[str, Any]
UNKNOWN, MIXED = "unknown", "mixed"


def write_parquet(lines: Path, results: Path) -> None:
    """Write results as Parquet, whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = _kinds(lines)
    schema = pa.schema(
        [
            (name, arrow_type(Evaluation) if name == EVALUATION else _type(kind))
            for name, kind in kinds.items()
        ]
    )
    beside = results.with_name(f"{results.name}.new")
    try:
        with (
            beside.open("wb") as file,
            pq.ParquetWriter(file, schema, compression="zstd") as writer,
        ):
            for rows in _groups(lines):
                arrays = [
                    pa.array([_value(row.get(name), kind) for row in rows], field.type)
                    for (name, kind), field in zip(kinds.items(), schema, strict=True)
                ]
                writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
        with beside.open("rb+") as written:
            os.fsync(written.fileno())
        beside.replace(results)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror or str(error), str(results)) from error


def _groups(lines: Path) -> Iterator[list[dict[str, Raw]]]:
    held: list[dict[str, Raw]] = []
    size = 0
    with lines.open("rb") as file:
        for line in file:
            held.append(_COLUMNS.decode(line))
            size += len(line)
            if size >= _GROUP_BYTES:
                yield held
                held, size = [], 0
    if held:
        yield held


def _kinds(lines: Path) -> dict[str, Kind]:
    """Return the type of every column, in the order they first appear."""
    kinds: dict[str, Kind] = {}
    with lines.open("rb") as file:
        for line in file:
            for name, raw in _COLUMNS.decode(line).items():
                before = kinds.get(name, UNKNOWN)
                if name == EVALUATION:
                    kinds[name] = EVALUATION
                elif before != MIXED:
                    kinds[name] = shared(before, _kind_of_raw(raw))
    return kinds


def _kind_of_raw(raw: Raw) -> Kind:
    try:
        return kind_of(msgspec.json.decode(raw))
    except (msgspec.DecodeError, RecursionError):
        return MIXED


def kind_of(value: Any) -> Kind:
    """Return the type of one value."""
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if -_INT64 <= value < _INT64 else MIXED
    if isinstance(value, list):
        inner: Kind = UNKNOWN
        for item in value:
            inner = shared(inner, kind_of(item))
        return MIXED if inner == MIXED else {"list": inner}
    if isinstance(value, dict):
        fields = {name: kind_of(item) for name, item in value.items()}
        is_record = 0 < len(fields) <= _MAX_FIELDS and MIXED not in fields.values()
        return {"struct": fields} if is_record else MIXED
    return "float" if isinstance(value, float) else "text"


def shared(first: Kind, second: Kind) -> Kind:
    """Return the type that values of both types have, or MIXED."""
    if second in (first, UNKNOWN):
        return first
    if first == UNKNOWN:
        return second
    if isinstance(first, str) or isinstance(second, str):
        return "float" if {str(first), str(second)} == {"int", "float"} else MIXED
    if "list" in first and "list" in second:
        inner = shared(first["list"], second["list"])
        return MIXED if inner == MIXED else {"list": inner}
    if "struct" in first and "struct" in second:
        one, other = first["struct"], second["struct"]
        fields = {
            name: shared(one.get(name, UNKNOWN), other.get(name, UNKNOWN))
            for name in {**one, **other}
        }
        return (
            MIXED if MIXED in fields.values() or len(fields) > _MAX_FIELDS else {"struct": fields}
        )
    return MIXED


def _type(kind: Kind) -> Any:
    import pyarrow as pa

    if isinstance(kind, str):
        plain = {"bool": pa.bool_(), "int": pa.int64(), "float": pa.float64()}
        return plain.get(kind, pa.string())
    if "list" in kind:
        return pa.list_(_type(kind["list"]))
    return pa.struct([(name, _type(inner)) for name, inner in kind["struct"].items()])


def _value(raw: Raw | None, kind: Kind) -> Any:
    if raw is None:
        return None
    if kind == MIXED:
        return bytes(raw).decode()
    return msgspec.json.decode(raw)


def arrow_type(of: Any) -> Any:
    """Return the type of a field of ours, so that a column has it even where no row fills it."""
    return _declared(shapes.type_info(of))


def _declared(info: Any) -> Any:
    import pyarrow as pa

    if isinstance(info, shapes.Metadata):
        return _declared(info.type)
    if isinstance(info, shapes.UnionType):
        kinds = [one for one in info.types if not isinstance(one, shapes.NoneType)]
        return _declared(kinds[0])
    if isinstance(info, shapes.ListType | shapes.VarTupleType):
        return pa.list_(_declared(info.item_type))
    if isinstance(info, shapes.StructType):
        return pa.struct([(field.encode_name, _declared(field.type)) for field in info.fields])
    plain = {
        shapes.IntType: pa.int64(),
        shapes.FloatType: pa.float64(),
        shapes.BoolType: pa.bool_(),
    }
    return plain.get(type(info), pa.string())
