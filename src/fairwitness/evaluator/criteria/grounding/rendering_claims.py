"""Compares a text that was only to be put otherwise (translated, corrected, reformatted) with its source.

Nothing is worked out there: every number comes back as it was, and so do a "not" and the side of an opposite.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.criteria.grounding.number_support import ends_working
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.number_words import plain_numbers
from fairwitness.evaluator.facts.translated_words import denies, half_denies, opposed
from fairwitness.evaluator.facts.words import words_in
from fairwitness.evaluator.given import Task
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

_MAX_CHARS = 4000
# More that differ are another text, not a slip.
_MAX_CHANGED = 2
# What a translation may convert.
_CONVERTIBLE = Pattern(
    r"^[\s-]?(?:miles?|mph|feet|foot|ft|inch(?:es)?|pounds?|lbs?|ounces?|oz|gallons?|yards?|acres?|°|degrees)\b",
    ignore_case=True,
)
_UNIT_CHARS = 10
# A translation is about as long as its source; what is longer also explains.
_MAX_LONGER, _MAX_ADDED_CHARS = 1.6, 20
# The languages whose words of denial are known, as an order names them.
_TRANSLATES = Pattern(
    r"\b(?:(?:in|into|to|ins|auf|al|en|em|in|para o|to my) (?:\pL+ )?(?:english|german|french|spanish|italian|portuguese|deutsche?|englische?|franz\pL+|spanische?|italienische?|inglés|español|alemán|francés|anglais|français|allemand|inglese|tedesco|francese|italiano|português|inglês)"
    r"|(?:english|german|french|spanish|italian|portuguese),? please)\b",
    ignore_case=True,
)
_MARKS = "\"'”’“»)*_ "
_PORTUGUESE = Pattern(r"\bportug", ignore_case=True)


def rendering_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each number, denial or opposite that is not the source's."""
    size = sum(part.region.end - part.region.start for part in ground.given.passages)
    faithful = ground.given.rewords and ground.task is not Task.OPEN
    if faithful and max(size, len(ground.response)) <= _MAX_CHARS:
        yield from _numbers(ground)
        yield from _turned(ground)


def _turned(ground: Ground) -> Iterator[Claim]:
    """Yield a claim where a translation denies what its source affirms, or the other way round, sentence by sentence."""
    text, passages = ground.response, ground.given.passages
    if len(passages) != 1 or not _TRANSLATES.search(ground.prompt.utf8):
        return
    part = passages[0]
    given = [unit.region for unit in ground.index.units]
    if len(given) != len(text.sentences):
        return
    portuguese = _PORTUGUESE.search(ground.prompt.utf8)
    for theirs, mine in zip(given, text.sentences, strict=True):
        source, said = part.text.slice(theirs), text.slice(mine)
        if source.rstrip(_MARKS).endswith("?") or (
            len(said) > _MAX_LONGER * len(source) + _MAX_ADDED_CHARS
        ):
            continue
        were = [part.text.lower[a:b] for a, b in words_in(part.text, theirs)]
        are = [text.lower[a:b] for a, b in words_in(text, mine)]
        was, now = denies(were), denies(are, portuguese and not ground.in_english)
        span = Span(theirs.start, theirs.end, part.source)
        if was != now and not half_denies(were) and not half_denies(are):
            change = "leaves out a “not”" if was else "adds a “not”"
            message = f"The translation {change}: the source has “{_short(source)}”."
            yield Claim("denial", mine, span, "medium", message)
        elif was == now and (words := opposed(were, are)):
            message = f"The translation has “{words[1]}” where the source has “{words[0]}”."
            yield Claim("denial", mine, span, "medium", message)


def _short(value: str) -> str:
    return value if len(value) <= 80 else value[:77] + "..."


def _numbers(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each number that stands where the source has another one."""
    given, text = ground.given, ground.response
    said = plain_numbers(text, Region(0, len(text)))
    if not said:
        return
    told = [
        (part, number)
        for part in given.passages
        for number in plain_numbers(part.text, part.region)
    ]
    around = [number for part in given.beside for number in plain_numbers(part.text, part.region)]
    given_numbers = [number for _, number in told]
    added = [
        one
        for one in said
        # "A ladder" is one ladder in a table.
        if one.sure
        and one.value > 1
        and not one.is_one_of([*given_numbers, *around])
        # A sum beside the text is added to it, and stands for no number of the source.
        and not ends_working(text, one.place.start)
    ]
    lost = [(part, one) for part, one in told if one.sure and not one.is_one_of(said)]
    if not added or len(added) != len(lost) or len(added) > _MAX_CHANGED:
        return
    for one, (part, other) in zip(added, lost, strict=True):
        # In the source's language, a number in words may count what the response names: "two hours later".
        if ground.both_in_english and not text.value[one.place.start].isdecimal():
            continue
        after = part.text.value[other.place.end : other.place.end + _UNIT_CHARS]
        if _CONVERTIBLE.search(after.encode()):
            continue
        source = Span(other.place.start, other.place.end, part.source)
        message = f"States “{text.slice(one.place)}” where the source has “{part.text.slice(other.place)}”."
        yield Claim("number", one.place, source, "high", message)
