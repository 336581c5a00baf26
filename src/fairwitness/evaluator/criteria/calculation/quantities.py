"""Reads the quantities of a text: numbers, money, measures, durations, clock times, dates and weekdays.

Each becomes one symbol of a line (`N3`, `T0`), so that questions and statements are patterns over words and kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from fairwitness.evaluator.criteria.calculation.days import NO_YEAR, Day
from fairwitness.evaluator.criteria.calculation.numbers import readings
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import MONTHS, NUMBER_WORDS, SIZES, WEEKDAYS, unit_of

# The symbol of a kind: a number, money, percent, a measure, a duration, a clock time, a date, a weekday, a ratio.
NUMBER, MONEY, PERCENT, MEASURE, DURATION, CLOCK, DATE, WEEKDAY, RATIO = "NMPUDTAWR"
# More quantities than a real text of this length has are not read.
_BASE_QUANTITIES, _CHARS_PER_QUANTITY = 60, 25
# What counts as a number where any kind of number will do.
NUMBERS = NUMBER, MONEY, PERCENT, MEASURE, DURATION
DAY = 86_400

_WORDS = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_SPELLED = rf"(?:(?:{_WORDS})(?:[- ](?:{_WORDS}))?(?: hundred)?)"
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d{1,20})?|\d{1,15}(?:\.\d{1,20})?|\.\d{1,20}"
_MONTH = "|".join(
    f"{month[:3]}(?:{month[3:]})?\\.?" if month != "may" else month for month in MONTHS
)
_COUNT = rf"(?:{_DIGITS}|{_SPELLED})"
_HALF = r"(?: and a half)?"
_CHAIN = (r"weeks?", r"days?", r"hours?|hrs?|h", r"minutes?|mins?|min", r"seconds?|secs?|s")
_JOIN = r"(?:,? and |, | )?"
# After hours an "m" is a minute: "2h 15m".
_AFTER_HOURS = {_CHAIN[3]: rf"{_CHAIN[3]}|m"}


def _chain(first: int) -> str:
    """Return the pattern of a duration that begins with one unit and may go on with the next smaller ones."""
    rest = "".join(
        rf"(?:{_JOIN}{_COUNT} ?(?:{_AFTER_HOURS.get(unit, unit)})\b"
        for unit in _CHAIN[first + 1 : first + 3]
    )
    closed = ")?" * len(_CHAIN[first + 1 : first + 3])
    return rf"{_COUNT}{_HALF}[ -]?(?:{_CHAIN[first]})\b{_HALF}{rest}{closed}"


# "1 h 45" leaves out the minutes' name.
_BARE_MINUTES = r"\d{1,2} ?h ?[0-5]\d(?: ?(?:minutes?|mins?|m))?\b"
# "an hour and 45 minutes"
_HOUR_AND = rf"an hour(?: and|,) {_COUNT} (?:minutes?|mins?|min)\b"
_DURATION = "|".join([_BARE_MINUTES, _HOUR_AND, *(_chain(first) for first in range(len(_CHAIN)))])
_PIECE = Pattern(
    rf"(?P<count>{_COUNT})(?P<more>{_HALF})[ -]?(?P<unit>{'|'.join(_CHAIN)}|m)\b(?P<more2>{_HALF})",
    ignore_case=True,
)
_MEASURE = (
    r"mm|cm|km/h|km|kilomet(?:er|re)s?|centimet(?:er|re)s?|millimet(?:er|re)s?|met(?:er|re)s?|m|mg|kg|kilos?|"
    r"kilograms?|grams?|g|ml|millilit(?:er|re)s?|lit(?:er|re)s?|l|inch(?:es)?|feet|foot|ft|yards?|miles?|"
    r"pounds?|lbs?|ounces?|oz|pints?|quarts?|gallons?"
)
_VALUE = Pattern(
    rf"\b(?:(?P<day1>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month1>{_MONTH})|(?P<month2>{_MONTH}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)"
    r"\b(?:,? (?P<year>[12]\d{3}))?\b"
    r"|\b(?P<one2>\d{1,3})(?: : |:)(?P<other2>\d{1,3}(?:,\d{3})+)\b"
    r"|\b(?P<iso>[12]\d{3}-\d{2}-\d{2})\b"
    r"|(?:\b|[-−])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?: ?(?P<half>[ap]m\b|[ap]\.m\.))?"
    r"|\b(?P<hour2>\d{1,2}) ?(?P<half2>[ap]m\b|[ap]\.m\.)"
    rf"|\b(?P<duration>{_DURATION})"
    rf"|\b(?P<half3>half an?|an?|one) (?P<unit4>hour|minute|day|week|kilogram|kilo|kilomet(?:er|re)|lit(?:er|re)|met(?:er|re))\b(?P<more2>{_HALF})"
    rf"|(?P<percent>{_DIGITS}) ?(?:%|per ?cent\b)"
    rf"|(?P<sign>[$€£₹¥]) ?(?P<money>{_DIGITS})"
    rf"|\b(?P<money2>{_DIGITS}) ?(?:(?P<coin>dollars?|euros?|pounds sterling|rupees|yen)\b|(?P<coin2>[$€£₹]))"
    rf"|\b(?P<measure>{_DIGITS}|{_SPELLED})[ -]?(?P<unit>{_MEASURE})\b"
    r"|\b(?P<one>\d{1,6}(?:,\d{3})?)(?: : |:)(?P<other>\d{1,3}(?:,\d{3})+|\d{1,6})\b"
    r"|(?P<top>[-−]?\b\d{1,6})/(?P<bottom>[1-9]\d{0,5})\b"
    rf"|(?P<number>(?:[-−]\b)?(?:{_DIGITS})|\b{_SPELLED}\b)"
    rf"|\b(?P<weekday>{'|'.join(WEEKDAYS)})s?\b",
    ignore_case=True,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity: its kind, its value in the smallest unit of its kind, and where it is.

    Of a date the value is its ordinal, in a leap year where no year is given; of a clock time, seconds.
    """

    kind: str
    value: Fraction
    start: int
    end: int
    text: str
    unit: str = ""
    places: int = 0
    year: int = 0
    half: str = ""
    other: Fraction = Fraction(0)

    @property
    def amount(self) -> Fraction:
        """The number as it is written, in its own unit."""
        size = SIZES.get(self.unit, 1) if self.kind in {MEASURE, DURATION} else 1
        return self.value / size

    @property
    def ratio(self) -> tuple[Fraction, Fraction] | None:
        """The two numbers of "50:1", also where they were read as a time of day."""
        first, _, second = self.text.replace(",", "").replace(" ", "").partition(":")
        both = first.isdigit() and second.isdigit()
        return (Fraction(int(first)), Fraction(int(second))) if both else None

    @property
    def place(self) -> Region:
        """Where it is written."""
        return Region(self.start, self.end)

    def moved(self, by: int) -> Quantity:
        """Return it further on in a text, of which it was read in a part."""
        return replace(self, start=self.start + by, end=self.end + by)


