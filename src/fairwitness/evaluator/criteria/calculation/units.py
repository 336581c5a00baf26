"""Decides whether two sides of an equation speak of the same things, so that only numbers need comparing."""

from __future__ import annotations

from fairwitness.evaluator.criteria.calculation.parser import Parsed
from fairwitness.evaluator.vocabulary import unit_of

# How many of one unit of time, length, mass, volume, data or count make another.
_FACTORS = frozenset(
    {2, 3, 7, 12, 16, 24, 30, 36, 52, 60, 365, 1000, 1024, 1440, 3600, 5280, 10**6, 86400}
)
_MONEY = frozenset("$ € £ ¥ ₹".split())


def comparable(one: Parsed, two: Parsed) -> bool:
    """Tell whether nothing has to be converted, and no word is an unknown."""
    words = [
        [word for token in label for word in _words(token.text)]
        for label in one.labels + two.labels
    ]
    units: dict[str, set[str]] = {}
    for word in (word for label in words for word in label):
        unit = unit_of(word)
        if unit is not None:
            units.setdefault(unit[0], set()).add(unit[1])
    for sign in one.currencies | two.currencies:
        known = unit_of(sign)
        units.setdefault("money", set()).add(known[1] if known else sign)
    if any(len(names) > 1 for names in units.values()) or _clock(words):
        return False
    if two.operators and _units(one) != _units(two):
        return False  # "3 * 4KB = 3 * 4096" converts on the way
    return not _algebra(one, two) and _same_things(one, two)


def converted(one: Parsed, two: Parsed) -> bool:
    """Tell "30 + 60 = 1.5 hours": only the result names a unit, and it is off by a factor between units."""
    if not _units(two) or _units(one) or not one.value.mid or not two.value.mid:
        return False
    ratio = abs(one.value.mid / two.value.mid)
    return max(ratio, 1 / ratio) in _FACTORS and _units(two).isdisjoint(_MONEY)


def _units(side: Parsed) -> set[str]:
    words = {word for label in side.labels for token in label for word in _words(token.text)}
    return {unit[1] for word in words if (unit := unit_of(word)) is not None}


def _algebra(one: Parsed, two: Parsed) -> bool:
    """Tell "3h + 5 = 20" from "3 m + 5 m = 8 m": a lone letter is a unit only where it runs through."""
    letters = [{word for token in label for word in _words(token.text)} for label in one.labels]
    result = {word for label in two.labels for token in label for word in _words(token.text)}
    single = {word for label in letters for word in label if len(word) == 1 and word.isalpha()}
    if not single:
        return False
    measured = {unit[0] for word in single if (unit := unit_of(word))}
    others = {unit_of(word) for label in [*letters, result] for word in label if len(word) > 1}
    longer = any(unit and unit[0] in measured for unit in others) or any(
        len(label) > 1 and label & single
        for label in letters  # km/h
    )
    if longer and result:
        return False
    return not (single <= result and len(single) == 1 and (not one.added or all(letters)))


def _words(text: str) -> list[str]:
    """Return the words of a label; a remark in parentheses names nothing."""
    if text[0] == "(":
        return []
    cleaned = text.replace("\\text", "").replace("\\mathrm", "").strip("(){}.- ")
    return [word.strip("(){},.") for word in cleaned.replace("/", " ").replace("-", " ").split()]


def _clock(words: list[list[str]]) -> bool:
    return any(
        word.lower() in {"am", "pm", "o'clock", "remainder", "r"}
        for label in words
        for word in label
    )


def _same_things(one: Parsed, two: Parsed) -> bool:
    """Refuse "2 pens + 3 pencils = 13": the words may be unknowns, not things counted."""
    if not one.added:
        return True
    named = [
        {_stem(word) for token in label for word in _words(token.text)} for label in one.labels
    ]
    named = [label for label in named if label]
    result = {_stem(word) for label in two.labels for token in label for word in _words(token.text)}
    if two.currencies and not one.currencies and named:
        return bool(result & set().union(*named))
    if len(named) < 2 or set.intersection(*named):
        return True
    return bool(result & set().union(*named))


def _stem(word: str) -> str:
    return word.lower().rstrip("s")
