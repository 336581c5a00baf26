"""Reads rows from JSON: one object a line, or one document that holds a list of them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw

from fairwitness.batch.rows import MAX_ROW_BYTES, BadInput, Row, RowFault

# One document is held in memory whole: rows beyond this belong in JSON lines.
MAX_DOCUMENT_BYTES = 256 * 1024 * 1024
# Where a document that is no list keeps its rows: logs of promptfoo, HELM and Inspect, and what people write.
_LISTS = (("results", "results"), ("request_states",), ("samples",), ("rows",), ("data",))

# What Inspect records of how a sample was run.
_TRACE = ("events", "events_data", "attachments", "store", "timelines")

_COLUMNS = msgspec.json.Decoder(dict[str, Raw])
_ITEMS = msgspec.json.Decoder(list[Raw])


def line_rows(stream: io.BufferedReader, name: str) -> Iterator[Row]:
    """Yield one row for each line that is not blank; a line that is no object is a row with a fault."""
    number = line_number = blank = 0
    while line := stream.readline(MAX_ROW_BYTES + 1):
        line_number += 1
        if not number:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip():
            blank += len(line)
            if blank > MAX_ROW_BYTES:  # a few packed bytes may hold any number of them
                raise BadInput(f"{name}:{line_number}: over {MAX_ROW_BYTES:,} bytes of blank lines")
            continue
        number, blank = number + 1, 0
        place = f"{name}:{line_number}"
        if len(line) > MAX_ROW_BYTES:
            yield Row(number, place, fault=f"longer than {MAX_ROW_BYTES:,} bytes")
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_ROW_BYTES)
            continue
        yield row_of(number, place, line)


def document_rows(stream: io.BufferedReader, name: str) -> Iterator[Row]:
    """Yield the objects of a list, or of the list a known log keeps; places are counted in items."""
    content = stream.read(MAX_DOCUMENT_BYTES + 1)
    if len(content) > MAX_DOCUMENT_BYTES:
        raise BadInput(
            f"{name}: over {MAX_DOCUMENT_BYTES:,} bytes; write such a file as JSON lines"
        )
    try:
        items, path = _items(content.removeprefix(b"\xef\xbb\xbf"))
    except RowFault as fault:
        raise BadInput(f"{name}: {fault}") from None
    if items is None:
        raise BadInput(f"{name}: holds no list of rows that is known; write it as JSON lines")
    for number, item in enumerate(items, 1):
        row = row_of(number, f"{name}:item {number}", bytes(item))
        yield without_trace(row) if path == ("samples",) else row


def without_trace(row: Row) -> Row:
    """Return a sample of an Inspect log without the record of its run, which may be a thousand times its size."""
    kept = {name: value for name, value in row.columns.items() if name not in _TRACE}
    return Row(row.number, row.place, kept, row.fault, row.position)


def _items(content: bytes) -> tuple[list[Raw] | None, tuple[str, ...]]:
    if content.lstrip()[:1] == b"[":
        return list(decoded(content, _ITEMS)), ()
    top: dict[str, Raw] = decoded(content, _COLUMNS)
    for path in _LISTS:
        held: Any = top
        for key in path[:-1]:
            inner = held.get(key)
            held = decoded(bytes(inner), _COLUMNS) if inner and bytes(inner)[:1] == b"{" else {}
        found = held.get(path[-1])
        if found is not None and bytes(found)[:1] == b"[":
            return list(decoded(bytes(found), _ITEMS)), path
    return None, ()


def row_of(number: int, place: str, line: bytes) -> Row:
    """Return the row of one JSON object."""
    try:
        columns = decoded(line, _COLUMNS)
        if b"\n" in line.rstrip():  # a result is one line, whatever its row was
            columns = decoded(msgspec.json.format(line, indent=-1), _COLUMNS)
        return Row(number, place, columns)
    except RowFault as fault:
        return Row(number, place, fault=_column_of(line) + str(fault))


def _column_of(line: bytes) -> str:
    """Return words for the column whose bytes are no text, or nothing where none is to blame."""
    try:
        columns = _COLUMNS.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""
    for name, value in columns.items():
        try:
            bytes(value).decode()
        except UnicodeDecodeError:
            return f"column {name!r}: "
    return ""


def decoded(content: bytes, decoder: msgspec.json.Decoder[Any]) -> Any:
    """Decode JSON whose every string must be UTF-8; raise RowFault that says what is wrong and where."""
    try:
        content.decode()  # the decoder passes by what it is not asked for
        return decoder.decode(content)
    except UnicodeDecodeError as error:
        raise RowFault(f"not valid UTF-8 (byte {error.start + 1} of the row)") from None
    except msgspec.ValidationError:
        raise RowFault("not a JSON object") from None
    except msgspec.DecodeError as error:
        raise RowFault(
            f"not valid JSON: {str(error).removeprefix('JSON is malformed: ')}"
        ) from None
    except RecursionError:
        raise RowFault("nested too deeply") from None
