"""Reads which places are how far from UTC, and checks the local times that a response gives for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import CLOCK, DAY, DURATION, Line, number
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import COUNT_WORDS

_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS, _MAX_ZONES, _MAX_LINES = 2_000, 4_000, 6, 60
_MAX_CLOCKS, _MAX_SPANS = 4, 3
_OFFSET = Pattern(
    r"\b(?:UTC|GMT)[  ]?(?P<sign>[-+−–])[  ]?(?P<hours>\d{1,2})(?::(?P<minutes>[0-5]\d))?\b",
    ignore_case=True,
)
_PLACE = Pattern(r"\b(?P<place>\p{Lu}\pL{2,}(?: \p{Lu}\pL+)?)[^.;:\p{Lu}]{0,30}$")
_NO_PLACES = frozenset("UTC GMT AoE AM PM The Our My His Her".split())
# "Lisbon is one hour behind Frankfurt", "where we land, clocks are 1 hour ahead of Lisbon"
_APART = Pattern(
    rf"(?:\b(?P<one>\p{{Lu}}\pL+)[^.;:\n]{{0,30}} |\b(?P<there>there|land|destination|arrive|clocks)[^.;:\n]{{0,40}} )(?P<how>\d{{1,2}}|an|{COUNT_WORDS}) hours? (?P<side>ahead|behind)(?: of)?(?: (?P<other>\p{{Lu}}\pL+))?"
)
_FROM = Pattern(
    r"\b(?:from|leav(?:e|es|ing)|depart(?:s|ing)?(?: from)?|out of) (?P<place>\p{Lu}\pL+)\b"
)

_WORKING = Pattern(r"[=+→≈]|[−–] \d|,.*\d:\d.*,|\b(?:is|which|from)\b")
_IN_UTC = Pattern(r"^ ?(?:UTC|GMT)")
# A time is looked for that suits, and need not be one that was told.
_LOOKS_FOR = Pattern(
    r"\b(?:free|availab\w*|overlap\w*|suggest|propose|slot|suits?|best|working hours|office hours|earliest)\b",
    ignore_case=True,
)


def signed_sums(spans: Sequence[Fraction], most: int = 1) -> Iterator[Fraction]:
    """Yield what lengths add up to, each taken so often forwards or backwards at most, or not at all."""
    for ways in product(range(-most, most + 1), repeat=len(spans)):
        yield sum((way * span for way, span in zip(ways, spans, strict=True)), Fraction(0))


class Zone(NamedTuple):
    """A place and how many seconds its clocks are ahead of UTC."""

    place: str
    offset: Fraction


def zones(text: Text) -> list[Zone]:
    """Return the places that the text gives an offset from UTC for; a place without a name is ""."""
    found: list[Zone] = []
    for match in text.matches(_OFFSET, limit=_MAX_ZONES):
        hours, minutes = int(match["hours"]), int(match["minutes"] or 0)
        size = Fraction(hours * 3600 + minutes * 60)
        before = Text(text.value[max(0, match.start - 50) : match.start]).search(_PLACE)
        place = before["place"] if before and before["place"] not in _NO_PLACES else ""
        found.append(Zone(place, size if match["sign"] == "+" else -size))
    return found


def zone_times(exchange: Exchange) -> Iterator[Check]:
    """Yield a check for the local times of each place that the prompt gives an offset for, and of an arrival."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) > _MAX_PROMPT_CHARS or len(response) > _MAX_RESPONSE_CHARS:
        return
    if prompt.search(_LOOKS_FOR):
        return
    told = zones(prompt)
    if len(told) == len({zone.place for zone in told}) and told:
        yield from _by_place(prompt, response, told)
    elif not told:
        yield from _arrival(prompt, response)


def _by_place(prompt: Text, response: Text, told: list[Zone]) -> Iterator[Check]:
    line = Line(prompt)
    clocks = {one.value for one in line.of(CLOCK)}
    spans = {one.value for one in line.of(DURATION)}
    if not 1 <= len(clocks) <= _MAX_CLOCKS or len(spans) > _MAX_SPANS:
        return
    offsets = {zone.offset for zone in told} | {Fraction(0)}
    sums = {*signed_sums([*spans])}
    in_utc = {clock - offset + total for clock in clocks for offset in offsets for total in sums}
    for part in response.lines[:_MAX_LINES]:
        value = response.slice(part)
        named = [zone for zone in told if zone.place and zone.place in value]
        # A row of a table, or a line that is all about one place.
        if len(named) != 1 or not _is_row(value):
            continue
        for one in Line(Text(value)).of(CLOCK):
            if _IN_UTC.search(value[one.end : one.end + 6].encode()):
                continue
            right = any((utc + named[0].offset - one.value) % (DAY // 2) == 0 for utc in in_utc)
            yield Check.of(one.moved(part.start).place, right, sure=False)


def _is_row(value: str) -> bool:
    """Tell whether a line is a row of a table, or an item without any working in it."""
    return value.count("|") > 2 or (
        value.lstrip()[:1] in {"-", "*", "•"} and not _WORKING.search(value.encode())
    )


def _arrival(prompt: Text, response: Text) -> Iterator[Check]:
    """Compare where an arrival's local time was shifted the wrong way: an hour back where clocks are an hour ahead."""
    apart, start = prompt.search(_APART), prompt.search(_FROM)
    if apart is None or start is None or len(prompt.matches(_APART, limit=2)) > 1:
        return
    home = start["place"]
    line = Line(prompt)
    leaving = line.of(CLOCK)
    flights = [one for one in line.of(DURATION) if not apart.start <= one.start < apart.end]
    if not leaving or not flights:
        return
    hours = int(number(apart["how"])[0])
    ahead = apart["side"] == "ahead"
    if apart["other"] == home or (not apart["other"] and apart["there"]):
        shift = hours if ahead else -hours
    elif apart["one"] == home and apart["other"]:
        shift = -hours if ahead else hours
    else:
        return
    there = leaving[0].value + flights[0].value
    right, wrong = ((there + way * shift * 3600) % (DAY // 2) for way in (1, -1))
    said = Line(response).of(CLOCK)
    if any(one.value % (DAY // 2) == right for one in said):
        return
    for one in said:
        if one.value % (DAY // 2) == wrong:
            minutes = int((there + shift * 3600) % DAY) // 60
            given = Region(apart.start, apart.end)
            fixed = f"{minutes // 60:02}:{minutes % 60:02}"
            yield Check.of(one.place, False, fixed, sure=False, given=given)
            return
