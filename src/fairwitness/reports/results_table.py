"""A run at the terminal: how scores are distributed, verdicts by criterion, slices, and the lowest scores."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairwitness.contract.evaluation import Result
from fairwitness.reports.batch_table import show_criteria
from fairwitness.reports.html_report import ReportData
from fairwitness.reports.made_by import MadeBy
from fairwitness.reports.printable import visible

_VERDICTS = {"p": "pass", "f": "fail", "r": "needs_review", "n": "not_applicable"}
_BAR = 40


class SliceFigures(Result, frozen=True, kw_only=True):
    """One value of a column: its rows, their mean score and verdicts."""

    value: str
    rows: int
    mean_score: float | None
    fail: int
    needs_review: int


class WorstRow(Result, frozen=True, kw_only=True):
    """One of the lowest scores: what was found, and the text that shows it."""

    id: str | int
    verdict: str
    score: float
    findings: list[str]


class Figures(Result, frozen=True, kw_only=True):
    """A run in numbers."""

    made_by: MadeBy
    rows: int
    errors: int
    mean_score: float | None
    verdicts: dict[str, int]
    # Rows by score, in steps of ten; the last step holds 100.
    distribution: list[int]
    criteria: dict[str, dict[str, int]]
    by: str | None
    slices: list[SliceFigures]
    worst: list[WorstRow]


def figures(data: ReportData, by: str | None, worst: int) -> Figures:
    """Return the numbers of a run, and its lowest scores that do not pass."""
    judged = [score for score in data.scores if score is not None]
    steps = Counter(min(9, score // 100) for score in judged)
    order = sorted(
        (index for index in data.details if data.verdicts[index] != "p"),
        key=lambda index: (data.scores[index] or 0, index),
    )
    letters = Counter(data.verdicts)
    return Figures(
        made_by=data.made_by,
        rows=len(data.ids),
        errors=letters["e"],
        mean_score=_mean(judged),
        verdicts={_VERDICTS[letter]: letters[letter] for letter in "pfr"},
        distribution=[steps[step] for step in range(10)],
        criteria={
            one.id: {_VERDICTS[letter]: one.verdicts.count(letter) for letter in "pfrn"}
            for one in data.criteria
        },
        by=by,
        slices=_slices(data, by),
        worst=[_worst(data, index) for index in order[:worst]],
    )


def show(console: Console, found: Figures) -> None:
    """Print the numbers."""
    mean = "" if found.mean_score is None else f", mean score {found.mean_score:.1f}"
    errors = f", {found.errors:,} could not be judged" if found.errors else ""
    counts = found.verdicts
    _say(
        console,
        f"{found.rows:,} rows, {counts['pass']:,} pass, {counts['fail']:,} fail,"
        f" {counts['needs_review']:,} need review{errors}{mean}",
    )
    most = max([1, *found.distribution])
    for step, count in enumerate(found.distribution):
        bar = "█" * round(_BAR * count / most) or ("▏" if count else "")
        _say(console, f"{10 * step:>4} to {10 * step + 10:<3} {bar} {count:,}")
    show_criteria(console, found.criteria)
    if found.by:
        console.print(_table(found))
    for row in found.worst:
        _say(console, f"{row.id}: {row.verdict}, {row.score:g} of 100")
        for finding in row.findings[:5]:
            _say(console, f"  {finding}")
    _say(console, found.made_by.in_words())


def _slices(data: ReportData, by: str | None) -> list[SliceFigures]:
    column = next((one for one in data.slices if one.name == by), None)
    if column is None:
        return []
    found = []
    for code, value in enumerate(column.values):
        rows = [index for index, one in enumerate(column.codes) if one == code]
        verdicts = Counter(data.verdicts[index] for index in rows)
        scores = [score for index in rows if (score := data.scores[index]) is not None]
        found.append(
            SliceFigures(
                value=value,
                rows=len(rows),
                mean_score=_mean(scores),
                fail=verdicts["f"],
                needs_review=verdicts["r"],
            )
        )
    return sorted(found, key=lambda one: (one.mean_score is None, one.mean_score))


def _mean(tenths: list[int]) -> float | None:
    return round(sum(tenths) / 10 / len(tenths), 2) if tenths else None


def _worst(data: ReportData, index: int) -> WorstRow:
    findings = []
    for finding in data.details[index]["findings"]:
        quotes = "".join(f" “{quote['text'][:80]}”" for quote in finding["evidence"][:2])
        findings.append(
            f"{finding['severity']}, {finding['criterion']}: {finding['message']}{quotes}"
        )
    return WorstRow(
        id=data.ids[index],
        verdict=_VERDICTS[data.verdicts[index]],
        score=(data.scores[index] or 0) / 10,
        findings=findings,
    )


def _table(found: Figures) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="dim")
    table.add_column(Text(visible(found.by or "")))
    for name in ("rows", "mean score", "fail", "needs review"):
        table.add_column(name, justify="right")
    for one in found.slices:
        mean = "" if one.mean_score is None else f"{one.mean_score:.1f}"
        cells = (f"{one.rows:,}", mean, f"{one.fail:,}", f"{one.needs_review:,}")
        table.add_row(Text(visible(one.value)), *cells)
    return table


def _say(console: Console, text: str) -> None:
    console.print(visible(text), markup=False, soft_wrap=True)
