"""Turns a learned signal into a score, a word for its likelihood, and the sentences that caused it.

Token strengths are mapped to the sentences that contain the tokens.
"""

from __future__ import annotations

from bisect import bisect_right

from fairwitness.contract.evaluation import ReviewReason
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.language import is_supported
from fairwitness.evaluator.signals import Place, Signal
from fairwitness.evaluator.text import Text

MAX_PASSAGES = 3
# Further sentences are quoted only where they are within this of the strongest.
_NEAR_LOGITS = 1.5
# Longer than any ordinary sentence; a text without full stops is cut around its strongest token.
_MAX_PASSAGE_CHARS = 600


def score_from_risk(risk: float, tolerated: float) -> float:
    """Return the score for a fault of this probability; a tolerated probability costs nothing."""
    return 1 - max(0.0, risk - tolerated) / (1 - tolerated)


def likelihood_word(probability: float) -> str:
    """Return the word with which a message states a fault of this probability."""
    return "Likely" if probability >= 0.5 else "Possibly"


def passages(text: Text, *signals: Signal) -> tuple[Span, ...]:
    """Return up to three sentences with the strongest tokens for any of the signals, in the order of the text."""
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


NOT_MEASURED = "Not judged: the model was not measured in the response's language."


def language_limits(text: Text) -> frozenset[ReviewReason]:
    """Return the reason why rules of English wording found nothing to rely on, where the text is not English."""
    return frozenset() if is_supported(text) else frozenset({"language_unsupported"})


def learned_findings(
    exchange: Exchange,
    signal: Signal | None,
    threshold: float,
    *,
    message: str,
    detector: str,
    suggestion: str,
) -> tuple[Finding, ...]:
    """Return one finding where a reader gives this signal and it reaches the threshold, else none.

    A criterion has its closed forms always and the signal where there is one, so None is no fault. Nothing
    is said in a language the reader was not measured on.
    """
    if signal is None or signal.value < threshold or "language_unsupported" in signal.limits:
        return ()
    spans = passages(exchange.response, signal)
    said = f"{message} (probability {signal.value:.2f})."
    return (Finding("medium", said, detector, spans, suggestion),)


def _span(text: Text, index: int, peak: Place) -> Span:
    sentence = text.sentences[index]
    if sentence.end - sentence.start <= _MAX_PASSAGE_CHARS:
        return Span(sentence.start, sentence.end)
    start = max(sentence.start, peak.start - _MAX_PASSAGE_CHARS // 2)
    return Span(start, min(sentence.end, start + _MAX_PASSAGE_CHARS))