class Line:
    """A text as one lower-case line in which each quantity is a symbol: its kind and its number."""

    def __init__(self, text: Text) -> None:
        """Read the quantities of the text."""
        self.text = text
        most = _BASE_QUANTITIES + len(text) // _CHARS_PER_QUANTITY
        self.quantities = [
            found for match in text.matches(_VALUE, limit=most) if (found := _read(match))
        ]

    @cached_property
    def value(self) -> str:
        """The line; it goes no further than the quantities that were read."""
        pieces, at = [], 0
        for index, quantity in enumerate(self.quantities):
            pieces += [self.text.lower[at : quantity.start], f"{quantity.kind}{index}"]
            at = quantity.end
        pieces.append(self.text.lower[at:])
        return "".join(pieces).replace("’", "'").replace("**", "")

    @cached_property
    def _view(self) -> Text:
        return Text(self.value)

    def find(self, pattern: Pattern, limit: int = 20, *, overlapping: bool = False) -> list[Match]:
        """Return the first matches of a pattern over the line."""
        view = self._view
        return pattern.find(view.utf8, view.codepoint, limit, overlapping=overlapping)

    def first(self, pattern: Pattern) -> Match | None:
        """Return the first match of a pattern over the line, or None."""
        found = self.find(pattern, limit=1)
        return found[0] if found else None

    def __getitem__(self, symbol: str) -> Quantity:
        """Return the quantity of a symbol."""
        return self.quantities[int(symbol[1:])]

    def of(self, *kinds: str) -> list[Quantity]:
        """Return the quantities of some kinds, in order."""
        return [quantity for quantity in self.quantities if quantity.kind in kinds]

    def kinds(self) -> str:
        """Return the kinds of all quantities, in order."""
        return "".join(quantity.kind for quantity in self.quantities)


def _read(match: Match) -> Quantity | None:
    return _READERS[match.which(_READERS)](match)


def _made(match: Match, kind: str, value: Fraction, **more: object) -> Quantity:
    text = match.text
    if kind != NUMBER and text[0] in "-−":  # "9:00-17:30" is no negative time
        text = text[1:]
    return Quantity(kind, value, match.end - len(text), match.end, text, **more)  # type: ignore[arg-type]


