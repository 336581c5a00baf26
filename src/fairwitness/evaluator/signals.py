"""Named signals of an exchange, and the readers that provide them.

A criterion asks for a signal by name and never knows which reader provides it: a small encoder, a larger
model, anything with a `read`. A reader reads an exchange at most once, and only if one of its signals
is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from fairwitness.contract.evaluation import ReviewReason
from fairwitness.evaluator.exchange import Exchange, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Place(NamedTuple):
    """A span of the response, in code points, and how strongly it supports a signal, as a logit."""

    start: int
    end: int
    strength: float


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of a text a reader read, in code points; None where it does not read that text."""

    response: int | None = None
    context: int | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """One result of a reader: a calibrated probability, and where in the response it comes from.

    `strengths[i]` is how strongly the response's code points `offsets[i]` support it, as a logit; both are
    empty where the reader names no place. `limits` are the reasons why the value alone must not decide,
    such as a language the reader was not measured on. `extent` is what the reader read for it.
    """

    value: float
    offsets: Sequence[tuple[int, int]] = ()
    strengths: Sequence[float] | NDArray[np.float32] = ()
    limits: frozenset[ReviewReason] = frozenset()
    extent: Extent = Extent()

    @property
    def places(self) -> Iterator[Place]:
        """Every place it names, in the order of the text."""
        for (start, end), strength in zip(self.offsets, self.strengths, strict=True):
            yield Place(start, end, float(strength))

    @property
    def peak(self) -> Place | None:
        """The place with the highest strength; the first of equals."""
        return max(self.places, key=lambda place: place.strength, default=None)


@dataclass(frozen=True, slots=True)
class JudgeAnswer:
    """What came of one question to a judge: the text of the answer as it was, or why there is none."""

    text: str | None = None
    unavailable: str = ""


# The answers of judges to questions about one exchange, by the digest of the question.
Answers = Mapping[str, JudgeAnswer]
NO_ANSWERS: Answers = {}


class Reader(Protocol):
    """Reads an exchange and provides the signals it names."""

    @property
    def signals(self) -> Sequence[str]:
        """The names of all signals it provides, every time."""

    def read(self, exchange: Exchange) -> Mapping[str, Signal]:
        """Return every signal it names."""


class Signals:
    """The signals of one exchange that one criterion may ask for, read when first asked for."""

    def __init__(
        self,
        exchange: Exchange,
        readers: Sequence[Reader],
        names: Iterable[str] | None = None,
        read: dict[int, Mapping[str, Signal]] | None = None,
        answers: Answers = NO_ANSWERS,
    ) -> None:
        """Keep the readers; nothing is read yet. `names` limits what may be asked for, `read` is shared."""
        self.answers = answers
        self._exchange = exchange
        self._readers = readers
        self._giving = {name: reader for reader in readers for name in reader.signals}
        self._names = frozenset(self._giving if names is None else names)
        self._read: dict[int, Mapping[str, Signal]] = {} if read is None else read

    def __getitem__(self, name: str) -> Signal:
        """Return a signal; one the protocol does not give this criterion is a KeyError."""
        if name not in self._names:
            raise KeyError(name)
        reader = self._giving[name]
        if id(reader) not in self._read:
            self._read[id(reader)] = reader.read(self._exchange)
        return self._read[id(reader)][name]

    def get(self, name: str) -> Signal | None:
        """Return a signal, or None where the protocol does not give it to this criterion."""
        return self[name] if name in self._names else None

    def only(self, names: Iterable[str]) -> Signals:
        """Return a view of the same results with only these names."""
        names = self._names & frozenset(names)
        return Signals(self._exchange, self._readers, names, self._read, self.answers)

    @property
    def extents(self) -> list[Extent]:
        """What was read so far, for every signal."""
        return [signal.extent for found in self._read.values() for signal in found.values()]

    def within(self, span: Span) -> Signals:
        """Return the signals of a span of the response, read as if it were all of it."""
        return Signals(self._exchange.passage(span), self._readers, self._names)
