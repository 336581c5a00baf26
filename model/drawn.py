"""Values drawn for made sources, and how people write them: times, dates, money, measures."""

from __future__ import annotations

import random
from dataclasses import dataclass

DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = (
    "January February March April May June July August September October November December".split()
)
SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
MONEY = {"$": "dollars", "£": "pounds", "€": "euros"}


@dataclass(frozen=True, slots=True)
class Style:
    """How a text writes its values."""

    #: "2:30 pm", and lengths of time in minutes alone.
    twelve: bool
    month_first: bool
    short_months: bool
    #: "12 pounds" for "£12".
    money_in_words: bool

    @classmethod
    def drawn(cls, rng: random.Random) -> Style:
        return cls(*(rng.random() < share for share in (0.4, 0.4, 0.3, 0.3)))


def draw(column: dict, rng: random.Random) -> float:
    """A value of an ordered column."""
    kind = column["kind"]
    low, high = column.get("low", 1), column.get("high", 100)
    if kind == "time":
        return rng.randrange(6 * 60, 22 * 60, rng.choice((5, 15, 30)))
    if kind == "date":
        return rng.randrange(12 * 28)
    if kind == "year":
        return rng.randrange(int(column.get("low", 1890)), int(column.get("high", 2025)) + 1)
    if kind == "money" and column.get("cents"):
        return rng.randrange(round(low * 20), round(high * 20) + 1) / 20
    if kind == "number" and column.get("decimals"):
        return round(rng.uniform(low, high), column["decimals"])
    if kind == "minutes":
        return (
            rng.randrange(int(low), int(high) + 1, 5)
            if high - low > 30
            else rng.randint(int(low), int(high))
        )
    return rng.randint(int(low), int(high))


def written(column: dict, value: float, style: Style) -> str:
    """The value as a source of this style writes it."""
    kind = column["kind"]
    if kind == "time":
        return _clock(int(value), style.twelve)
    if kind == "date":
        month, day = MONTHS[int(value) // 28], int(value) % 28 + 1
        month = month[:3] if style.short_months else month
        return f"{month} {day}" if style.month_first else f"{day} {month}"
    if kind == "money":
        figures = f"{value:,.2f}" if column.get("cents") else f"{int(value):,}"
        sign = column.get("sign", "$")
        if style.money_in_words and sign in MONEY:
            return f"{figures} {MONEY[sign]}"
        return f"{sign}{figures}"
    if kind == "percent":
        return f"{int(value)}%"
    if kind == "minutes":
        return _duration(int(value), style)
    if kind == "year":
        return str(int(value))
    places = column.get("decimals", 0)
    return f"{value:.{places}f}{column.get('unit', '')}"


def _clock(minutes: int, twelve: bool) -> str:
    hour, minute = divmod(minutes, 60)
    if not twelve:
        return f"{hour:02d}:{minute:02d}"
    half = "am" if hour < 12 else "pm"
    return f"{(hour - 1) % 12 + 1}:{minute:02d} {half}"


def _duration(minutes: int, style: Style) -> str:
    hours, rest = divmod(minutes, 60)
    if not hours or style.twelve:
        return f"{minutes} min"
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def counted(number: int, rng: random.Random) -> str:
    """A number of things: a word, or a figure."""
    return SMALL[number] if number <= 12 and rng.random() < 0.7 else str(number)


def capital(text: str) -> str:
    """The text with a capital letter first."""
    return text[:1].upper() + text[1:]
