"""Reads rows from Parquet, unpacked by a process of its own; nested columns are kept as JSON has them."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator

import msgspec

from fairwitness.batch.child_process import start_module
from fairwitness.batch.json_rows import row_of
from fairwitness.batch.parquet_reader import AFTER, END, MAX_UNPACKED_BYTES
from fairwitness.batch.rows import MAX_ROW_BYTES, BadInput, Row, Unreadable
from fairwitness.extras import require_extra

MAGIC = b"PAR1"
_MODULE = "fairwitness.batch.parquet_reader"
# Its pool gives back what it can, and fails where the limit is; the default one ends the process.
_ENVIRONMENT = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1"}


def parquet_rows(stream: io.BufferedReader, name: str) -> Iterator[Row]:
    """Yield one row for each row of the file; raise BadInput where it cannot be read on."""
    require_extra("batch", f"{name}: reading Parquet")
    if not stream.seekable() or stream.peek(4)[:4] != MAGIC:
        raise BadInput(f"{name}: must be a Parquet file, not compressed and not a pipe")
    size = os.fstat(stream.fileno()).st_size
    reader = start_module(_MODULE, stdin=stream, **_ENVIRONMENT)
    assert reader.stdout is not None
    number, place = 0, name
    try:
        lines = iter(lambda: reader.stdout.readline(MAX_ROW_BYTES + 1), b"")  # type: ignore[union-attr]
        first = next(lines, b"")
        total = 1 if first[:1] == b"[" else int(first or 1)
        for line in lines if first[:1] != b"[" else [first]:
            if line == END:
                return
            if line[:1] == b"[":
                fault = msgspec.json.decode(line)[0]
                raise Unreadable(
                    f"{place}: {fault if number else fault.replace(AFTER, 'its first rows')}"
                )
            number += 1
            place = f"{name}:row {number}"
            position = size * number // max(total, 1)
            if len(line) > MAX_ROW_BYTES:
                yield Row(number, place, {}, f"longer than {MAX_ROW_BYTES:,} bytes", position)
                rest = line
                while rest and not rest.endswith(b"\n"):
                    rest = reader.stdout.readline(MAX_ROW_BYTES)
                continue
            if line[:1] == b'"':
                yield Row(number, place, {}, msgspec.json.decode(line, type=str), position)
                continue
            found = row_of(number, place, line)
            yield Row(number, place, found.columns, found.fault, position)
        most = f"{MAX_UNPACKED_BYTES // 1024**2:,} MiB"
        raise Unreadable(
            f"{place}: what comes after this could not be unpacked: it is damaged, or takes more than {most}"
        )
    finally:
        reader.kill()
        reader.wait()
        reader.stdout.close()
