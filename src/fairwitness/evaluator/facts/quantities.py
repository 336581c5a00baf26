"""Finds quantities: numbers with their unit, percentages, money and years, in digits or in words.

A quantity keeps how exactly it is written, so that what is rounded can be told from what is changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.facts.moments import Moment, moments
from fairwitness.evaluator.facts.units import MONEY, NO_UNITS, currency_before, unit_after
from fairwitness.evaluator.facts.written_numbers import (
    MAX_NUMBER_CHARS,
    coarse_step,
    number_end,
    read_digits,
    spelled_value,
)
from fairwitness.evaluator.text import Text
from fairwitness.evaluator.vocabulary import CURRENCY, NUMBER_WORDS, SCALES, unit_of

YEAR = "year_date"
# A hostile text of nothing but numbers is read so far and no further.
MAX_QUANTITIES = 2_500
_MARKS = frozenset("#[@_/\\")
# After these a number is the name of something: it is not measured, and nothing is worked out from it.
_LABELS = frozenset(
    """step section chapter page figure table item point part phase tip question option version article paragraph
    clause number no rule reason line level slide example case appendix source passage document note day lesson""".split()
)
_APPROXIMATE = frozenset(
    """about approximately approx around roughly nearly almost over under some circa ca least than
    estimated close""".split()
)
_MAX_SIDES = 3
_HALVES = {"half": 0.5, "quarter": 0.25, "dozen": 12.0, "twice": 2.0, "double": 2.0, "triple": 3.0}


class Quantity(NamedTuple):
    """A number as it is written: its value, its unit, and the size of its last digit (`step`).

    `coarse` is the size of its last digit that is not 0. `other` is its value with a decimal comma. `label` is
    one that names a thing ("step 3"), `spelled` one in words.
    """

    start: int
    end: int
    value: float
    unit: str = ""
    dimension: str = ""
    step: float = 1.0
    coarse: float = 1.0
    approximate: bool = False
    spelled: bool = False
    label: bool = False
    other: float | None = None

    @property
    def key(self) -> float:
        """The value as it is looked up."""
        return key_of(self.value)


def key_of(value: float) -> float:
    """Return a value without the noise of floating point."""
    return round(value, 6)


class Figures(NamedTuple):
    """The quantities and the moments of one text; `complete` where none was left unread."""

    quantities: list[Quantity]
    moments: list[Moment]
    complete: bool


def figures(text: Text) -> Figures:
    """Return every quantity and every date and time of a text, in order; none is counted twice."""
    times = moments(text)
    found: list[Quantity] = []
    skip, upcoming = 0, iter([*times, Moment(len(text) + 1, len(text) + 1)])
    moment = next(upcoming)
    lower, words = text.lower, text.words
    for index, (start, _) in enumerate(words):
        if start < skip:
            continue
        while moment.end <= start:
            moment = next(upcoming)
        if moment.start <= start:
            continue
        first = lower[start]
        if first.isdecimal():
            for quantity in _in_digits(text, index):
                found.append(quantity)
                skip = quantity.end
        elif first in "zotfsenhdq" and (spelled := _in_words(text, index)) is not None:
            found.append(spelled)
            skip = spelled.end
        if len(found) >= MAX_QUANTITIES:
            return Figures(found, times, False)
    return Figures(found, times, True)


def _in_digits(text: Text, index: int) -> Iterator[Quantity]:
    """Yield the number at a word that starts with a digit; both of "10-15 kg"."""
    start, limit = text.words[index].start, len(text)
    value = text.value
    before = value[start - 1] if start else " "
    if before in ".,’'" and value[start - 2 : start - 1].isdecimal() and not _is_cell(value, start):
        return  # inside a number too long to be one
    if before in _MARKS or _is_list_marker(text, start, text.words[index].end):
        return
    read: list[tuple[int, int]] = []
    at = start
    while True:
        stop = number_end(value, at, limit)
        # A size has no thousands: in "4x40,250" the next cell begins.
        if value[at - 1 : at] == "x" and "," in value[at:stop]:
            stop = value.index(",", at)
        read.append((at, stop))
        joint, more = value[stop : stop + 1], value[stop + 1 : stop + 2].isdecimal()
        # "10-15 kg", "40x30x15 cm"; not "0x15"
        by = joint == "x" and value[start] != "0" and len(read) < _MAX_SIDES
        if not more or not (by or (joint in {"-", "–"} and len(read) == 1)):
            break
        at = stop + 1
    longer = value[stop : stop + 1] in {"-", "–"} and value[stop + 1 : stop + 2].isdecimal()
    if len(read) == 2 and longer:
        return  # a phone number or a serial number
    if len(read) == 2 and read[0][1] - read[0][0] == 4 and read[1][1] - read[1][0] == 2:
        read.pop()  # "2018-19"
    for low, high in read:
        quantity = _measured(text, index, low, high, read[-1][1])
        if quantity is not None:
            yield quantity


def _is_cell(value: str, start: int) -> bool:
    """Tell whether a number stands behind others in a line of cells: "mop,3,6.50", where a comma follows a word."""
    run = value[max(0, start - 4 * MAX_NUMBER_CHARS) : start]
    return run[len(run.rstrip("0123456789.,")) :].startswith(",")


def _is_list_marker(text: Text, start: int, end: int) -> bool:
    if end - start > 3 or text.value[end : end + 1] not in {".", ")"}:
        return False
    head = text.value[text.value.rfind("\n", 0, start) + 1 : start]
    return not head.strip(" \t*_(#>-|") and text.value[end + 1 : end + 2] in {" ", "*", ""}


def _measured(text: Text, index: int, low: int, high: int, end: int) -> Quantity | None:
    """Return the number written from `low` to `high` with the unit after `end`."""
    if high - low > MAX_NUMBER_CHARS:
        return None
    digits = text.value[low:high]
    parsed = read_digits(digits)
    if parsed is None:
        return None
    amount, step, other = parsed
    sign = currency_before(text, low)
    scale, unit, dimension, stop = unit_after(text, end, bool(sign))
    if dimension == "none":
        return None
    if dimension.startswith("half "):
        amount, dimension = amount + 0.5, dimension[5:]
    if sign:
        unit, dimension = sign, MONEY
    start = low - 1 if sign and text.value[low - 1] in CURRENCY else low
    if not unit and scale == 1 and len(digits) == 4 and digits.isdecimal():
        dimension = YEAR if 1000 <= amount <= 2199 else ""
    label, approximate = _before(text, index)
    stop = stop if end == high else high
    value = amount * scale
    return Quantity(
        start, max(stop, high), value, unit, dimension, step * scale, coarse_step(digits, step) * scale,
        approximate, False, label and not unit, None if other is None else other * scale,
    )  # fmt: skip


def _before(text: Text, index: int) -> tuple[bool, bool]:
    """Tell whether the words before a number make it a label, and whether they make it approximate."""
    words, lower = text.words, text.lower
    near = [lower[start:end] for start, end in words[max(0, index - 2) : index]]
    if not near:
        return False, False
    start = words[index].start
    gap = text.value[words[index - 1].end : start]
    label = near[-1] in _LABELS and len(gap) <= 2 and "\n" not in gap and ":" not in gap
    return label, bool(_APPROXIMATE & {*near}) or "~" in gap or "≈" in gap or ">" in gap


def _below_hundred(text: Text, index: int) -> float | None:
    """Return what follows on "one hundred": "forty", or "and forty-two"; None where another number begins."""
    words, lower = text.words, text.lower
    if lower[words[index].start : words[index].end] == "and":
        index += 1
        if index >= len(words) or text.value[words[index - 1].end : words[index].start] != " ":
            return None
    pieces = lower[words[index].start : words[index].end].split("-")
    value = spelled_value(pieces) if pieces[0] in NUMBER_WORDS else None
    after = words[index + 1] if index + 1 < len(words) else None
    scaled = after is not None and lower[after.start : after.end] in SCALES
    return value if value is not None and value < 100 and not scaled else None


def _half(text: Text, index: int, value: float) -> Quantity:
    """Return "half", with its unit in "half an hour" and "half a kilo"."""
    start, end = text.words[index]
    if text.lower[end : end + 8] == " an hour":
        return Quantity(start, end + 8, 30.0, "minute", "time", spelled=True)
    if text.lower[end : end + 3] == " a " and index + 2 < len(text.words):
        word = text.words[index + 2]
        known = None if text.slice(word) in NO_UNITS else unit_of(text.slice(word))
        if known is not None:
            return Quantity(start, word.end, value, known[1], known[0], spelled=True)
    return Quantity(start, end, value, spelled=True, approximate=True)


def _in_words(text: Text, index: int) -> Quantity | None:
    """Return the number that starts with this word: "ninety", "two hundred", "half"."""
    words, lower = text.words, text.lower
    start, end = words[index]
    pieces = lower[start:end].split("-")
    if pieces[0] in _HALVES and pieces[0] not in {"quarter", "double", "triple"}:
        return _half(text, index, _HALVES[pieces[0]])
    if pieces[0] not in NUMBER_WORDS:
        return None
    value = spelled_value(pieces)
    if value is None:
        if len(pieces) != 2:
            return None
        known = unit_of(pieces[1])
        unit = (known[1], known[0]) if known and pieces[1] not in NO_UNITS else ("", "")
        return Quantity(start, end, float(NUMBER_WORDS[pieces[0]]), *unit, spelled=True)
    first = index
    while index + 1 < len(words) and text.value[end : words[index + 1].start] == " ":
        following = lower[words[index + 1].start : words[index + 1].end]
        if following in SCALES:
            value *= SCALES[following]
        elif following in NUMBER_WORDS and value >= 20 and NUMBER_WORDS[following] < 10:
            value += NUMBER_WORDS[following]
        elif value >= 100 and (rest := _below_hundred(text, index + 1)) is not None:
            value += rest
            index += following == "and"
        else:
            break
        index += 1
        end = words[index].end
    _, unit_name, dimension, stop = unit_after(text, end, False)
    label, approximate = _before(text, first)
    if dimension == "none":
        dimension, unit_name, stop = "", "", end
    if dimension.startswith("half "):
        value, dimension = value + 0.5, dimension[5:]
    return Quantity(
        start, stop, value, unit_name, dimension, approximate=approximate, spelled=True, label=label
    )
