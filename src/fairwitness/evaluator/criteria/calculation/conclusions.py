"""Checks what is concluded from a result: what a journey takes, how many are needed, what two results come to together."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import (
    COUNT,
    MAX_MATCHES,
    NUMBER,
    amount,
    decimals,
    shown,
)
from fairwitness.evaluator.criteria.calculation.question_times import duration_of
from fairwitness.evaluator.criteria.calculation.silent_words import BREAKS, CHARGES
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_ABOUT = r"(?:(?:about|around|approximately|roughly|exactly|only) |\W{0,3})"
_KM = r"km|kilomet(?:er|re)s?"
_JOURNEY = Pattern(
    rf"\b(?P<far>{NUMBER})\s?(?:(?P<km>{_KM})|miles?) (?:at|at a speed of|travelling at|traveling at|driving at) {_ABOUT}(?P<fast>{NUMBER})\s?(?:(?P<kph>km/h|kph|km per hour|kilomet(?:er|re)s per hour|km an hour)|mph|miles per hour|miles an hour),?"
    rf" (?:takes|will take|would take|is|=|that is|which is|it takes)(?: (?:you|her|him|them|us|me))? {_ABOUT}"
    rf"(?:(?P<hours>{NUMBER})\s?(?:hours?|hrs?|h)(?:,? (?:and )?(?P<minutes>\d{{1,2}})\s?(?:minutes|mins?|m))?|(?P<only>\d{{1,4}})\s?(?:minutes|mins?))\b",
    ignore_case=True,
)
# The way is another, or more than the way is meant.
_OTHER_WAY = Pattern(
    rf"\b(?:{BREAKS}|back|both ways|return|round trip|traffic|more|less|longer|shorter|with|including|plus|for|to|in all)\b|[-–]",
    ignore_case=True,
)
_PART_OF = Pattern(r"(?:\bof|\bof the|[×x*]|times)\s*$", ignore_case=True)
# What can only be had whole is rounded up where it has to be enough.
_WHOLE = r"box(?:es)?|packs?|packets?|bags?|cans?|tins?|bottles?|cartons?|crates?|cases?|containers?|rolls?|sheets?|tiles?|trays?|bundles?|bus(?:es)?|coach(?:es)?|cars?|vans?|trucks?|trips?|tables?|rooms?|batch(?:es)?|tickets?"
_NEEDED = Pattern(
    rf"=\s?{_ABOUT}(?P<result>\d{{1,4}}\.\d{{1,4}})[,.;:]? (?:so|therefore|thus|which means|meaning|hence|that means),? (?:that )?(?:you|we|they|she|he|I)(?:[’']ll| will| would|[’']d)? (?:need|require|must buy|have to buy|need to buy|should buy)s? (?:at least )?(?P<count>{COUNT}) (?:{_WHOLE})\b",
    ignore_case=True,
)
_WITH_MORE = Pattern(r"\b(?:and|plus|or|of|each|with|roughly|about)\b|\d", ignore_case=True)
_MIN_BEYOND = Fraction(1, 10)
_TOGETHER = Pattern(
    rf"\b(?:together|altogether|in total|in all|all in all|combined)\b,?(?: (?:that|this|it|they|you|we|I)(?:[’']s)?)?(?: (?:is|are|comes? to|makes?|costs?|owe|pay|spend|have|get|adds? up to|amounts? to|totals?)){{1,2}} {_ABOUT}(?P<sign>[$€£₹¥]?)(?P<result>{NUMBER})",
    ignore_case=True,
)
_RESULT = Pattern(rf"=\s?{_ABOUT}(?P<sign>[$€£₹¥]?)(?P<result>{NUMBER})")
_DIGIT = Pattern(r"\d")
_ADDS_MORE = Pattern(
    rf"\b(?:{CHARGES}|with|without|after|before|includ\w+|minus|less|plus|except|overlap\w*|but)\b",
    ignore_case=True,
)
_MIN_TERMS, _MAX_TERMS = 2, 4
_YEARS = Pattern(
    r"(?:\bfor|:|\blasted|\btook)\W{1,4}(?P<result>\d{1,3})[*_]{0,2} years?,? \(?(?:from|between) (?P<one>1\d{3}|20\d\d) (?:to|until|till|and|–) (?P<two>1\d{3}|20\d\d)\b",
    ignore_case=True,
)
# What a sentence concludes with: one amount of five digits or more, with a comma between them, or with cents.
_CONCLUDED = Pattern(
    r"(?:^|[.!?:\n] ?)\W{0,3}(?:So|Therefore|Thus|Hence|In short|Overall|All in all|In total|That means|This means|Bottom line|In the end)\b[^.!?\n\d]{1,120}?"
    r"[$€£₹¥]?(?P<result>\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d{1,6}\.\d{2}|\d{5,9})\b",
    multiline=True,
)
_MIN_TIMES_SAID = 2
SIGN = Pattern(
    r"\b(?:at|speed of) \W{0,3}\d[\d.,]*\s?(?:km|kph|mph|miles|kilomet)|\d\.\d+[^\n]{0,20}\b(?:so|therefore|thus|means|meaning|hence)\b|\b(?:together|total|all|combined|so|therefore|thus|hence|overall|means|short|end)\b|\byears?,? \(?(?:from|between) \d",
    ignore_case=True,
)


def conclusions(text: Text) -> Iterator[Check]:
    """Yield a check for every such conclusion."""
    for pattern, work in _FORMS:
        for match in text.matches(pattern, limit=MAX_MATCHES):
            if (check := work(text, match)) is not None:
                yield check


def _journey(text: Text, match: Match) -> Check | None:
    if bool(match["km"]) != bool(match["kph"]) or not amount(match["fast"]):
        return None
    sentence = text.sentence_at(match.start)
    before, after = text.value[sentence.start : match.start], text.value[match.end : sentence.end]
    if _OTHER_WAY.search(f"{before} {after}".encode()) or _PART_OF.search(before.encode()):
        return None
    worked = amount(match["far"]) / amount(match["fast"]) * 60
    hours = amount(match["hours"]) if match["hours"] else Fraction(0)
    minutes = amount(match["minutes"] or match["only"] or "0")
    stated = hours * 60 + minutes
    # A tenth of an hour, or two minutes, is rounding.
    loose = 3 if match["hours"] and not match["minutes"] else 2
    result = Region(match.span("hours" if match["hours"] else "only")[0], match.end)
    apart = abs(worked - stated)
    fixed = duration_of(Fraction(60 * round(worked)))
    return Check.of(
        result, apart <= loose, fixed, whole=_whole(match), rounded=apart <= worked / 20
    )


def _needed(text: Text, match: Match) -> Check | None:
    worked, stated = amount(match["result"]), amount(match["count"])
    if _WITH_MORE.search(text.value[match.end : text.sentence_at(match.end).end].encode()):
        return None
    enough = not _MIN_BEYOND <= worked - stated < 1
    return Check.of(Region(*match.span("count")), enough, str(ceil(worked)), whole=_whole(match))


def _together(text: Text, match: Match) -> Check | None:
    """Compare what is said of all together with the sum of the results right before it, the last of each sentence."""
    own = text.sentence_at(match.start)
    rest = text.value[own.start : match.span("result")[0]] + text.value[match.end : own.end]
    if _DIGIT.search(rest.encode()) or _ADDS_MORE.search(rest.encode()):
        return None
    terms = [*_results_before(text, own.start)]
    if not _MIN_TERMS <= len(terms) <= _MAX_TERMS or {one["sign"] for one in terms} != {
        match["sign"]
    }:
        return None
    worked, stated = sum(amount(one["result"]) for one in terms), amount(match["result"])
    if worked != stated and not _slipped(worked, stated):
        return None
    fixed = shown(Fraction(worked), decimals(match["result"]), "," in match["result"])
    place = Region(*match.span("result"))
    return Check.of(place, worked == stated, fixed, whole=_whole(match))


def _years(_text: Text, match: Match) -> Check:
    """Compare a number of years with the two it lies between; the last may be counted in or not."""
    worked, stated = abs(int(match["two"]) - int(match["one"])), int(match["result"])
    place = Region(*match.span("result"))
    return Check.of(place, abs(worked - stated) <= 1, str(worked), whole=_whole(match))


def _whole(match: Match) -> Region:
    return Region(match.start, match.end)


def _concluded(text: Text, match: Match) -> Check | None:
    """Compare the amount of a conclusion with the result worked out before it, which has another digit and was said twice."""
    place, stated = Region(*match.span("result")), match["result"]
    own = text.sentence_at(place.start)
    rest = text.value[own.start : place.start] + text.value[place.end : own.end]
    if (
        text.value.count(stated) > 1
        or _DIGIT.search(rest.encode())
        or _ADDS_MORE.search(rest.encode())
    ):
        return None
    for one in text.matches(_RESULT, limit=MAX_MATCHES):
        worked = one["result"].rstrip(".,")
        twice = text.value.count(worked) >= _MIN_TIMES_SAID
        apart = shown(abs(amount(worked) - amount(stated)), 0, False)
        # A number that is told beside the result may have come to it.
        if apart in text.value or f"{float(amount(worked) - amount(stated)):.2f}" in text.value:
            continue
        if one.start < place.start and twice and _slipped(amount(worked), amount(stated)):
            return Check.of(place, False, worked)
    return None


def _results_before(text: Text, end: int) -> Iterator[Match]:
    """Yield the results that the sentences before a place end in, up to one with a number that is no result."""
    last = bisect_left(text.sentences, Region(end, 0)) - 1
    for sentence in reversed(text.sentences[max(0, last - _MAX_TERMS) : last + 1]):
        said = Text(text.slice(sentence))
        results = said.matches(_RESULT, limit=MAX_MATCHES)
        if not results:
            if said.search(_DIGIT):
                return
            continue
        if _DIGIT.search(said.value[results[-1].end :].encode()):
            return
        yield results[-1]


def _slipped(worked: Fraction | int, stated: Fraction) -> bool:
    """Tell whether two numbers differ in one digit, or have two in each other's place: the same sum, taken wrongly."""
    one, other = f"{float(worked):.2f}", f"{float(stated):.2f}"
    if len(one) != len(other) or len(one.rstrip("0").rstrip(".")) < 3:
        return False
    apart = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    return len(apart) == 1 or (len(apart) == 2 and apart[0] == apart[1][::-1])


_FORMS: tuple[tuple[Pattern, Callable[[Text, Match], Check | None]], ...] = (
    (_JOURNEY, _journey),
    (_NEEDED, _needed),
    (_TOGETHER, _together),
    (_YEARS, _years),
    (_CONCLUDED, _concluded),
)
