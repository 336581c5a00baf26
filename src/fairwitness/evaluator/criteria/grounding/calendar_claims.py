"""Compares the months and weekdays of a translation with those of its source, by their names in seven languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.given import Task
from fairwitness.evaluator.text import Region, Text

_MAX_WORDS = 3000
_FEW_UNITS = 4
# By number; names that are also other words count as months beside a day only.
_WEEKDAYS = """
monday montag lundi lunes lunedì segunda-feira maandag
tuesday dienstag mardi martes martedì terça-feira dinsdag
wednesday mittwoch mercredi miércoles mercoledì quarta-feira woensdag
thursday donnerstag jeudi jueves giovedì quinta-feira donderdag
friday freitag vendredi viernes venerdì sexta-feira vrijdag
saturday samstag sonnabend samedi sábado sabato zaterdag
sunday sonntag dimanche domingo domenica zondag
"""
_MONTHS = """
january januar jänner janvier enero gennaio janeiro januari
february februar février febrero febbraio fevereiro februari
march märz mars marzo março maart
april avril abril aprile
may mai mayo maggio maio mei
june juni juin junio giugno junho
july juli juillet julio luglio julho
august août agosto augustus
september septembre septiembre settembre setembro
october oktober octobre octubre ottobre outubro
november novembre noviembre novembro
december dezember décembre diciembre dicembre dezembro
"""
_DOUBTFUL = frozenset({"march", "may", "mars", "mai", "mei", "august"})


class _Named(NamedTuple):
    kind: str
    number: int
    place: Region


_NAMES = {
    name: (kind, number)
    for kind, lines in (("weekday", _WEEKDAYS), ("month", _MONTHS))
    for number, line in enumerate(lines.split("\n"))
    for name in line.split()
}


def calendar_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim where a translation names another month or weekday than its source, and never the source's."""
    if not ground.given.rewords or ground.task is Task.OPEN:
        return
    # Who says "tomorrow" in other words of the same language names another day.
    if ground.both_in_english and len(ground.index.units) > _FEW_UNITS:
        return
    stated = _named(ground.response, Region(0, len(ground.response)))
    if not stated:
        return
    given = [
        (part.source, part.text, one)
        for part in ground.given.passages
        for one in _named(part.text, part.region)
    ]
    for kind in ("weekday", "month"):
        mine = [one for one in stated if one.kind == kind]
        theirs = [each for each in given if each[2].kind == kind]
        # One of each: where there are several, which is which is not known.
        if len({one.number for one in mine}) != 1 or len({each[2].number for each in theirs}) != 1:
            continue
        source, text, one = theirs[0]
        if one.number != mine[0].number:
            message = f"Names “{ground.response.slice(mine[0].place)}” where the source has “{text.slice(one.place)}”."
            span = Span(one.place.start, one.place.end, source)
            yield Claim("calendar", mine[0].place, span, "high", message)


def _named(text: Text, region: Region) -> list[_Named]:
    found = []
    words = text.words[:_MAX_WORDS]
    for at, (start, end) in enumerate(words):
        name = text.lower[start:end]
        known = _NAMES.get(name)
        if known is None or not region.start <= start < region.end:
            continue
        beside = text.value[words[at - 1].start] if at else ""
        after = text.value[words[at + 1].start] if at + 1 < len(words) else ""
        if name in _DOUBTFUL and not (beside.isdecimal() or after.isdecimal()):
            continue
        found.append(_Named(*known, Region(start, end)))
    return found
