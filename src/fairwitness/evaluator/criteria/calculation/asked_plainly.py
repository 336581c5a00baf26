"""Tells whether a short prompt asks plainly for a result, whether a response can be compared with it, and whether a number is that result."""

from __future__ import annotations

from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.silent_words import (
    BREAKS,
    MADE_UP,
    OPEN,
    ROUGHLY,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS = 320, 700
_ASKS = Pattern(
    r"\b(?:how (?:much|many|long|far|fast)|what(?:['’]s| \pL+){0,6} (?:percent\w*|cost\w*|price|pay|total|get|amount|earn\w*|net|speed|rate|share|sum|bill|owe|need|grade|mark|increase|growth|is (?:that|it))|who (?:pays|gets|owes)|(?:final|total|net|gross|new) (?:price|cost|amount|sum|pay)|grams|gross|net|growth|percentage|"
    r"work out|calculate|compute|share (?:it |them )?by|split)\b|(?:in|how many|what) ?%",
    ignore_case=True,
)
# A rate that does not run through, whole units, chances, or what one has to know or choose.
_MORE_TO_IT = Pattern(
    r"\b(?:overtime|first|after that|above|over|beyond|up to|at least|at most|minimum|additional|free|every|twice|double|half|third|quarter|started|"
    r"compound\w*|interest|annual\w*|mortgage|loans?|invest\w*|inflation|probab\w*|chance\w*|odds|dice|median|square\w*|root|circle|radius|convert|estimate|guess|best|ideas?|suggest\w*|recommend\w*|"
    rf"{MADE_UP}|{BREAKS}|deposit|tips?|fees?|write|list|another|more|less|fewer|others?|rest|remaining|left|already|multiple|dozen|ways|page|compare|cheaper|cheapest|better|if|until|plus|minus|extra|points?)\b|[²³^√]|\d ?\+ ?\d",
    ignore_case=True,
)
# Numbers that are not read as they are meant.
_UNREAD = Pattern(
    r"\d[ \x{00a0}\x{202f}]\d|\pL\d|\d\pL+\d|\d[½¼¾⅓⅔]|\d,\d{1,2}\b|\b[1-9]\d{0,2}\.\d{3}\b|\d ?[kKM]\b|\d ?[-–] ?\d"
)
# "5 to 6 people" leaves open how many; "from 5 to 6" is a change.
_RANGE = Pattern(r"(?P<change>\bfrom [$€£]?)?\b\d[\d,.]* to [$€£]?\d", ignore_case=True)
_NEAR, _ABOUT, _LOOSE = Fraction(6, 1000), Fraction(4, 100), Fraction(15, 100)
_FEW_DIGITS = 100


def asks_plainly(prompt: Text) -> bool:
    """Tell whether a prompt is short, asks for a result, and has nothing in it that changes the calculation."""
    if len(prompt) > _MAX_PROMPT_CHARS or not prompt.search(_ASKS):
        return False
    if any(not match["change"] for match in prompt.matches(_RANGE, limit=3)):
        return False
    return not (prompt.search(_MORE_TO_IT) or prompt.search(_UNREAD))


def can_be_compared(response: Text) -> bool:
    """Tell whether a response is short, claims something, and has only numbers that are read as they are meant."""
    if not 0 < len(response) <= _MAX_RESPONSE_CHARS:
        return False
    unread = response.search(_UNREAD) or response.search(_RANGE)
    return not (unread or response.search(OPEN))


def is_one_of(
    response: str, value: Fraction, number: Fraction, places: int, results: list[Fraction]
) -> bool:
    """Tell whether a value, written as that number with so many decimals, is one of the results."""
    if not number:
        return True
    # Half a step of the last digit that is written; a whole number may be rounded either way, but not by one.
    step = Fraction(1, 2 * 10**places) if places else Fraction(99, 100)
    near = max(_NEAR, step / abs(number))
    if ROUGHLY.search(response.encode()):
        # Only a round number may be far off.
        few = number < _FEW_DIGITS and number % 5 == 0
        near = max(near, _LOOSE if few else _ABOUT)
    return any(abs(value - abs(result)) <= near * value for result in results)


def answered(exchange: Exchange, places: list[Region], right: bool) -> Check:
    """Make the check of what is most likely the answer: the number in bold, the last of a calculation, or the first."""
    response = exchange.response.value
    bold = [place for place in places if response[: place.start].count("**") % 2]
    place = bold[0] if bold else places[-1 if "=" in response else 0]
    return Check.of(place, right, sure=False, given=Region(0, len(exchange.prompt)))
