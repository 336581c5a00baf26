"""A batch as JUnit XML: a test case a row, which fails where the row does. No clock: the same bytes every time."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from fairwitness.contract.evaluation import Evaluation
from fairwitness.reports.printable import visible
from fairwitness.reports.reported_rows import ReportedRow, Totals

# GitLab reads at most 250,000 XML objects and 30 MB; rows that do not pass have a half of it to themselves.
MAX_CASES = 25_000
MAX_BYTES = 12_000_000
_MAX_TEXT = 2000


class JunitReport:
    """Test cases of rows that pass and of those that do not, each bounded."""

    def __init__(self) -> None:
        """Begin with no case."""
        self._cases: list[tuple[int, str]] = []
        self._names: set[str] = set()
        self._count = {"pass": 0, "failure": 0, "error": 0}
        self._room = {True: [MAX_CASES, MAX_BYTES], False: [MAX_CASES, MAX_BYTES]}
        self._rows = 0

    def add(self, row: ReportedRow) -> None:
        """Take one row; where there is no room left it is counted as left out."""
        self._rows += 1
        kind, body = _outcome(row)
        name = row.id if row.id not in self._names else f"{row.id} (row {self._rows})"
        case = (
            f"<testcase classname={_attribute(f'fairwitness.{Path(row.file).name}')}"
            f' name={_attribute(name)} file={_attribute(row.file)} time="0">{body}</testcase>\n'
        )
        room = self._room[kind == "pass"]
        if not room[0] or room[1] < len(case.encode()):
            return
        room[0] -= 1
        room[1] -= len(case.encode())
        self._names.add(name)
        self._count[kind] += 1
        self._cases.append((self._rows, case))

    def write(self, path: Path, totals: Totals) -> None:
        """Write the file; its counts are those of the cases in it."""
        counts = f'tests="{len(self._cases)}" failures="{self._count["failure"]}" errors="{self._count["error"]}"'
        left_out = self._rows - len(self._cases)
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
            file.write(f'<testsuites {counts} skipped="0" time="0">\n')
            file.write(f'<testsuite name="fairwitness" {counts} skipped="0" time="0">\n')
            told = {"rows": totals.rows, "rowsLeftOut": left_out, **totals.made_by.to_dict()}
            properties = [
                f"<property name={_attribute(name)} value={_attribute(str(value))}/>"
                for name, value in told.items()
            ]
            file.write(f"<properties>{''.join(properties)}</properties>\n")
            file.writelines(case for _, case in self._cases)
            file.write("</testsuite>\n</testsuites>\n")


def _outcome(row: ReportedRow) -> tuple[str, str]:
    if row.evaluation is None:
        return "error", f'<error message={_attribute(row.error)} type="not_judged"/>'
    verdict = row.evaluation.overall_verdict
    if verdict == "pass":
        return "pass", ""
    message = f"{verdict} {row.evaluation.overall_score:g} of 100"
    text = escape(visible(_told(row.evaluation)[:_MAX_TEXT]))
    return "failure", f'<failure message={_attribute(message)} type="{verdict}">{text}</failure>'


def _told(evaluation: Evaluation) -> str:
    items = [
        f"{item.criterion_id}: {item.verdict}. {item.summary}"
        for item in evaluation.verdicts
        if item.verdict in ("fail", "needs_review")
    ]
    findings = [
        f"{finding.severity}: {finding.message}"
        + "".join(f"\n  {quote.source}: {quote.text!r}" for quote in finding.evidence[:3])
        for finding in evaluation.findings
    ]
    return "\n".join([*items, *findings])


def _attribute(text: str) -> str:
    return quoteattr(visible(text[:_MAX_TEXT]), {"\n": "&#10;", "\t": "&#9;"})
