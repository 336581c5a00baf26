"""Compares the sentences of a response with what it was given, each with the passages nearest to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import log

from fairwitness.contract.evaluation import ReviewReason
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.given import given
from fairwitness.evaluator.language import is_supported
from fairwitness.evaluator.readers.encoder import Comparison, Encoder, sigmoid
from fairwitness.evaluator.readers.sources import Source
from fairwitness.evaluator.signals import Signal
from fairwitness.evaluator.text import Region, Text

# Tokens of passages and sentences that are compared for one response; each costs about two of the response's.
MAX_TOKENS_COMPARED = 1536
_LANGUAGE_CHARS = 1_000
# A sentence is first compared with single ones of the source: one of them may say the same, which the model sees better
# alone, and at a fraction of a passage's cost.
_PLAINLY = 0.85
_CLOSER_LOOKS = 2
# Less says nothing that could be compared with a source.
_MIN_WORDS = 3
# A logit that stands for certainty.
_SURE = 30.0
# A sentence that the source has word for word need not be compared: training calls it supported.
_COPIED = Comparison(support=0.97, contradiction=0.02, logits=(), tokens=0)


class ComparisonReader:
    """Tells for each sentence of a response whether what was given supports it, and whether it contradicts it."""

    signals: Sequence[str] = ("support", "contradiction")

    def __init__(self, encoder: Callable[[], Encoder], max_tokens_read: int | None = None) -> None:
        """Compare with this encoder, loaded when something is first compared.

        Of `max_tokens_read` it takes what the response leaves.
        """
        self._encoder = encoder
        self._max_tokens_read = max_tokens_read

    def read(self, exchange: Exchange) -> Mapping[str, Signal]:
        """Return both signals, each with a place and a strength for every sentence that was compared."""
        what = given(exchange)
        source = "\n\n".join(part.text.slice(part.region).strip() for part in what.passages)
        limits = _limits(exchange.response, source)
        places: list[tuple[int, int]] = []
        support: list[float] = []
        contradiction: list[float] = []
        if source and not limits:
            for sentence, found in self._compared(
                exchange.response, Source(source, what.instruction)
            ):
                places.append((sentence.start, sentence.end))
                support.append(_logit(found.support))
                contradiction.append(_logit(found.contradiction))
        least, most = min(support, default=_SURE), max(contradiction, default=-_SURE)
        return {
            "support": Signal(sigmoid(least), places, support, limits),
            "contradiction": Signal(sigmoid(most), places, contradiction, limits),
        }

    def _compared(self, response: Text, source: Source) -> Iterator[tuple[Region, Comparison]]:
        """Yield the sentences with what came of them, in the order of the text, as far as the room goes."""
        room = self._room(response)
        known: dict[str, Comparison] = {}
        for sentence in _sentences(response):
            if room <= 0:
                return
            said = response.slice(sentence)
            if source.contains(said):
                yield sentence, _COPIED
                continue
            if said not in known:  # what is said again is compared once
                known[said] = self._compare(source, said)
                room -= known[said].tokens
            yield sentence, known[said]

    def _compare(self, source: Source, said: str) -> Comparison:
        """Compare a sentence with the nearest single ones, and where none plainly bears it out with a whole passage."""
        looks: list[Comparison] = []
        for stretch in source.closest(said, _CLOSER_LOOKS):
            looks.append(self._encoder().compare(stretch, said))
            if looks[-1].support >= _PLAINLY:
                break
        else:
            looks.append(self._encoder().compare(source.nearest(said), said))
        return replace(
            looks[-1],
            support=max(look.support for look in looks),
            tokens=sum(look.tokens for look in looks),
        )

    def _room(self, response: Text) -> int:
        if self._max_tokens_read is None:
            return MAX_TOKENS_COMPARED
        left = self._max_tokens_read - self._encoder().count(response.value)
        return min(MAX_TOKENS_COMPARED, left)


def _sentences(response: Text) -> Iterator[Region]:
    """Yield the sentences that state something: no code, no question, no word or two."""
    for sentence in response.sentences:
        said = response.slice(sentence)
        if (
            len(said.split()) >= _MIN_WORDS
            and not said.endswith(("?", ":"))
            and not response.in_code(sentence.start)
        ):
            yield sentence


def _limits(response: Text, source: str) -> frozenset[ReviewReason]:
    """Return why nothing is compared: the model was trained on English sentences and sources."""
    english = is_supported(response) and is_supported(Text(source[:_LANGUAGE_CHARS]))
    return frozenset() if english else frozenset({"language_unsupported"})


def _logit(probability: float) -> float:
    if 0 < probability < 1:
        return log(probability / (1 - probability))
    return _SURE * (probability * 2 - 1)
