"""Picks the evidence where a count or a format is wrong: short spans, never the whole text."""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds
from fairwitness.evaluator.text import Region, Text

_MAX_SPANS = 3
_MAX_SPAN_CHARS = 120


def miscounted(parts: Sequence[Region], bounds: Bounds | None) -> tuple[Region, ...]:
    """Return the first parts past the most allowed, or the first of all where there are too few."""
    most = bounds.at_most if bounds is not None else None
    beyond = parts[most:] if most is not None and len(parts) > most else parts
    return tuple(cut(part) for part in beyond[:_MAX_SPANS] if part.end > part.start)


def past_limit(text: Text, starts: Sequence[int], bounds: Bounds | None) -> tuple[Region, ...]:
    """Return the text past the last word or character allowed; nothing where there are too few."""
    most = bounds.at_most if bounds is not None else None
    if most is None or len(starts) <= most:
        return ()
    return (cut(Region(starts[most], len(text.value.rstrip()))),)


def opening(text: Text) -> tuple[Region, ...]:
    """Return how a text begins, to the end of its first line that holds something."""
    line = next((line for line in text.lines if text.slice(line).strip()), None)
    return () if line is None or line.end <= line.start else (cut(line),)


def cut(region: Region) -> Region:
    """Return a span, or the beginning of one too long to quote."""
    return Region(region.start, min(region.end, region.start + _MAX_SPAN_CHARS))
