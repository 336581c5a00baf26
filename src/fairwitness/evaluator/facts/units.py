"""Reads what a number is a number of: the currency before it, and the unit, scale or sign after it."""

from __future__ import annotations

from fairwitness.evaluator.text import Text
from fairwitness.evaluator.vocabulary import (
    CURRENCY,
    CURRENCY_CODES,
    SCALES,
    SHORT_SCALES,
    UNITS,
    unit_of,
)

PERCENT, MONEY = "percent", "money"
# Words that look like units after a number and mostly are none.
NO_UNITS = frozenset("in a am pm A V N W J K mi quarter quarters nickel stone bar as".split())
_POWERS = {"²": "area", "³": "volume"}
# "km2"
_DIGITS = {"2": "²", "3": "³"}
_CURRENCY_OF = {"USD": "$", "EUR": "€", "GBP": "£", "INR": "₹", "JPY": "¥", "Rs": "₹"}


def currency_before(text: Text, start: int) -> str:
    value = text.value
    if start and value[start - 1] in CURRENCY:
        return value[start - 1]
    head = value[max(0, start - 4) : start].strip()
    return _CURRENCY_OF.get(head, head) if head in CURRENCY_CODES else ""


def unit_after(text: Text, end: int, money: bool) -> tuple[float, str, str, int]:
    """Return scale, unit, dimension and end of what follows a number; the dimension "none" where it is no number."""
    value, scale, stop = text.value, 1.0, end
    word, low, high = _word_after(value, end)
    if high and low == end and word in {"st", "nd", "rd", "th", "s"}:
        return 1.0, "", "none", end
    if value[end : end + 4].replace(" ", "")[:2] in {"'s", "’s"}:
        return 1.0, "", "none", end  # "the 1980's"
    if value[end : end + 11].lower() == " and a half":
        return _with_half(text, end + 11)
    if high and (word.lower() in SCALES or (low == end and word in SHORT_SCALES and word != "m")):
        scale = float(SCALES.get(word.lower()) or SHORT_SCALES[word])
        stop = high
        word, low, high = _word_after(value, high)
    elif high and money and low == end and word == "m":
        return 1e6, "", "", high
    sign = value[stop : stop + 2].lstrip()[:1]
    if sign and (sign == "%" or sign in CURRENCY):
        place = value.index(sign, stop) + 1
        return scale, sign, PERCENT if sign == "%" else MONEY, place
    degrees = value[stop : stop + 3].lstrip()
    if degrees[:1] == "°" and degrees[1:2] in {"C", "F"}:
        return scale, degrees[:2], "temperature", value.index("°", stop) + 2
    if low == end and word in {"C", "F"}:
        return scale, f"°{word}", "temperature", high
    if not high:
        return scale, "", "", stop
    if word.lower() in {"percent", "percentage"} or value[low : low + 8].lower() == "per cent":
        return scale, "%", PERCENT, high if word.lower() != "per" else low + 8
    known = None if word in NO_UNITS else unit_of(word)
    if known is not None:
        return scale, *_to_its_power(value, known, high)
    if low == end and scale == 1:
        return 1.0, "", "none", end  # "5G", "3D": the name of a thing
    return scale, "", "", stop


def _to_its_power(value: str, known: tuple[str, str], end: int) -> tuple[str, str, int]:
    """Return unit, dimension and end of a unit that may be squared or cubed."""
    power = value[end : end + 1]
    if known[0] == "length" and not value[end + 1 : end + 2].isalnum():
        power = _DIGITS.get(power, power)
    if power in _POWERS:
        return known[1] + power, _POWERS[power], end + 1
    return known[1], known[0], end


def unit_named(word: str) -> str:
    """Return the unit that a word is, with its power; an empty string where it is none."""
    bare = word.rstrip("".join(_POWERS))
    # "km2", and not "M3" or "H2"
    if word[-1:] in _DIGITS and UNITS.get(word[:-1]) == "length":
        bare = word[:-1]
    known = None if bare in NO_UNITS else unit_of(bare)
    return "" if known is None else _to_its_power(word, known, len(bare))[0]


def _with_half(text: Text, end: int) -> tuple[float, str, str, int]:
    """Return the unit of "one and a half hours"; the half itself is added where the number is known."""
    scale, unit, dimension, stop = unit_after(text, end, False)
    return scale, unit, "half " + dimension, stop


def _word_after(value: str, end: int) -> tuple[str, int, int]:
    """Return the letters right after a number, or after one space or hyphen, and where they are."""
    low = end + 1 if value[end : end + 1] in {" ", "-", "\u00a0", "\u202f"} else end
    high = low
    while high < len(value) and high - low < 14 and (value[high].isalpha() or value[high] == "µ"):
        high += 1
    return value[low:high], low, high if high > low else 0
