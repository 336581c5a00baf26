"""Patterns for untrusted text: RE2, so time is linear whatever the text; offsets in code points.

RE2 has no look-around and no back-references. Where those are needed, a few lines of Python do the
same in one pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import re2

# Of a pattern that others write: what it costs to search grows with this.
_MAX_PROGRAM_SIZE = 10_000
_UNANCHORED, _WHOLE = re2._Anchor.UNANCHORED, re2._Anchor.ANCHOR_BOTH


class Match:
    """One match: its code-point offsets and text, and its groups by name or number, on demand."""

    __slots__ = ("_codepoint", "_names", "_spans", "_utf8", "end", "start", "text")

    def __init__(
        self,
        spans: list[tuple[int, int]],
        utf8: bytes,
        codepoint: Callable[[int], int],
        names: dict[str, int],
    ) -> None:
        """Keep RE2's byte spans (0 is the whole match) and the function that converts them to code points."""
        low, high = spans[0]
        self.start, self.end = codepoint(low), codepoint(high)
        self.text = utf8[low:high].decode()
        self._spans, self._utf8, self._codepoint, self._names = spans, utf8, codepoint, names

    def __repr__(self) -> str:
        return f"Match({self.start}, {self.end}, {self.text!r})"

    def __getitem__(self, group: int | str) -> str:
        """Return a group's text, empty if it did not match."""
        low, high = self._spans[self._names[group] if isinstance(group, str) else group]
        return self._utf8[low:high].decode() if low >= 0 else ""

    def which(self, groups: Iterable[str]) -> str:
        """Return the first of some groups that took part in the match, or an empty name."""
        spans, names = self._spans, self._names
        return next((group for group in groups if spans[names[group]][0] >= 0), "")

    def span(self, group: int | str) -> tuple[int, int]:
        """Return a group's code-point offsets, (-1, -1) if it did not match."""
        low, high = self._spans[self._names[group] if isinstance(group, str) else group]
        return (self._codepoint(low), self._codepoint(high)) if low >= 0 else (-1, -1)


class Pattern:
    """A compiled RE2 pattern, compiled on first use so that importing stays cheap."""

    def __init__(
        self,
        source: str,
        *,
        ignore_case: bool = False,
        multiline: bool = False,
        captures: bool = True,
    ) -> None:
        """Keep the source with its flags written out, because RE2's defaults differ from Python's.

        Without `captures`, groups only group: a pattern of many capturing groups is slow.
        """
        flags = ("i" if ignore_case else "") + ("m" if multiline else "")
        self.source = f"(?{flags}:{source})" if flags else source
        self._captures = captures

    def fault(self) -> str:
        """Return why the pattern cannot be used, in RE2's words; empty where it can."""
        try:
            size: int = self._compiled.programsize
        except re2.error as error:
            return " ".join(error.args[0].decode(errors="replace").split())
        return "" if size <= _MAX_PROGRAM_SIZE else "it is too large"

    @cached_property
    def _compiled(self) -> Any:
        options = re2.Options()
        options.log_errors = False
        options.never_capture = not self._captures
        return re2.compile(self.source.encode(), options)

    @cached_property
    def _match(self) -> Callable[[Any, bytes, int, int], list[tuple[int, int]]]:
        # RE2's Python methods build a generator and a large object for each match; this is the one call inside.
        match: Callable[[Any, bytes, int, int], list[tuple[int, int]]] = (
            self._compiled._regexp.Match
        )
        return match

    @cached_property
    def _names(self) -> dict[str, int]:
        return {name.decode(): index for name, index in self._compiled.groupindex.items()}

    def find(
        self,
        utf8: bytes,
        codepoint: Callable[[int], int],
        limit: int = 0,
        *,
        overlapping: bool = False,
    ) -> list[Match]:
        """Return matches over `utf8`, at most `limit` of them where it is not 0.

        With `overlapping`, the search continues after the start of a match, not after its end: only for
        patterns of bounded length, since otherwise the cost is quadratic.
        """
        match_at = self._match
        names, found = self._names, []
        position, end = 0, len(utf8)
        while position <= end:
            spans = match_at(_UNANCHORED, utf8, position, end)
            low, high = spans[0]
            if low < 0:
                break
            found.append(Match(spans, utf8, codepoint, names))
            if len(found) == limit:
                break
            position = high if high > low and not overlapping else _next_character(utf8, low)
        return found

    def search(self, utf8: bytes) -> bool:
        """Tell whether the pattern occurs; cheaper than finding where."""
        return bool(self._match(_UNANCHORED, utf8, 0, len(utf8))[0][0] >= 0)

    def fullmatch(self, value: str) -> bool:
        """Tell whether a whole short string matches."""
        utf8 = value.encode()
        return bool(self._match(_WHOLE, utf8, 0, len(utf8))[0][0] >= 0)


class PatternSet:
    """Many patterns searched in one pass: which of them occur in a text."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        """Keep the patterns; the combined automaton is built on first use."""
        self.patterns = tuple(patterns)

    @cached_property
    def _compiled(self) -> Any:
        options = re2.Options()
        options.log_errors = False
        # The default budget is for one pattern; a set of a hundred needs more to stay on its fast path.
        options.max_mem = 64 << 20
        joint = re2.Set.SearchSet(options)
        for pattern in self.patterns:
            joint.Add(pattern.source.encode())
        joint.Compile()
        return joint

    def occurring(self, utf8: bytes) -> list[Pattern]:
        """Return the patterns that occur, in the order they were given."""
        return [self.patterns[index] for index in sorted(self._compiled.Match(utf8) or [])]


def _next_character(utf8: bytes, position: int) -> int:
    position += 1
    while position < len(utf8) and utf8[position] & 0xC0 == 0x80:
        position += 1
    return position
