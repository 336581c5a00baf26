"""`fairwitness benchmark`: measures the evaluator on labelled sets and compares it with published figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import Progress, TaskID

from fairwitness.cli.output import TEXT, Output, Result
from fairwitness.contract.errors import InvalidRequest


def benchmark(
    data: Annotated[Path, Parameter(help="Folder with bench/ and, for some sets, train/.")],
    names: Annotated[tuple[str, ...], Parameter(help="Sets to measure; all by default.")] = (),
    /,
    *,
    out: Annotated[Path | None, Parameter(help="Write the results here as JSON.")] = None,
    details: Annotated[bool, Parameter(help="Also show slices.")] = False,
    jobs: Annotated[
        int,
        Parameter(help="Sets measured in parallel, one process each; the figures do not change."),
    ] = 1,
    output: Output = TEXT,
) -> Result:
    """Measure agreement with people on labelled sets you have, with 95% intervals.

    The data is not part of this project: the documents say where each set comes from and what
    shape its file has.

    Exit code: 0 measured, 2 bad input.
    """
    from fairwitness.benchmark.rows import BadData
    from fairwitness.benchmark.runner import run
    from fairwitness.benchmark.terminal_table import render

    if jobs < 1:
        raise InvalidRequest(details=["--jobs: at least 1"])
    # Before the measuring, which takes long, and not after it.
    if out and (out.is_dir() or not os.access(out if out.exists() else out.parent, os.W_OK)):
        raise InvalidRequest(details=[f"--out {out}: cannot be written"])
    today = datetime.now(UTC).date().isoformat()
    try:
        with _bars() as progress:
            report = run(data, list(names) or None, progress, date=today, jobs=jobs)
    except BadData as error:
        raise InvalidRequest(details=[str(error)]) from None
    if out is not None:
        out.write_bytes(report.to_json())
    return output.result(report, lambda console: console.print(render(report, details=details)))


@contextmanager
def _bars() -> Iterator[Callable[[str, int, int], None]]:
    """Yield what shows at a terminal how far each set is; elsewhere nothing is shown."""
    errors = Console(stderr=True)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bars:
        tasks: dict[str, TaskID] = {}

        def progress(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=total)
            bars.update(tasks[name], completed=done)

        yield progress
