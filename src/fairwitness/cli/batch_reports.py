"""The reports a batch can write beside its results, and what each is told of a row."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fairwitness.cli.report import check_page
from fairwitness.cli.report import write as write_page

if TYPE_CHECKING:
    from fairwitness.batch.gates import Outcome
    from fairwitness.batch.run import BatchRun, Event
    from fairwitness.batch.tally import Tally
    from fairwitness.reports.made_by import MadeBy
    from fairwitness.reports.reported_rows import Report, ReportedRow


@Parameter(name="*")
@dataclass(frozen=True)
class ReportFiles:
    """The reports that were asked for."""

    junit: Annotated[Path | None, Parameter(help="File for a JUnit report: a test case a row.")] = (
        None
    )
    sarif: Annotated[
        Path | None, Parameter(help="File for a SARIF report: a result a finding.")
    ] = None
    summary: Annotated[
        Path | None, Parameter(help="Markdown file that a summary is appended to.")
    ] = None
    report: Annotated[
        Path | None, Parameter(help="HTML file for a report, or .csv for a table.")
    ] = None

    def open(self, run: BatchRun, source: str) -> BatchReports:
        """Return the reports, empty as yet; raise BadInput where one cannot be written."""
        check_page(self.report, run.output)
        self._check_places(run)
        from fairwitness import __version__
        from fairwitness.reports.junit import JunitReport
        from fairwitness.reports.made_by import MadeBy
        from fairwitness.reports.sarif import SarifReport
        from fairwitness.reports.step_summary import StepSummary

        known: dict[str, Report] = {
            "junit": JunitReport(),
            "sarif": SarifReport(run.evaluator.protocol.criteria, __version__),
            "summary": StepSummary(),
        }
        given = asdict(self)
        asked = [(path, known[name]) for name, path in given.items() if path and name in known]
        return BatchReports(asked, source, MadeBy.of(run.evaluator), self.report)

    def _check_places(self, run: BatchRun) -> None:
        """Raise BadInput before anything is judged where a report has no folder, or would replace another file."""
        from fairwitness.batch.rows import BadInput
        from fairwitness.batch.sources import journal_of, lines_beside

        taken = {file.path.resolve(): "the input" for file in run.input.files if file.path}
        taken |= {
            of(run.output).resolve(): "the results" for of in (Path, journal_of, lines_beside)
        }
        for name, path in asdict(self).items():
            if path is None:
                continue
            if not path.parent.is_dir():
                raise BadInput(f"--{name} {path}: no such folder")
            if path.is_dir():
                raise BadInput(f"--{name} {path}: is a folder")
            if other := taken.get(path.resolve()):
                raise BadInput(f"--{name} {path}: would be written over {other}")
            taken[path.resolve()] = f"--{name}"


@dataclass(frozen=True)
class BatchReports:
    """The reports of one run."""

    files: list[tuple[Path, Report]]
    source: str
    made_by: MadeBy
    page: Path | None = None

    def add(self, event: Event) -> None:
        """Tell each report of a result."""
        if self.files:
            row = reported(event, self.source)
            for _, report in self.files:
                report.add(row)

    def write(self, tally: Tally, outcomes: list[Outcome], results: Path) -> None:
        """Write each to its file."""
        from fairwitness.reports.reported_rows import Totals

        gates = [
            (gate.gate, "nothing judged" if gate.value is None else f"{gate.value:g}", gate.met)
            for gate in outcomes
        ]
        totals = Totals(
            tally.rows,
            tally.verdicts,
            tally.errors,
            tally.mean_score,
            tally.criteria,
            self.made_by,
            gates,
        )
        for path, report in self.files:
            report.write(path, totals)
        if self.page:
            write_page(results, self.page)


def reported(event: Event, source: str) -> ReportedRow:
    """Return what reports are told: the file as seen from here, and the line the row begins at."""
    from msgspec import UnsetType

    from fairwitness.reports.reported_rows import ReportedRow

    name, _, line = event.row.place.rpartition(":")
    path = source if source != "-" else name
    if os.path.isdir(path):
        path = os.path.join(path, name)
    if os.path.isabs(path) and not os.path.relpath(path).startswith(".."):
        path = os.path.relpath(path)
    found = event.result
    return ReportedRow(
        id=str(found.id),
        file=path,
        line=int(line) if line.isdecimal() else 1,
        evaluation=None if isinstance(found.evaluation, UnsetType) else found.evaluation,
        error="" if isinstance(found.error, UnsetType) else found.error,
    )
