"""Reads rows from CSV: the first record names the columns, and every cell is text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import msgspec
from msgspec import Raw

from fairwitness.batch.rows import MAX_ROW_BYTES, BadInput, Row, Unreadable


def csv_rows(stream: io.BufferedReader, name: str, delimiter: str = ",") -> Iterator[Row]:
    """Yield a row a record; a record that has other cells than the header is a row with a fault."""
    lines = _Lines(stream, name)
    csv.field_size_limit(MAX_ROW_BYTES)
    records = csv.reader(lines, delimiter=delimiter, strict=True)
    header: list[str] | None = None
    number = 0
    while True:
        lines.begin_record()
        try:
            record = next(records, None)
            fault = None
        except csv.Error as error:
            record, fault = [], f"not valid CSV: {error}"
        if record is None:
            return
        if not record and fault is None:
            lines.pass_blank()
            continue
        if header is None:
            header = _header(record, fault, f"{name}:{lines.first}")
            continue
        number += 1
        lines.blank = 0
        yield _row(number, f"{name}:{lines.first}", header, record, fault)


class _Lines:
    """The lines of a file as text, bounded in each record; it knows at which line a record began."""

    def __init__(self, stream: io.BufferedReader, name: str) -> None:
        self._stream, self._name = stream, name
        self._line = self._bytes = 0
        self.first = 1
        self.blank = 0

    def begin_record(self) -> None:
        self.first = self._line + 1
        self._bytes = 0

    def pass_blank(self) -> None:
        """Count what was read as blank: a few packed bytes may hold any number of such lines."""
        self.blank += self._bytes
        if self.blank > MAX_ROW_BYTES:
            raise BadInput(
                f"{self._name}:{self.first}: over {MAX_ROW_BYTES:,} bytes of blank lines"
            )

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._stream.readline(MAX_ROW_BYTES + 1)
        if not line:
            raise StopIteration
        self._line += 1
        self._bytes += len(line)
        if self._bytes > MAX_ROW_BYTES:
            raise Unreadable(
                f"{self._name}:{self.first}: a row longer than {MAX_ROW_BYTES:,} bytes; is a quote left open?"
            )
        if self._line == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        # What is not UTF-8 is kept apart, so that its row and column can be named.
        return line.decode(errors="surrogateescape")


def _header(record: list[str], fault: str | None, place: str) -> list[str]:
    if fault:
        raise BadInput(f"{place}: {fault}")
    for name in record:
        if not _is_text(name):
            raise BadInput(f"{place}: the header is not valid UTF-8")
        if record.count(name) > 1:
            raise BadInput(f"{place}: two columns are called {name!r}")
    return record


def _row(number: int, place: str, header: list[str], record: list[str], fault: str | None) -> Row:
    if fault is None and len(record) != len(header):
        fault = f"has {len(record)} cells where the header has {len(header)}"
    for name, cell in zip(header, record, strict=False):
        if fault is None and not _is_text(cell):
            fault = f"column {name!r}: not valid UTF-8"
    if fault:
        return Row(number, place, fault=fault)
    cells = zip(header, record, strict=True)
    return Row(number, place, {name: Raw(msgspec.json.encode(cell)) for name, cell in cells})


def _is_text(cell: str) -> bool:
    try:
        cell.encode()
    except UnicodeEncodeError:
        return False
    return True
