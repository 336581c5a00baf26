"""The process that unpacks Parquet: its file is standard input; it answers with the rows as lines of JSON.

It is a process of its own so that its memory can be bounded and a damaged file hurts nobody: a few bytes of
Parquet may unpack to any size. The first line is the number of rows; then an object a row, or a text that says
what is wrong with the row; a list is a fault that ends it; `null` is the end.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

# What unpacking may take beyond what the process takes anyway.
MAX_UNPACKED_BYTES = 1024 * 1024 * 1024
# Rows are unpacked so many bytes at a time, as far as the file's own figures say how large they are.
_BATCH_BYTES = 4 * 1024 * 1024
_MAX_BATCH_ROWS = 512
END = b"null\n"
AFTER = "the rows after this"


def main() -> None:
    """Answer with every row."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else prints must not end up among the rows
    try:
        with open(0, "rb", closefd=False) as stream:
            for line in _lines(stream):
                answers.write(line)
        answers.write(END)
    except BrokenPipeError:
        os._exit(0)  # whoever asked has left
    except MemoryError:
        size = f"{MAX_UNPACKED_BYTES // 1024**2:,} MiB"
        _give_up(answers, f"{AFTER} unpack to more than {size} of memory, which is not read")
    except (OSError, ValueError, NotImplementedError) as error:
        _give_up(
            answers, f"not valid Parquet: {(str(error) or type(error).__name__).splitlines()[0]}"
        )
    answers.flush()
    os._exit(0)  # a memory limit that was reached must not trip over the way out


def _give_up(answers: BinaryIO, fault: str) -> None:
    answers.write(msgspec.json.encode([fault]) + b"\n")


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pa.set_cpu_count(1)
    _limit_memory()
    file = pq.ParquetFile(stream, pre_buffer=False)
    names = file.schema_arrow.names
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two columns are called {name!r}")
    yield msgspec.json.encode(file.metadata.num_rows) + b"\n"
    for group in range(file.num_row_groups):
        told = file.metadata.row_group(group)
        size = max(told.total_byte_size // max(told.num_rows, 1), 1)
        rows = max(1, min(_MAX_BATCH_ROWS, _BATCH_BYTES // size))
        done = 0
        try:
            for line in _group_lines(file, group, rows):
                yield line
                done += 1
        except MemoryError:
            # Larger than the file says: one row at a time, from where it stopped.
            for number, line in enumerate(_group_lines(file, group, 1)):
                if number >= done:
                    yield line


def _group_lines(file: Any, group: int, rows: int) -> Iterator[bytes]:
    for batch in file.iter_batches(batch_size=rows, row_groups=[group], use_threads=False):
        columns = [_values(column) for column in batch.columns]
        for values in zip(*columns, strict=True) if columns else [()] * batch.num_rows:
            yield _line(batch.schema.names, values)


def _line(names: list[str], values: tuple[Any, ...]) -> bytes:
    for name, value in zip(names, values, strict=True):
        if isinstance(value, _Fault):
            return msgspec.json.encode(f"column {name!r}: {value}") + b"\n"
    try:
        return msgspec.json.encode(dict(zip(names, values, strict=True))) + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        return msgspec.json.encode(f"cannot be written as JSON: {error}") + b"\n"


class _Fault(str):
    """What is wrong with one cell."""


def _values(column: Any) -> list[Any]:
    """Return a column as plain values; text that is not UTF-8 is a fault of its cell."""
    kind = _kept_type(column.type)
    if kind != column.type:
        column = column.cast(kind, safe=False)
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        values = [_cell(column[index]) for index in range(len(column))]
    return [_plain(value) for value in values] if "binary" in str(kind) else values


def _cell(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return _Fault("not valid UTF-8")


def _kept_type(kind: Any) -> Any:
    """Times are kept to the microsecond: no finer one is known to Python itself."""
    import pyarrow as pa

    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        return pa.timestamp("us", kind.tz)
    if pa.types.is_time64(kind) and kind.unit == "ns":
        return pa.time64("us")
    if pa.types.is_duration(kind) and kind.unit == "ns":
        return pa.duration("us")
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_kept_type(kind.value_type)))
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_kept_type(field.type)) for field in kind])
    return kind


def _plain(value: Any) -> Any:
    """Bytes are text where they are UTF-8, as old writers keep text so; else they are said to be base64."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return {"base64": value}
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _limit_memory() -> None:
    """Bound what is mapped from here on; Linux alone tells how much is, and keeps to such a limit."""
    statm = Path("/proc/self/statm")
    if sys.platform == "win32" or not statm.exists():
        return
    import resource

    used = int(statm.read_bytes().split()[0]) * os.sysconf("SC_PAGESIZE")
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + MAX_UNPACKED_BYTES
    if most == resource.RLIM_INFINITY or wanted < most:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))


if __name__ == "__main__":
    main()
