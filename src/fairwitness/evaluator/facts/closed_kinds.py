"""Finds every item of a closed kind in a text: addresses, links, phone numbers, dates, amounts, codes of one shape.

Each has a key by which two ways of writing the same item are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from fairwitness.evaluator.facts.moments import EVERY_MONTH
from fairwitness.evaluator.facts.quantities import YEAR, Figures, figures
from fairwitness.evaluator.facts.units import MONEY, PERCENT
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

MAX_FOUND = 200
_PHONE_DIGITS = 7  # that two ways of writing a number share: "+44 20 7946 0018", "020 7946 0018"
_MAX_PHONE_DIGITS = 15
EMAIL = Pattern(r"[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{1,30}){1,4}")
_WEB = Pattern(r"(?:\bhttps?://|\bwww\.)[^\s<>()\[\]\"'“”`*|]{3,200}", ignore_case=True)
_HASHTAG = Pattern(r"#\pL[\pL\d_]{0,60}")
_HANDLE = Pattern(r"(?:^|[^\pL\d_.])(?P<item>@\pL[\pL\d_]{1,40})")
# Of the numbers that are surely phone numbers: they have a plus, a zero or a bracket first, or groups of three and four.
_PHONE = Pattern(
    r"(?:^|[^\pL\d.,#/£$€-])(?P<item>(?:\+\d|\(?0|\(\d)[\d ()./–-]{6,22}\d|\d{3}[-. ](?:\d{3}[-. ])?\d{4})(?:[^\d]|$)"
)
_OF_FAX = Pattern(
    r"\b(?:fax|telefax|isbn|iban|vat|account|order|invoice)\W[^.\n]{0,12}$", ignore_case=True
)
_DAY = Pattern(r"\d{4}-\d\d-\d\d|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$")
CODE = Pattern(r"(?:#\d{2,9}|\b\pL{1,6}(?:-\pL{1,4})?[-–/_]?\d[\pL\d]*(?:[-–/_][\pL\d]+){0,3})\b")


class Found(NamedTuple):
    """An item as it is compared, and where it is."""

    key: str
    place: Region


def items_of_kind(kind: str, text: Text, region: Region) -> list[Found]:
    """Return the items of a kind in a region, in order; the kinds are the keys of `KINDS`."""
    part = Text(text.slice(region))
    return [
        Found(key, Region(region.start + place.start, region.start + place.end))
        for key, place in KINDS[kind](part)
    ]


def _emails(text: Text) -> list[Found]:
    return [
        Found(match.text.lower().lstrip("."), Region(match.start, match.end))
        for match in text.matches(EMAIL, limit=MAX_FOUND)
    ]


def _links(text: Text) -> list[Found]:
    found = []
    for match in text.matches(_WEB, limit=MAX_FOUND):
        said = match.text.rstrip(".,;:!?/_")
        bare = said.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.")
        found.append(Found(bare, Region(match.start, match.start + len(said))))
    return found


def _hashtags(text: Text) -> list[Found]:
    return [
        Found(match.text.lower(), Region(match.start, match.end))
        for match in text.matches(_HASHTAG, limit=MAX_FOUND)
    ]


def _handles(text: Text) -> list[Found]:
    return [
        Found(match["item"].lower(), Region(*match.span("item")))
        for match in text.matches(_HANDLE, limit=MAX_FOUND)
    ]


def _phones(text: Text) -> list[Found]:
    found = []
    for match in text.matches(_PHONE, limit=MAX_FOUND):
        place = Region(*match.span("item"))
        digits = "".join(filter(str.isdecimal, match["item"]))
        before = text.value[max(0, place.start - 30) : place.start]
        if _OF_FAX.search(before.encode()) or _DAY.search(match["item"].encode()):
            continue
        if _PHONE_DIGITS <= len(digits) <= _MAX_PHONE_DIGITS:
            found.append(Found(digits[-_PHONE_DIGITS:], place))
    return found


def _dates(text: Text) -> list[Found]:
    return [
        Found(f"{moment.day}.{moment.month}", Region(moment.start, moment.end))
        for moment in figures(text).moments
        if moment.is_date and moment.day and moment.month not in {0, EVERY_MONTH}
    ]


def _times(text: Text) -> list[Found]:
    return [
        Found(str(moment.minutes % 720), Region(moment.start, moment.end))
        for moment in figures(text).moments
        if not moment.is_date
    ]


def _measured(dimension: str) -> Callable[[Text], list[Found]]:
    return lambda text: [
        Found(f"{item.key:g}", Region(item.start, item.end))
        for item in figures(text).quantities
        if item.dimension == dimension and not item.spelled
    ]


def _numbers(text: Text) -> list[Found]:
    read: Figures = figures(text)
    return [
        Found(f"{item.key:g}", Region(item.start, item.end))
        for item in read.quantities
        if not item.spelled
    ]


def _years(text: Text) -> list[Found]:
    return [
        Found(f"{item.key:g}", Region(item.start, item.end))
        for item in figures(text).quantities
        if item.dimension == YEAR
    ]


def _codes(text: Text) -> list[Found]:
    return [
        Found(match.text.lower(), Region(match.start, match.end))
        for match in text.matches(CODE, limit=MAX_FOUND)
        if any(map(str.isdecimal, match.text))
    ]


def shape_of(code: str) -> str:
    """Return the shape of a code: its letters and marks as they are, "0" for each digit."""
    return "".join("0" if char.isdecimal() else char for char in code.lower())


def main_shape(codes: list[Found], least: int) -> str:
    """Return the shape that most codes have, where at least so many have it, else nothing."""
    counted = Counter(shape_of(code.key) for code in {one.key: one for one in codes}.values())
    shape, count = counted.most_common(1)[0] if counted else ("", 0)
    return shape if count >= least else ""


KINDS: dict[str, Callable[[Text], list[Found]]] = {
    "email": _emails,
    "link": _links,
    "hashtag": _hashtags,
    "handle": _handles,
    "phone": _phones,
    "date": _dates,
    "time": _times,
    "amount": _measured(MONEY),
    "percentage": _measured(PERCENT),
    "number": _numbers,
    "year": _years,
    "code": _codes,
}
