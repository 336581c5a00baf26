"""The evaluator card's weaknesses by slice: one row for each set and way of cutting it, the weakest part first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairwitness.benchmark.published import published
from fairwitness.benchmark.report import Figure, SetResult, Slice
from fairwitness.http.card_format import printed, table

FEWEST = 20
MOST = 6
_BY = {"length": "length", "style": "how the prompt asks", "topic": "topic", "source": "part"}


def slices() -> str:
    """Return the first figure of each public set by length, prompt style, topic and the set's own parts."""
    rows = [row for item in published().sets if _is_public(item) for row in _of(item)]
    return table(("Set, figure", "Whole", "Cut by", "Parts, weakest first (rows)"), rows)


def _is_public(item: SetResult) -> bool:
    return bool(item.files) and item.files[0].name.startswith("bench/")


def _of(item: SetResult) -> Iterator[tuple[str, str, str, str]]:
    for figure in item.figures[:1]:
        for by, name in _BY.items():
            parts = [
                part
                for part in figure.slices
                if part.by == by and part.value is not None and part.count >= FEWEST
            ]
            if len(parts) > 1:
                whole = printed(figure.value, figure.statistic)
                yield f"`{item.name}`, {figure.name}", whole, name, _parts(parts, figure)


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
