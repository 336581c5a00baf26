"""The evaluator card's tables on robustness, bias and languages: one row a change, one column a question.

The measures name their figures "row: column"; a run that lacks a measure is said to lack it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairwitness.benchmark.published import published
from fairwitness.benchmark.report import Figure, SetResult
from fairwitness.http.card_format import shown, table

NOT_MEASURED = "Not measured in the run these documents are made from."


def measured(name: str) -> SetResult | None:
    """Return a set of the published run, or None where it was not measured."""
    found = next((item for item in published().sets if item.name == name), None)
    return found if found is not None and found.status == "measured" else None


def pivoted(figures: Sequence[Figure], first: str) -> str:
    """Return figures named "row: column" as a table with a row and a column for each."""
    cells: dict[str, dict[str, Figure]] = {}
    for figure in figures:
        row, _, column = figure.name.rpartition(": ")
        cells.setdefault(row, {})[column] = figure
    # The fullest row gives the order.
    fullest = sorted(cells.values(), key=len, reverse=True)
    columns = list(dict.fromkeys(column for held in fullest for column in held))
    header = (first, "Rows", *(f"{column[:1].upper()}{column[1:]}" for column in columns))
    rows = [
        (
            row,
            next(iter(held.values())).count,
            *(shown(held[column]) if column in held else "–" for column in columns),
        )
        for row, held in cells.items()
    ]
    return table(header, rows)


def _pivot(name: str, first: str) -> Callable[[], str]:
    def made() -> str:
        found = measured(name)
        if found is None:
            return NOT_MEASURED
        return pivoted([item for item in found.figures if not item.detail], first)

    return made


def _listed(name: str) -> Callable[[], str]:
    def made() -> str:
        found = measured(name)
        if found is None:
            return NOT_MEASURED
        rows = [(item.name, item.count, shown(item)) for item in found.figures if not item.detail]
        return table(("Figure", "Rows", "Value, 95% interval"), rows)

    return made


def groups() -> str:
    """Return the differences between groups: the whole first, then each group, the lowest first."""
    found = measured("bias_groups")
    if found is None:
        return NOT_MEASURED
    whole = [item for item in found.figures if item.name.startswith(("between", "all groups"))]
    by_group: dict[str, list[Figure]] = {}
    for item in found.figures:
        if item not in whole and not item.detail:
            by_group.setdefault(item.name.rpartition(": ")[0], []).append(item)
    # The first figure of a group is how far its score stands from the baseline.
    lowest = sorted(by_group.values(), key=lambda held: held[0].value or 0.0)
    rows = [(item.name, item.count, shown(item)) for item in whole]
    return "\n\n".join(
        (
            table(("Figure", "Rows", "Value, 95% interval"), rows),
            "Each group, the lowest first:",
            pivoted([item for held in lowest for item in held], "Group"),
        )
    )


TABLES = {
    "card form": _pivot("robustness_form", "Change"),
    "card padding": _pivot("robustness_padding", "A harmful answer with"),
    "card innocent": _pivot("robustness_innocent", "Setting"),
    "card judge": _listed("robustness_judge"),
    "card hazards": _listed("output_safety_hazards"),
    "card length": _listed("bias_length"),
    "card groups": groups,
    "card dialects": _pivot("bias_dialects", "Variety"),
    "card languages": _pivot("languages", "Language"),
}
