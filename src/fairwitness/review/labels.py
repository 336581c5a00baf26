"""Labels that people gave: a plain file, one line each, appended and on disk before anyone is told so.

Nothing in the file is ever changed. Taking a label back is a line of its own, and a changed mind is another
label: the last one counts. Several processes may append to one file.
"""

from __future__ import annotations

import fcntl
import os
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from fairwitness.batch.line_faults import line_fault
from fairwitness.batch.rows import BadInput

OVERALL = "overall"
MAX_NOTE_CHARS = 4_000
MAX_NAME_CHARS = 64
Verdict = Literal["pass", "fail", "skip"]


class Label(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One line: who said what of which texts, and when."""

    # The SHA-256 of the texts: a label belongs to what was read, whatever file or row that is in.
    texts: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    id: str | int
    row: int
    target: str = OVERALL
    label: Literal["pass", "fail", "skip", "undo"]
    note: Annotated[str, Meta(max_length=MAX_NOTE_CHARS)] = ""
    reviewer: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_CHARS)]
    at: str


Key = tuple[str, str]


class LabelFile:
    """The labels of one file, as far as it was read."""

    def __init__(self, path: Path) -> None:
        """Read what is there; raise BadInput where a line is no label."""
        self.path = path
        self._offset = self._line = 0
        # By target and texts: each reviewer's labels, the last one counts.
        self._given: dict[Key, dict[str, list[Label]]] = defaultdict(dict)
        self._order: dict[str, list[Label]] = defaultdict(list)
        self.read()

    def read(self) -> None:
        """Take in what was appended since, by this process or another."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._offset)
                content = file.read()
        except FileNotFoundError:
            return
        whole = content[: content.rfind(b"\n") + 1]
        for line in whole.splitlines():
            self._line += 1
            try:
                self._take(msgspec.json.decode(line, type=Label))
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                wrong = line_fault(error, Label, line)
                raise BadInput(
                    f"{self.path}:{self._line}: is not a label of `fairwitness review`: {wrong}"
                ) from None
        self._offset += len(whole)

    def _take(self, label: Label) -> None:
        given = self._given[label.target, label.texts].setdefault(label.reviewer, [])
        if label.label != "undo":
            given.append(label)
            self._order[label.reviewer].append(label)
        elif given:
            self._order[label.reviewer].remove(given.pop())

    def of(self, target: str, texts: str) -> dict[str, Label]:
        """Return the label of each reviewer for these texts."""
        given = self._given.get((target, texts), {})
        return {reviewer: labels[-1] for reviewer, labels in given.items() if labels}

    def all(self, target: str) -> dict[str, dict[str, Label]]:
        """Return every label of a target, by texts and reviewer."""
        keys = [texts for name, texts in self._given if name == target]
        return {texts: found for texts in keys if (found := self.of(target, texts))}

    def targets(self) -> list[str]:
        """Return what was labelled: criteria, or the overall verdict."""
        return sorted({target for (target, _), given in self._given.items() if any(given.values())})

    def last(self, reviewer: str, target: str) -> Label | None:
        """Return a reviewer's newest label that stands."""
        given = (one for one in reversed(self._order[reviewer]) if one.target == target)
        return next(given, None)

    def append(self, label: Label) -> None:
        """Put a label on disk; when this returns it is there, whatever happens next."""
        is_new = not self.path.exists()
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            _cut_torn_end(file)
            line = msgspec.json.encode(label) + b"\n"
            size = os.fstat(file).st_size
            try:
                if os.write(file, line) != len(line):
                    raise OSError(28, "No space left on device", str(self.path))
                os.fsync(file)
            except OSError:
                os.ftruncate(file, size)
                raise
        finally:
            os.close(file)
        if is_new:
            _sync_folder(self.path.parent)
        self.read()


def now() -> str:
    """Return the time, as labels carry it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _cut_torn_end(file: int) -> None:
    """Cut off a line that a power failure left unfinished; it was never acknowledged."""
    size = end = os.fstat(file).st_size
    while end:
        begin = max(0, end - 65536)
        found = os.pread(file, end - begin, begin).rfind(b"\n")
        if found >= 0:
            end = begin + found + 1
            break
        end = begin
    if end != size:
        os.ftruncate(file, end)


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
