"""Compares each record of a response, a row, a line or an object, with the one line of the source that names the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.frame_claims import takes_over
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground, states
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.index import within
from fairwitness.evaluator.facts.moments import Moment
from fairwitness.evaluator.facts.quantities import Quantity
from fairwitness.evaluator.facts.words import STOPWORDS, stem, words_in
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

_MAX_RECORDS = 60
_MAX_CLAIMS = 6
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
    """Yield a claim for each record with one figure that the source's line of the same name has otherwise."""
    if not takes_over(ground) or ground.given.works_out:
        return
    text, claims = ground.response, 0
    records = [*text.matches(_OBJECT, limit=_MAX_RECORDS), *text.matches(_LINE, limit=_MAX_RECORDS)]
    for match in records:
        number = _unit_of(ground, Region(*match.span("key")))
        if number is None:
            continue
        unit = ground.index.units[number]
        region = Region(match.start, match.end)
        mine = _figures(
            within(ground.figures.quantities, region), within(ground.figures.moments, region)
        )
        given = ground.index.figures_in(number)
        theirs = _figures(given.quantities, given.moments)
        changed = _changed(mine, theirs)
        if changed is None:
            continue
        stated, source = changed
        said = text.value[stated.start : stated.end]
        was = unit.text.value[source.start : source.end]
        yield Claim(
            "record",
            Region(stated.start, stated.end),
            Span(source.start, source.end, unit.source),
            ground.plainly_against,
            f"States “{said}” where the source has “{was}”.",
        )
        claims += 1
        if claims >= _MAX_CLAIMS:
            return


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
    found = [
        _Figure((q.key,), f"number {q.unit}", q.start, q.end) for q in quantities if not q.label
    ]
    for moment in moments:
        key = (moment.minutes % 720,) if not moment.is_date else (moment.day, moment.month)
        found.append(_Figure(key, "date" if moment.is_date else "time", moment.start, moment.end))
    return found


def _changed(mine: list[_Figure], theirs: list[_Figure]) -> tuple[_Figure, _Figure] | None:
    """Return the one figure of a record that differs, and the given one, where all the others are the same."""
    if not 2 <= len(mine) <= _MAX_FIGURES or len(mine) != len(theirs):
        return None
    said, given = {one.key for one in mine}, {one.key for one in theirs}
    new = [one for one in mine if one.key not in given]
    lost = [one for one in theirs if one.key not in said]
    # A figure that is said twice may stand for one that is lost.
    if not new and len(lost) == 1 and len(said) == len(mine) - 1:
        twice = [one for one in mine if sum(one.key == other.key for other in mine) > 1]
        new = [one for at, one in enumerate(mine) if one in twice and theirs[at].key != one.key]
    if len(new) != 1 or len(lost) != 1:
        return None
    # "1.2 g" may be 1200 mg.
    same = new[0].kind == lost[0].kind or "number " in {new[0].kind, lost[0].kind}
    return (new[0], lost[0]) if same and new[0].kind[0] == lost[0].kind[0] else None
