"""`fairwitness report`: shows results at the terminal, or writes them as a page or a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.console import Console

from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.contract.errors import InvalidRequest

if TYPE_CHECKING:
    from fairwitness.reports.html_report import ReportData


def report(
    results: Annotated[Path, Parameter(help="Results of `fairwitness batch`.")],
    /,
    *,
    page: Annotated[
        Path | None,
        Parameter(
            name=("--output", "-o"), help="File to write: .html for a page, .csv for a table."
        ),
    ] = None,
    by: Annotated[str | None, Parameter(help="Column to slice by at the terminal.")] = None,
    worst: Annotated[int, Parameter(help="Rows with the lowest scores to show.")] = 5,
    output: Output = TEXT,
) -> Result:
    """Show results: scores, verdicts by criterion, slices, and the lowest scores with their evidence.

    Exit code: 0 done, 2 bad input.
    """
    from fairwitness.batch.report_data import gather
    from fairwitness.batch.rows import BadInput

    if worst < 0:
        raise InvalidRequest(details=["--worst: must be 0 or more"])
    try:
        check_page(page, results)
        data = gather(results)
        if by is not None and by not in {column.name for column in data.slices}:
            known = ", ".join(column.name for column in data.slices) or "none"
            raise BadInput(f"--by {by}: no such column to slice by; there are: {known}")
        if page is not None:
            write(results, page, data)
    except BadInput as error:
        raise InvalidRequest(details=[str(error)]) from None
    from fairwitness.reports.results_table import figures, show

    found = figures(data, by, worst)

    def tell(console: Console) -> None:
        show(console, found)
        if page is not None:
            say(console, f"Written: {page}")

    return output.result(found, tell)


def write(results: Path, page: Path, data: ReportData | None = None) -> None:
    """Write results as a page, or as a table for spreadsheets; raise BadInput where they cannot be read."""
    from fairwitness.batch.csv_export import write_csv
    from fairwitness.batch.report_data import gather
    from fairwitness.batch.sources import shown
    from fairwitness.reports.html_report import write_html

    if page.suffix.lower() == ".csv":
        write_csv(results, page)
    else:
        write_html(page, shown(results.name), data or gather(results))


def check_page(page: Path | None, results: Path) -> None:
    """Raise BadInput where a report cannot be written to this file."""
    from fairwitness.batch.rows import BadInput

    if page is None:
        return
    if page.suffix.lower() not in (".html", ".htm", ".csv"):
        raise BadInput(f"{page}: must end in .html or .csv")
    if page.resolve() == results.resolve():
        raise BadInput(f"{page}: the report cannot be written over the results")
