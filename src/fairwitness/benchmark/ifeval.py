"""Measures instruction_following on IFEval rows: how many instructions it reads, how often it is right.

A row holds a prompt, a response, and in `labels` the instruction ids, their arguments and the strict
truth of each. The prompt alone is given to the criterion; the list of instructions is not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairwitness.benchmark.statistics import MEAN, Interval, Point, interval
from fairwitness.evaluator.criteria.instruction_following import Demand, check, demands
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.text import Text

# Which kinds of demand answer for an instruction, the likeliest first.
KINDS: dict[str, tuple[str, ...]] = {
    "change_case:capital_word_frequency": ("capital_word_count",),
    "change_case:english_capital": ("uppercase",),
    "change_case:english_lowercase": ("lowercase",),
    "combination:repeat_prompt": ("repeated_request",),
    "combination:two_responses": ("separated_parts",),
    "detectable_content:number_placeholders": ("placeholder_count",),
    "detectable_content:postscript": ("postscript",),
    "detectable_format:constrained_response": ("options",),
    "detectable_format:json_format": ("json",),
    "detectable_format:multiple_sections": ("section_count",),
    "detectable_format:number_bullet_lists": ("bullet_count",),
    "detectable_format:number_highlighted_sections": ("highlight_count",),
    "detectable_format:title": ("title",),
    "keywords:existence": ("required_words", "keyword_count"),
    "keywords:forbidden_words": ("forbidden_words",),
    "keywords:frequency": ("keyword_count",),
    "keywords:letter_frequency": ("letter_count",),
    "language:response_language": ("language",),
    "length_constraints:nth_paragraph_first_word": ("paragraph_start",),
    "length_constraints:number_paragraphs": ("paragraph_count",),
    "length_constraints:number_sentences": ("sentence_count",),
    "length_constraints:number_words": ("word_count",),
    "punctuation:no_comma": ("forbidden_marks",),
    "startend:end_checker": ("ends_with",),
    "startend:quotation": ("wrapped",),
}

# What an instruction asks for besides: the number of paragraphs, the English language.
ALSO = {
    "length_constraints:nth_paragraph_first_word": "paragraph_count",
    "change_case:english_capital": "language",
    "change_case:english_lowercase": "language",
}


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured: over all instructions, and by instruction id."""

    recognised: Interval
    accuracy: Interval
    by_instruction: dict[str, tuple[Interval, Interval]]


@dataclass(frozen=True, slots=True)
class _Verdict:
    prompt: str
    instruction: str
    recognised: bool
    right: bool


def answering(
    instruction: str, arguments: Mapping[str, Any], found: Sequence[Demand]
) -> tuple[Demand, ...]:
    """Return the demands that answer for one instruction: of its kind, and naming the same thing."""
    for kind in KINDS.get(instruction, ()):
        for demand in found:
            if demand.kind == kind and _same(arguments, demand):
                also = ALSO.get(instruction, "")
                return (demand, *(other for other in found if other.kind == also))
    return ()


def _same(arguments: Mapping[str, Any], demand: Demand) -> bool:
    """Tell whether a demand asks for what the instruction's arguments say."""
    terms = {term.lower() for term in demand.terms}
    named = arguments.get("keywords") or arguments.get("forbidden_words")
    if named and not {word.lower() for word in named} & terms:
        return False
    for key in ("keyword", "letter"):
        if arguments.get(key) and str(arguments[key]).lower() not in terms:
            return False
    return demand.bounds is None or _same_bound(arguments, demand)


def _same_bound(arguments: Mapping[str, Any], demand: Demand) -> bool:
    relation = next(
        (arguments[key] for key in arguments if key.endswith("relation") and arguments[key]), None
    )
    numbers = [
        value
        for key, value in arguments.items()
        if isinstance(value, int) and key != "nth_paragraph"
    ]
    if relation is None or not numbers or demand.bounds is None:
        return True
    if relation == "at least":
        return demand.bounds.at_least == numbers[0]
    return demand.bounds.at_most == numbers[0] - 1


def _verdicts(row: Mapping[str, Any], found: Sequence[Demand]) -> list[_Verdict]:
    labels = row["labels"]
    exchange = Exchange(row["prompt"], row["response"])
    truth: dict[tuple[Demand, ...], bool] = {}
    answers: list[tuple[str, tuple[Demand, ...]]] = []
    for instruction, arguments, met in zip(
        labels["instruction_ids"], labels["kwargs"], labels["strict"], strict=True
    ):
        by = answering(instruction, arguments, found)
        answers.append((instruction, by))
        # A range is one demand and two instructions; it is kept where both are.
        truth[by] = truth.get(by, True) and bool(met)
    ours = {by: all(check(demand, exchange).met for demand in by) for by in truth}
    return [
        _Verdict(row["prompt"], name, bool(by), bool(by) and ours[by] == truth[by])
        for name, by in answers
    ]


def measure(rows: Iterable[Mapping[str, Any]]) -> Figures:
    """Measure the criterion on rows; instructions it does not read count against `recognised` only."""
    read: dict[str, list[Demand]] = {}
    verdicts: list[_Verdict] = []
    for row in rows:
        prompt = row["prompt"]
        if prompt not in read:
            read[prompt] = demands(Text(prompt))
        verdicts.extend(_verdicts(row, read[prompt]))
    by_instruction: dict[str, list[_Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_instruction[verdict.instruction].append(verdict)
    return Figures(
        *_rates(verdicts),
        {name: _rates(by_instruction[name]) for name in sorted(by_instruction)},
    )


def _rates(verdicts: Sequence[_Verdict]) -> tuple[Interval, Interval]:
    read = [_point(verdict, verdict.recognised) for verdict in verdicts]
    right = [_point(verdict, verdict.right) for verdict in verdicts if verdict.recognised]
    return interval(read, MEAN), interval(right, MEAN)


def _point(verdict: _Verdict, hit: bool) -> Point:
    # The rows of one prompt stand or fall together, so they are drawn together.
    return Point(0.0, float(hit), 0, verdict.instruction, verdict.prompt)
