"""Writes results as CSV for spreadsheets: a row's columns, its verdict and score, and each criterion's verdict.

A cell of text that a spreadsheet would run as a formula begins with an apostrophe, which makes it text again.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw

from fairwitness.batch.saved_results import SavedResult, read_results
from fairwitness.reports.made_by import MadeBy

# What Excel, LibreOffice and Google Sheets take for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def write_csv(results: Path, path: Path) -> None:
    """Write the table; the columns are those of all rows, in the order they first appear."""
    own: dict[str, None] = {}
    criteria: dict[str, None] = {}
    for found in read_results(results):
        own |= dict.fromkeys(found.columns)
        criteria |= dict.fromkeys(item.criterion_id for item in _verdicts(found))
    added = ("id", "overallVerdict", "overallScore", "error")
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow([cell(name) for name in (*own, *added, *criteria, *MadeBy().to_dict())])
        for found in read_results(results):
            verdicts = {item.criterion_id: item.verdict for item in _verdicts(found)}
            judged = found.evaluation
            values: list[Any] = [found.id, "", "", found.error]
            if judged is not None:
                values[1:3] = [judged.overall_verdict, judged.overall_score]
            kept = [_value(found.columns.get(name)) for name in own]
            values += [verdicts.get(name, "") for name in criteria]
            values += found.made_by.to_dict().values()
            table.writerow([cell(value) for value in (*kept, *values)])


def cell(value: Any) -> Any:
    """Return a value as a spreadsheet may have it: text that would run is escaped, numbers are numbers."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return value


def _verdicts(found: SavedResult) -> list[Any]:
    return list(found.evaluation.verdicts) if found.evaluation else []


def _value(raw: Raw | None) -> Any:
    if raw is None:
        return ""
    value = msgspec.json.decode(raw)
    if isinstance(value, dict | list):
        return bytes(raw).decode()
    return "" if value is None else value
