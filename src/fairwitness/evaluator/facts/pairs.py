"""Reads what a line lists as names with one value each: "Mon 41, Tue 38, Wed 52", or a table of two columns."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.facts.words import stem
from fairwitness.evaluator.facts.written_numbers import read_digits
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import MONTHS

MIN_PAIRS = 3
_MAX_PAIRS = 40
_MAX_LINE_CHARS = 600
_MINUTES = 60.0
_PAIR = Pattern(
    r"^\W*(?:and )?(?P<key>\pL[\pL’' -]{0,24}?)\*{0,2}\s{0,2}[:–—|(=-]?\s{0,2}(?P<value>[$€£]?\s?-?\d[\d.,]*(?::\d\d)?)\s?(?P<unit>[\pL%€£°]{0,8})\W*$"
)
_DURATIONS = frozenset(
    "s sec secs seconds second min mins minutes minute h hr hrs hours hour".split()
)


class Pair(NamedTuple):
    """A name with its value: the name in lower case, the number, whether it is a time that passed, where, and the name as written."""

    key: str
    value: float
    timed: bool
    place: Region
    name: str


def pairs_of(text: Text) -> list[Pair]:
    """Return the pairs of the one line, or the one run of lines, that lists at least three of them."""
    lists = [found for line in text.lines if (found := _in_line(text, line))]
    rows: list[Pair] = []
    for line in text.lines:
        row = _pair(text, line)
        if row is not None:
            rows.append(row)
    if len(rows) >= MIN_PAIRS:
        lists.append(rows)
    keys = {pair.key for found in lists for pair in found}
    whole = len(lists) == 1 and len(keys) == len(lists[0]) <= _MAX_PAIRS
    return lists[0] if whole else []


def _in_line(text: Text, line: Region) -> list[Pair]:
    said = text.slice(line)
    if len(said) > _MAX_LINE_CHARS or said.count(",") + said.count(";") + 1 < MIN_PAIRS:
        return []
    for end in _sentence_ends(said):
        start = said.rfind(": ", 0, said.find(",")) + 1
        found, at = [], line.start + start
        for piece in said[start:end].replace(";", ",").split(","):
            # "3,800" is one number, and no list has its comma without a space.
            found.append(_pair(text, Region(at, at + len(piece))))
            at += len(piece) + 1
        if len(found) >= MIN_PAIRS and None not in found:
            return [pair for pair in found if pair is not None]
    return []


def _sentence_ends(said: str) -> list[int]:
    """Return where the sentences of a line end, the last first."""
    ends = [at + 1 for at in range(len(said) - 1) if said[at] in ".?!" and said[at + 1] == " "]
    return [*ends[:3], len(said)]


def _pair(text: Text, region: Region) -> Pair | None:
    said = text.slice(region)
    if len(said) > 60 or not any(map(str.isdecimal, said)):
        return None
    match = Text(said).search(_PAIR)
    if match is None:
        return None
    digits = match["value"].strip("$€£ ").rstrip(".,")
    clocked = ":" in digits
    timed = clocked or match["unit"].lower() in _DURATIONS
    minutes, _, seconds = digits.partition(":")
    parsed = read_digits(minutes.lstrip("-"))
    if parsed is None:
        return None
    value = parsed[0] * _MINUTES + float(seconds) if clocked else parsed[0]
    # "Oslo -4": a dash with a space before it and none behind it is a minus.
    at = match.span("value")[0]
    below = digits[0] == "-" or (said[at - 1 : at] in {"-", "−"} and said[at - 2 : at - 1] == " ")
    name = match["key"].strip()
    low, high = match.span("key")
    return Pair(
        name.lower(),
        -value if below else value,
        timed,
        Region(region.start + low, region.start + high),
        name,
    )


def named(pairs: list[Pair], text: Text, region: Region) -> list[Pair]:
    """Return the pairs whose name a region has, in the order it names them."""
    found: dict[str, Pair] = {}
    by_word = {_word(pair.key): pair for pair in pairs}
    for start, end in text.words:
        if region.start <= start < region.end:
            word = text.lower[start:end]
            pair = by_word.get(_word(word)) or (by_word.get(word[:3]) if _is_day(word) else None)
            if pair is not None and text.lower.startswith(pair.key.rstrip("s")[:4], start):
                found.setdefault(pair.key, pair)
    return list(found.values())


def _word(key: str) -> str:
    return stem(key.split(maxsplit=1)[0]) if key else ""


def _is_day(word: str) -> bool:
    return word.endswith("day") or word in _MONTHS


_MONTHS = frozenset(MONTHS) - {"may"}
