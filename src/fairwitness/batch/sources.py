"""Where rows come from: files of JSON lines, CSV, JSON or Parquet, compressed or not, a folder, standard input.

Rows are read one by one; nothing is held that was read. It knows nothing of what a column means.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fairwitness.batch.csv_rows import csv_rows
from fairwitness.batch.inspect_logs import eval_rows
from fairwitness.batch.json_rows import document_rows, line_rows
from fairwitness.batch.parquet_rows import MAGIC, parquet_rows
from fairwitness.batch.rows import BadInput, Row, Unreadable

STDIN = "-"
_GZIP_MAGIC = b"\x1f\x8b"

Reader = Callable[[io.BufferedReader, str], Iterator[Row]]


def _tab_rows(stream: io.BufferedReader, name: str) -> Iterator[Row]:
    return csv_rows(stream, name, delimiter="\t")


# A new format is one entry here.
READERS: dict[str, Reader] = {
    ".jsonl": line_rows,
    ".ndjson": line_rows,
    ".csv": csv_rows,
    ".tsv": _tab_rows,
    ".json": document_rows,
    ".parquet": parquet_rows,
    ".eval": eval_rows,
}


@dataclass(frozen=True)
class InputFile:
    """One file, and the name by which its rows are called."""

    path: Path | None
    name: str

    @property
    def size(self) -> int:
        """Its size in bytes; 0 of standard input or a pipe, which have none."""
        return self.path.stat().st_size if self.path else 0

    def digest(self) -> str | None:
        """Return the SHA-256 of its bytes, or None of standard input or a pipe, which can be read only once."""
        if self.path is None or not self.path.is_file():
            return None
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def rows(self) -> Iterator[Row]:
        """Yield its rows, numbered from 1; raise BadInput where it cannot be read on."""
        line = self.name
        with self._opened() as raw:
            stream = _unpacked(raw)
            try:
                for row in self._reader(stream)(stream, self.name):
                    line = row.place
                    position = row.position or _position(raw)
                    yield Row(row.number, row.place, row.columns, row.fault, position)
            except EOFError:
                raise Unreadable(f"{line}: the compressed data end early after this row") from None
            except (gzip.BadGzipFile, zlib.error) as error:
                raise Unreadable(f"{line}: the compressed data are damaged: {error}") from None

    def _opened(self) -> io.BufferedReader:
        return self.path.open("rb") if self.path else open(0, "rb", closefd=False)

    def _reader(self, stream: io.BufferedReader) -> Reader:
        suffix = suffix_of(self.name)
        if suffix in READERS:
            return READERS[suffix]
        # Standard input, or a name that says nothing: JSON lines begin with a brace.
        beginning = stream.peek(64)
        if beginning.startswith(MAGIC):
            return parquet_rows
        return line_rows if beginning.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{" else csv_rows


@dataclass(frozen=True)
class Input:
    """Everything one run reads, in order."""

    files: tuple[InputFile, ...]

    @classmethod
    def of(cls, path: str, leave_out: Path) -> Input:
        """Find the files of a path, in order of their names; `leave_out` is never one of them."""
        if path == STDIN:
            return cls((InputFile(None, "stdin"),))
        found = Path(path)
        if not found.exists():
            raise BadInput(f"{path}: no such file or folder")
        if not found.is_dir():
            if leave_out.exists() and leave_out.samefile(found):
                raise BadInput(f"{path}: the results cannot be written over the input")
            return cls((InputFile(found, shown(found.name)),))
        ours = [of(leave_out).resolve() for of in (Path, journal_of, lines_beside)]
        inside = sorted(
            file
            for file in found.rglob("*")
            if file.is_file()
            and suffix_of(file.name) in READERS
            and not any(part.startswith(".") for part in file.relative_to(found).parts)
            and file.resolve() not in ours
        )
        if not inside:
            raise BadInput(
                f"{path}: holds no file whose name ends in {', '.join(READERS)} (or .gz)"
            )
        return cls(tuple(InputFile(file, shown(file.relative_to(found))) for file in inside))

    @property
    def size(self) -> int:
        """The size of all files in bytes; 0 where it is not known."""
        return sum(file.size for file in self.files)

    def digests(self) -> list[str | None]:
        """Return the digest of each file."""
        return [file.digest() for file in self.files]

    def rows(self) -> Iterator[Row]:
        """Yield every row, numbered from 1 over all files."""
        number, before = 0, 0
        for file in self.files:
            for row in file.rows():
                number += 1
                yield Row(number, row.place, row.columns, row.fault, before + row.position)
            before += file.size


def suffix_of(name: str) -> str:
    """Return how a file's name ends, without .gz."""
    return Path(name.lower().removesuffix(".gz")).suffix


def shown(path: str | Path) -> str:
    """Return a path as text that can be written anywhere, whatever bytes are in it."""
    return os.fsencode(path).decode(errors="replace")


def is_parquet(results: Path) -> bool:
    """Say whether results are to be Parquet, by their name."""
    return results.suffix.lower() == ".parquet"


def lines_beside(results: Path) -> Path:
    """Return the file that holds the lines which become Parquet when all are there."""
    return results.with_name(f"{results.name}.jsonl")


def journal_of(results: Path) -> Path:
    """Return the file beside the results that says what they were made from."""
    return results.with_name(f"{results.name}.run.json")


def _unpacked(stream: io.BufferedReader) -> io.BufferedReader:
    if stream.peek(2)[:2] != _GZIP_MAGIC:
        return stream
    return io.BufferedReader(gzip.GzipFile(fileobj=stream))


def _position(stream: io.BufferedReader) -> int:
    return stream.tell() if stream.seekable() else 0
