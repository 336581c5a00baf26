"""Compares the answer that a prompt determines with what a response states.

The response is right where it states the answer anywhere; it is wrong only where it states another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from fairwitness.evaluator.criteria.calculation.days import NO_YEAR, Day
from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    DATE,
    DAY,
    DURATION,
    MEASURE,
    MONEY,
    NUMBERS,
    PERCENT,
    RATIO,
    WEEKDAY,
    Line,
    Quantity,
)
from fairwitness.evaluator.criteria.calculation.silent_words import NO_ANSWER, ROUGHLY
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.evaluator.vocabulary import SIZES

Kind = Literal[
    "number", "percent", "measure", "clock", "date", "weekday", "ratio", "order", "word"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer a prompt determines.

    `accepted` are the ways to give it: all values of one of them must be stated. `exact` allows no
    rounding. `words` are, for an answer that is a word, the right ones and the wrong ones.
    """

    kind: Kind
    accepted: tuple[tuple[Fraction, ...], ...]
    shown: str
    exact: bool = False
    words: tuple[Pattern, Pattern] | None = None


@dataclass(frozen=True, slots=True)
class Stated:
    """What a response states: whether it is right, and where the answer is."""

    right: bool
    place: Region


# Answers that cannot be compared: none is given, several are weighed, or it is written in a way not read here.
_OPEN = Pattern(
    rf"\b(?:{NO_ANSWER}|hundred|thousand|"
    r"million|billion|dozen|quarter past|quarter to|three quarters|a quarter|half past|o'clock|noon|midnight|error|trick)\b|[½¼¾⅓⅔⅛π√]|\\d?frac|\be[+-]?\d|\*10\^|× ?10",
    ignore_case=True,
)


# Who is told when to leave may be told some time to spare.
_SETS_OUT = Pattern(
    r"\b(?:leave|set off|set out|start|go|depart|get up|be there)\b", ignore_case=True
)
_SPARE = 3600


# Words for numbers that are not read here: there is more to work out than the quantities show.
MORE_STEPS = Pattern(
    r"\b(?:twice|thrice|double|triple|half|quarters?|thirds?|fifths?|as (?:many|much)|both|dozen|another|rest of|same|sum of|every|per (?:year|month|week|day)|"
    r"months?|years?|yearly|monthly|weekly|daily|annual\w*|roommates?|myself|including me|more than|fewer than|less than|trips?|minimum|at least|whole)\b"
)


