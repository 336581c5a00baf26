"""The results file: written line by line, locked, and taken up again where a run was broken off.

A line is written by one call to the system, so what a killed run leaves is whole lines and at most one torn
line at the end, which is cut off. The journal beside it says what the results were made from; it is on disk
before the first line is. Disk caches are flushed every few seconds and at the end.

Parquet cannot be written line by line: its rows are kept as lines in a file beside it until all are there.
"""

from __future__ import annotations

import io
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from fairwitness.batch.file_lock import lock
from fairwitness.batch.rows import BadInput
from fairwitness.batch.sources import is_parquet, journal_of, lines_beside

FLUSH_EVERY_S = 5.0
_JOURNAL_FORMAT = 1


class Origin(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What results are made from; the same origin gives the same bytes."""

    input: list[str | None]
    columns: dict[str, str | bool | None]
    protocol_digest: str
    evaluator_version: str
    format: int = _JOURNAL_FORMAT


_IN_WORDS = {
    "input": "from another input",
    "columns": "from other columns",
    "protocol_digest": "by another protocol",
    "evaluator_version": "by another version of the evaluator",
    "format": "by another version of this command",
}


class ResultsFile:
    """Results on disk, held by this run alone."""

    def __init__(self, path: Path, origin: Origin, *, overwrite: bool = False) -> None:
        """Open or create the file; raise BadInput where it is not this run's to write."""
        self.path = path
        # Where the lines are: the results themselves, or a file beside them that becomes them.
        self.lines_path = lines_beside(path) if is_parquet(path) else path
        self._written = time.monotonic()
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self._file = io.FileIO(os.open(self.lines_path, flags, 0o666), "r+")
        try:
            self.size = self._claim(origin, overwrite)
        except BaseException:
            self._file.close()
            raise

    @property
    def is_finished(self) -> bool:
        """Whether the lines became Parquet already; a crash may have left them beside it."""
        return self.lines_path != self.path and self.path.exists()

    def _claim(self, origin: Origin, overwrite: bool) -> int:
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise BadInput(f"{self.path}: results are written to a file, not to a device or a pipe")
        if not lock(self._file.fileno()):
            raise BadInput(f"{self.path}: another run is writing to it")
        size = os.fstat(self._file.fileno()).st_size
        if (size or self.is_finished) and not overwrite:
            self._check(origin)
            return size
        if self.is_finished:
            self.path.unlink()  # before the journal is another: it must not speak of these
        self._file.truncate(0)
        _write_whole(journal_of(self.path), msgspec.json.encode(origin) + b"\n")
        return 0

    def _check(self, origin: Origin) -> None:
        hint = "choose another name with -o, or give --overwrite"
        try:
            known = msgspec.json.decode(journal_of(self.path).read_bytes(), type=Origin)
        except (FileNotFoundError, msgspec.MsgspecError):
            raise BadInput(
                f"{self.path}: exists, and no run is known that wrote it; {hint}"
            ) from None
        for name, words in _IN_WORDS.items():
            if getattr(known, name) != getattr(origin, name):
                raise BadInput(f"{self.path}: was written {words}; {hint}")

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield what is there, each line with its offset; a torn line at the end is cut off."""
        offset = 0
        with self.lines_path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    self._file.truncate(offset)
                    break
                yield offset, line
                offset += len(line)
        self.size = offset

    def append(self, line: bytes) -> int:
        """Write one line and return its offset; on failure nothing of it stays."""
        offset = self.size
        try:
            self._file.seek(offset)
            done = 0
            while done < len(line):
                done += self._file.write(line[done:]) or 0
        except OSError as error:
            self._file.truncate(offset)
            raise OSError(error.errno, error.strerror, str(self.path)) from error
        self.size += len(line)
        if time.monotonic() - self._written > FLUSH_EVERY_S:
            self.flush()
        return offset

    def read(self, offset: int, length: int) -> bytes:
        """Return a line that was written before."""
        self._file.seek(offset)
        return self._file.read(length) or b""

    def flush(self) -> None:
        """Put on disk what was written."""
        os.fsync(self._file.fileno())
        self._written = time.monotonic()

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.flush()
        finally:
            self._file.close()
        if self.is_finished:
            self.lines_path.unlink()


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    beside = path.with_name(f"{path.name}.new")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    if os.name != "posix":
        return  # a folder is no file there, and is not flushed
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
