"""The words of labels and cells as they are compared: "Thursday" is "Thu", "60 × 90" is "60x90", "desks" is "Desk"."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.facts.moments import MONTHS, WEEKDAYS
from fairwitness.evaluator.facts.words import stem, words_in
from fairwitness.evaluator.text import Region, Text

DAYS = {
    **{name: f"day {number}" for name, number in WEEKDAYS.items()},
    **{name[:3]: f"day {number}" for name, number in WEEKDAYS.items()},
    "tues": "day 2", "weds": "day 3", "thur": "day 4", "thurs": "day 4",
    **{name: f"month {number}" for name, number in MONTHS.items()},
}  # fmt: skip


class Token(NamedTuple):
    """A word of a text as labels are compared, and where it is."""

    form: str
    start: int
    end: int


def tokens_of(text: Text, region: Region, *, label: bool = False) -> list[Token]:
    """Return the words of a region; letters and digits apart, without "x" between sizes and "to" between ends.

    A label alone may be a month or a day in small letters.
    """
    found: list[Token] = []
    words = words_in(text, region)
    label = label and len(words) == 1
    for word in words:
        for start, end in _parts(text.value, word):
            raw = text.value[start:end]
            between = raw in {"x", "X"} and found and found[-1].form.isdecimal()
            if raw != "to" and not (between and text.value[end : end + 2].strip()[:1].isdecimal()):
                found.append(Token(_form(raw, label=label), start, end))
    return found


def _parts(value: str, word: Region) -> list[tuple[int, int]]:
    """Return the runs of letters and of digits in a word."""
    if value[word.start : word.end].isalpha():
        return [(word.start, word.end)]
    found, start = [], word.start
    for at in range(word.start + 1, word.end + 1):
        apart = at == word.end or _kind(value[at]) != _kind(value[start])
        if apart:
            if value[start].isalnum():
                found.append((start, at))
            start = at
    return found


def _kind(char: str) -> int:
    return 2 if char.isdecimal() else 1 if char.isalnum() or char in "'’" else 0


def _form(raw: str, *, label: bool) -> str:
    if len(raw) == 1:
        return raw
    low = raw.lower().removesuffix("'s").removesuffix("’s")
    # "may", "march" and "sat" are words of their own.
    day = DAYS.get(low) or (DAYS.get(low[:-1]) if low.endswith("days") else None)
    if day is not None and (label or raw[0].isupper() or low in WEEKDAYS):
        return day
    return stem(low)
