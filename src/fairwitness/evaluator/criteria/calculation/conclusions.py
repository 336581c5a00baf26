"""Checks what is concluded from a result: what a journey takes, how many are needed, what two results come to together."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from fairwitness.evaluator.criteria.calculation.equations import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import (
    COUNT,
    MAX_MATCHES,
    NUMBER,
    amount,
    shown,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_ABOUT = r"(?:about |around |approximately |roughly |exactly |just |only |\W{0,3})"
_KM = r"km|kilomet(?:er|re)s?"
_MILES = r"miles?|mi"
_JOURNEY = Pattern(
    rf"\b(?P<far>{NUMBER})\s?(?:(?P<km>{_KM})|{_MILES})(?: away)? (?:at|at a speed of|travelling at|traveling at|driving at) {_ABOUT}?(?P<fast>{NUMBER})\s?(?:(?P<kph>km/h|kph|km per hour|kilomet(?:er|re)s per hour|km an hour)|mph|miles per hour|miles an hour),?"
    rf" (?:takes|will take|would take|is|=|means|that is|which is|it takes)(?: (?:you|her|him|them|us|me))? {_ABOUT}?"
    rf"(?:(?P<hours>{NUMBER})\s?(?:hours?|hrs?|h)(?:,? (?:and )?(?P<minutes>\d{{1,2}})\s?(?:minutes|mins?|m))?|(?P<only>\d{{1,4}})\s?(?:minutes|mins?))\b",
    ignore_case=True,
)
# What can only be had whole is rounded up where it has to be enough.
_NEEDED = Pattern(
    rf"=\s?{_ABOUT}?(?P<result>\d{{1,4}}\.\d{{1,4}})(?: \pL+)?[,.;:]? (?:so|therefore|thus|which means|meaning|hence|that means),? (?:that )?(?:you|we|they|she|he|I)(?:[’']ll| will| would|[’']d)? (?:need|require|must buy|have to buy|need to buy|should buy)s? (?:at least )?(?P<count>{COUNT}) (?P<what>\pL+)",
    ignore_case=True,
)
_MIN_BEYOND = Fraction(1, 10)
_MEASURED = frozenset(
    "hours hour minutes minute days day weeks months years km m cm mm metres meters miles feet kg g grams pounds litres liters l ml percent cups dollars euros more".split()
)
_TOGETHER = Pattern(
    rf"\b(?:together|altogether|in total|in all|all in all|combined)\b,?(?: (?:that|this|it|they|you|we|I)(?:[’']s)?)?(?: (?:is|are|comes? to|makes?|costs?|owe|pay|spend|have|get|adds? up to|amounts? to|totals?)){{1,2}}{_ABOUT}?\s?(?P<sign>[$€£₹¥]?)(?P<result>{NUMBER})",
    ignore_case=True,
)
_RESULT = Pattern(rf"=\s?\W{{0,3}}(?P<sign>[$€£₹¥]?)(?P<result>{NUMBER})")
_OPERATORS = frozenset("=+×*/÷−")
_MIN_TERMS, _MAX_TERMS = 2, 4
SIGN = Pattern(
    r"\b(?:at|speed of) \W{0,3}\d[\d.,]*\s?(?:km|kph|mph|miles|kilomet)|\d\.\d+[^\n]{0,20}\b(?:so|therefore|thus|means|meaning|hence)\b|\b(?:together|total|all|combined)\b",
    ignore_case=True,
)


def conclusions(text: Text) -> Iterator[Check]:
    """Yield a check for every such conclusion."""
    for match in text.matches(_JOURNEY, limit=MAX_MATCHES):
        if (check := _journey(match)) is not None:
            yield check
    for match in text.matches(_NEEDED, limit=MAX_MATCHES):
        if (check := _needed(match)) is not None:
            yield check
    for match in text.matches(_TOGETHER, limit=MAX_MATCHES):
        if (check := _together(text, match)) is not None:
            yield check


def _journey(match: Match) -> Check | None:
    if bool(match["km"]) != bool(match["kph"]) or not amount(match["fast"]):
        return None
    worked = amount(match["far"]) / amount(match["fast"]) * 60
    hours = amount(match["hours"]) if match["hours"] else Fraction(0)
    minutes = amount(match["minutes"] or match["only"] or "0")
    stated = hours * 60 + minutes
    # A tenth of an hour, or two minutes, is rounding.
    loose = 3 if match["hours"] and not match["minutes"] else 2
    result = Region(match.span("hours" if match["hours"] else "only")[0], match.end)
    if abs(worked - stated) <= loose:
        return Check(match.start, match.end, result, "correct")
    whole, rest = divmod(round(worked), 60)
    right = f"{whole} h {rest} min" if whole else f"{rest} min"
    near = abs(worked - stated) <= worked / 20
    return Check(match.start, match.end, result, "rounding" if near else "wrong", right)


def _needed(match: Match) -> Check | None:
    worked, stated = amount(match["result"]), amount(match["count"])
    if match["what"].lower() in _MEASURED:
        return None
    place = Region(*match.span("count"))
    short = worked - stated
    if short < _MIN_BEYOND or short >= 1:
        return Check(match.start, match.end, place, "correct")
    return Check(match.start, match.end, place, "wrong", str(ceil(worked)))


def _together(text: Text, match: Match) -> Check | None:
    """Compare what is said of all together with the sum of the last results before it, one of each line or sentence."""
    line = text.sentence_at(match.start)
    # What follows is worked out there: "together they make 120 + 90 = 210".
    if not _OPERATORS.isdisjoint(text.value[match.end : line.end]):
        return None
    start = text.value.rfind("\n\n", 0, match.start) + 1
    found = Text(text.value[start : match.start]).matches(_RESULT, limit=MAX_MATCHES)
    last: dict[int, Match] = {}
    for one in found:
        last[text.sentence_at(start + one.start).start] = one
    terms = list(last.values())
    if not _MIN_TERMS <= len(terms) <= _MAX_TERMS:
        return None
    worked, stated = sum(amount(one["result"]) for one in terms), amount(match["result"])
    place = Region(*match.span("result"))
    if worked == stated:
        return Check(match.start, match.end, place, "correct")
    if not _slipped(worked, stated):
        return None
    places = len(match["result"].partition(".")[2])
    right = shown(Fraction(worked), places, "," in match["result"])
    return Check(match.start, match.end, place, "wrong", right)


def _slipped(worked: Fraction | int, stated: Fraction) -> bool:
    """Tell whether two numbers differ in one digit, or have two in each other's place: the same sum, taken wrongly."""
    one, other = f"{float(worked):.2f}", f"{float(stated):.2f}"
    if len(one) != len(other) or len(one.rstrip("0").rstrip(".")) < 3:
        return False
    apart = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    return len(apart) == 1 or (len(apart) == 2 and apart[0] == apart[1][::-1])
