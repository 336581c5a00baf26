"""Checks of measure: how long the response is, how hard to read, and which numbers it gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from fairwitness.evaluator.checks.check import (
    Check,
    Fault,
    Phrase,
    beginning,
    check_bounds,
    outside,
    spans_of,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.language import is_english
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_Count = Annotated[int, Meta(ge=0, le=10_000_000)]
_Grade = Annotated[float, Meta(ge=0, le=30)]
_Value = Annotated[float, Meta(ge=-1e15, le=1e15)]
# A text shorter than this has no reading level.
_LEAST_WORDS = 30
_NUMBER = Pattern(r"[-−+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d{1,3}\b)?")


class Length(Check, frozen=True, kw_only=True, tag="length"):
    """It is of so many words, sentences or characters."""

    unit: Literal["words", "sentences", "characters"]
    min: _Count | None = None
    max: _Count | None = None

    def __post_init__(self) -> None:
        """Refuse bounds that bound nothing."""
        check_bounds(self.min, self.max)

    def fault(self, exchange: Exchange) -> Fault | None:
        """Say how long it is; quote what is beyond the most."""
        text = exchange.response
        units = {"words": text.words, "sentences": text.sentences}.get(self.unit)
        count = len(text) if units is None else len(units)
        bound = outside(count, self.min, self.max)
        if not bound:
            return None
        spans: list[tuple[int, int]] = []
        if self.max is not None and count > self.max:
            start = self.max if units is None else units[self.max].start
            spans = [(start, len(text.value.rstrip()))]
        return Fault(f"{counted(count, self.unit[:-1])}, {bound}", spans_of(spans))


class ReadingLevel(Check, frozen=True, kw_only=True, tag="reading_level"):
    """It reads at this school grade, by the Flesch-Kincaid formula; English of 30 words or more."""

    min: _Grade | None = None
    max: _Grade | None = None

    def __post_init__(self) -> None:
        """Refuse bounds that bound nothing."""
        check_bounds(self.min, self.max)

    def fault(self, exchange: Exchange) -> Fault | None:
        """Say the grade; a text that is short or not English has none."""
        text = exchange.response
        if len(text.words) < _LEAST_WORDS or not is_english(text.value):
            return None
        grade = _grade(text)
        bound = outside(grade, self.min, self.max)
        return Fault(f"grade {grade:g}, {bound}", beginning(text)) if bound else None


class Number(Check, frozen=True, kw_only=True, tag="number"):
    """The first number, the last or every one lies between two bounds; `after` says after which words."""

    min: _Value | None = None
    max: _Value | None = None
    which: Literal["first", "last", "every"] = "first"
    after: Phrase | None = None

    def __post_init__(self) -> None:
        """Refuse bounds that bound nothing."""
        check_bounds(self.min, self.max)

    def fault(self, exchange: Exchange) -> Fault | None:
        """Quote the numbers that lie outside; a text without one has nothing that lies inside."""
        text = exchange.response
        start = 0
        if self.after is not None:
            at = text.value.find(self.after)
            if at < 0:
                return Fault(f"“{self.after[:40]}” not found")
            start = at + len(self.after)
        every = [found for found in numbers(text) if found[0][0] >= start]
        if not every:
            return Fault("no number found")
        chosen = {"first": every[:1], "last": every[-1:], "every": every}[self.which]
        wrong = [
            (place, bound)
            for place, value in chosen
            if (bound := outside(value, self.min, self.max))
        ]
        return Fault(wrong[0][1], spans_of(place for place, _ in wrong)) if wrong else None


CHECKS: tuple[type[Check], ...] = (Length, ReadingLevel, Number)


def numbers(text: Text) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield every number of a text that is no part of a word or a version, with the place it stands in."""
    for match in text.matches(_NUMBER):
        start, written = match.start, match.text
        before = text.value[start - 1 : start]
        if before.isalpha() or before in {"_", "."}:
            continue
        if before.isdigit() and written[0] in "-−+":  # a range, as in 2-9
            start, written = start + 1, written[1:]
        yield (start, match.end), float(written.replace(",", "").replace("−", "-"))


def _grade(text: Text) -> float:
    words = [text.slice(region).lower() for region in text.words]
    syllables = sum(map(_syllables, words))
    sentences = max(1, len(text.sentences))
    grade = 0.39 * len(words) / sentences + 11.8 * syllables / len(words) - 15.59
    return round(max(0.0, grade), 1)


def _syllables(word: str) -> int:
    """Count runs of vowels; a silent e at the end is none."""
    vowels = [char in "aeiouy" for char in word]
    runs = sum(here and not before for before, here in zip([False, *vowels], vowels, strict=False))
    if word.endswith("e") and not word.endswith("le") and runs > 1:
        runs -= 1
    return max(1, runs)
