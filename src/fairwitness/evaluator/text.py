"""One text and its shared views: UTF-8 bytes, words, sentences, lines, code regions.

Every offset is a code-point offset of the original text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from fairwitness.evaluator.patterns import Match, Pattern


class Region(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int

    def contains(self, position: int) -> bool:
        """Tell whether a position is in it."""
        return self.start <= position < self.end


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block: its region, language tag and body, and whether it is closed."""

    region: Region
    language: str
    body: Region
    closed: bool


class Text:
    """An immutable text with cached views; each view costs at most one linear pass."""

    def __init__(self, value: str) -> None:
        """Wrap `value`, which must not contain lone surrogates."""
        self.value = value

    def __len__(self) -> int:
        return len(self.value)

    @cached_property
    def utf8(self) -> bytes:
        """The text as bytes; the pattern engine works on these."""
        return self.value.encode()

    @cached_property
    def lower(self) -> str:
        """The text in lower case, except characters whose lower case would change offsets."""
        lowered = self.value.lower()
        if len(lowered) == len(self.value):
            return lowered
        return "".join(low if len(low := char.lower()) == 1 else char for char in self.value)

    @cached_property
    def _starts(self) -> list[int] | None:
        """The byte offset at which each code point starts, or None where the two agree."""
        if len(self.utf8) == len(self.value):
            return None
        size = len(self.utf8)
        return [*compress(range(size), self.utf8.translate(_LEADS)), size]

    def codepoint(self, byte: int) -> int:
        """Return the code-point offset of a byte offset."""
        starts = self._starts
        return byte if starts is None else bisect_right(starts, byte) - 1

    def matches(self, pattern: Pattern, limit: int = 0) -> list[Match]:
        """Return the matches of `pattern` in order, the first `limit` where it is not 0; linear in the text."""
        return pattern.find(self.utf8, self.codepoint, limit)

    def search(self, pattern: Pattern) -> Match | None:
        """Return the first match of `pattern`, or None."""
        found = pattern.find(self.utf8, self.codepoint, limit=1)
        return found[0] if found else None

    @cached_property
    def words(self) -> list[Region]:
        """Runs of letters and digits, with inner apostrophes and hyphens."""
        # Skips the class's constructor, which would cost more than the search.
        new = tuple.__new__
        return [new(Region, match.span()) for match in _WORD.finditer(self.value)]

    def slice(self, region: Region) -> str:
        """Return the text of a region."""
        return self.value[region.start : region.end]

    @cached_property
    def lines(self) -> list[Region]:
        """Lines without their line ends."""
        found, start, new = [], 0, tuple.__new__
        returns = "\r" in self.value
        for line in self.value.split("\n"):
            end = start + len(line)
            found.append(new(Region, (start, end - (returns and line.endswith("\r")))))
            start = end + 1
        return found

    @cached_property
    def paragraphs(self) -> list[Region]:
        """Blocks of non-blank lines, separated by blank lines."""
        found: list[Region] = []
        open_since: int | None = None
        last = 0
        for line in self.lines:
            blank = not self.value[line.start : line.end].strip()
            if not blank:
                open_since = line.start if open_since is None else open_since
                last = line.end
            elif open_since is not None:
                found.append(Region(open_since, last))
                open_since = None
        if open_since is not None:
            found.append(Region(open_since, last))
        return found

    @cached_property
    def sentences(self) -> list[Region]:
        """Sentences, trimmed; line ends and code fences end one too."""
        value = self.value
        cuts = [
            match.end()
            for match in _SENTENCE_END.finditer(value)
            if not self._is_abbreviation(match.start())
        ]
        found: list[Region] = []
        start = 0
        for cut in [*cuts, len(value)]:
            piece = value[start:cut]
            trimmed = piece.strip()
            if trimmed:
                offset = start + piece.index(trimmed[0])
                found.append(Region(offset, offset + len(trimmed)))
            start = cut
        return found

    def sentence_at(self, position: int) -> Region:
        """Return the sentence that contains `position`, or the nearest one before it."""
        sentences = self.sentences
        if not sentences:
            return Region(0, len(self.value))
        index = bisect_right(self._sentence_starts, position) - 1
        return sentences[max(index, 0)]

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [region.start for region in self.sentences]

    def _is_abbreviation(self, at: int) -> bool:
        if self.value[at] != ".":
            return False
        before = self.value[max(0, at - 12) : at].split()
        word = before[-1].lower().lstrip("(\"'") if before else ""
        if word == "no":
            # "no. 5" is shortened; "the answer is no." is not.
            return self.value[at + 1 : at + 4].lstrip()[:1].isdecimal()
        return word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i")

    @cached_property
    def code_blocks(self) -> list[CodeBlock]:
        """Fenced blocks (``` or ~~~); the last one may be unclosed."""
        found: list[CodeBlock] = []
        if "```" not in self.value and "~~~" not in self.value:
            return found
        opened: tuple[Region, str, str] | None = None
        for line in self.lines:
            stripped = self.value[line.start : line.end].strip()
            if opened is None:
                if stripped[:3] in {"```", "~~~"} and not (stripped[3:].endswith("```")):
                    mark = stripped[: len(stripped) - len(stripped.lstrip(stripped[0]))]
                    opened = (line, mark, stripped[len(mark) :].strip().split(" ")[0].lower())
            elif stripped.startswith(opened[1]) and not stripped.strip(opened[1][0]):
                body = Region(min(opened[0].end + 1, line.start), line.start)
                found.append(CodeBlock(Region(opened[0].start, line.end), opened[2], body, True))
                opened = None
        if opened is not None:
            end = len(self.value)
            body = Region(min(opened[0].end + 1, end), end)
            found.append(CodeBlock(Region(opened[0].start, end), opened[2], body, False))
        return found

    @cached_property
    def code(self) -> list[Region]:
        """All code: fenced blocks and inline code."""
        if "`" not in self.value and "~~~" not in self.value:
            return []
        fenced = [block.region for block in self.code_blocks]
        inline = [
            Region(match.start, match.end)
            for match in self.matches(_INLINE_CODE)
            if not any(region.contains(match.start) for region in fenced)
        ]
        return sorted(fenced + inline, key=lambda region: region.start)

    def in_code(self, position: int) -> bool:
        """Tell whether a position is inside code."""
        regions = self.code
        if not regions:
            return False
        index = bisect_right(regions, position, key=lambda region: region.start) - 1
        return index >= 0 and regions[index].contains(position)


# 1 for bytes that start a character, 0 for continuation bytes.
_LEADS = bytes(byte & 0xC0 != 0x80 for byte in range(256))
# The one place with Python's own engine, five times faster here than RE2 through its binding. Neither
# pattern can backtrack: each character of a word can match in one way only, and a sentence's end is
# possessive and starts only where its run of stops does. Everything else is a Pattern.
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_SENTENCE_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’)\]*_]*+(?:[ \t\n\f\r]++|\Z)|[。！？]++[」』”’）]*+|\n[ \t\n\f\r]*+"
)
_INLINE_CODE = Pattern(r"`[^`\n]+`")
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st jr sr vs etc e.g i.e eg ie cf fig vol approx inc ltd co dept est gen "
    "gov rep sen rev hon al p pp ca a.m p.m u.s u.k u.n ph.d".split()
)
