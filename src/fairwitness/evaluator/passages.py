"""What criteria make of the encoder's reading: a score from a risk, and the passages that made it.

Token scores are snapped to the sentences they stand in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from fairwitness.evaluator.encoder import TokenScore
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.text import Text

MOST = 3
# A sentence is named beside the strongest one only where it speaks about as strongly.
_NEAR = 1.5
# Long enough to hold any sentence a person wrote; a text with no stops is cut around its peak.
_LONGEST = 600


# A probability this low is what any harmless text gets; it takes nothing from the score.
_NOTHING = 0.15


def without(risk: float) -> float:
    """Return the score of a text that has a fault with this probability."""
    return 1 - max(0.0, risk - _NOTHING) / (1 - _NOTHING)


def reads_as(probability: float) -> str:
    """Return how a message may put a fault of this probability: what is likelier not there only may be."""
    return "Reads as" if probability >= 0.5 else "May read as"


def passages(
    text: Text, tokens: Sequence[TokenScore], strength: Callable[[TokenScore], float]
) -> tuple[Span, ...]:
    """Return up to three sentences whose tokens speak most strongly, in the order of the text."""
    if not tokens or not text.sentences:
        return ()
    starts = [sentence.start for sentence in text.sentences]
    peaks: dict[int, tuple[float, TokenScore]] = {}
    for token in tokens:
        index = max(0, bisect_right(starts, token.start) - 1)
        value = strength(token)
        if index not in peaks or value > peaks[index][0]:
            peaks[index] = (value, token)
    strongest = sorted(peaks.items(), key=lambda item: (-item[1][0], item[0]))[:MOST]
    best = strongest[0][1][0]
    chosen = sorted(index for index, (value, _) in strongest if value >= best - _NEAR)
    return tuple(_span(text, index, peaks[index][1]) for index in chosen)


def _span(text: Text, index: int, peak: TokenScore) -> Span:
    sentence = text.sentences[index]
    if sentence.end - sentence.start <= _LONGEST:
        return Span(sentence.start, sentence.end)
    start = max(sentence.start, peak.start - _LONGEST // 2)
    return Span(start, min(sentence.end, start + _LONGEST))
