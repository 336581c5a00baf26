"""What criteria make of a learned signal: a score from a risk, and the passages that speak for it.

Token strengths are snapped to the sentences they stand in.
"""

from __future__ import annotations

from bisect import bisect_right

from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.signals import Place, Signal
from fairwitness.evaluator.text import Text

MAX_PASSAGES = 3
# A sentence is named beside the strongest one only where it speaks about as strongly, in logits.
_NEAR_LOGITS = 1.5
# Long enough to hold any sentence a person wrote; a text with no stops is cut around its peak.
_MAX_PASSAGE_CHARS = 600


def score_from_risk(risk: float, tolerated: float) -> float:
    """Return the score of a text that has a fault with this probability; a tolerated one costs nothing."""
    return 1 - max(0.0, risk - tolerated) / (1 - tolerated)


def likelihood_word(probability: float) -> str:
    """Return how a message may put a fault of this probability: what is likelier not there only may be."""
    return "Reads as" if probability >= 0.5 else "May read as"


def passages(text: Text, *signals: Signal) -> tuple[Span, ...]:
    """Return up to three sentences that speak most strongly for any of the signals, in the order of the text."""
    if not text.sentences:
        return ()
    starts = [sentence.start for sentence in text.sentences]
    peaks: dict[int, Place] = {}
    for signal in signals:
        for place in signal.places:
            index = max(0, bisect_right(starts, place.start) - 1)
            if index not in peaks or place.strength > peaks[index].strength:
                peaks[index] = place
    if not peaks:
        return ()
    strongest = sorted(peaks, key=lambda index: (-peaks[index].strength, index))[:MAX_PASSAGES]
    best = peaks[strongest[0]].strength
    chosen = sorted(index for index in strongest if peaks[index].strength >= best - _NEAR_LOGITS)
    return tuple(_span(text, index, peaks[index]) for index in chosen)


def _span(text: Text, index: int, peak: Place) -> Span:
    sentence = text.sentences[index]
    if sentence.end - sentence.start <= _MAX_PASSAGE_CHARS:
        return Span(sentence.start, sentence.end)
    start = max(sentence.start, peak.start - _MAX_PASSAGE_CHARS // 2)
    return Span(start, min(sentence.end, start + _MAX_PASSAGE_CHARS))
