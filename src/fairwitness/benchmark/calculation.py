"""Measures calculation on real answers: alarms as they are, and results changed by machine.

Equations are found here by plain patterns of their own and worked out by a few lines of their own, so
that what the criterion cannot read counts against it. Each right result then gets one digit changed,
at a place drawn from a fixed seed, and the criterion must report that very equation.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from fairwitness.benchmark.statistics import MEAN, Interval, Point, interval
from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Text

Row = Mapping[str, Any]
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,12}(?:\.\d+)?"
_SIGNED = Pattern(
    rf"(?P<left>(?:\$?(?:{_NUMBER})\s?(?:[+*/×÷−]|[-x]\s)\s?){{1,8}}\$?(?:{_NUMBER}))\s?=\s?\$?(?P<result>{_NUMBER})"
)
_SPOKEN = Pattern(
    rf"(?P<left>\$?(?:{_NUMBER}) (?:plus|minus|times|multiplied by|divided by) \$?(?:{_NUMBER})) "
    rf"(?:is equal to|equals|is) \$?(?P<result>{_NUMBER})"
)
_SHARE = Pattern(
    rf"(?P<share>{_NUMBER})% of \$?(?P<whole>{_NUMBER}) (?:is|equals|=) \$?(?P<result>{_NUMBER})"
)
_SIGNS = {"×": "*", "x": "*", "÷": "/", "−": "-"}
_WORDS = {"plus": "+", "minus": "-", "times": "*", "multiplied by": "*", "divided by": "/"}


class Stated(NamedTuple):
    """A right equation in an answer: where it stands, and its result."""

    start: int
    low: int
    high: int


def measure(rows: Iterable[Row], seed: int = 0) -> dict[str, Interval]:
    """Return how often answers alarm, right equations alarm, and changed results are found."""
    alarms: list[Point] = []
    wrongly: list[Point] = []
    found: list[Point] = []
    rng = random.Random(seed)  # noqa: S311 - which digit to change, not a secret
    for row in rows:
        prompt, response = row["prompt"], row["response"]
        findings = shipped().judge("calculation", Exchange(prompt, response)).findings
        alarms.append(_point(any(item.severity == "high" for item in findings), row))
        for stated in right_equations(Text(response)):
            wrongly.append(_point(_reported(findings, stated), row))
            wrong = changed(response, stated, rng)
            after = shipped().judge("calculation", Exchange(prompt, wrong)).findings
            found.append(_point(_reported(after, stated), row))
    return {
        "answers with a finding above low": interval(alarms, MEAN),
        "right equations that get a finding": interval(wrongly, MEAN),
        "changed results that are found": interval(found, MEAN),
    }


def right_equations(text: Text) -> Iterator[Stated]:
    """Yield the equations outside code that these patterns see and that hold exactly."""
    for pattern in (_SIGNED, _SPOKEN, _SHARE):
        for match in text.matches(pattern):
            low, high = match.span("result")
            if (
                _stands_alone(text.value, match.start, high)
                and not text.in_code(match.start)
                and _holds(match, pattern)
            ):
                yield Stated(match.start, low, high)


def _stands_alone(value: str, start: int, end: int) -> bool:
    """Tell whether nothing before or after belongs to the same calculation."""
    before, after = value[max(0, start - 3) : start], value[end : end + 2]
    inside = before[-1:].isalnum() or before[-1:] in {".", "_"}
    joined = inside or before.rstrip(" $*\\(")[-1:] in tuple("+-−×÷/^)")
    ended = not after.strip() or after[0] in ",;:)!\n " or after in {". ", ".\n", "."}
    return ended and not joined


def _holds(match: Match, pattern: Pattern) -> bool:
    try:
        if pattern is _SHARE:
            worked = _number(match["share"]) / 100 * _number(match["whole"])
        else:
            worked = _worked(match["left"])
    except ZeroDivisionError:
        return False
    return worked == _number(match["result"])


def _worked(expression: str) -> Fraction:
    """Work out numbers joined by signs: products first, then sums, each from the left."""
    for word, sign in _WORDS.items():
        expression = expression.replace(f" {word} ", f" {sign} ")
    for other, sign in _SIGNS.items():
        expression = expression.replace(other, sign)
    for sign in "+-*/":
        expression = expression.replace(sign, f" {sign} ")
    parts = expression.replace("$", "").split()
    total, term, joined = Fraction(0), _number(parts[0]), 1
    for sign, number in zip(parts[1::2], parts[2::2], strict=True):
        value = _number(number)
        if sign in "*/":
            term = term * value if sign == "*" else term / value
        else:
            total, term, joined = total + joined * term, value, 1 if sign == "+" else -1
    return total + joined * term


def _number(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))


def changed(response: str, stated: Stated, rng: random.Random) -> str:
    """Return the response with one digit of a result changed."""
    places = [at for at in range(stated.low, stated.high) if response[at].isdigit()]
    at = rng.choice(places)
    digit = rng.choice([char for char in "123456789" if char != response[at]])
    return response[:at] + digit + response[at + 1 :]


def _reported(findings: tuple[Finding, ...], stated: Stated) -> bool:
    return any(
        span.start < stated.high and stated.low < span.end
        for item in findings
        for span in item.spans
    )


def _point(hit: bool, row: Row) -> Point:
    response = row["response"]
    return Point(0.0, float(hit), len(response), row.get("source") or "", response)
