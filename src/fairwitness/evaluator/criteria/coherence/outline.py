"""Finds a broken outline: numbering that jumps, headings with nothing under them, responses without a word.

It checks the Markdown outline only, not what the sections say.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_NUMBERED = Pattern(r"^[ \t]{0,12}\d{1,3}[.)](?:[ \t]|$)", multiline=True)
_MAX_TITLE_CHARS = 60
_MAX_ITEMS = 150  # a longer list is data, with its own numbers
_MIN_ITEMS = 4  # fewer do not show how a list counts
_HEADING = Pattern(r"^(#{1,6})[ \t]+\S.*$", multiline=True)
# Prompts whose right answer may hold no letter and no digit.
_ASKS_FOR_SIGNS = Pattern(
    r"\b(?:symbols?|characters?|punctuation|emojis?|emoticons?|kaomojis?|signs?|marks?|operators?|ascii|"
    r"draw\w*|lines?|dots?|blank|empty|silent|silence|nothing|whitespace|spaces?|arrows?|brackets?|shrug|"
    r"morse|braille|stars?|asterisks?|dash(?:es)?|hearts?|reactions?|ellipsis|keys?)\b",
    ignore_case=True,
)


def find(exchange: Exchange) -> list[Finding]:
    """Return what is broken in the outline."""
    text = exchange.response
    if not any(map(str.isalnum, text.value)):
        return _wordless(exchange)
    findings = []
    if "#" in text.value and (heading := _empty_heading(text)):
        findings.append(heading)
    if numbering := _jump(text):
        findings.append(numbering)
    return findings


def _wordless(exchange: Exchange) -> list[Finding]:
    value = exchange.response.value
    shown = value.strip()
    if not shown:
        span = Span(0, len(value))
        return [
            Finding("critical", "The response is only white space.", "coherence.empty", (span,))
        ]
    pictures = any(char >= "\u2190" for char in shown)
    if pictures or exchange.prompt.search(_ASKS_FOR_SIGNS) is not None:
        return []
    start = value.index(shown[0])
    span = Span(start, start + len(shown))
    return [
        Finding(
            "high", "The response contains no letters or digits.", "coherence.wordless", (span,)
        )
    ]


def _empty_heading(text: Text) -> Finding | None:
    headings = [match for match in text.matches(_HEADING) if not text.in_code(match.start)]
    if len(headings) < 2:
        return None
    ends = [match.start for match in headings[1:]] + [len(text)]
    for heading, following, limit in zip(headings, [*headings[1:], None], ends, strict=True):
        if text.value[heading.end : limit].strip(" \t\r\n-*_"):
            continue
        if following is not None and len(following[1]) != len(heading[1]):
            continue  # a deeper heading is content; a higher one may close a part
        title = heading.text.strip("#*_ \r")
        if (
            title[-1:] in _CONTENT_ENDINGS
            or title.count(" ") > 7
            or title.lower() in {"the end", "end", "fin"}
        ):
            continue  # such a heading is itself the content
        return Finding(
            severity="low" if following is not None else "medium",
            message=f"The heading “{title[:_MAX_TITLE_CHARS]}” has nothing under it.",
            detector="coherence.outline.heading",
            spans=(Span(heading.start, heading.end),),
            suggestion="Write the section or remove its heading.",
        )
    return None


_CONTENT_ENDINGS = frozenset('.?!:)…。？！"”>]')


class _Item(NamedTuple):
    number: int
    region: Region


def _jump(text: Text) -> Finding | None:
    """Find one list, counting on by ones, that jumps once or twice; picked numbers and ones are not that."""
    lists: dict[tuple[int, str], list[_Item]] = {}
    coded, begun = bool(text.code), 0
    for match in text.matches(_NUMBERED, limit=_MAX_ITEMS):
        if coded and text.in_code(match.start):
            continue
        marker = match.text.strip()
        indent = match.text[: match.text.index(marker)]
        start = match.start + len(indent)
        item = _Item(int(marker[:-1]), Region(start, start + len(marker)))
        items = lists.setdefault((len(indent.expandtabs(4)), marker[-1]), [])
        if item.number == 1 and (fault := _first_jump(items, _MIN_ITEMS)):
            return fault
        if item.number == 1:
            begun += 1
            items.clear()
        items.append(item)
    # Of two short lists one may pick its numbers from the other: clues across and down.
    least = _MIN_ITEMS - 1 if begun == len(lists) == 1 else _MIN_ITEMS
    faults = [fault for items in lists.values() if (fault := _first_jump(items, least))]
    return faults[0] if faults else None


def _first_jump(items: list[_Item], least: int) -> Finding | None:
    if len(items) < least or items[0].number > 1:
        return None
    steps = [later.number - earlier.number for earlier, later in pairwise(items)]
    wrong = [index for index, step in enumerate(steps) if step != 1]
    if not wrong or len(wrong) > 2 or not all(-1 <= steps[index] <= 3 for index in wrong):
        return None
    if len(items) < _MIN_ITEMS and sorted(steps) != [1, 2]:
        return None  # of so few, only one number left out is surely a slip
    before, after = items[wrong[0]], items[wrong[0] + 1]
    return Finding(
        severity="low",
        message=f"The numbering goes from {before.number} to {after.number}.",
        detector="coherence.outline.numbering",
        spans=(Span(*before.region), Span(*after.region)),
        suggestion="Number the items in order.",
    )
