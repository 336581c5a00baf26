"""Compares addresses, phone numbers and codes: what identifies something is copied to the letter or wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.closed_kinds import EMAIL
from fairwitness.evaluator.given import Task
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_FOUND = 30
_MIN_DIGITS = 5
_MAX_OFF = 1
_WEB = Pattern(r"\b(?:https?://|www\.)[^\s<>()\"']{3,200}", ignore_case=True)
# Groups of digits as phone numbers have them, or letters and digits as codes have them.
_DIGITS = Pattern(r"\+?\(?\d{2,5}\)?(?:[ .\-–/]{1,2}\(?\d{2,5}\)?){1,5}\b")
# What is an amount, a date or a day of the month, and identifies nothing.
_NO_IDENTIFIER = Pattern(
    r"^\d{1,5}\.\d{2}$|^(?:19|20)\d\d[-–/.]\d\d[-–/.]\d\d$|^\d{1,2}(?:st|nd|rd|th)$",
    ignore_case=True,
)
# Results in minutes and seconds, or hours, minutes and seconds, which are no times of day.
_LAP = Pattern(r"\b(?:(?:2[4-9]|[3-9]\d|\d{3}):[0-5]\d|\d{1,2}:[0-5]\d:[0-5]\d)\b")
_CODE = Pattern(
    r"\b(?:[A-Z]{1,6}[-–/]?\d[\dA-Z]*(?:[-–/][\dA-Z]+)*|\d+[A-Z]+[\dA-Z]*|\d{5,})\b",
    ignore_case=True,
)


_KINDS = (
    ("email", EMAIL),
    ("web", _WEB),
    ("lap", _LAP),
    ("digits", _DIGITS),
    ("code", _CODE),
)


class _Identifier(NamedTuple):
    kind: str
    key: str
    place: Region


def identifier_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each identifier that nothing given has, where the source has one like it that is not stated."""
    if ground.task is Task.OPEN:
        return
    text = ground.response
    stated = list(_identifiers(text, Region(0, len(text))))
    if not stated:
        return
    parts = ground.given.passages or ground.given.stated
    given = [
        (part.source, part.text, one)
        for part in parts
        for one in _identifiers(part.text, part.region)
    ]
    said = {one.key for one in stated}
    known = {one.key for _, _, one in given}
    known.update(
        one.key for part in ground.given.beside for one in _identifiers(part.text, part.region)
    )
    for one in stated:
        if one.key in known or any(one.key in key or key in one.key for key in known):
            continue
        if one.kind == "lap" and ground.many_figures:
            continue  # the sum of others
        alike = [each for each in given if each[2].key not in said and _alike(one, each[2])]
        if len(alike) != 1:
            continue
        source, origin, other = alike[0]
        message = (
            f"States “{text.slice(one.place)}” where the source has “{origin.slice(other.place)}”."
        )
        span = Span(other.place.start, other.place.end, source)
        yield Claim("identifier", one.place, span, ground.against, message)


def _alike(one: _Identifier, other: _Identifier) -> bool:
    """Tell whether one may be a slip for the other: of one kind, and nearly of one length where it is a number."""
    if one.kind != other.kind:
        return False
    if one.kind in {"email", "web"}:
        one_user, _, one_host = one.key.partition("@")
        user, _, host = other.key.partition("@")
        return (bool(host) and one_host == host) or one_user == user or _close(one.key, other.key)
    return len(one.key) == len(other.key) and _close(one.key, other.key)


def _close(one: str, other: str) -> bool:
    """Tell whether two differ in a few places at most, or only in the order of their characters."""
    if len(one) == len(other):
        different = sum(a != b for a, b in zip(one, other, strict=True))
        return different <= max(2, len(one) // 4)
    return abs(len(one) - len(other)) <= _MAX_OFF and one[:4] == other[:4]


def _identifiers(text: Text, region: Region) -> Iterator[_Identifier]:
    value = Text(text.slice(region))
    taken: list[Region] = []
    for kind, pattern in _KINDS:
        for match in value.matches(pattern, limit=_MAX_FOUND):
            place = Region(match.start, match.end)
            named = kind in {"email", "web"}
            low = match.text.lower().rstrip(".,;:!?/")
            key = low if named else "".join(char for char in low if char.isalnum())
            digits = sum(char.isdecimal() for char in key)
            enough = (
                named
                or digits >= _MIN_DIGITS
                or kind == "lap"
                or (kind == "code" and digits and len(key) >= 4 and not key.isdecimal())
            )
            # "5 Dec 2024 17:42", "2024-12-05T17:42"
            moment = kind == "digits" and value.value[match.end : match.end + 1] in {":", "-"}
            if moment or _NO_IDENTIFIER.search(match.text.encode()):
                continue
            if enough and not any(
                place.start < other.end and other.start < place.end for other in taken
            ):
                taken.append(place)
                yield _Identifier(
                    kind, key, Region(region.start + place.start, region.start + place.end)
                )
