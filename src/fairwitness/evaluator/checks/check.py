"""What every check is: a kind, its author's severity and message, and a fault it may find."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.coverage import Part
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

MAX_SPANS = 20
MAX_PATTERN_CHARS = 1_000
_MAX_QUOTED_CHARS = 200
Phrase = Annotated[str, Meta(min_length=1, max_length=1_000)]
Phrases = Annotated[list[Phrase], Meta(min_length=1, max_length=500)]


@dataclass(frozen=True, slots=True)
class Fault:
    """What a check found: a few words beside its author's message, and where."""

    detail: str = ""
    spans: tuple[Span, ...] = ()


class Check(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """One check of the response; a subclass says by its tag which kind it is."""

    #: What this kind reads beside the prompt and the text of the response.
    READS: ClassVar[tuple[Part, ...]] = ()

    severity: Severity
    message: Annotated[str, Meta(min_length=1, max_length=500)]

    def fault(self, exchange: Exchange) -> Fault | None:
        """Return what is wrong with the response, or None where the check passes."""
        raise NotImplementedError


def spans_of(places: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """Return the first places as spans; an empty place shows nothing and is left out."""
    return tuple(Span(start, end) for start, end in places if start < end)[:MAX_SPANS]


def named(values: Iterable[str]) -> str:
    """Return values as a message may show them: at most five, each cut where it is long."""
    shown = [f"“{value[:40]}…”" if len(value) > 40 else f"“{value}”" for value in values]
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else "")


def brief(start: int, end: int, *, last: bool = False) -> Span:
    """Return a span no longer than evidence needs to be: its beginning, or its end."""
    if last:
        return Span(max(start, end - _MAX_QUOTED_CHARS), end)
    return Span(start, min(end, start + _MAX_QUOTED_CHARS))


def beginning(text: Text) -> tuple[Span, ...]:
    """Return how a text begins, where all of it is the evidence."""
    span = brief(0, len(text.value.rstrip()))
    return spans_of([(span.start, span.end)])


def check_bounds(least: float | None, most: float | None) -> None:
    """Refuse bounds that bound nothing."""
    if least is None and most is None:
        raise ValueError("needs min or max")
    if least is not None and most is not None and least > most:
        raise ValueError("needs min <= max")


def outside(value: float, least: float | None, most: float | None) -> str:
    """Return which bound a value breaks, in words; empty where it breaks none."""
    if least is not None and value < least:
        return f"at least {least:g}"
    return f"at most {most:g}" if most is not None and value > most else ""


@lru_cache(maxsize=512)
def compiled(source: str, ignore_case: bool = False, multiline: bool = False) -> Pattern:
    """Return an author's pattern, ready to use; raise ValueError where RE2 refuses it."""
    # One byte of a character is no text.
    if "\\C" in source.replace("\\\\", ""):
        raise ValueError("the pattern has \\C, which matches part of a character")
    pattern = Pattern(source, ignore_case=ignore_case, multiline=multiline, captures=False)
    if fault := pattern.fault():
        raise ValueError(f"the pattern cannot be used: {fault}")
    return pattern
