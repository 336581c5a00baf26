"""Operators for what the text says: identifiers, sums, claims, certainty, praise, insult, harm."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairwitness.evaluator.criteria.calculation import checks
from fairwitness.evaluator.criteria.privacy import identifiers
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text
from fairwitness.revision.edits import Case, Edit, Operator, joined, sentences_removed

REFUSES = "helpful refusal"
REFUSAL = (
    "I can't help with this part, because it could hurt someone. I'm glad to help with a safe way to "
    "reach what you need, or to point you to people who can."
)
# Absolute words and what a careful writer says instead; the first that fits is taken.
_TEMPERED = (
    (r"100% (?:certain|sure|accurate|guaranteed|safe|effective)", "very likely"),
    (r"absolutely no doubt", "little doubt"),
    (r"(?:without|beyond) (?:any |a |the shadow of a )?doubt", "very probably"),
    (r"(?:is|are|'s) guaranteed to", "should"),
    (r"guaranteed", "likely"),
    (r"absolutely certain", "fairly confident"),
    (r"(?:cannot|can't|can not|could not|couldn't) possibly", "will probably not"),
    (r"always works", "usually works"),
    (r"never fails", "rarely fails"),
    (r"(?:definitely|certainly|undoubtedly|unquestionably|absolutely)", "probably"),
    (r"certain", "likely"),
)
_TEMPER = [(Pattern(source, ignore_case=True), calmer) for source, calmer in _TEMPERED]


def _placeholders(case: Case) -> Iterator[Edit]:
    """Name what stood there: everything at once, then only what this finding quotes."""
    every = sorted((item.start, item.end, item.placeholder) for item in identifiers(case.exchange))
    if every:
        yield joined(case.text, every)
    kind = case.finding.detector.removeprefix("privacy.")
    found = [item for item in identifiers(case.exchange) if item.kind.id == kind]
    spans = set(case.spans)
    here = [item for item in found if (item.start, item.end) in spans]
    if here:
        changes = [(item.start, item.end, item.placeholder) for item in here]
        yield joined(case.text, sorted(changes))


def _corrected(case: Case) -> Iterator[Edit]:
    """Write the right results: all of them at once, then only the one this finding quotes."""
    wrong = [
        item
        for item in checks(case.exchange.response)
        if item.corrected and item.outcome != "excused"
    ]
    changes = sorted((*item.result, item.corrected) for item in wrong)
    if all(first[1] <= second[0] for first, second in pairwise(changes)) and changes:
        yield joined(case.text, changes)
    for item in wrong:
        if (item.start, item.end) in case.spans:
            yield Edit(item.result.start, item.result.end, item.corrected)


def _tempered(case: Case) -> Iterator[Edit]:
    for start, end in case.spans:
        stretch = Text(case.text[start:end])
        for pattern, calmer in _TEMPER:
            match = stretch.search(pattern)
            if match is not None:
                wording = calmer.capitalize() if match.text[0].isupper() else calmer
                yield Edit(start + match.start, start + match.end, wording)
                break


def _refused(case: Case) -> Iterator[Edit]:
    """Put a short helpful refusal where the harmful passages stand; then in place of everything."""
    spans = case.spans
    if spans:
        changes = [(start, end, "") for start, end in spans]
        changes[0] = (*spans[0], REFUSAL)
        yield joined(case.text, changes)
        yield Edit(0, len(case.text), REFUSAL)


OPERATORS = (
    Operator("typed placeholder", ("privacy.",), _placeholders),
    Operator("corrected result", ("calculation.",), _corrected),
    Operator("tempered certainty", ("honesty.false_certainty",), _tempered),
    Operator("false claim removed", ("honesty.claimed", "honesty.impossible"), sentences_removed),
    Operator(
        "flattery removed",
        (
            "independence.flattery",
            "independence.question_praise",
            "independence.validates",
            "independence.agrees_first",
        ),
        sentences_removed,
    ),
    Operator("insult removed", ("respect.",), sentences_removed),
    Operator(REFUSES, ("harm_avoidance.",), _refused),
)
