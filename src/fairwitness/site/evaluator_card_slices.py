"""The evaluator card's weaknesses by slice: a line for each set and way of cutting it, the weakest part first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairwitness.benchmark.report import Figure, SetResult, Slice
from fairwitness.site.figures import printed, sets_of

MIN_ROWS = 20
MAX_PARTS = 6
_BY = {
    "length": "by length",
    "style": "by how the prompt asks",
    "topic": "by topic",
    "source": "by part",
}


def slices() -> str:
    """Return the first figure of each public set by length, prompt style, topic and the set's own parts.

    A list, not a table: a row of many parts would run out of a telephone's screen.
    """
    return "\n".join(line for item in sets_of("bench") for line in _of(item))


def _of(item: SetResult) -> Iterator[str]:
    for figure in item.figures[:1]:
        cuts = {
            name: [
                part
                for part in figure.slices
                if part.by == by and part.value is not None and part.count >= MIN_ROWS
            ]
            for by, name in _BY.items()
        }
        if not any(len(parts) > 1 for parts in cuts.values()):
            return
        yield f"- `{item.name}`, {figure.name}: {printed(figure.value, figure.statistic)} overall"
        for name, parts in cuts.items():
            if len(parts) > 1:
                yield f"  - {name}: {_parts(parts, figure)}"


def _parts(parts: Sequence[Slice], figure: Figure) -> str:
    ranked = sorted(parts, key=lambda part: (part.value or 0.0, part.part))
    shown = [_part(part, figure) for part in ranked]
    if len(shown) <= MAX_PARTS + 1:
        return " · ".join(shown)
    left_out = f"and {len(shown) - MAX_PARTS - 1} more up to"
    return " · ".join([*shown[:MAX_PARTS], left_out, shown[-1]])


def _part(part: Slice, figure: Figure) -> str:
    return (
        f"{part.part.replace('_', ' ')} **{printed(part.value, figure.statistic)}** ({part.count})"
    )


TABLES = {"card slices": slices}
