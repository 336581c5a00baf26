"""Finds names: runs of capitalised words that stand where ordinary words would be in lower case."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.facts.moments import MONTHS, WEEKDAYS
from fairwitness.evaluator.facts.words import STOPWORDS
from fairwitness.evaluator.text import Region, Text

_JOINTS = frozenset({" ", ". ", "-", " & ", "’s ", "'s "})
_COMMON = frozenset(
    """mr mrs ms dr prof sir madam lord lady st mt god internet english ok note summary answer yes tv ceo cto pdf faq
    key points main overall conclusion background purpose context total question results findings author year""".split()
)
_SHORT_DAYS = frozenset("mon tue tues wed thu thur thurs fri sat sun".split())
# More capitalised words than this share make a line a heading.
_HEADING_SHARE = 0.55
_SENTENCE_SHARE = 0.75


class Name(NamedTuple):
    """A name: where it is, and its words in lower case; `sure` where no sentence begins with it."""

    start: int
    end: int
    words: tuple[str, ...]
    sure: bool


def names_among(text: Text, region: Region, words: list[Region]) -> list[Name]:
    """Return the names among the words of one sentence."""
    capital = [_capitalised(text, word) for word in words]
    ordinary = [word for word in words if text.value[word.start].isalpha()]
    raised = sum(text.value[word.start].isupper() for word in ordinary)
    share = _SENTENCE_SHARE if text.value[region.end - 1] in ".!?" else _HEADING_SHARE
    if len(ordinary) > 3 and raised > share * len(ordinary):
        return []
    found: list[Name] = []
    at = 0
    while at < len(words):
        if not capital[at]:
            at += 1
            continue
        stop = at + 1
        while (
            stop < len(words)
            and capital[stop]
            and text.value[words[stop - 1].end : words[stop].start] in _JOINTS
        ):
            stop += 1
        run = words[at:stop]
        said = tuple(text.lower[word.start : word.end] for word in run)
        opening = _opens(text, run[0].start, region.start)
        found.append(Name(run[0].start, run[-1].end, said, not opening))
        at = stop
    return found


def _capitalised(text: Text, word: Region) -> bool:
    value = text.value
    if not value[word.start].isupper() or word.end - word.start < 2:
        return False
    low = text.lower[word.start : word.end]
    if low in STOPWORDS or low in _COMMON or low in MONTHS or _bare(low) in WEEKDAYS:
        return False
    if low.rstrip(".") in _SHORT_DAYS:
        return False
    return not low.startswith(("i'", "i’"))


def _bare(word: str) -> str:
    """Return a day's name without the ending of "Wednesdays" or "Wednesday's"."""
    return word.removesuffix("s").rstrip("'’")


def _opens(text: Text, start: int, sentence: int) -> bool:
    """Tell whether a word begins its sentence, line, list item, quotation or label; before it may stand only signs."""
    before = text.value[sentence:start].rstrip(" ")
    return not any(map(str.isalnum, before)) or before[-1] in "\"“'‘:*_-–•>(#|.!?…\n\t0123456789]"
