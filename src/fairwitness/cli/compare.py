"""`fairwitness compare`: two runs over the same rows, or a ranking of several."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fairwitness.cli.output import TEXT, Output, Result
from fairwitness.contract.errors import InvalidRequest


def compare(
    first: Annotated[Path, Parameter(help="Results of `fairwitness batch`.")],
    second: Annotated[Path, Parameter(help="Other results over the same rows.")],
    /,
    *more: Annotated[Path, Parameter(help="Further results: all are ranked.")],
    by: Annotated[
        str | None, Parameter(help="Column whose values are compared one by one.")
    ] = None,
    examples: Annotated[int, Parameter(help="Rows to show whose verdict changed.")] = 5,
    interval: Annotated[
        float | None,
        Parameter(help="Tell how many rows an interval of plus or minus this many points needs."),
    ] = None,
    output: Output = TEXT,
) -> Result:
    """Compare results row by row, with intervals; rows are paired by their id.

    Exit code: 0 where it could compare, 2 bad input.
    """
    from fairwitness.batch import comparison
    from fairwitness.batch.rows import BadInput
    from fairwitness.batch.scored_runs import load
    from fairwitness.reports.comparison import show_comparison, show_ranking

    try:
        if interval is not None and not 0 < interval <= 100:
            raise BadInput("--interval: must be over 0 and at most 100 points")
        if examples < 0:
            raise BadInput("--examples: must be 0 or more")
        if more and (by or interval):
            raise BadInput("--by and --interval: compare two results, not more")
        runs = [load(path, by) for path in (first, second, *more)]
        if more:
            ranking = comparison.rank(runs)
            return output.result(ranking, lambda console: show_ranking(console, ranking))
        found = comparison.compare(*runs, examples=examples, width=interval)
    except BadInput as error:
        raise InvalidRequest(details=[str(error)]) from None
    return output.result(found, lambda console: show_comparison(console, found))
