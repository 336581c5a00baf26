"""One row of an input: where it stands, its columns as they were written, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Raw

# A row longer than this is refused before it is read whole: memory stays flat, whatever is sent.
MAX_ROW_BYTES = 16 * 1024 * 1024


# What is judged of a row: prompt and response, and where there is more, that as the JSON of an object with
# `context`, `messages` (the prompt is empty then), `reference` and `toolCalls`.
Texts = tuple[str, ...]


class BadInput(Exception):
    """The run cannot go on, or must not begin; the message says where and why."""

    # What the same command needs to go on, and how that is said.
    go_on = ("To go on", "")


class Unreadable(BadInput):
    """The input itself breaks off or is damaged: nothing after it can be read, and a mended file is another input."""

    go_on = ("To judge the file anew once it is mended", " --overwrite")


class BadRow(BadInput):
    """The run stopped at one row that cannot be judged; it goes on past it where it is told to skip."""

    go_on = ("To go on past this row", " --on-error skip")


class RowFault(Exception):
    """One row cannot be judged; the message says why."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its number from 1 over the whole input, its file and line, and its columns as JSON."""

    number: int
    place: str
    columns: dict[str, Raw] = field(default_factory=dict)
    fault: str | None = None
    # How many bytes of the input were read when this row was: what a progress bar goes by.
    position: int = 0
