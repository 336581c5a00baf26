"""Compares the dates and times of a response with those it was given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.grounding.bounds import is_limit
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground, words_of
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.data_blocks import in_program
from fairwitness.evaluator.facts.derivation import in_unit_of
from fairwitness.evaluator.facts.moments import WEEKDAYS, Moment, agree, days_between, weekday_of
from fairwitness.evaluator.facts.quantities import Quantity
from fairwitness.evaluator.facts.short_moments import short_moments
from fairwitness.evaluator.given import Task
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_STATED = 60
_MAX_MOMENTS = 2000
# In a text this short, any time of day may be the one that was meant.
_FEW_UNITS = 12
# A moment may be worked out from another and a span of time, and that from a third.
_MAX_STEPS, _MAX_SPANS, _MAX_DATES = 4, 40, 12
_HALF_DAY = 720
_MAX_PROMPT_CHARS = 2000
_ASKS_WHEN = Pattern(
    r"\b(?:what|which) (?:time|day|date)\b|\bwhat(?:['’]s| is| would) (?:that|this|it)(?: be)? in\b|\bwhen\b[^.!?]*\?",
    ignore_case=True,
)
# "1. June 3" is the first item of a list.
_NUMBERED = Pattern(r"^\d{1,2}\. \pL+ \d")
_MINUTE, _DAY = (Quantity(0, 0, 1.0, unit, "time") for unit in ("minute", "day"))

# Which spans of time lead from one time of day to another, and from one date to another.
_LEADING = (frozenset({"second", "minute", "hour"}), frozenset({"day", "week", "month", "year"}))


class _Rival(NamedTuple):
    """A given moment that a stated one differs from, and the text it stands in."""

    span: Span
    place: tuple[Text, Moment]


def moment_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each date or time of the response that no given one agrees with."""
    text = ground.response
    told = [given for _, given in (*ground.index.moments, *ground.beside.moments)][:_MAX_MOMENTS]
    said = ground.figures.moments[:_MAX_STATED]
    spans = {item.unit for _, item in ground.index.quantities if item.dimension == "time"}
    doubtful = [
        moment
        for moment in said
        if any(given.is_date == moment.is_date for given in told)
        # "Two weeks after the notice": another date follows, and seldom another time in a text that retells.
        and (
            (ground.retells and not moment.is_date)
            or _LEADING[moment.is_date].isdisjoint(spans)
            or any(_transposed(given, moment) for given in told)
        )
        and not in_program(text, moment.start)
        and not _NUMBERED.search(text.value[moment.start : moment.end + 3].encode())
        and not any(agree(given, moment) or _comes_round(ground, given, moment) for given in told)
    ]
    short = [
        short_moments(Text(part.text.slice(part.region)))
        for part in (ground.given.passages if doubtful else ())
    ]
    doubtful = [moment for moment in doubtful if not any(one.has(moment) for one in short)]
    for moment in _not_worked_out(ground, doubtful, told):
        if not ground.both_in_english and _has_its_number(ground, moment):
            continue
        # A date told beside the source is there to work others out: "the meeting was on the 8th", "by Friday".
        counted_on = not ground.given.passages or ground.brings_numbers
        if counted_on and _on_named_day(ground, moment, told):
            continue
        beside_question = not ground.given.passages and not moment.is_date
        if beside_question and _ASKS_WHEN.search(ground.prompt.utf8):
            continue  # "16:30 in Nairobi: what time is that in Toronto?" wants another time
        stated = Region(moment.start, moment.end)
        rival = _rival(ground, moment)
        if rival is None:
            if ground.closed and ground.task is Task.FAITHFUL and moment.is_date:
                message = f"States “{words_of(text, moment)}”, which is not in the source."
                # "Wednesday 8 October" beside the source, and "by Friday" in it: the 10th follows from both.
                follows = ground.many_figures or ground.brings_numbers
                absent: Severity = "low" if follows else "medium"
                yield Claim("absent_date", stated, ground.nearest_span(stated), absent, message)
            continue
        if is_limit(*rival.place) and not is_limit(text, moment):
            continue  # "a form of 10 April" where the source has "after 1 April" is a case of it
        alike = [one for one in told if one.is_date == moment.is_date]
        if ground.task is Task.QUESTION and all(any(agree(g, one) for one in said) for g in alike):
            continue  # who states every given one works another out from them
        message = (
            f"States “{words_of(text, moment)}” where the source has “{words_of(*rival.place)}”."
        )
        retold = ground.retells and not ground.brings_numbers
        severity = ground.against if retold else ground.against_worked_out
        yield Claim("moment", stated, rival.span, severity, message)


def _transposed(given: Moment, stated: Moment) -> bool:
    """Tell whether a date has a given one's digits in another order: 21 March for 12 March."""
    one, other = str(given.day), str(stated.day)
    return 0 < given.month == stated.month and one != other and sorted(one) == sorted(other)


