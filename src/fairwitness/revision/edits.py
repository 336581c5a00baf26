"""What an edit is: one stretch of the response replaced by another text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fairwitness.contract.evaluation import FindingItem
from fairwitness.evaluator.exchange import Exchange


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace [start, end) of the response; several changes are one edit over all they touch."""

    start: int
    end: int
    replacement: str

    def applied(self, text: str) -> str:
        """Return the text with this edit made."""
        return text[: self.start] + self.replacement + text[self.end :]


@dataclass(frozen=True, slots=True)
class Case:
    """What an operator works on: one finding, in the exchange it was found in."""

    finding: FindingItem
    exchange: Exchange

    @property
    def text(self) -> str:
        """The text of the response."""
        return self.exchange.response.value

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The finding's evidence in the response, in order."""
        quotes = [quote for quote in self.finding.evidence if quote.source == "response"]
        return sorted((quote.start, quote.end) for quote in quotes)


# An operator proposes edits for a finding, best first; nothing where it has none.
Propose = Callable[[Case], Iterator[Edit]]


@dataclass(frozen=True, slots=True)
class Operator:
    """A named way to fix findings whose detector begins with one of `detectors`."""

    name: str
    detectors: tuple[str, ...]
    propose: Propose
    # Whether what it takes out may be part of the answer; then most of the response must stay.
    removes_content: bool = True

    def handles(self, detector: str) -> bool:
        """Tell whether this operator is for findings of a detector."""
        return detector.startswith(self.detectors)


def joined(text: str, changes: Sequence[tuple[int, int, str]]) -> Edit:
    """Return one edit that makes several changes, given in order and apart from each other."""
    start, end = changes[0][0], changes[-1][1]
    pieces, position = [], start
    for low, high, replacement in changes:
        pieces += [text[position:low], replacement]
        position = high
    return Edit(start, end, "".join(pieces))


def removal(text: str, start: int, end: int) -> Edit:
    """Return an edit that removes a span, and the double space it would leave."""
    while end < len(text) and text[end] in " \t":
        end += 1
    at_line_start = start == 0 or text[start - 1] == "\n"
    if at_line_start:
        while end < len(text) and text[end] == "\n" and (start == 0 or text[end - 1] == "\n"):
            end += 1
        if end < len(text) and text[end] == "\n" and start > 0:
            end += 1
    elif end == len(text) or text[end] == "\n":
        while start > 0 and text[start - 1] in " \t":
            start -= 1
    return Edit(start, end, "")


def sentences_removed(case: Case) -> Iterator[Edit]:
    """Propose removing each sentence that contains the evidence, one after the other."""
    seen: set[tuple[int, int]] = set()
    for start, _ in case.spans:
        sentence = case.exchange.response.sentence_at(start)
        if sentence not in seen and sentence.contains(start):
            seen.add(sentence)
            yield removal(case.text, *sentence)
