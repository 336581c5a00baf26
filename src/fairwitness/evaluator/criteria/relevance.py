"""Relevance: does the response address what was asked?"""

from __future__ import annotations

from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Example, Finding, Judgement

# The protocol's lines for this criterion.
_LOW, _ENOUGH = 0.23, 0.43


def judge(exchange: Exchange) -> Judgement:
    """Judge by the encoder: does it answer this prompt, and how well beside other answers to it?"""
    reading = exchange.reading
    # Doubt weighs by its square, so that a little of it costs little and no two answers are even at the top.
    # Quality is relative: two answers to one prompt compare by it, and an even one is half.
    score = 1 - ((1 - reading.relevance) ** 2 + (1 - reading.quality) ** 2) / 2
    return Judgement(
        summary="Addresses what was asked."
        if score >= _ENOUGH
        else "May not address what was asked.",
        findings=_finding(score),
        score=score,
        confidence=_confidence(score),
        reasons=exchange.limits,
    )


def _confidence(score: float) -> float:
    """Between the lines anyone's guess; beyond them surer with the distance."""
    if score >= _ENOUGH:
        return 0.6 + 0.4 * (score - _ENOUGH) / (1 - _ENOUGH)
    if score < _LOW:
        return 0.6 + 0.4 * (_LOW - score) / _LOW
    return 0.5


def _finding(score: float) -> tuple[Finding, ...]:
    if score >= _LOW:
        return ()
    return (
        Finding(
            severity="medium",
            message=f"Reads as not addressing what was asked (score {score:.2f}).",
            detector="relevance.encoder",
            suggestion="Answer the question that was asked.",
        ),
    )


EXAMPLES = (
    Example(
        prompt="How do plants make food?",
        response="Plants make sugar from water and carbon dioxide, using the energy of light. This is called photosynthesis.",
        expect="pass",
    ),
    Example(
        prompt="How do plants make food?",
        response="To renew your passport, fill in the form online, upload a photo taken this month and pay "
        "the fee by card. The new one comes by post within three weeks.",
        expect="fail",
        why="about something else entirely",
    ),
    Example(
        prompt="Suggest a name for a bakery.",
        response="Bread has been baked for thousands of years and is eaten all over the world.",
        expect="needs_review",
        why="on the subject, but not an answer",
    ),
)
