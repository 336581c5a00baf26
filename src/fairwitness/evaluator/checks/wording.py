"""Checks of wording: what the response must contain, must not contain, begin or end with, or match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from fairwitness.evaluator.checks.check import (
    MAX_PATTERN_CHARS,
    MAX_SPANS,
    Check,
    Fault,
    Phrases,
    brief,
    compiled,
    named,
    spans_of,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text


class _Phrases(Check, frozen=True, kw_only=True):
    values: Phrases
    ignore_case: bool = False

    def text(self, text: Text) -> str:
        """Return a text as it is compared; offsets stay."""
        return text.lower if self.ignore_case else text.value

    def phrases(self) -> list[str]:
        """Return the values as they are compared."""
        return [self.text(Text(value)) for value in self.values]


class _Anywhere(_Phrases, frozen=True, kw_only=True):
    whole_words: bool = False

    def places(self, phrase: str, value: str) -> Iterator[tuple[int, int]]:
        """Yield where a phrase stands, in order."""
        at = value.find(phrase)
        while at >= 0:
            end = at + len(phrase)
            if not self.whole_words or _apart(value, at, end):
                yield at, end
            at = value.find(phrase, end)


class Contains(_Anywhere, frozen=True, kw_only=True, tag="contains"):
    """All of these phrases are there, or any one of them."""

    need: Literal["all", "any"] = "all"

    def fault(self, exchange: Exchange) -> Fault | None:
        """Name the phrases that are missing."""
        value = self.text(exchange.response)
        missing = [
            written
            for written, phrase in zip(self.values, self.phrases(), strict=True)
            if next(self.places(phrase, value), None) is None
        ]
        enough = len(missing) < len(self.values) if self.need == "any" else not missing
        return None if enough else Fault(f"missing: {named(missing)}")


class Excludes(_Anywhere, frozen=True, kw_only=True, tag="excludes"):
    """None of these phrases is there."""

    def fault(self, exchange: Exchange) -> Fault | None:
        """Quote the phrases that are there."""
        value = self.text(exchange.response)
        found: set[tuple[int, int]] = set()
        for phrase in self.phrases():
            for count, place in enumerate(self.places(phrase, value)):
                if count == MAX_SPANS:
                    break
                found.add(place)
        return Fault(spans=spans_of(sorted(found))) if found else None


class StartsWith(_Phrases, frozen=True, kw_only=True, tag="starts_with"):
    """It begins with one of these phrases; white space before it counts for nothing."""

    def fault(self, exchange: Exchange) -> Fault | None:
        """Quote how it begins."""
        value = self.text(exchange.response)
        start = len(value) - len(value.lstrip())
        if value.startswith(tuple(self.phrases()), start):
            return None
        end = value.find("\n", start)
        span = brief(start, len(value) if end < 0 else end)
        return Fault(spans=spans_of([(span.start, span.end)]))


class EndsWith(_Phrases, frozen=True, kw_only=True, tag="ends_with"):
    """It ends with one of these phrases; white space after it counts for nothing."""

    def fault(self, exchange: Exchange) -> Fault | None:
        """Quote how it ends."""
        value = self.text(exchange.response)
        end = len(value.rstrip())
        if value[:end].endswith(tuple(self.phrases())):
            return None
        span = brief(value.rfind("\n", 0, end) + 1, end, last=True)
        return Fault(spans=spans_of([(span.start, span.end)]))


class _Patterned(Check, frozen=True, kw_only=True):
    pattern: Annotated[str, Meta(min_length=1, max_length=MAX_PATTERN_CHARS)]
    ignore_case: bool = False
    multiline: bool = False

    def __post_init__(self) -> None:
        """Refuse a pattern that cannot be used."""
        self.compiled()

    def compiled(self) -> Pattern:
        """Return the pattern, compiled once."""
        return compiled(self.pattern, self.ignore_case, self.multiline)


class Matches(_Patterned, frozen=True, kw_only=True, tag="matches"):
    """The pattern occurs somewhere."""

    def fault(self, exchange: Exchange) -> Fault | None:
        """Say that it does not; there is no place to quote."""
        return None if self.compiled().search(exchange.response.utf8) else Fault()


class NotMatches(_Patterned, frozen=True, kw_only=True, tag="not_matches"):
    """The pattern occurs nowhere."""

    def fault(self, exchange: Exchange) -> Fault | None:
        """Quote where it occurs."""
        # As many as are quoted and no more: finding every match can take the square of the length.
        found = exchange.response.matches(self.compiled(), limit=MAX_SPANS)
        return Fault(spans=spans_of((match.start, match.end) for match in found)) if found else None


CHECKS: tuple[type[Check], ...] = (Contains, Excludes, StartsWith, EndsWith, Matches, NotMatches)


def _apart(value: str, start: int, end: int) -> bool:
    """Tell whether a stretch has no letter, digit or _ next to it."""
    before, after = value[max(0, start - 1) : start], value[end : end + 1]
    return not any(char.isalnum() or char == "_" for char in (before, after))
