"""Tells whether a number stands in a statement that the source makes in the same words with another number."""

from __future__ import annotations

from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.facts.polarity import whole
from fairwitness.evaluator.facts.quantities import Quantity
from fairwitness.evaluator.facts.words import STOPWORDS, content_stems, first_word, stem
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MIN_STEMS = 2
_WORDS_LEFT, _WORDS_RIGHT = 5, 4
# By these a number is said to be worked out from others, or to be that of another case.
_RECKONS = Pattern(
    r"=|\b(?:so|thus|hence|therefore|then|together|altogether|totals?|combined|makes?|leaves?|left|remain\w*|in all|more|fewer|less|extra|another|other|rest|each|every|per|both|would|could|instead|average|difference)\b",
    ignore_case=True,
)


def restates(
    ground: Ground, quantity: Quantity, sentence: Region, number: int, given: Quantity
) -> bool:
    """Tell whether a sentence says of its number what a unit of the source says of another one.

    A number that was worked out is said of something else, or of more: it brings other words with it.
    """
    text, unit = ground.response, ground.index.units[number]
    if quantity.approximate or ground.brings_numbers:
        return False
    mine = _beside(text, sentence, quantity)
    theirs = _beside(unit.text, unit.region, given)
    before, after = (
        bool(one) and one[:1] == other[:1] for one, other in zip(mine, theirs, strict=True)
    )
    if not (before or after):
        return False
    said, told = whole(text, sentence), whole(unit.text, unit.region)
    if said.supposing or said.negations != told.negations:
        return False
    if reckons(text, sentence) and not reckons(unit.text, unit.region):
        return False
    others = {one.key for one in ground.figures_within(sentence)} - {quantity.key}
    stems = frozenset(content_stems(unit.text, unit.region))
    # Between the same two words, what else the sentence tells is another matter: "Vera, built in 1911, lies".
    if before and after:
        new = {word for word in (*mine[0], *mine[1]) if not word[0].isdecimal()} - stems
        return len(new) <= 1 and others <= ground.index.by_value.keys()
    known = {one.key for one in ground.index.figures_in(number).quantities}
    own = frozenset(content_stems(text, sentence))
    return own <= stems and len(own) >= _MIN_STEMS and others <= known


def reckons(text: Text, region: Region) -> bool:
    """Tell whether a sentence has a word of a calculation, or of another case."""
    return _RECKONS.search(text.slice(region).encode())


def _beside(text: Text, region: Region, quantity: Quantity) -> tuple[list[str], list[str]]:
    """Return the stems of the few words before and after a number in its sentence, the nearest first."""
    left, right = first_word(text, quantity.start), first_word(text, quantity.end)
    before = text.words[max(0, left - _WORDS_LEFT) : left][::-1]
    after = text.words[right : right + _WORDS_RIGHT]
    return _stems(text, region, before), _stems(text, region, after)


def _stems(text: Text, region: Region, words: list[Region]) -> list[str]:
    said = (text.lower[a:b] for a, b in words if region.start <= a < region.end)
    return [stem(word) for word in said if word not in STOPWORDS]
