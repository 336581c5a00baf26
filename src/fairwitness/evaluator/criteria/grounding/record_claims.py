"""Compares each record of a response, a row, a line or an object, with the one line of the source that names the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground, states
from fairwitness.evaluator.criteria.grounding.taken_over import is_taken_over
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.index import within
from fairwitness.evaluator.facts.moments import Moment
from fairwitness.evaluator.facts.quantities import Quantity
from fairwitness.evaluator.facts.words import STOPWORDS, stem, words_in
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

_MAX_RECORDS = 60
_MAX_UNIT_CHARS = 240
_MAX_FIGURES = 8
_MIN_KEY_CHARS = 3
_RULES = frozenset(",:;|(-–—\t=")
# {"name": "Spade", "qty": 2}
_OBJECT = Pattern(r"\{[^{}]{0,60}?:\s?\"(?P<key>[^\"\n]{3,60})\"[^{}]{0,300}\}")
# "| Spade | 2 |", "- **Spade**: 2", "Spade, 2 pieces, 24.00"
_LINE = Pattern(
    r"^[ \t]*(?:[-*•+|]|\d{1,2}[.)])?[ \t]*[*_]{0,2}(?P<key>\pL[^|:;,(\n]{2,60}?)[*_]{0,2}[ \t]*(?:[|:;,(]|[-–—] )[^\n]{1,200}$",
    multiline=True,
)


class _Figure(NamedTuple):
    """A number, a date or a time as it is compared, and where it is."""

    key: tuple[float, ...]
    kind: str
    start: int
    end: int


def record_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for the one record with a figure that the source's line of the same name has otherwise."""
    if not is_taken_over(ground) or ground.brings_numbers or ground.given.works_out:
        return
    text = ground.response
    records = [*text.matches(_OBJECT, limit=_MAX_RECORDS), *text.matches(_LINE, limit=_MAX_RECORDS)]
    found: list[Claim] = []
    same = 0
    for match in records:
        number = _unit_of(ground, Region(*match.span("key")))
        if number is None:
            continue
        region = Region(match.start, match.end)
        mine = _figures(
            within(ground.figures.quantities, region), within(ground.figures.moments, region)
        )
        given = ground.index.figures_in(number)
        theirs = _figures(given.quantities, given.moments)
        same += [one.key for one in mine] == [one.key for one in theirs]
        changed = _changed(mine, theirs)
        if changed is not None:
            found.append(_claim(ground, number, *changed))
    # Records of which more are changed, or none is the same, were to be changed: summed up, counted, put in another form.
    if len(found) == 1 and same:
        yield from found


def _claim(ground: Ground, number: int, stated: _Figure, source: _Figure) -> Claim:
    unit = ground.index.units[number]
    said = ground.response.value[stated.start : stated.end]
    was = unit.text.value[source.start : source.end]
    return Claim(
        "record",
        Region(stated.start, stated.end),
        Span(source.start, source.end, unit.source),
        ground.plainly_against,
        f"States “{said}” where the source has “{was}”.",
    )


def _unit_of(ground: Ground, key: Region) -> int | None:
    """Return the only unit of the source that has a name, where it is a short one."""
    text = ground.response
    name = " ".join(text.lower[key.start : key.end].strip(" *_`").split())
    words = [text.lower[word.start : word.end] for word in words_in(text, key)]
    telling = [word for word in words if word not in STOPWORDS and word.isalpha()]
    if not telling or max(map(len, telling)) < _MIN_KEY_CHARS:
        return None
    units = min((ground.index.units_with(stem(word)) for word in telling), key=len)
    found = [
        number
        for number in units
        if name in ground.index.units[number].text.lower[slice(*ground.index.units[number].region)]
    ]
    if len(found) != 1:
        return None
    unit = ground.index.units[found[0]]
    start, end = unit.region
    after = unit.text.lower.index(name, start) + len(name)
    # "Spade, 2 pieces" is a record of spades, "Spades and rakes for 12" is not.
    ruled = unit.text.value[after : after + 3].lstrip(" *_")[:1] in _RULES
    return found[0] if ruled and end - start <= _MAX_UNIT_CHARS and states(unit) else None


def _figures(quantities: list[Quantity], moments: list[Moment]) -> list[_Figure]:
    """Return numbers, dates and times in their order; what is only near to a number is left out."""
    found = [
        _Figure((q.key,), f"number {q.dimension} {q.unit}", q.start, q.end)
        for q in quantities
        if not q.label and not q.approximate
    ]
    for moment in moments:
        key = (moment.minutes % 720,) if not moment.is_date else (moment.day, moment.month)
        found.append(_Figure(key, "date" if moment.is_date else "time", moment.start, moment.end))
    return sorted(found, key=lambda one: one.start)


def _changed(mine: list[_Figure], theirs: list[_Figure]) -> tuple[_Figure, _Figure] | None:
    """Return the one figure of a record that differs, and the given one in its place, where the others are the same."""
    if not 2 <= len(mine) <= _MAX_FIGURES or len(mine) != len(theirs):
        return None
    apart = [(a, b) for a, b in zip(mine, theirs, strict=True) if a.key != b.key]
    if len(apart) != 1 or apart[0][0].kind != apart[0][1].kind:
        return None
    return apart[0]
