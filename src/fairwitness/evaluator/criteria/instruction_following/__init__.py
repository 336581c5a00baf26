"""Instruction following: does the response meet the demands of the prompt that can be checked by rule?

A demand that is not clearly understood is not judged, nor is one on content: tone, style, subject.
"""

from __future__ import annotations

from fairwitness.evaluator.criteria.instruction_following.checking import check
from fairwitness.evaluator.criteria.instruction_following.demand import (
    Bounds,
    Demand,
    Kind,
    Outcome,
)
from fairwitness.evaluator.criteria.instruction_following.examples import EXAMPLES
from fairwitness.evaluator.criteria.instruction_following.parsing import demands
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.given import given
from fairwitness.evaluator.judgement import Finding, Judgement, counted, not_applicable
from fairwitness.evaluator.protocol import CriterionSpec
from fairwitness.evaluator.signals import Signals

__all__ = ["EXAMPLES", "Bounds", "Demand", "Kind", "Outcome", "check", "demands", "judge"]

_CONFIDENCE = 0.97
# Where a count or a language can be understood in more than one way, the confidence is lower.
_LOWER_CONFIDENCE: dict[Kind, float] = {
    "acrostic": 0.9,
    "alphabetical": 0.9,
    "dated_order": 0.9,
    "excluded_items": 0.9,
    "headings": 0.9,
    "item_count": 0.85,
    "item_initial": 0.9,
    "language": 0.9,
    "line_count": 0.85,
    "options": 0.9,
    "paragraph_count": 0.9,
    "part_size": 0.9,
    "row_count": 0.9,
    "section_count": 0.93,
    "section_size": 0.85,
    "sentence_count": 0.93,
    "table": 0.9,
}
_ROUGH_FIGURE_CONFIDENCE = 0.75


def judge(exchange: Exchange, spec: CriterionSpec, signals: Signals) -> Judgement:
    """Judge the share of the prompt's checkable demands that the response meets."""
    found = [one for one in demands(exchange.prompt) if not _of_what_is_given(one, exchange)]
    if not found:
        return not_applicable("The prompt makes no demand that can be checked by rule.")
    every = [(demand, check(demand, exchange)) for demand in found]
    outcomes = [(demand, outcome) for demand, outcome in every if not outcome.unchecked]
    if not outcomes:
        _, first = every[0]
        return not_applicable(f"{first.unchecked}, so this could not be checked: {first.asked}.")
    met = sum(outcome.met for _, outcome in outcomes)
    return Judgement(
        summary=f"{met} of {counted(len(outcomes), 'checkable demand')} met.",
        findings=tuple(_finding(demand, outcome) for demand, outcome in outcomes),
        score=sum(_credit(*each) for each in outcomes) / len(outcomes),
        confidence=min(_confidence(demand) for demand, _ in outcomes),
    )


def _of_what_is_given(demand: Demand, exchange: Exchange) -> bool:
    """Tell whether a count is said of a word in the text handed over: "`close()` no longer hangs when called twice"."""
    return demand.kind == "keyword_count" and any(
        part.source == "prompt" and part.region.start <= demand.span.start < part.region.end
        for part in given(exchange).passages
    )


def _finding(demand: Demand, outcome: Outcome) -> Finding:
    spans = [Span(*demand.span, source="prompt"), *(Span(*region) for region in outcome.spans)]
    verdict = "Met." if outcome.met else "Not met."
    return Finding(
        severity="info" if outcome.met else "medium" if _is_firm(demand) else "low",
        message=f"Asked: {outcome.asked}. Found: {outcome.found}. {verdict}",
        detector=f"instruction_following.{demand.kind}",
        spans=tuple(spans),
        suggestion=None if outcome.met else outcome.suggestion,
    )


def _credit(demand: Demand, outcome: Outcome) -> float:
    """Return what a demand adds; one that may be meant otherwise takes no more than half."""
    return max(outcome.credit, 0.5) if demand.plain else outcome.credit


def _is_firm(demand: Demand) -> bool:
    if demand.plain:
        return False
    # A language asked for in passing is missed only where the response is surely in another.
    return demand.firm or demand.kind == "language"


def _confidence(demand: Demand) -> float:
    if not demand.firm or demand.plain:
        return _ROUGH_FIGURE_CONFIDENCE
    return _LOWER_CONFIDENCE.get(demand.kind, _CONFIDENCE)