def compare(answer: Answer, prompt: Line, response: Text) -> Stated | None:
    """Return whether the response gives the answer; None where it gives none that can be compared."""
    line = Line(response)
    if answer.kind == "word":
        return _word(answer, response)
    if answer.kind == "order":
        return _order(answer, line)
    given = {_squeezed(q.text) for q in prompt.quantities}
    # What the prompt gave is said again, not answered: "137 minutes is ...".
    again = answer.kind in {"measure", "clock", "ratio"} or answer.exact
    candidates = [
        q for q in _candidates(answer, line) if not (again and _squeezed(q.text) in given)
    ]
    about = not answer.exact and response.search(ROUGHLY) is not None
    for way in answer.accepted:
        places = [_first_equal(answer, value, candidates, about) for value in way]
        found = [place for place in places if place is not None]
        if len(found) == len(way):
            return Stated(True, found[-1].place)
    if not candidates or (not answer.exact and response.search(_OPEN)):
        return None
    if answer.kind == "clock" and prompt.text.search(_SETS_OUT) is not None:
        times = [
            (value - one.value) % (DAY // 2)
            for (value, *_) in answer.accepted
            for one in candidates
        ]
        if min(times) <= _SPARE:
            return None  # somewhat earlier than need be
    known = {(q.value, q.kind) for q in prompt.quantities}
    bare = {q.amount for q in prompt.quantities}
    foreign = [q for q in candidates if (q.value, q.kind) not in known and q.amount not in bare]
    alone = len(candidates) == 1 and len(response) <= 40
    if not foreign and not alone:
        return None
    return Stated(False, _most_stated(foreign or candidates).place)


def _most_stated(candidates: list[Quantity]) -> Quantity:
    """Return the number that is given most often, which is the answer; of several, the last."""
    often = Counter(q.amount for q in candidates)
    return max(candidates, key=lambda q: (often[q.amount], q.start))


def _squeezed(text: str) -> str:
    return "".join(text.lower().replace("-", "").replace(",", "").split()).rstrip("s.")


def _candidates(answer: Answer, line: Line) -> Iterator[Quantity]:
    kinds = {"clock": CLOCK, "date": DATE, "weekday": WEEKDAY, "percent": PERCENT}
    if answer.kind in kinds:
        return iter(line.of(kinds[answer.kind]))
    if answer.kind == "ratio":
        return (q for q in line.quantities if q.kind in {RATIO, CLOCK} or q.unit == "/")
    return (
        q for q in line.of(*NUMBERS) if q.text.lower() != "one" and not _is_marker(line.text, q)
    )


def _is_marker(text: Text, quantity: Quantity) -> bool:
    """Tell the number of a list item or a step from a number that is meant."""
    after = text.value[quantity.end : quantity.end + 2]
    before = text.value[max(0, quantity.start - 12) : quantity.start]
    begins = not before.rpartition("\n")[2].strip(" *#-")
    return (
        # "8 hours and 30 minutes. If you ..." begins with the answer.
        quantity.text.isdigit()
        and begins
        and after in {". ", ") "}
        and quantity.end < len(text) - 2
    ) or before.lower().endswith("step ")


def _first_equal(
    answer: Answer, value: Fraction, candidates: list[Quantity], about: bool
) -> Quantity | None:
    return next((q for q in reversed(candidates) if _equal(answer, value, q, about)), None)


# "Around 5:15" leaves some minutes either way.
_ABOUT_A_TIME = 16 * 60


def _equal(answer: Answer, value: Fraction, quantity: Quantity, about: bool) -> bool:
    if answer.kind == "clock":
        # Seconds are rounded to a whole minute, up or down.
        apart = (quantity.value - value) % (DAY // 2)
        slack = _ABOUT_A_TIME if about else 60 if value % 60 else 1
        return min(apart, DAY // 2 - apart) < slack
    if answer.kind == "date":
        return _same_day(quantity, int(value))
    if answer.kind == "weekday":
        return quantity.value == value
    if answer.kind == "ratio":
        if quantity.unit == "/":
            return quantity.value == value
        parts = quantity.ratio
        return parts is not None and parts[1] > 0 and parts[0] / parts[1] == value
    stated = (
        [quantity.value * 100, quantity.value] if quantity.kind == PERCENT else [quantity.amount]
    )
    if answer.kind == "measure":
        if quantity.kind in {MEASURE, DURATION}:
            return _near(value, quantity.value, quantity.places, about, SIZES.get(quantity.unit, 1))
        return any(
            abs(value / size - quantity.amount) <= value / size / 50 for size in {*SIZES.values()}
        )
    if answer.exact:
        return value in stated
    return any(_near(value, each, quantity.places, about) for each in stated)


def _same_day(quantity: Quantity, ordinal: int) -> bool:
    given, wanted = Day.of(int(quantity.value)), Day.of(ordinal)
    same_year = not quantity.year or wanted.year in {NO_YEAR, quantity.year}
    return same_year and (given.month, given.day) == (wanted.month, wanted.day)


def _near(value: Fraction, stated: Fraction, places: int, about: bool, size: int = 1) -> bool:
    """Tell whether a stated number is the value, rounded no further than to what it shows."""
    apart = abs(value - stated)
    if not apart or (about and apart <= abs(value) / 50):
        return True
    if (value / size).denominator == 1 and not places:
        return False
    if not places:
        return apart < size and 4 * apart <= abs(value)
    return apart <= Fraction(51 * size, 100 * 10**places)


def _word(answer: Answer, response: Text) -> Stated | None:
    assert answer.words is not None
    right, wrong = answer.words
    told = response.search(wrong)
    if (found := response.search(right)) is not None and (
        told is None or found.start <= told.start
    ):
        return Stated(True, Region(found.start, found.end))
    if told is None or response.search(_OPEN):
        return None
    return Stated(False, Region(told.start, told.end))


def _order(answer: Answer, line: Line) -> Stated | None:
    """Compare the order of a list; it must hold just the numbers that were given, once."""
    wanted = list(answer.accepted[0])
    stated = [q for q in line.of(*NUMBERS) if not _is_marker(line.text, q)]
    values = [q.value for q in stated]
    for at in range(len(values) - len(wanted) + 1):
        if values[at : at + len(wanted)] == wanted:
            return Stated(True, Region(stated[at].start, stated[at + len(wanted) - 1].end))
    if sorted(values) != sorted(wanted):
        return None
    return Stated(False, Region(stated[0].start, stated[-1].end))


def yes_or_no(yes: bool, shown: str) -> Answer:
    """Return the answer to a question that takes a yes or a no."""
    words = _YES, _NO
    return Answer("word", (), shown, words=words if yes else words[::-1])


_YES = Pattern(r"^\W*(?:yes|yep|yeah|correct|true|right|indeed)\b", ignore_case=True)
_NO = Pattern(r"^\W*(?:no|nope|incorrect|false|not)\b", ignore_case=True)


def literal(text: str) -> str:
    """Write a text as a pattern that only it matches."""
    return "".join(
        char if char.isalnum() else rf"\{char}" if char.isascii() else char for char in text
    )


def plain(value: Fraction, like: Quantity | None = None) -> str:
    """Write a number as a message shows it, with the sign of the money it is."""
    places = 0 if value.denominator == 1 else 2
    body = f"{float(value):,.{places}f}"
    if like is not None and like.kind == MONEY:
        return f"{like.unit}{body}" if len(like.unit) == 1 else body
    return f"{body} {like.unit}" if like is not None and like.kind == MEASURE else body
