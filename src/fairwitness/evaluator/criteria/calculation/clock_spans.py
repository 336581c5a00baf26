"""Checks how long something lasted between two times that are stated with it: "10:03 to 10:19, so it took 16 minutes"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import DAY, Line
from fairwitness.evaluator.criteria.calculation.question_times import duration_of
from fairwitness.evaluator.criteria.calculation.silent_words import BREAKS
from fairwitness.evaluator.criteria.calculation.statement_checks import ABOUT, IS, checked, slack_of
from fairwitness.evaluator.patterns import Match, Pattern

_BETWEEN = Pattern(
    rf"(?P<from>T\d+) (?P<by>to|until|till|and|-|–|−|minus) (?P<to>T\d+),? (?:{IS}|that is|which is|there are) {ABOUT}(?P<result>D\d+)\b"
)
# A time with seconds is read as a duration: "03:12:07".
_FROM_TO = (
    r"(?P<from>[TD]\d+)(?: [a-z]+){0,3} (?P<by>to|until|till|and)(?: [a-z]+){0,3} (?P<to>[TD]\d+)"
)
_LASTED = r"(?:took|ran|lasted)(?: for)?(?: exactly| a total of)?"
_SO_IT_LASTED = Pattern(
    rf"\b(?:from|at|between) {_FROM_TO},? so (?:[a-z]+ ){{1,3}}{_LASTED} (?P<result>D\d+)\b"
)
_LASTED_FROM = Pattern(
    rf"\b{_LASTED} (?P<result>D\d+),? \((?:from )?(?P<from>[TD]\d+) ?(?P<by>to|until|till|-|–) ?(?P<to>[TD]\d+)\)"
)
_PLUS = Pattern(
    rf"(?P<from>T\d+) (?P<sign>plus|\+|minus|-|−|–) (?P<span>D\d+) (?:{IS}|that is|which is) {ABOUT}(?P<result>T\d+)\b"
)
# Times without seconds may hide most of a minute.
_SECONDS_UNSAID = Fraction(60)
# Then not all of the time counts.
_IN_PART = Pattern(
    rf"\b(?:{BREAKS}|paused|minus|without|excluding|less|net|active\w*|actual\w*|zones?|next|days?|nights?|overnight)\b",
    ignore_case=True,
)


def _between(line: Line, match: Match, unsaid: Fraction = Fraction(0)) -> Check:
    one, two, result = line[match["from"]], line[match["to"]], line[match["result"]]
    worked = (two.value - one.value) % DAY
    if match["by"] in "-–−minus" and (one.value - two.value - result.value) % (DAY // 2) == 0:
        worked = result.value  # "5:00 - 1:00 = 4 hours" takes one from the other
    if not (one.half or two.half) and (result.value - worked) % (DAY // 2) == 0:
        worked = result.value
    slack = max(slack_of(result), unsaid)
    return checked(line, match, worked, result.value, duration_of(worked), slack=slack)


def _plus(line: Line, match: Match) -> Check:
    """Compare a time some hours and minutes after or before another with the one stated; half a day makes none of it wrong."""
    one, span, result = line[match["from"]], line[match["span"]], line[match["result"]]
    sign = 1 if match["sign"] in {"plus", "+"} else -1
    worked = (one.value + sign * span.value) % DAY
    if not (one.half and result.half) and (result.value - worked) % (DAY // 2) == 0:
        worked = result.value
    minutes = int(worked) // 60
    half = "" if not result.half else " am" if minutes < 720 else " pm"
    hour = (minutes // 60 - 1) % 12 + 1 if half else minutes // 60
    shown = f"{hour}:{minutes % 60:02}{half}"
    check = checked(line, match, worked, result.value, shown, slack=slack_of(span))
    # Two hundredths of a time of day are half an hour: that is no rounding, unless it is said to be.
    said = any(word in match.text for word in ("about", "around", "approximately", "roughly"))
    return check if said or check.outcome != "rounding" else replace(check, outcome="wrong")


def _lasted(line: Line, match: Match) -> Check | None:
    one, two = line[match["from"]], line[match["to"]]
    if one.kind != two.kind or ":" not in one.text or ":" not in two.text or line.first(_IN_PART):
        return None
    return _between(line, match, _SECONDS_UNSAID if one.kind == "T" else Fraction(0))


FORMS: tuple[tuple[Pattern, Callable[[Line, Match], Check | None]], ...] = (
    (_BETWEEN, _between),
    (_PLUS, _plus),
    (_SO_IT_LASTED, _lasted),
    (_LASTED_FROM, _lasted),
)
