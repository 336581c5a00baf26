"""Writes feedback out: JSON Lines exactly as sent, CSV so that no spreadsheet takes a text for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from fairwitness.feedback.interface import Entry

COLUMNS = ("feedbackId", "receivedAt", "category", "rating", "requestId", "message", "contact")
# Excel takes a file for UTF-8 only where it opens with this mark.
CSV_OPENING = "\ufeff"

_FORMULA_STARTS = frozenset("=+-@＝＋－＠")
# A reader with another separator in mind may begin a new cell after any of these.
_CELL_STARTS = frozenset(",;|\t\r\n\"'")


def record(entry: Entry, contact: str | None) -> dict[str, str | int | None]:
    """Return an entry by the names of its columns."""
    moment = datetime.fromtimestamp(entry.received_ms / 1000, UTC)
    return {
        "feedbackId": entry.feedback_id,
        "receivedAt": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "category": entry.category,
        "rating": entry.rating,
        "requestId": entry.request_id,
        "message": entry.message,
        "contact": contact,
    }


def present(row: dict[str, str | int | None]) -> dict[str, str | int]:
    """Return what of a row is there."""
    return {name: value for name, value in row.items() if value is not None}


def json_lines(rows: Sequence[dict[str, str | int | None]]) -> str:
    """Return rows as JSON, one a line; what is not there is left out."""
    return "".join(msgspec.json.encode(present(row)).decode() + "\n" for row in rows)


def csv_lines(rows: Sequence[dict[str, str | int | None]], *, header: bool) -> str:
    """Return rows as CSV, every cell quoted and harmless."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    if header:
        writer.writerow(COLUMNS)
    for values in rows:
        cells = (values[name] for name in COLUMNS)
        writer.writerow(["" if cell is None else harmless(str(cell)) for cell in cells])
    return text.getvalue()


def harmless(text: str) -> str:
    """Return a text that no spreadsheet runs: an apostrophe before each sign that could open a formula.

    Control characters become visible marks; JSON Lines keeps the text as it was.
    """
    kept: list[str] = []
    at_start = True
    for char in text:
        if at_start and char in _FORMULA_STARTS:
            kept.append("'")
        shown = char if char.isprintable() or char in "\t\r\n" else "\N{REPLACEMENT CHARACTER}"
        kept.append(shown)
        at_start = char in _CELL_STARTS or (at_start and (char.isspace() or shown != char))
    return "".join(kept)
