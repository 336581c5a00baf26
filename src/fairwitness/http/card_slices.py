"""The evaluator card's weaknesses by slice: a line for each set and way of cutting it, the weakest part first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairwitness.benchmark.published import published
from fairwitness.benchmark.report import Figure, SetResult, Slice
from fairwitness.http.card_format import printed

FEWEST = 20
MOST = 6
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
    return "\n".join(line for item in published().sets if _is_public(item) for line in _of(item))


def _is_public(item: SetResult) -> bool:
    return bool(item.files) and item.files[0].name.startswith("bench/")


def _of(item: SetResult) -> Iterator[str]:
    for figure in item.figures[:1]:
        cuts = {
            name: [
                part
                for part in figure.slices
                if part.by == by and part.value is not None and part.count >= FEWEST
            ]
            for by, name in _BY.items()
        }
        if not any(len(parts) > 1 for parts in cuts.values()):
            return
        yield f"- `{item.name}`, {figure.name}: {printed(figure.value, figure.statistic)} in all"
        for name, parts in cuts.items():
            if len(parts) > 1:
                yield f"  - {name}: {_parts(parts, figure)}"


def _parts(parts: Sequence[Slice], figure: Figure) -> str:
    ranked = sorted(parts, key=lambda part: (part.value or 0.0, part.part))
    said = [_said(part, figure) for part in ranked]
    if len(said) <= MOST + 1:
        return " · ".join(said)
    return " · ".join([*said[:MOST], f"and {len(said) - MOST - 1} more up to", said[-1]])


def _said(part: Slice, figure: Figure) -> str:
    return (
        f"{part.part.replace('_', ' ')} **{printed(part.value, figure.statistic)}** ({part.count})"
    )


TABLES = {"card slices": slices}
