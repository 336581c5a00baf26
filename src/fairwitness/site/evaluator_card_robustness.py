"""The evaluator card's tables on robustness, bias and languages; a run that lacks a measure is said to lack it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairwitness.benchmark.report import Figure
from fairwitness.site.figures import NOT_MEASURED, listed, main_figures, measured, pivoted


def _table(name: str, shape: Callable[[Sequence[Figure]], str]) -> Callable[[], str]:
    """Return what makes one measure's table, in this shape."""

    def made() -> str:
        found = measured(name)
        return NOT_MEASURED if found is None else shape(main_figures(found))

    return made


def _pivot(name: str, first: str) -> Callable[[], str]:
    return _table(name, lambda figures: pivoted(figures, first))


def _groups(figures: Sequence[Figure]) -> str:
    """Return the differences between groups: all of them first, then each group, the lowest first."""
    overall = [item for item in figures if item.name.startswith(("between", "all groups"))]
    by_group: dict[str, list[Figure]] = {}
    for item in figures:
        if item not in overall:
            by_group.setdefault(item.name.rpartition(": ")[0], []).append(item)
    # The first figure of a group is how far its score is from the baseline.
    lowest = sorted(by_group.values(), key=lambda held: held[0].value or 0.0)
    by_row = pivoted([item for held in lowest for item in held], "Group")
    return f"{listed(overall)}\n\nEach group, the lowest first:\n\n{by_row}"


TABLES = {
    "card form": _pivot("robustness_form", "Change"),
    "card padding": _pivot("robustness_padding", "A harmful answer with"),
    "card innocent": _pivot("robustness_innocent", "Setting"),
    "card judge": _table("robustness_judge", listed),
    "card hazards": _table("output_safety_hazards", listed),
    "card length": _table("bias_length", listed),
    "card groups": _table("bias_groups", _groups),
    "card dialects": _pivot("bias_dialects", "Variety"),
    "card languages": _pivot("languages", "Language"),
    "card other languages": _pivot("own_other_languages", "Language"),
}
