"""Compares the dates and times of a response with those it was given."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground, words_of
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.moments import Moment, agree
from fairwitness.evaluator.given import Task
from fairwitness.evaluator.text import Region

_MAX_STATED = 60
_MAX_MOMENTS = 2000
# In a text this short, any time of day may be the one that was meant.
_FEW_UNITS = 12


def moment_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each date or time of the response that no given one agrees with."""
    text = ground.response
    if not ground.given.passages and any(q.dimension == "time" for _, q in ground.index.quantities):
        return  # "It starts at 19:50 and runs 2 hours": another time follows
    told = [given for _, given in (*ground.index.moments, *ground.beside.moments)][:_MAX_MOMENTS]
    said = ground.figures.moments[:_MAX_STATED]
    for moment in said:
        alike = [given for given in told if given.is_date == moment.is_date]
        if not alike or text.in_code(moment.start) or any(agree(one, moment) for one in alike):
            continue
        stated = Region(moment.start, moment.end)
        rival = _rival(ground, moment)
        if rival is None:
            if ground.closed and ground.task is Task.FAITHFUL and moment.is_date:
                message = f"States “{words_of(text, moment)}”, which is not in the source."
                yield Claim("absent_date", stated, ground.nearest_span(stated), "medium", message)
            continue
        if ground.task is Task.QUESTION and all(any(agree(g, one) for one in said) for g in alike):
            continue  # who states every given one works another out from them
        source, given = rival
        yield Claim(
            "moment",
            stated,
            source,
            ground.against,
            f"States “{words_of(text, moment)}” where the source has “{given}”.",
        )


def _rival(ground: Ground, moment: Moment) -> tuple[Span, str] | None:
    """Return the moment of a near unit that a stated one differs from: one that has some part in common with it."""
    for near in ground.nearest(ground.response.sentence_at(moment.start)):
        unit = ground.index.units[near.unit]
        for given in ground.index.figures_in(near.unit).moments:
            if given.is_date == moment.is_date and (not moment.is_date or _related(given, moment)):
                return Span(given.start, given.end, unit.source), words_of(unit.text, given)
    times = [item for item in ground.index.moments if not item[1].is_date]
    if moment.is_date or len(ground.index.units) > _FEW_UNITS or not times:
        return None
    number, given = min(times, key=lambda item: abs(item[1].minutes - moment.minutes))
    unit = ground.index.units[number]
    return Span(given.start, given.end, unit.source), words_of(unit.text, given)


def _related(given: Moment, stated: Moment) -> bool:
    return any(
        a == b != 0
        for a, b in (
            (given.day, stated.day),
            (given.month, stated.month),
            (given.year, stated.year),
        )
    )
