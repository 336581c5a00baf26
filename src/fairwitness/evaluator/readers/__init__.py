"""The readers this version ships: the packaged model, and the signals criteria know it by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from fairwitness.contract.evaluation import ReviewReason
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.language import certain_language, is_supported, language_of
from fairwitness.evaluator.readers.comparisons import ComparisonReader
from fairwitness.evaluator.readers.encoder import Encoder, Reading
from fairwitness.evaluator.signals import Extent, Reader, Signal

# The signals of a response in the light of its prompt, and the encoder's head behind each.
HEADS = {
    "harm": "harm",
    "bad_advice": "advice",
    "prompt_harm": "prompt_harm",
    "relevance": "relevance",
    "quality": "quality",
    "hate": "hate",
    "offence": "offence",
    "address": "address",
    "reckless_advice": "reckless",
    "self_claim": "self_claim",
    "flattery": "flattery",
    "yielding": "yielding",
    "substance": "substance",
}
CLASSES = ("compliance", "partial_refusal", "refusal")
# English apart, the languages these signals were measured in; the others were measured in English alone.
OTHER_LANGUAGES = frozenset({"de", "es", "fr", "it", "pt"})
MEASURED_IN_THEM = frozenset({"relevance", "quality", *CLASSES})


class ResponseReader:
    """Reads the response in the light of its prompt."""

    signals: Sequence[str] = (*HEADS, *CLASSES)

    def __init__(self, encoder: Callable[[], Encoder], max_tokens_read: int | None = None) -> None:
        """Read with this encoder, loaded when something is first read, at most so many tokens of a response."""
        self._encoder = encoder
        self._max_tokens_read = max_tokens_read

    def read(self, exchange: Exchange) -> Mapping[str, Signal]:
        """Return a probability for each signal, with the places that speak for it where a head names them."""
        reading = self._encoder().read(
            exchange.prompt.value, exchange.response.value, self._max_tokens_read
        )
        extent = Extent(response=reading.characters_read)
        in_english, elsewhere = _limits(exchange, reading)
        limits = dict.fromkeys(self.signals, in_english)
        limits |= dict.fromkeys(MEASURED_IN_THEM, elsewhere)
        found = {name: _signal(reading, head, limits[name], extent) for name, head in HEADS.items()}
        for name, probability in zip(CLASSES, reading.refusal, strict=True):
            found[name] = Signal(probability, limits=limits[name], extent=extent)
        return found


class RequestReader:
    """Reads the prompt by itself: a refusal behind it would make it read worse."""

    signals: Sequence[str] = ("request_harm",)

    def __init__(self, encoder: Callable[[], Encoder]) -> None:
        """Read with this encoder, loaded when something is first read."""
        self._encoder = encoder

    def read(self, exchange: Exchange) -> Mapping[str, Signal]:
        """Return how harmful the request reads."""
        reading = self._encoder().read(exchange.prompt.value, "")
        return {"request_harm": Signal(reading["asked"])}


def _signal(reading: Reading, head: str, limits: frozenset[ReviewReason], extent: Extent) -> Signal:
    if head not in reading.strengths:
        return Signal(reading[head], limits=limits, extent=extent)
    return Signal(reading[head], reading.offsets, reading.strengths[head], limits, extent)


def _limits(
    exchange: Exchange, reading: Reading
) -> tuple[frozenset[ReviewReason], frozenset[ReviewReason]]:
    """Return why the encoder's word is not enough: for signals of English alone, and for those of other languages too."""
    unread: frozenset[ReviewReason] = frozenset()
    if reading.tokens_read < reading.tokens:
        unread = frozenset({"context_not_read"})
    if is_supported(exchange.response):
        return unread, unread
    foreign: frozenset[ReviewReason] = unread | {"language_unsupported"}
    return foreign, unread if _measured(exchange) else foreign


def _measured(exchange: Exchange) -> bool:
    """Tell whether prompt and response are in the same one of the other languages; a short prompt may be in any."""
    language = language_of(exchange.response)
    return language in OTHER_LANGUAGES and certain_language(exchange.prompt) in {None, language}


@cache
def packaged() -> Encoder:
    """Return the packaged encoder, loaded once a process."""
    return Encoder.load()


def count_tokens(text: str) -> int:
    """Return how many tokens the packaged encoder makes of a text."""
    return packaged().count(text)


def shipped(max_tokens_read: int | None = None) -> tuple[Reader, ...]:
    """Return the readers this version ships.

    Together they read at most so many tokens of an exchange: the response first, then of the context the
    passages nearest to its sentences. A reader of context takes what the response left.
    """
    return (
        ResponseReader(packaged, max_tokens_read),
        RequestReader(packaged),
        ComparisonReader(packaged, max_tokens_read),
    )
