"""Parses English numerals: number words, ordinals and how-often words. Knows no grammar."""

from __future__ import annotations

_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: value * 10
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000}
_ORDINALS = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
}
OFTEN = {"once": 1, "twice": 2, "thrice": 3}


def number_of(phrase: str) -> int | None:
    """Return the value of one numeral ("seven", "twenty five"), or None."""
    if phrase in _SMALL:
        return _SMALL[phrase]
    if phrase in _TENS:
        return _TENS[phrase]
    if phrase in _SCALES:
        return _SCALES[phrase]
    tens, _, unit = phrase.partition(" ")
    if tens in _TENS and 0 < _SMALL.get(unit, 0) < 10:
        return _TENS[tens] + _SMALL[unit]
    return None


def is_scale(word: str) -> bool:
    """Tell whether a numeral multiplies the one before it."""
    return word in _SCALES


def ordinal_of(word: str) -> int | None:
    """Return the place an ordinal names ("second"), or None."""
    return _ORDINALS.get(word)
