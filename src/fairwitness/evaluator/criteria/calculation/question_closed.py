"""Works out closed questions that the prompt determines: yes or no, even or odd, a linear equation, letters of a word."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from fairwitness.evaluator.criteria.calculation import question_letters
from fairwitness.evaluator.criteria.calculation.answers import Answer, plain, yes_or_no
from fairwitness.evaluator.criteria.calculation.quantities import Line, number
from fairwitness.evaluator.patterns import Pattern

LARGER = r"bigger|larger|greater|higher|biggest|largest|greatest|highest|more|heavier|longer"
SMALLER = r"smaller|lower|smallest|lowest|less|fewer|least|lighter|shorter"
_IS_IT = Pattern(
    rf"^\W*is (?P<one>[NUD]\d+) (?P<how>{LARGER}|{SMALLER}) than (?P<two>[NUD]\d+)\W*$"
)
_PRIME = Pattern(r"\bis (?:the number )?(?P<what>N\d+) (?:a )?prime\b")
_DIVISIBLE = Pattern(
    r"\bis (?P<what>N\d+) (?:evenly )?(?:divisible by|a multiple of) (?P<by>N\d+)\b"
)
_PARITY = Pattern(
    r"\bis (?P<what>N\d+) (?:an? )?(?:even|odd)(?: number)?(?: or (?:an? )?(?:even|odd)(?: number)?)\b"
)
_LINEAR = Pattern(
    r"^\W*(?:solve|find x|what is x|solve for x)\b[^\d\n]{0,30}?(?P<a>[-−]?\d{0,6})\*?x ?(?P<sign>[-+−]) ?(?P<b>\d{1,9}(?:\.\d{1,4})?) ?= ?(?P<c>[-−]?\d{1,9}(?:\.\d{1,4})?)\W*$",
    ignore_case=True,
)
_MAX_PRIME = 10**12


def answer(line: Line) -> Answer | None:
    """Return what the question determines, or None where it is none of these."""
    return question_letters.in_word(line.text) or _linear(line) or _yes_or_no(line)


def _yes_or_no(line: Line) -> Answer | None:
    if match := line.first(_PRIME):
        value = line[match["what"]].value
        if value.denominator != 1 or not 0 <= value <= _MAX_PRIME:
            return None
        return yes_or_no(
            _prime(int(value)), f"{value} is {'' if _prime(int(value)) else 'not '}prime"
        )
    if match := line.first(_DIVISIBLE):
        value, by = line[match["what"]].value, line[match["by"]].value
        if not by or value.denominator != 1 or by.denominator != 1:
            return None
        return yes_or_no(value % by == 0, f"{value} / {by} leaves {value % by}")
    if match := line.first(_PARITY):
        odd = line[match["what"]].value % 2 == 1
        words = Pattern(r"\bodd\b", ignore_case=True), Pattern(r"\beven\b", ignore_case=True)
        return Answer("word", (), "odd" if odd else "even", words=words if odd else words[::-1])
    match = line.first(_IS_IT)
    if match is None or line[match["one"]].kind != line[match["two"]].kind:
        return None
    one, two = line[match["one"]], line[match["two"]]
    if one.value == two.value:
        return None
    larger = Pattern(LARGER).fullmatch(match["how"])
    yes = one.value > two.value if larger else one.value < two.value
    sign = ">" if one.value > two.value else "<"
    return yes_or_no(yes, f"{one.text} {sign} {two.text}")


def _prime(value: int) -> bool:
    if value < 2 or (value % 2 == 0 and value > 2):
        return False
    return all(value % divisor for divisor in range(3, min(isqrt(value), 10**6) + 1, 2))


def _linear(line: Line) -> Answer | None:
    match = line.text.search(_LINEAR)
    if match is None:
        return None
    a = number(match["a"])[0] if match["a"].strip("-−") else Fraction(-1 if match["a"] else 1)
    b, c = number(match["b"])[0], number(match["c"])[0]
    if not a:
        return None
    worked = (c - b if match["sign"] == "+" else c + b) / a
    return Answer("number", ((worked,),), f"x = {plain(worked)}")
