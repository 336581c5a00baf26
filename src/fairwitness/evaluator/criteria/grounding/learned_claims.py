"""Uses the learned signals `support` and `contradiction`, where a reader provides them.

A reader of these signals names sentences: each place is one sentence of the response, and its strength the logit
that its source supports, or contradicts, it. They rank responses and mark sentences, and never fail one on their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log2
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.criteria.grounding.number_support import is_given
from fairwitness.evaluator.signals import Signal
from fairwitness.evaluator.text import Region

# Of low severity: alone they never fail the criterion.
_MAX_CLAIMS = 2


class Limit(NamedTuple):
    """From which mean on a sentence is reported: of a single one, and how much more for every doubling of their number.

    The more sentences are compared, the more likely one of them only looks wrong.
    """

    start: float
    rise: float

    def among(self, sentences: int) -> float:
        """Return the limit for one of so many sentences."""
        return self.start + self.rise * log2(max(1, sentences))


def learned_claims(
    ground: Ground, support: Signal | None, contradiction: Signal | None, limit: Limit
) -> Iterator[Claim]:
    """Yield a claim for each of the sentences that the source most likely contradicts.

    Both signals must say so: a sentence that the source does not speak of lacks support, and contradicts nothing. Of one
    that states another number than the source's the model is no judge: it may be worked out. Nor of a task that makes
    something up, or changes what the source has.
    """
    if ground.invents or ground.to_change:
        return
    found = sorted(_contradicted(support, contradiction), key=lambda place: -place[0])
    least = limit.among(len(found))
    for mean, against, stated in found[:_MAX_CLAIMS]:
        numbers = ground.figures_within(stated)
        if mean >= least and all(is_given(ground, number) for number in numbers):
            near = ground.nearest(stated)
            source = ground.index.units[near[0].unit].span if near else None
            message = f"Likely contradicts the source (probability {against:.2f})."
            yield Claim("contradiction", stated, source, "low", message)


def doubt(ground: Ground, support: Signal | None, contradiction: Signal | None) -> float:
    """Return how doubtful it is that the source bears the response out: half the worst sentence, half all of them.

    Where nothing may be added, what lacks support is in doubt; elsewhere it must be contradicted too.
    """
    if ground.strict:
        found = [1 - probability for probability, _ in _places(support)]
    else:
        found = [mean for mean, *_ in _contradicted(support, contradiction)]
    return (max(found) + sum(found) / len(found)) / 2 if found else 0.0


def _contradicted(
    support: Signal | None, contradiction: Signal | None
) -> Iterator[tuple[float, float, Region]]:
    """Yield for each sentence the mean of contradiction and lack of support, and the contradiction alone."""
    against = {place: probability for probability, place in _places(contradiction)}
    for borne_out, at in _places(support):
        if at in against:
            yield (against[at] + 1 - borne_out) / 2, against[at], at


def _places(signal: Signal | None) -> Iterator[tuple[float, Region]]:
    """Yield the sentences of a signal with their probability; none in a language the reader was not measured on."""
    if signal is not None and "language_unsupported" not in signal.limits:
        for start, end, strength in signal.places:
            yield _probability(strength), Region(start, end)


def _probability(logit: float) -> float:
    return 1 / (1 + exp(-logit)) if logit >= 0 else exp(logit) / (1 + exp(logit))
