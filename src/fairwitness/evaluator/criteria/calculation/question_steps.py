"""Works out questions of several steps that the prompt determines: percentages one after another, full boxes, parts, pay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import prod

from fairwitness.evaluator.criteria.calculation.answers import Answer, plain
from fairwitness.evaluator.criteria.calculation.quantities import (
    CLOCK,
    DAY,
    DURATION,
    PERCENT,
    RATIO,
    Line,
    Quantity,
)
from fairwitness.evaluator.criteria.calculation.question_times import ASKS_END, clock_of
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Text
from fairwitness.evaluator.vocabulary import CURRENCY_CODES, SIZES, unit_of

_MAX_CHARS = 250
# Words so near to a percentage are about it.
_NEAR = 30
_OFF = Pattern(
    r"\b(?:off|discount\w*|reduc\w*|cheaper|less|down|minus|rebate|cashback|cut|drop\w*|fell|falls?|loses?|lost)\b"
)
_UP = Pattern(
    r"\b(?:mark-?up|vat|tax|gst|tip|gratuity|service|fees?|charges?|surcharge|on top|increas\w*|rais\w*|ris\w*|rose|more|up|plus|added|adds?)\b"
)
# "up 20%", "minus another 10%": the word just before a percentage.
_JUST_BEFORE = Pattern(
    r"\b(?:(?P<off>down|minus|less|fell|falls?|dropp\w*|cut|reduced)|(?P<up>up|plus|adds?|added|rose|rises?|increased))(?: by)?(?: an?| another| an? (?:extra|further|additional))? $"
)
_ASKS = Pattern(r"\?|\b(?:how much|what(?:'s)?|total|final|calculate|work out)\b")
_SAVED = Pattern(
    r"\bhow much\b[^?]*\b(?:save[ds]?|saving\w*|off)\b|\bwhat\b[^?]*\b(?:save[ds]?|saving\w*)\b"
)
# Another amount is asked for, or the percentages are not of the price.
_OTHER_STEPS = Pattern(
    r"\b(?:original\w* (?:price|cost|value|amount)|at first|before|initial\w*|net|without|excluding|excl|including|include[ds]?|incl|interest|annual\w*|compound\w*|years?|yearly|months?|monthly|"
    r"profit|margin|commission|deposit|chance|probability|half|twice|double|each|percent\w*|per|either|or|instead|whichever|only|if|of (?:them|it|that)|of (?:the|our|my) \pL+s|split|share[ds]?|"
    r"first|second|over|minimum|min|max|maximum|voucher|points?|rest|value|worth)\b|\bin %"
)
# The second percentage is of what the first has left.
_IN_TURN = Pattern(
    r"\b(?:another|further|additional\w*|extra|then|again|afterwards?|on top of that|after that|on the (?:reduced|sale|discounted))\b"
)
# "So 40% off, right?" is the asker's own guess.
_GUESS = Pattern(
    r"\bso (?:(?:that|it)(?:'s| is| makes) )?[PMN]\d+|\b(?:right|correct|true) ?\?|\b(?:is|isn't) (?:it|that) [PMN]\d+"
)
_CODES = "|".join([*sorted(map(str.lower, CURRENCY_CODES)), "sek", "nok", "dkk", "pln", "czk"])
_RATE = Pattern(
    rf"\b(?:(?P<one>N\d+) (?P<from>{_CODES}) (?:=|is|was|equals|to|buys|gets(?: \pL+)?)|(?P<one2>M\d+) (?:=|is|was|equals|buys)) "
    rf"(?:(?P<rate>N\d+) (?P<to>{_CODES})\b|(?P<rate2>M\d+)\b)"
)
_AMOUNT = Pattern(rf"\b(?P<amount>N\d+) (?P<of>{_CODES})\b|\b(?P<of2>{_CODES}) (?P<amount2>N\d+)\b")
# What else is taken off or added has no percentage here.
_EXCHANGE_COSTS = Pattern(r"\b(?:fees?|commission|charges?|flat|minimum|min)\b")
_PACKED = Pattern(
    r"\b(?P<all>N\d+) \pL+[^?]{0,60}?\b(?:(?P<each>N\d+) (?:\pL+ )?(?:to (?:a|an|each|every|the)|per|in (?:a|each|every)|fit (?:in|into) (?:a|each|one)|a) \pL{3,}|\pL{3,}s of (?P<each2>N\d+))\b"
)
_FULL = Pattern(r"\b(?:how many|number of) (?:full|complete|whole|filled) \pL+")
_LEFT_OVER = Pattern(r"\b(?:left over|leftover|remain\w*|left)\b")
_SEATS = Pattern(
    r"\b(?P<all>N\d+) \pL+[^?]{0,60}?\b(?:each|every|one|a) (?P<box>\pL{3,}?)(?:es|s)? (?:takes|holds|fits|seats|carries|has room for|can (?:take|hold|carry|seat)) (?P<each>N\d+)\b[^?]*\bhow many (?P<boxes>\pL{3,}) (?:do|will|would|are|should) [^?]*\b(?:needed?|order|hire|book|buy)\b"
)
_THREE_PARTS = Pattern(r"R(?P<first>\d+) ?: ?(?P<third>N\d+)\b")
_OF_EACH = Pattern(
    r"\bhow (?:much|many)\b[^?]*\b(?:each|every|everyone)\b|\bhow much \pL+, \pL+ and \pL+\b|\bwho gets\b|\bwhat does (?:each|everyone)\b"
)
_IN_ALL = Pattern(r"\b(?:in total|total|altogether|in all|overall|split|share|divide)\b")
_OVERTIME = Pattern(
    r"\b(?P<hours>[ND]\d+)(?: (?:normal|regular|basic|standard|ordinary))?(?: hours?)? at (?P<pay>M\d+)(?: (?:an|per) hour)?\b[^?.]{0,30}\b"
    r"(?P<over>[ND]\d+)(?: hours?)?(?: of)? overtime(?: hours?)? at (?P<how>time and a half|double time)\b"
)
_BEGINS = Pattern(
    r"\b(?:starts?|started|starting|begins?|began|leave|leaving|left|set off|from|kicks? off)(?: at| by)? T\d+\b|^\W*(?:at )?T\d+\b"
)
_ASKS_END = Pattern(
    r"\bwhen (?:can|will|do|does|is|are)\b|\barrival\b|\bwhat time (?:will|do|does|is|are)\b"
)
_ASKS_START = Pattern(
    r"\b(?:when|what time)\b[^?]*\b(?:start|begin|leave|put|set off|go in|get up|need to be)\b|\bwant to\b|\bhave to be\b"
)
_NOT_IN_SEQUENCE = Pattern(
    r"\b(?:every|each|per|late|delay\w*|early|earlier|ago|already|includ\w*|incl|of which|total|remaining|between|meanwhile|same time|while|during|or|zones?|gmt|utc|ahead|behind|before (?:we|i|you)|until|by|loads?|twice|both)\b"
)


def answer(line: Line) -> Answer | None:
    """Return what the question determines, or None where it is none of these."""
    if len(line.text) > _MAX_CHARS:
        return None
    solve = _BY_KINDS.get("".join(sorted(line.kinds())))
    return solve(line) if solve else None


def _changes(line: Line) -> list[Fraction] | None:
    """Return by how much each percentage changes the price, up or down; None where one of them does not say."""
    changes = []
    for index, part in enumerate(line.quantities):
        if part.kind == PERCENT:
            sign = _sign(line, index)
            if not sign:
                return None
            changes.append(sign * part.value)
    return changes


def _sign(line: Line, index: int) -> int:
    """Return which way a percentage changes a price, by the words beside it; 0 where they do not say."""
    here, following = line.quantities[index], line.quantities[index + 1 : index + 2]
    earlier = line.quantities[index - 1].end if index else 0
    before = Text(line.text.lower[max(earlier, here.start - _NEAR) : here.start])
    if beside := before.search(_JUST_BEFORE):
        return -1 if beside["off"] else 1
    after = Text(line.text.lower[here.end : following[0].start if following else None][:_NEAR])
    if found := [(match.start, sign) for sign, match in _signs(after)]:
        return min(found)[1]
    said = {sign for sign, _ in _signs(before)}
    return said.pop() if len(said) == 1 else 0


def _signs(words: Text) -> Iterator[tuple[int, Match]]:
    for sign, pattern in ((-1, _OFF), (1, _UP)):
        if (match := words.search(pattern)) is not None:
            yield sign, match


def _chained(line: Line) -> Answer | None:
    """Work out a price after several percentages, or what they take off, converted first where a rate is given."""
    if line.first(_OTHER_STEPS) or line.first(_GUESS) or not line.first(_ASKS):
        return None
    changes = _changes(line)
    plain_one = len(line.quantities) == 1 + len(line.of(PERCENT))
    whole = next(q for q in line.quantities if q.kind != PERCENT)
    base = whole.value if plain_one else _converted(line)
    # "Two products, 30% off": a number in words is no price.
    worded = whole.text[:1].isalpha()
    if worded or changes is None or base is None:
        return None
    ways = [base * prod(1 + change for change in changes)]
    alike = len({change > 0 for change in changes}) == 1
    if alike and not line.first(_IN_TURN):
        ways.append(base * (1 + sum(changes)))
    if line.first(_SAVED):
        ways = [abs(base - way) for way in ways]
    shown = plain(ways[0], whole if plain_one else None)
    return Answer("number", tuple((way,) for way in ways), shown)


def _exchanged(line: Line) -> Answer | None:
    """Work out an amount in another currency, by a rate that is given."""
    worked = None if line.first(_EXCHANGE_COSTS) else _converted(line)
    return None if worked is None else Answer("number", ((worked,),), plain(worked))


def _converted(line: Line) -> Fraction | None:
    """Return the amount in the other currency of a rate; None where it is in neither."""
    match = line.first(_RATE)
    if match is None:
        return None
    one, rate = line[match["one"] or match["one2"]], line[match["rate"] or match["rate2"]]
    names = [_currency(match[name]) or of.unit for name, of in (("from", one), ("to", rate))]
    rest = [q for q in line.quantities if q not in (one, rate) and q.kind != PERCENT]
    if one.value != 1 or not rate.value or len(rest) != 1 or names[0] == names[1]:
        return None
    own = rest[0].unit
    for found in line.find(_AMOUNT):
        if line[found["amount"] or found["amount2"]] is rest[0]:
            own = _currency(found["of"] or found["of2"])
    if own not in names:
        return None
    return rest[0].value * rate.value if own == names[0] else rest[0].value / rate.value


def _currency(code: str) -> str:
    """Return a currency by its sign where it has one, so that "usd" and "$" are the same."""
    known = unit_of(code)
    return known[1] if known else code


def _counted(line: Line) -> Answer | None:
    return _packed(line) or _seated(line)


def _whole_numbers(whole: Quantity, each: Quantity) -> tuple[int, int] | None:
    """Return how many things there are and how many fit in one box; None where these are no such numbers."""
    if whole.value.denominator != 1 or each.value.denominator != 1:
        return None
    return (int(whole.value), int(each.value)) if 0 < each.value < whole.value else None


def _seated(line: Line) -> Answer | None:
    """Work out how many are needed so that all have a place: the last one may be part empty."""
    match = line.first(_SEATS)
    if match is None or not match["boxes"].startswith(match["box"]):
        return None
    counts = _whole_numbers(line[match["all"]], line[match["each"]])
    if counts is None:
        return None
    needed = -(-counts[0] // counts[1])
    return Answer("number", ((Fraction(needed),),), str(needed), exact=True)


def _packed(line: Line) -> Answer | None:
    """Work out how many boxes are full, and what is left over."""
    match = line.first(_PACKED)
    full, left = line.first(_FULL), line.first(_LEFT_OVER)
    if match is None or full is None:
        return None
    counts = _whole_numbers(line[match["all"]], line[match["each"] or match["each2"]])
    if counts is None:
        return None
    boxes, rest = divmod(counts[0], counts[1])
    wanted = (Fraction(boxes), Fraction(rest)) if left and rest else (Fraction(boxes),)
    return Answer("number", (wanted,), f"{boxes} full, {rest} left over", exact=True)


def _three_parts(line: Line) -> Answer | None:
    """Work out three shares of a whole: 1:2:4 of 350 kg."""
    match = line.first(_THREE_PARTS)
    if match is None or not line.first(_OF_EACH) or not line.first(_IN_ALL):
        return None
    two, third = line.quantities[int(match["first"])], line[match["third"]]
    whole = next(q for q in line.quantities if q not in (two, third))
    if two.kind != RATIO:
        return None
    parts = (two.value, two.other, third.value)
    if not all(parts):
        return None
    shares = tuple(whole.amount * part / sum(parts) for part in parts)
    return Answer("number", (shares,), ", ".join(plain(share, whole) for share in shares))


def _overtime(line: Line) -> Answer | None:
    """Work out pay for hours at a rate and overtime at a higher one."""
    match = line.first(_OVERTIME)
    if match is None:
        return None
    pay = line[match["pay"]]
    more = Fraction(3, 2) if "half" in match["how"] else Fraction(2)
    worked = pay.value * (_hours(line[match["hours"]]) + more * _hours(line[match["over"]]))
    return Answer("number", ((worked,),), plain(worked, pay))


def _rate_or_overtime(line: Line) -> Answer | None:
    return _exchanged(line) or _overtime(line)


def _hours(quantity: Quantity) -> Fraction:
    return quantity.value / SIZES["hour"] if quantity.kind == DURATION else quantity.value


def _one_after_another(line: Line) -> Answer | None:
    """Work out when something ends that begins at a time and has several parts."""
    ends = line.first(ASKS_END) or line.first(_ASKS_END)
    if not ends or not line.first(_BEGINS) or line.first(_ASKS_START):
        return None
    span = sum((q.value for q in line.of(DURATION)), Fraction(0))
    if span >= DAY or line.first(_NOT_IN_SEQUENCE):
        return None
    worked = (line.of(CLOCK)[0].value + span) % DAY
    return Answer("clock", ((worked,),), clock_of(worked))


_BY_KINDS: dict[str, Callable[[Line], Answer | None]] = {
    "MPP": _chained, "MPPP": _chained, "NPP": _chained, "NPPP": _chained,
    "MNNP": _chained, "MMNP": _chained, "MMMP": _chained, "NNNP": _chained,
    "MMM": _exchanged, "MMN": _exchanged, "NNN": _exchanged, "MNN": _rate_or_overtime,
    "NN": _counted, "NRU": _three_parts, "MNR": _three_parts, "NNR": _three_parts,
    "DMN": _overtime, "DDM": _overtime,
    "DDT": _one_after_another, "DDDT": _one_after_another, "DDDDT": _one_after_another,
}  # fmt: skip
