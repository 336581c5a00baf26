"""Checks against a reference: is the response the same text, the same value, or near enough to it?

A response that comes without a reference passes: there is nothing to hold it against.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from fairwitness.evaluator.checks.check import Check, Fault, beginning, spans_of
from fairwitness.evaluator.checks.size import numbers
from fairwitness.evaluator.coverage import Part
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.text import Text

_Share = Annotated[float, Meta(ge=0, le=1)]


class EqualsReference(Check, frozen=True, kw_only=True, tag="equals_reference"):
    """It is the reference; case, white space and punctuation count only where they are asked for."""

    READS: ClassVar[tuple[Part, ...]] = ("reference",)

    ignore_case: bool = True
    ignore_punctuation: bool = False

    def fault(self, exchange: Exchange) -> Fault | None:
        """Quote how the response begins."""
        if exchange.reference is None:
            return None
        if self._bare(exchange.response) == self._bare(exchange.reference):
            return None
        return Fault("differs from the reference", beginning(exchange.response))

    def _bare(self, text: Text) -> str:
        value = unicodedata.normalize("NFC", text.value)
        value = value.casefold() if self.ignore_case else value
        if self.ignore_punctuation:
            value = "".join(
                char for char in value if not unicodedata.category(char).startswith("P")
            )
        return " ".join(value.split())


class CloseToReference(Check, frozen=True, kw_only=True, tag="close_to_reference"):
    """Its words overlap with the reference's by this much (F1), or its number is this near."""

    READS: ClassVar[tuple[Part, ...]] = ("reference",)

    by: Literal["words", "number"] = "words"
    # Of words: the least overlap. Of a number: the most it may differ, as a share of the reference.
    min: _Share = 0.5
    within: _Share = 0.0

    def fault(self, exchange: Exchange) -> Fault | None:
        """Say how near it is; quote the number, or how the response begins."""
        if exchange.reference is None:
            return None
        if self.by == "number":
            return self._of_number(exchange.response, exchange.reference)
        overlap = _overlap(exchange.response, exchange.reference)
        if overlap >= self.min:
            return None
        return Fault(f"overlap {overlap:.2f}, at least {self.min:g}", beginning(exchange.response))

    def _of_number(self, response: Text, reference: Text) -> Fault | None:
        """Compare the last numbers: that is where answers state their result."""
        found, wanted = list(numbers(response)), list(numbers(reference))
        if not wanted:
            return Fault("the reference has no number")
        if not found:
            return Fault("no number found")
        (place, value), (_, right) = found[-1], wanted[-1]
        if abs(value - right) <= self.within * abs(right):
            return None
        return Fault(f"{value:g}, expected {right:g}", spans_of([place]))


CHECKS: tuple[type[Check], ...] = (EqualsReference, CloseToReference)


def _overlap(response: Text, reference: Text) -> float:
    """Return the F1 of the words two texts share, each counted as often as both have it."""
    ours, theirs = (
        Counter(text.slice(word).casefold() for word in text.words)
        for text in (response, reference)
    )
    both = sum((ours & theirs).values())
    every = sum(ours.values()) + sum(theirs.values())
    return 2 * both / every if every else 1.0