def _comes_round(ground: Ground, given: Moment, stated: Moment) -> bool:
    """Tell whether a date is another's day so many years later, and the years are told: "turns 18 on 4 May 2034"."""
    if not (given.is_date and given.year and stated.year and given.day == stated.day):
        return False
    years = abs(given.year - stated.year)
    told = (*ground.figures.quantities[:_MAX_SPANS], *ground.asked_quantities)
    return given.month == stated.month and any(item.value == years for item in told)


def _not_worked_out(ground: Ground, doubtful: list[Moment], told: list[Moment]) -> list[Moment]:
    """Return the moments that no span of time leads to from a known one."""
    if not doubtful:
        return []
    said = [item for item in ground.figures.quantities if item.dimension == "time"][:_MAX_SPANS]
    given = [item for _, item in ground.index.quantities if item.dimension == "time"]
    worked_out = ground.given.works_out or ground.brings_numbers or ground.retells
    everywhere = [*given[:_MAX_SPANS], *ground.asked_quantities, *said] if worked_out else []
    dates = [one for one in told if one.is_date][:_MAX_DATES]
    times = {one.minutes % _HALF_DAY for one in told if not one.is_date}
    # "Between 9 and 17": hours without a sign.
    hours = {item.value for item in ground.asked_quantities if not item.unit}
    doubtful = [one for one in doubtful if one.is_date or one.minutes / 60 not in hours]
    for _ in range(_MAX_STEPS):
        reached = []
        for moment in doubtful:
            sentence = ground.response.sentence_at(moment.start)
            spans = everywhere or [
                item for item in said if sentence.start <= item.start < sentence.end
            ]
            if moment.is_date:
                found = any(
                    _leads(one, span, moment) for one in dates for span in spans[:_MAX_DATES]
                )
            else:
                found = any(_passes(times, span, moment) for span in spans)
            if found:
                reached.append(moment)
        if not reached:
            break
        dates = [*dates, *(one for one in reached if one.is_date)][:_MAX_DATES]
        times |= {one.minutes % _HALF_DAY for one in reached if not one.is_date}
        doubtful = [moment for moment in doubtful if moment not in reached]
    return doubtful


def _on_named_day(ground: Ground, moment: Moment, told: list[Moment]) -> bool:
    """Tell whether a date falls on a day of the week that the prompt names: "the Friday after" is worked out."""
    year = moment.year or next((one.year for one in told if one.year), 0)
    if not (year and moment.month > 0 and moment.day):
        return False
    day = weekday_of(moment, year)
    prompt = ground.prompt.lower[:_MAX_PROMPT_CHARS]
    return any(name in prompt for name, number in WEEKDAYS.items() if number == day)


def _passes(times: set[int], span: Quantity, moment: Moment) -> bool:
    """Tell whether a span of time lies between a time of day and a known one; noon and midnight are not told apart."""
    minutes = in_unit_of(span, _MINUTE)
    if minutes is None:
        return False
    steps = (round(minutes), -round(minutes))
    return any((moment.minutes + step) % _HALF_DAY in times for step in steps)


def _leads(known: Moment, span: Quantity, moment: Moment) -> bool:
    """Tell whether a span of time lies between two dates."""
    if span.unit in {"month", "year"}:
        months = span.value * (12 if span.unit == "year" else 1)
        if known.year and moment.year:
            apart = abs(12 * (known.year - moment.year) + known.month - moment.month)
            return apart == round(months)
        apart = (known.month - moment.month) % 12
        near = abs(known.day - moment.day) <= 1 or not known.day or not moment.day
        return near and round(months) % 12 in {apart, (12 - apart) % 12}
    days = in_unit_of(span, _DAY)
    return days is not None and days >= 1 and days_between(known, moment) == round(days)


def _has_its_number(ground: Ground, moment: Moment) -> bool:
    """Tell whether a source in another language, whose words for dates and times are not known, has the number."""
    if moment.is_date:
        wanted = {moment.day or moment.year}
    else:
        hour = moment.minutes // 60
        wanted = {hour, hour % 12, hour % 12 + 12}
    return any(str(number) in ground.index.words for number in wanted)


def _rival(ground: Ground, moment: Moment) -> _Rival | None:
    """Return the moment of a near unit that a stated one differs from: one that has some part in common with it."""
    for near in ground.nearest(ground.response.sentence_at(moment.start)):
        unit = ground.index.units[near.unit]
        for given in ground.index.figures_in(near.unit).moments:
            if given.is_date == moment.is_date and (not moment.is_date or _related(given, moment)):
                return _Rival(Span(given.start, given.end, unit.source), (unit.text, given))
    times = [item for item in ground.index.moments if not item[1].is_date]
    if moment.is_date or len(ground.index.units) > _FEW_UNITS or not times:
        return None
    number, given = min(times, key=lambda item: abs(item[1].minutes - moment.minutes))
    unit = ground.index.units[number]
    return _Rival(Span(given.start, given.end, unit.source), (unit.text, given))


def _related(given: Moment, stated: Moment) -> bool:
    return any(
        a == b != 0
        for a, b in (
            (given.day, stated.day),
            (given.month, stated.month),
            (given.year, stated.year),
        )
    )