def number(text: str) -> tuple[Fraction, int]:
    """Read a number in digits or words: its value and the decimals shown."""
    low = text.lower().replace("−", "-")
    if low in {"a", "an", "one"}:
        return Fraction(1), 0
    if low.startswith("half"):
        return Fraction(1, 2), 0
    if low.lstrip("-")[:1].isalpha():
        words = low.replace("-", " ").split()
        total = sum(NUMBER_WORDS.get(word, 0) for word in words)
        return Fraction(total * (100 if "hundred" in words else 1)), 0
    negative = low.startswith("-")
    english, _ = readings(low.lstrip("-") if low[:1] != "." else f"0{low}")
    value, places = english or (Fraction(0), 0)
    return -value if negative else value, places


def _date(match: Match) -> Quantity | None:
    if match["iso"]:
        year, month, day = map(int, match["iso"].split("-"))
    else:
        name = (match["month1"] or match["month2"])[:3].lower()
        month = next(n for n, known in enumerate(MONTHS, 1) if known.startswith(name))
        day, year = int(match["day1"] or match["day2"]), int(match["year"] or 0)
    try:
        ordinal = Day(year or NO_YEAR, month, day).ordinal
    except ValueError:
        return None
    return _made(match, DATE, Fraction(ordinal), year=year)


def _clock(match: Match) -> Quantity | None:
    hour, minute = int(match["hour"] or match["hour2"]), int(match["minute"] or 0)
    half = (match["half"] or match["half2"])[:1].lower()
    if match["second"]:  # 2:00:35 is how long something took
        total = Fraction(hour * 3600 + minute * 60 + int(match["second"]))
        return _made(match, DURATION, total, unit="second")
    if minute > 59 or hour > (12 if half else 24) or (half and not hour):
        return _ratio(match, "hour", "minute")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    seconds = Fraction(hour * 3600 + minute * 60)
    return _made(match, CLOCK, seconds, half=half)


def _duration(match: Match) -> Quantity:
    if match["unit4"]:
        known = unit_of(match["unit4"].lower())
        unit = known[1] if known else ""
        count = number(match["half3"])[0] + (Fraction(1, 2) if match["more2"] else 0)
        kind = DURATION if known and known[0] == "time" else MEASURE
        return _made(match, kind, SIZES[unit] * count, unit=unit)
    total, places, unit = Fraction(3600 * match["duration"].lower().startswith("an ")), 0, "hour"
    for piece in Text(match["duration"]).matches(_PIECE):
        count, places = number(piece["count"])
        if piece["more"] or piece["more2"]:
            count += Fraction(1, 2)
        known = unit_of("min" if piece["unit"].lower() == "m" else piece["unit"].lower())
        unit = known[1] if known else ""
        total += count * SIZES[unit]
    hours, _, minutes = match["duration"].lower().partition("h")
    if minutes.strip()[:2].isdigit():  # "1 h 45", "13h50", "2h15m"
        total = Fraction(3600 * int(hours) + 60 * int(minutes.strip()[:2]))
    return _made(match, DURATION, total, unit=unit, places=places)


def _measure(match: Match) -> Quantity:
    count, places = number(match["measure"])
    low = match["unit"].lower()
    known = unit_of(low)
    unit = known[1] if known else low
    return _made(match, MEASURE, count * SIZES.get(unit, 1), unit=unit, places=places)


def _money(match: Match) -> Quantity:
    value, places = number(match["money"] or match["money2"])
    known = unit_of(match["sign"] or match["coin"].lower() or match["coin2"])
    return _made(match, MONEY, value, unit=known[1] if known else "", places=places)


def _percent(match: Match) -> Quantity:
    value, places = number(match["percent"])
    return _made(match, PERCENT, value / 100, places=places)


def _ratio(match: Match, one: str = "one", other: str = "other") -> Quantity:
    first, second = number(match[one])[0], number(match[other])[0]
    return _made(match, RATIO, first, other=second)


def _fraction(match: Match) -> Quantity:
    top, _ = number(match["top"])
    return _made(match, NUMBER, top / int(match["bottom"]), unit="/")


def _number(match: Match) -> Quantity:
    value, places = number(match["number"])
    return _made(match, NUMBER, value, places=places)


def _weekday(match: Match) -> Quantity:
    return _made(match, WEEKDAY, Fraction(WEEKDAYS.index(match["weekday"].lower())))


# By the group that takes part in a match, the commonest first.
_READERS: dict[str, Callable[[Match], Quantity | None]] = {
    "number": _number, "money": _money, "percent": _percent, "duration": _duration, "measure": _measure,
    "hour": _clock, "hour2": _clock, "day1": _date, "day2": _date, "iso": _date, "unit4": _duration,
    "money2": _money, "one": _ratio, "one2": lambda match: _ratio(match, "one2", "other2"),
    "top": _fraction, "weekday": _weekday,
}  # fmt: skip
