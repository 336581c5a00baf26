"""The order of a review: what needs a person, most valuable first.

A row's doubt in a criterion is 1 - confidence x |score - 50| / 50: near 1 in the middle of the scale or where the
evaluator is unsure, near 0 where it is sure of an end. Its value is the largest weight x doubt among the criteria
named in its reasons for review. The k-th row with the same causes counts 1 / sqrt(k) of that, because it teaches
less than the first. Rows that need review come before all others, and texts that are the same are asked once.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec import UNSET

from fairwitness.contract.evaluation import Evaluation
from fairwitness.review.labels import OVERALL

QUEUE_IN_WORDS = (
    "Order: first rows that reviewers disagree on, then by the weight of the criteria named as reasons times the"
    " evaluator's doubt in them; further rows with the same causes count less."
)
SAMPLE_IN_WORDS = "Order: rows drawn at random, by a hash of their texts."


@dataclass(frozen=True)
class Place:
    """Where a row stands in the queue: its number, and why there."""

    number: int
    value: float
    needs_review: bool
    cause: str


def place(number: int, evaluation: Evaluation, target: str) -> Place | None:
    """Return a row's place by itself; None where the criterion does not apply to it."""
    if target == OVERALL:
        value, cause = _overall(evaluation)
        return Place(number, value, evaluation.overall_verdict == "needs_review", cause)
    item = evaluation[target]
    if item.score is None or item.confidence is None:
        return None
    cause = ",".join(
        sorted({one.detector for one in evaluation.findings if one.criterion_id == target})
    )
    doubt = _doubt(item.score, item.confidence)
    return Place(number, doubt, item.verdict == "needs_review", cause)


def ordered(places: Iterable[Place]) -> Iterator[Place]:
    """Yield places, most valuable first."""
    ranked = sorted(places, key=lambda one: (not one.needs_review, -one.value, one.number))
    seen: Counter[tuple[bool, str]] = Counter()
    spread: list[Place] = []
    for one in ranked:
        key = (one.needs_review, one.cause)
        seen[key] += 1
        value = one.value / math.sqrt(seen[key])
        spread.append(Place(one.number, value, one.needs_review, one.cause))
    yield from sorted(spread, key=lambda one: (not one.needs_review, -one.value, one.number))


def drawn(texts: Iterable[tuple[int, str]], count: int) -> list[int]:
    """Return the numbers of so many rows, drawn by a hash of their texts: the same every time, and unbiased."""
    ranked = sorted(texts, key=lambda one: hashlib.sha256(f"sample {one[1]}".encode()).digest())
    return [number for number, _ in ranked[:count]]


def _overall(evaluation: Evaluation) -> tuple[float, str]:
    named = {one.criterion_id for one in evaluation.reason_details}
    counted = [
        (item.weight * _doubt(item.score, item.confidence))
        for item in evaluation.verdicts
        if item.score is not None
        and item.confidence is not None
        and (item.criterion_id in named or not named)
    ]
    if UNSET in named:  # the overall score itself: the whole verdict depends on it
        counted.append(_doubt(evaluation.overall_score, 1.0))
    detectors = {one.detector for one in evaluation.findings if one.criterion_id in named}
    codes = {f"{one.code} {one.criterion_id or ''}" for one in evaluation.reason_details}
    return max(counted, default=0.0), ",".join(sorted(detectors | codes))


def _doubt(score: float, confidence: float) -> float:
    return 1 - confidence * abs(score - 50) / 50
