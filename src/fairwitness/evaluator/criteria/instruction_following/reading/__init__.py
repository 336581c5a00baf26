"""Reads the checkable demands out of a prompt: symbols first, then one family of patterns after another."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.reading import (
    acrostics,
    counts,
    each,
    edges,
    figures,
    formats,
    forms,
    highlights,
    items,
    labelled,
    languages,
    letters,
    marks,
    mentioned,
    openers,
    options,
    parts,
    repeated,
    sections,
    shape,
    wording,
)
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.referred import resolve
from fairwitness.evaluator.criteria.instruction_following.reading.reported import reported
from fairwitness.evaluator.patterns import PatternSet
from fairwitness.evaluator.text import Text

# The order matters: a quantity belongs to the first family that understands it, and the families
# with the narrower meaning come first.
_FAMILIES = (
    options, figures, acrostics, labelled, each, parts, sections, openers, letters, wording, mentioned, marks, shape, highlights, edges, repeated, forms, languages, counts, formats, items,
)  # fmt: skip


@cache
def _patterns() -> PatternSet:
    return PatternSet([pattern for family in _FAMILIES for pattern in family.PATTERNS])


def _distinct(found: list[Demand]) -> list[Demand]:
    """Drop a list asked for without a count where its count is asked for too, and plain repeats."""
    counted = {demand.kind for demand in found if demand.terms != ("any",)}
    kept = (demand for demand in found if demand.terms != ("any",) or demand.kind not in counted)
    kept = (demand for demand in kept if not _vague_twin(demand, found))
    unique = {
        (demand.kind, demand.bounds, demand.terms, demand.position): demand for demand in kept
    }
    return list(unique.values())


# What puts lines of its own around or between those of a verse.
_AROUND_VERSE = frozenset(
    {"separated_parts", "title", "ends_with", "starts_with", "postscript", "repeated_request", "paragraph_count",
     "section_count", "bullet_count", "json", "wrapped", "line_count"}
)  # fmt: skip


def _verse_alone(found: list[Demand]) -> list[Demand]:
    """Drop the lines of a verse form where other demands put more lines around them."""
    others = {demand.kind for demand in found if not _is_verse(demand)}
    return [demand for demand in found if not _is_verse(demand) or not _AROUND_VERSE & others]


def _is_verse(demand: Demand) -> bool:
    return demand.kind == "line_count" and bool(demand.terms)


def _vague_twin(demand: Demand, found: list[Demand]) -> bool:
    """Tell whether "some highlighted parts" only leads up to a number of them."""
    return (
        demand.kind == "highlight_count"
        and demand.bounds == Bounds(at_least=1)
        and any(other.kind == demand.kind and other.bounds != demand.bounds for other in found)
    )


def _every_block(found: list[Demand]) -> list[Demand]:
    """Count every block as a paragraph where the prompt numbers paragraphs: "the second one starts with"."""
    if not any(demand.kind == "paragraph_start" and demand.position > 0 for demand in found):
        return found
    return [
        replace(demand, separator="\n\n")
        if demand.kind == "paragraph_count" and not demand.separator
        else demand
        for demand in found
    ]


def demands(prompt: Text) -> list[Demand]:
    """Return every demand surely understood, in the order of the prompt."""
    reading = Reading(prompt)
    occurring = set(map(id, _patterns().occurring(reading.utf8)))
    taken = Taken()
    found: list[Demand] = []
    for family in _FAMILIES:
        if any(id(pattern) in occurring for pattern in family.PATTERNS):
            found.extend(family.read(reading, taken))
    found = _every_block(resolve(reading, taken, found))
    found = [demand for demand in _verse_alone(found) if not reported(reading, demand)]
    return sorted(_distinct(found), key=lambda demand: (demand.span.start, demand.span.end))
