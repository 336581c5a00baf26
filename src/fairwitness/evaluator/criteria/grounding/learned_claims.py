"""Turns the learned signals `support` and `contradiction` into claims, where a reader provides them.

A reader of these signals names sentences: each place is one sentence of the response, and its strength the logit
that its source supports, or contradicts, it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.signals import Signal
from fairwitness.evaluator.text import Region

_MAX_CLAIMS = 3


def learned_claims(
    ground: Ground,
    contradiction: Signal | None,
    support: Signal | None,
    contradiction_from: float,
    support_below: float,
) -> Iterator[Claim]:
    """Yield a claim for the sentences most surely contradicted; then for those without support, where nothing may be added."""
    if contradiction is not None:
        found = (
            (_probability(strength), start, end) for start, end, strength in _places(contradiction)
        )
        for probability, start, end in sorted(found, reverse=True)[:_MAX_CLAIMS]:
            if probability >= contradiction_from:
                message = f"Likely contradicts the source (probability {probability:.2f})."
                yield _claim(ground, "contradiction", Region(start, end), message)
    if support is not None and ground.strict:
        found = ((_probability(strength), start, end) for start, end, strength in _places(support))
        for probability, start, end in sorted(found)[:_MAX_CLAIMS]:
            if probability < support_below:
                message = f"Likely not in the source (probability of support {probability:.2f})."
                yield _claim(ground, "unsupported", Region(start, end), message)


def _places(signal: Signal) -> Iterator[tuple[int, int, float]]:
    """Yield the places of a signal; none in a language the reader was not measured on."""
    if "language_unsupported" not in signal.limits:
        yield from signal.places


def _claim(ground: Ground, kind: str, stated: Region, message: str) -> Claim:
    near = ground.nearest(stated)
    source = ground.index.units[near[0].unit].span if near else None
    return Claim(kind, stated, source, "medium", message)


def _probability(logit: float) -> float:
    return 1 / (1 + exp(-logit)) if logit >= 0 else exp(logit) / (1 + exp(logit))
