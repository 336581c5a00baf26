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
        found = {}
        for name, head in HEADS.items():
            found[name] = _signal(reading, head, _limits(exchange, reading, name), extent)
        for name, probability in zip(CLASSES, reading.refusal, strict=True):
            limits = _limits(exchange, reading, name)
            found[name] = Signal(probability, limits=limits, extent=extent)
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


def _limits(exchange: Exchange, reading: Reading, name: str) -> frozenset[ReviewReason]:
    """Return why the encoder's word for this signal is not enough: the language, or that it read only so much."""
    limits: set[ReviewReason] = set()
    if not (is_supported(exchange.response) or (name in MEASURED_IN_THEM and _measured(exchange))):
        limits.add("language_unsupported")
    if reading.tokens_read < reading.tokens:
        limits.add("context_not_read")
    return frozenset(limits)


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
