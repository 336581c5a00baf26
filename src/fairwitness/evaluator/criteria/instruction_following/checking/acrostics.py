"""Checks that the first letters of lines, sentences, paragraphs or words spell a word."""

from __future__ import annotations

from collections.abc import Callable

from fairwitness.evaluator.criteria.instruction_following.checking import counting
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.text import Region, Text

_MAX_SPANS = 8
_MAX_MARKER_CHARS = 12  # list marks before a line's first letter


def acrostic(demand: Demand, exchange: Exchange) -> Outcome:
    """The first letters spell the word, with a title or words around it if need be."""
    word, unit = demand.terms
    wanted = "".join(char.casefold() for char in word if char.isalpha())
    text = exchange.response
    for parts in _PARTS_BY_UNIT.get(unit, _ANY_PARTS):
        initials = _initials(text, parts(text))
        spelt = "".join(_letter(text, at) for at in initials)
        place = spelt.find(wanted)
        if place >= 0:
            return _outcome(word, initials[place : place + len(wanted)], found=word, met=True)
    initials = _initials(text, (_PARTS_BY_UNIT.get(unit, _ANY_PARTS)[0])(text))
    spelt = "".join(text.slice(at) for at in initials[:_MAX_SPANS])
    return _outcome(word, initials, found=spelt, met=False)


def _outcome(word: str, initials: list[Region], *, found: str, met: bool) -> Outcome:
    return Outcome(
        met=met,
        asked=f"first letters that spell “{word}”",
        found=f"they spell “{found}”",
        spans=tuple(initials[:_MAX_SPANS]),
        suggestion=None if met else f"Begin each line with the next letter of “{word}”.",
    )


def _letter(text: Text, at: Region) -> str:
    return text.slice(at).casefold()[:1]


def _initials(text: Text, parts: list[Region]) -> list[Region]:
    """Return where the first letter of each part is, past bullets, numbers and markup."""
    found = []
    for part in parts:
        until = min(part.end, part.start + _MAX_MARKER_CHARS)
        places = (at for at in range(part.start, until) if text.value[at].isalpha())
        at = next(places, None)
        if at is not None:
            found.append(Region(at, at + 1))
    return found


def _lettered(text: Text) -> list[Region]:
    """Return lines that set their first letter apart ("H - Here", "**H**ere"): others may go on from them."""
    found = []
    for line in counting.lines(text):
        for at in _initials(text, [line]):
            if text.value[at.end : at.end + 2].strip()[:1] in set("-–—:.)*=|"):
                found.append(line)
    return found


def _paragraphs(text: Text) -> list[Region]:
    return text.paragraphs


def _words(text: Text) -> list[Region]:
    return text.words


_LINES: tuple[Callable[[Text], list[Region]], ...] = (counting.lines, _lettered, _paragraphs)
_ANY_PARTS = (*_LINES, counting.sentences, _words)
_PARTS_BY_UNIT: dict[str, tuple[Callable[[Text], list[Region]], ...]] = {
    "line": _LINES,
    "verse": _LINES,
    "bullet": _LINES,
    "item": _LINES,
    "stanza": (_paragraphs,),
    "paragraph": (_paragraphs, counting.lines),
    "sentence": (counting.sentences, counting.lines),
    "word": (_words,),
}
