"""Finds the checkable demands in a prompt: it becomes symbols, and one family of patterns after another runs over them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing import (
    acrostics,
    case_and_wrapping,
    clause_orders,
    code_demands,
    counts,
    food_demands,
    forbidden_marks,
    formats,
    highlights,
    incidental_words,
    item_counts,
    languages,
    letter_counts,
    number_only,
    numbered_sections,
    only_it,
    options,
    order_and_verse,
    ordinary_words,
    paragraph_starts,
    part_sizes,
    repeated_request,
    section_sizes,
    separators,
    start_and_end,
    transformations,
    wording,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.back_references import (
    resolve_back_references,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.reported_demands import (
    is_reported,
)
from fairwitness.evaluator.patterns import PatternSet
from fairwitness.evaluator.text import Text

# The order matters: a quantity belongs to the first family that understands it, and the families
# with the narrower meaning come first.
_FAMILIES = (
    options, number_only, acrostics, section_sizes, part_sizes, separators, numbered_sections, paragraph_starts, letter_counts, wording, incidental_words, forbidden_marks, case_and_wrapping, highlights, start_and_end, repeated_request, order_and_verse, languages, counts, formats, item_counts,
)  # fmt: skip


@cache
def _patterns() -> PatternSet:
    return PatternSet([pattern for family in _FAMILIES for pattern in family.PATTERNS])


def _distinct(found: list[Demand]) -> list[Demand]:
    """Drop a list asked for without a count where its count is asked for too, and plain repeats."""
    counted = {demand.kind for demand in found if demand.terms != ("any",)}
    kept = (demand for demand in found if demand.terms != ("any",) or demand.kind not in counted)
    kept = (demand for demand in kept if not _vague_twin(demand, found))
    # What two families read is as sure as the surer one.
    unique = {
        (demand.kind, demand.bounds, demand.terms, demand.position): demand
        for demand in sorted(kept, key=lambda demand: not demand.plain)
    }
    return list(unique.values())


# What puts lines of its own around or between those of a verse.
_AROUND_VERSE = frozenset(
    {"separated_parts", "title", "ends_with", "starts_with", "postscript", "repeated_request", "paragraph_count",
     "section_count", "bullet_count", "json", "wrapped", "line_count"}
)  # fmt: skip


# "An object whose keys are a and b" tells of the response's own parts.
_NAMES_PARTS = frozenset({"json_keys", "columns"})
# "A script that stops on the first error": what the code must do is asked of the writer; its family tells what is not.
_OF_CODE = frozenset({"construct", "keyword_case", "dialect"})


# What another family reads at the same place it reads more exactly.
_COVERED = {
    "topic": "forbidden_words",
    "literal": "json",
    "name_only": "options",
    "uppercase": "transformed",
    "lowercase": "transformed",
}


def _once(found: list[Demand]) -> list[Demand]:
    """Drop a demand in ordinary words where another family has read the same words."""
    return [
        demand
        for demand in found
        if not any(
            other.kind == _COVERED.get(demand.kind)
            and other.span.start < demand.span.end
            and demand.span.start < other.span.end
            for other in found
        )
    ]


# A kind that says the same as "only it" does, wherever it stands in the prompt.
_ALONE = frozenset({"code_only", "literal", "json", "data_format", "number_only", "name_only"})


def _said_better(demand: Demand, found: list[Demand]) -> bool:
    """Tell whether another family has read that nothing else is wanted, and checks it more exactly."""
    return demand.kind == "only_it" and any(
        other.kind in _ALONE and (other.alone or other.firm) for other in found
    )


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


def demands(text: Text) -> list[Demand]:
    """Return every demand that is clearly understood, in the order of the prompt."""
    prompt = Prompt(text)
    occurring = set(map(id, _patterns().occurring(prompt.utf8)))
    consumed = Consumed()
    found: list[Demand] = []
    for family in _FAMILIES:
        if any(id(pattern) in occurring for pattern in family.PATTERNS):
            found.extend(family.find_demands(prompt, consumed))
    found.extend(ordinary_words.find_demands(prompt))
    found.extend(transformations.find_demands(prompt))
    plain = [
        demand
        for family in (only_it, code_demands, food_demands)
        for demand in family.find_demands(prompt)
    ]
    plain = [demand for demand in plain if not _said_better(demand, found)]
    plain += clause_orders.find_demands(prompt, [*found, *plain])
    found += [replace(demand, plain=True) for demand in plain]
    found = _every_block(resolve_back_references(prompt, consumed, found))
    found = [
        demand
        for demand in _verse_alone(found)
        if demand.kind in _NAMES_PARTS | _OF_CODE or not is_reported(prompt, demand)
    ]
    return sorted(_once(_distinct(found)), key=lambda demand: (demand.span.start, demand.span.end))
