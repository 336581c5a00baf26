"""Reads the samples of an Inspect log: a zip archive (.eval) with one JSON document a sample."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator

from fairwitness.batch.json_rows import MAX_DOCUMENT_BYTES, row_of, without_trace
from fairwitness.batch.rows import BadInput, Row
from fairwitness.extras import require_extra

_SAMPLES = "samples/"
_ZSTD = 93  # how Inspect packs its logs; Python's own reader has no name for it before 3.14
_LOCAL_HEADER = struct.Struct("<26xHH")


def eval_rows(stream: io.BufferedReader, name: str) -> Iterator[Row]:
    """Yield one row for each sample, in the order they were logged."""
    if not stream.seekable():
        raise BadInput(f"{name}: an Inspect log can be read from a file, not from a pipe")
    try:
        archive = zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadInput(f"{name}: not a valid Inspect log: {error}") from None
    samples = [
        item
        for item in archive.infolist()
        if item.filename.startswith(_SAMPLES) and item.filename.endswith(".json")
    ]
    size = sum(item.compress_size for item in samples) or 1
    done = 0
    for number, item in enumerate(samples, 1):
        place = f"{name}:{item.filename}"
        done += item.compress_size
        content = _content(archive, stream, item, place)
        if len(content) > MAX_DOCUMENT_BYTES:
            fault = f"unpacks to more than {MAX_DOCUMENT_BYTES:,} bytes"
            yield Row(number, place, fault=fault, position=done)
            continue
        row = without_trace(row_of(number, place, content))
        yield Row(number, place, row.columns, row.fault, done * _size_of(stream) // size)


def _content(
    archive: zipfile.ZipFile, stream: io.BufferedReader, item: zipfile.ZipInfo, place: str
) -> bytes:
    """Return a member, or a little more than is allowed where it is larger."""
    if item.compress_type == _ZSTD:
        require_extra("batch", f"{place}: reading an Inspect log")
    try:
        if item.compress_type == _ZSTD:
            return _unpacked(stream, item)
        with archive.open(item) as member:
            return member.read(MAX_DOCUMENT_BYTES + 1)
    except (
        *(zipfile.BadZipFile, zlib.error, OSError, EOFError),
        *(ValueError, NotImplementedError, RuntimeError, struct.error),
    ) as error:
        raise BadInput(f"{place}: the packed data are damaged: {error}") from None


def _unpacked(stream: io.BufferedReader, item: zipfile.ZipInfo) -> bytes:
    import pyarrow as pa

    stream.seek(item.header_offset)
    name_length, extra_length = _LOCAL_HEADER.unpack(stream.read(_LOCAL_HEADER.size))
    stream.seek(name_length + extra_length, io.SEEK_CUR)
    packed = pa.BufferReader(stream.read(item.compress_size))
    with pa.CompressedInputStream(packed, "zstd") as unpacked:
        content: bytes = unpacked.read(MAX_DOCUMENT_BYTES + 1)
    return content


def _size_of(stream: io.BufferedReader) -> int:
    at = stream.tell()
    size = stream.seek(0, io.SEEK_END)
    stream.seek(at)
    return size
