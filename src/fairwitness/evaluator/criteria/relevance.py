"""Relevance: does the response address what was asked?"""

from __future__ import annotations

from math import sqrt

from msgspec import Struct

from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Example, Finding, Judgement
from fairwitness.evaluator.passages import NOT_MEASURED
from fairwitness.evaluator.protocol import CriterionSpec, Share
from fairwitness.evaluator.signals import Signals

NEEDS = ("relevance", "quality", "substance")


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the protocol sets for this criterion, apart from its thresholds."""

    ranked_from: Share
    poor: Share
    excellent: Share

    def __post_init__(self) -> None:
        """Refuse a ranking that begins where it ends."""
        if self.poor >= self.excellent:
            raise ValueError("`poor` must be less than `excellent`")


def judge(exchange: Exchange, spec: CriterionSpec, signals: Signals) -> Judgement:
    """Judge by the encoder: does the response answer this prompt, and how well compared with other answers?"""
    options: Options = spec.options
    relevance, quality = signals["relevance"], signals["quality"]
    # Doubt counts along a quarter circle: a little costs little, and only much of it costs nearly all.
    # Quality is relative to other answers to the same prompt; an average one is 0.5. It counts a third of what
    # relevance does: more of it would hide answers to another question.
    doubt = (3 * (1 - relevance.value) ** 2 + (1 - quality.value) ** 2) / 4
    answers = sqrt(1 - doubt)
    substance = signals["substance"]
    # Where substance was not measured, quality ranks alone.
    worth = quality if "language_unsupported" in substance.limits else substance
    rank = ((quality.value + worth.value) / 2 - options.poor) / (options.excellent - options.poor)
    rank = min(max(rank, 0.0), 1.0)
    # The encoder does not read a context, so it knows less of what a good answer from it is.
    if exchange.context:
        rank = (1 + rank) / 2
    # From the pass threshold on at the earliest, so that the rank among good answers changes no verdict.
    score = _ranked(answers, rank, max(options.ranked_from, spec.pass_from / 100))
    if "language_unsupported" in relevance.limits:
        return Judgement(NOT_MEASURED, score=score, confidence=0.0, reasons=relevance.limits)
    verdict = spec.verdict(score)
    return Judgement(
        summary="Likely addresses what was asked. Whether it is right is not checked."
        if verdict == "pass"
        else "May not address what was asked.",
        findings=() if verdict == "pass" else (_finding(score, surely=verdict == "fail"),),
        score=score,
        confidence=_confidence(answers, spec),
        reasons=relevance.limits,
    )


def _ranked(answers: float, rank: float, ranked_from: float) -> float:
    """Return the score of a response that surely answers by its rank among poor and excellent answers."""
    return ranked_from + (answers - ranked_from) * rank if answers > ranked_from else answers


def _confidence(score: float, spec: CriterionSpec) -> float:
    """Return 0.5 between the thresholds, and more with the distance beyond them."""
    low, enough = spec.fail_below / 100, spec.pass_from / 100
    verdict = spec.verdict(score)
    if verdict == "pass":
        return 0.6 + 0.4 * (score - enough) / (1 - enough) if enough < 1 else 1.0
    if verdict == "fail":
        return 0.6 + 0.4 * (low - score) / low
    return 0.5


def _finding(score: float, *, surely: bool) -> Finding:
    return Finding(
        severity="medium" if surely else "low",
        message=f"{'Likely does' if surely else 'May'} not address what was asked (score {100 * score:.0f} of 100).",
        detector="relevance.encoder",
        suggestion="Answer the question that was asked.",
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
        response="A good name for a bakery is short and easy to remember.",
        expect="needs_review",
        why="on the subject, but not an answer",
    ),
)
