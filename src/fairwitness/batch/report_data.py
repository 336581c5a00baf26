"""Gathers what a report shows of a results file: a few bytes of every row, and the texts of the lowest scores."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw

from fairwitness.batch.columns import Columns, choose
from fairwitness.batch.results import Origin
from fairwitness.batch.rows import BadInput, Row, RowFault
from fairwitness.batch.saved_results import SavedResult, read_results
from fairwitness.batch.sources import journal_of
from fairwitness.reports.html_report import Column, CriterionColumn, ReportData
from fairwitness.reports.made_by import MadeBy

# Rows whose texts are kept, and how much of each text: a page must stay light enough to send.
MAX_DETAILS = 1000
MAX_DETAIL_BYTES = 24_000_000
MAX_TEXT_CHARS = 8000
MAX_ERRORS = 1000
# A column with more values than this is no slice; numbers are then cut into quarters.
MAX_VALUES = 50
_LETTERS = {"pass": "p", "fail": "f", "needs_review": "r", "not_applicable": "n"}


def gather(path: Path) -> ReportData:
    """Read a results file; raise BadInput where it is none."""
    columns = columns_of(path)
    gathered = _Gathered(columns)
    for found in read_results(path):
        gathered.add(found)
    if not gathered.ids:
        raise BadInput(f"{path}: holds no result")
    return gathered.data()


def columns_of(path: Path) -> Columns:
    """Return where the texts are: as the run noted beside its results, or recognised."""
    try:
        origin = msgspec.json.decode(journal_of(path).read_bytes(), type=Origin)
        return msgspec.convert(origin.columns, Columns)
    except (OSError, msgspec.MsgspecError):
        pass
    for found in islice(read_results(path), 1):
        try:
            return choose(Columns(), _row(found))[0]
        except BadInput:
            break
    return Columns()


def texts_of(columns: Columns, found: SavedResult) -> dict[str, str]:
    """Return the texts of a result by the names evidence calls them; none where they cannot be read."""
    if columns.prompt is None and columns.messages is None:
        return {}
    try:
        prompt, response, *more = columns.texts(_row(found))
    except RowFault:
        return {}
    given: dict[str, Any] = msgspec.json.decode(more[0]) if more else {}
    texts = {"prompt": prompt} if prompt else {}
    texts |= {f"messages[{n}]": turn["content"] for n, turn in enumerate(given.get("messages", []))}
    texts |= {f"context[{n}]": text for n, text in enumerate(given.get("context", []))}
    texts["response"] = response
    return texts | ({"reference": given["reference"]} if "reference" in given else {})


def _row(found: SavedResult) -> Row:
    return Row(found.number, f"row {found.number}", found.columns)


class _Gathered:
    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self.ids: list[str | int] = []
        self._scores: list[int | None] = []
        self._verdicts: list[str] = []
        self._titles: dict[str, str] = {}
        self._criteria: dict[str, list[str]] = {}
        self._slices: dict[str, _Slice] = {}
        self._worst: list[tuple[int, int, dict[str, Any]]] = []
        self._errors: dict[int, str] = {}
        self._made_by = MadeBy()

    def add(self, found: SavedResult) -> None:
        index = len(self.ids)
        self.ids.append(found.id)
        if not index:
            self._made_by = found.made_by
        for name, value in _plain_columns(found.columns):
            if name in (self._columns.prompt, self._columns.response):
                continue
            self._slices.setdefault(name, _Slice()).add(index, value)
        if found.evaluation is None:
            self._scores.append(None)
            self._verdicts.append("e")
            if len(self._errors) < MAX_ERRORS:
                self._errors[index] = found.error
            return
        score = round(10 * found.evaluation.overall_score)
        self._scores.append(score)
        self._verdicts.append(_LETTERS[found.evaluation.overall_verdict])
        for item in found.evaluation.verdicts:
            self._titles.setdefault(item.criterion_id, item.title)
            letters = self._criteria.setdefault(item.criterion_id, [])
            letters.extend("n" * (index - len(letters)))
            letters.append(_LETTERS[item.verdict])
        if len(self._worst) < MAX_DETAILS:
            heapq.heappush(self._worst, (-score, -index, self._detail(found)))
        elif (-score, -index) > self._worst[0][:2]:
            heapq.heapreplace(self._worst, (-score, -index, self._detail(found)))

    def _detail(self, found: SavedResult) -> dict[str, Any]:
        assert found.evaluation is not None
        findings = [
            {
                "criterion": self._titles.get(item.criterion_id, item.criterion_id),
                "severity": item.severity,
                "message": item.message,
                "evidence": [
                    {"source": q.source, "start": q.start, "end": q.end, "text": q.text[:500]}
                    for q in item.evidence[:50]
                ],
            }
            for item in found.evaluation.findings[:100]
        ]
        texts = texts_of(self._columns, found)
        return {
            "texts": {name: text[:MAX_TEXT_CHARS] for name, text in texts.items()},
            "findings": findings,
            "reasons": [item.message for item in found.evaluation.reason_details],
        }

    def data(self) -> ReportData:
        count = len(self.ids)
        room, details = MAX_DETAIL_BYTES, {}
        for _, index, detail in sorted(self._worst, key=lambda one: one[:2], reverse=True):
            room -= len(msgspec.json.encode(detail))
            if room < 0:
                break
            details[-index] = detail
        return ReportData(
            made_by=self._made_by,
            ids=self.ids,
            scores=self._scores,
            verdicts="".join(self._verdicts),
            criteria=[
                CriterionColumn(name, self._titles[name], "".join(letters).ljust(count, "n"))
                for name, letters in self._criteria.items()
            ],
            slices=[
                column for name, one in self._slices.items() if (column := one.column(name, count))
            ],
            details=details,
            errors=self._errors,
        )


class _Slice:
    """The values of one column, as long as they are few, or numbers."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._rows: list[tuple[int, int]] = []
        self._numbers: list[tuple[int, float]] | None = []

    def add(self, index: int, value: str | float | bool) -> None:
        if isinstance(value, str | bool):
            self._numbers = None
        elif self._numbers is not None:
            self._numbers.append((index, value))
        if len(self._codes) <= MAX_VALUES:
            text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            code = self._codes.setdefault(text[:200], len(self._codes))
            self._rows.append((index, code))

    def column(self, name: str, count: int) -> Column | None:
        """Return the slice; None where it tells nothing apart, or too much."""
        codes = [-1] * count
        if len(self._codes) <= MAX_VALUES:
            if len(self._codes) < 2:
                return None
            for index, code in self._rows:
                codes[index] = code
            return Column(name, list(self._codes), codes)
        if not self._numbers:
            return None
        ordered = sorted(number for _, number in self._numbers)
        cuts = [ordered[len(ordered) * part // 4] for part in (1, 2, 3)]
        for index, number in self._numbers:
            codes[index] = sum(number >= cut for cut in cuts)
        names = [
            f"under {cuts[0]:g}",
            *(f"{a:g} to {b:g}" for a, b in pairwise(cuts)),
        ]
        return Column(name, [*names, f"from {cuts[2]:g}"], codes)


def _plain_columns(columns: dict[str, Raw]) -> Iterator[tuple[str, str | float | bool]]:
    """Yield what is one word or number: a column, or a field of an object in one."""
    for name, raw in columns.items():
        if len(bytes(raw)) > 2000 or bytes(raw)[:1] == b"[":
            continue
        try:
            value = msgspec.json.decode(raw)
        except msgspec.DecodeError:
            continue
        inner = value.items() if isinstance(value, dict) else [("", value)]
        for key, one in inner:
            if isinstance(one, str | int | float):
                yield (f"{name}.{key}" if key else name), one
