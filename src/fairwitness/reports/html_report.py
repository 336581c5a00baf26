"""A run as one HTML file that needs no network: figures, filters, and the lowest scores with their evidence."""

from __future__ import annotations

import base64
import hashlib
import html
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from fairwitness.reports.made_by import MadeBy

RULE = (
    "A score is scoped evidence about the text of a response. It does not prove that a response is true, "
    "safe or compliant."
)


class Column(msgspec.Struct, frozen=True):
    """A column by which rows are sliced: its values, and which of them each row has (-1 for none)."""

    name: str
    values: list[str]
    codes: list[int]


class CriterionColumn(msgspec.Struct, frozen=True):
    """The verdicts of one criterion, a letter a row: p, f, r (needs review) or n (not applicable)."""

    id: str
    title: str
    verdicts: str


class ReportData(msgspec.Struct, frozen=True):
    """Everything the page shows; scores are in tenths, None where a row was not judged (verdict e)."""

    made_by: MadeBy
    ids: list[str | int]
    scores: list[int | None]
    verdicts: str
    criteria: list[CriterionColumn]
    slices: list[Column]
    # Of the rows with the lowest scores, by their index: texts, findings, reasons.
    details: dict[int, dict[str, Any]]
    errors: dict[int, str]


def write_html(path: Path, title: str, data: ReportData) -> None:
    """Write the page, whole."""
    folder = resources.files("fairwitness.reports") / "page"
    style, script = ((folder / f"report.{kind}").read_text() for kind in ("css", "js"))
    # Data cannot end its element: no angle bracket stays as it is.
    content = msgspec.json.encode(data).replace(b"<", b"\\u003c").decode()
    filled = {
        "TITLE": html.escape(title),
        "RULE": html.escape(RULE),
        "STYLE_HASH": _hash(style),
        "SCRIPT_HASH": _hash(script),
        "STYLE": style,
        "SCRIPT": script,
        "DATA": content,
    }
    # Cut at the marks once, so that nothing filled in is taken for a mark.
    parts = (folder / "report.html").read_text().split("@@")
    page = "".join(filled[part] if index % 2 else part for index, part in enumerate(parts))
    path.write_text(page, encoding="utf-8", newline="\n")


def _hash(content: str) -> str:
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
