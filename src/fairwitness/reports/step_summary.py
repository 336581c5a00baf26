"""A batch as a short Markdown page, such as GitHub shows beside a run: numbers, gates, and the worst rows."""

from __future__ import annotations

import heapq
import html
from pathlib import Path

from fairwitness.reports.printable import visible
from fairwitness.reports.reported_rows import ReportedRow, Totals

# GitHub drops the whole page where it is over 1024 kB.
MAX_BYTES = 1_000_000
MAX_WORST = 20
_MAX_TEXT = 300
_VERDICTS = ("pass", "fail", "needs_review", "not_applicable")
# What Markdown would take for its own, beside what HTML would.
_MARKS = str.maketrans(
    {mark: f"&#{ord(mark)};" for mark in "|`*_[]\\~#!@$:"} | {"\n": " ", "\t": " "}
)


class StepSummary:
    """The rows with the lowest scores that do not pass."""

    def __init__(self) -> None:
        """Begin with none."""
        self._worst: list[tuple[float, int, ReportedRow]] = []
        self._rows = 0

    def add(self, row: ReportedRow) -> None:
        """Take one row."""
        self._rows += 1
        if row.evaluation is None or row.evaluation.overall_verdict == "pass":
            return
        item = (-row.evaluation.overall_score, -self._rows, row)
        if len(self._worst) < MAX_WORST:
            heapq.heappush(self._worst, item)
        else:
            heapq.heappushpop(self._worst, item)

    def write(self, path: Path, totals: Totals) -> None:
        """Append to the file, as steps of one job share theirs; what does not fit is left out whole."""
        room = MAX_BYTES - (path.stat().st_size if path.exists() else 0)
        with path.open("ab") as file:
            made_by = f"{_plain(totals.made_by.in_words())}\n\n"
            for part in (_numbers(totals), _criteria(totals), made_by, *self._details()):
                content = part.encode()
                if len(content) > room:
                    break
                room -= len(content)
                file.write(content)

    def _details(self) -> list[str]:
        worst = sorted(self._worst, key=lambda item: (-item[0], -item[1]))
        return [_row(row) for _, _, row in worst]


def _numbers(totals: Totals) -> str:
    mean = "" if totals.mean_score is None else f", mean score {totals.mean_score:.1f}"
    errors = f", {totals.errors:,} could not be judged" if totals.errors else ""
    lines = [
        "## Fair Witness\n",
        f"{totals.rows:,} rows: {totals.verdicts['pass']:,} pass, {totals.verdicts['fail']:,} fail,"
        f" {totals.verdicts['needs_review']:,} need review{errors}{mean}.\n",
    ]
    if totals.gates:
        lines += ["| Gate | Found | Met |", "| --- | ---: | --- |"]
        lines += [
            f"| {_plain(gate)} | {_plain(found)} | {'yes' if met else '**no**'} |"
            for gate, found, met in totals.gates
        ]
    return "\n".join([*lines, "\n"])


def _criteria(totals: Totals) -> str:
    lines = [
        "| Criterion | Pass | Fail | Needs review | Not applicable |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for criterion, counts in totals.criteria.items():
        cells = " | ".join(f"{counts.get(verdict, 0):,}" for verdict in _VERDICTS)
        lines.append(f"| {_plain(criterion)} | {cells} |")
    return "\n".join([*lines, "\n"])


def _row(row: ReportedRow) -> str:
    assert row.evaluation is not None
    verdict = row.evaluation.overall_verdict.replace("_", " ")
    lines = [
        f"<details><summary>{_plain(row.id)}: {verdict},"
        f" {row.evaluation.overall_score:g} of 100</summary>\n"
    ]
    for finding in row.evaluation.findings[:20]:
        quotes = "".join(f" <code>{_plain(item.text)}</code>" for item in finding.evidence[:3])
        lines.append(
            f"- {finding.severity}, {_plain(finding.criterion_id)}: {_plain(finding.message)}{quotes}"
        )
    return "\n".join([*lines, "\n</details>\n\n"])


def _plain(text: str) -> str:
    """Return text that neither Markdown nor HTML takes for anything else."""
    cut = text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT] + "…"
    # Ampersands are escaped first, and the marks after: no entity is made or broken by the text itself.
    return html.escape(visible(cut), quote=False).translate(_MARKS)
