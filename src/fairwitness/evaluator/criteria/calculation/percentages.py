"""Checks shares in percent and prices stated in set phrases: a 25% tip on $40 is $10, 3 pens at $2 each cost $6."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import (
    COUNT,
    GOES_ON,
    MAX_MATCHES,
    NUMBER,
    amount,
    check,
    decimals,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_MONEY = rf"(?P<sign>[$€£₹¥]?)(?P<whole>{NUMBER})"
_RESULT = (
    rf"(?P<sign2>[$€£₹¥]?)(?P<result>{NUMBER})(?:[.,;!)]?(?:\s|$)(?:and |so |which )?|[.,;!)]*$)"
)
_IS = (
    r"(?:is|=|equals|gives|yields|makes|comes to|would be|results in|leaves|"
    r"(?:brings|reduces|lowers|takes) (?:the (?:price|cost|total)|it) (?:down )?to|"
    r"(?:and )?you(?:[’']ll| will| would)? (?:pay|owe)|means (?:you pay|paying))"
)
_PERCENT = r"(?P<percent>\d{1,3}(?:\.\d{1,2})?)\s?%"
_THING = r"(?: (?:bill|purchase|item|price|\pL{3,12}))?"
_PART = r"tip|discount|commission|deposit|down payment|surcharge|sales tax"
_CHANGED = Pattern(
    rf"\b(?P<how>increasing|raising|decreasing|reducing|lowering) {_MONEY} by {_PERCENT},? {_IS} {_RESULT}",
    ignore_case=True,
)
_SHARE = Pattern(
    rf"\b{_PERCENT} (?:{_PART}) (?:on|of|off) (?:an? |the )?{_MONEY}{_THING},? {_IS} {_RESULT}",
    ignore_case=True,
)
_SHARE_OF = Pattern(
    rf"\b(?:{_PART}) of {_PERCENT} (?:on|off) (?:an? |the )?{_MONEY}{_THING},? {_IS} {_RESULT}",
    ignore_case=True,
)
_OFF = Pattern(
    rf"\b{_PERCENT} off (?:of )?(?:an? |the )?{_MONEY}{_THING},? {_IS} {_RESULT}",
    ignore_case=True,
)
# "With 15% off, the $200 chair costs $170."
_WITH = Pattern(
    rf"\b(?:with|at|after) (?:an? )?{_PERCENT} (?:off|discount),? (?:the|an?|your|that) {_MONEY}(?: \pL{{3,14}}){{1,2}} "
    rf"(?:costs?|is|comes to|will cost|would cost|drops to|becomes|goes for) {_RESULT}",
    ignore_case=True,
)
_GROWN = Pattern(
    rf"\b{_PERCENT} (?P<how>increase|raise|rise|mark-?up|decrease|reduction|cut) (?:on|of|in|to) {_MONEY},? {_IS} {_RESULT}",
    ignore_case=True,
)
_EACH = Pattern(
    rf"\b(?P<count>{COUNT}) (?:[\pL-]+ ){{1,3}}(?:at|for) (?P<sign>[$€£₹])(?P<price>{NUMBER}) (?:each|apiece),? "
    r"(?:(?:so|which|and|that|she|he|you|I|they|it|the total) ){0,3}"
    r"(?:costs?|is|comes? to|equals|=|makes?|totals?|would be|would cost|will cost|spends?|pays?|owes?) "
    rf"(?:a total of )?{_RESULT}",
    ignore_case=True,
)
# "4 boxes with 12 pencils each make 48 pencils": the things counted must be those held.
_GROUPS = Pattern(
    rf"\b(?P<count>{COUNT}) \pL{{3,16}} (?:with|of|containing|holding) (?P<price>{COUNT}) (?P<what>\pL{{3,20}}) (?:each|apiece),? "
    r"(?:makes?|is|are|equals?|=|gives?|means?|totals?|comes? to|would be) (?:a total of )?"
    r"(?P<result>\d{1,7}) (?P<same>\pL{3,20})\b",
    ignore_case=True,
)
_IS_PART = Pattern(
    rf"(?:^|[.!?;:,(]\s|\b(?:so|and|that|because|since|thus|hence|means) )(?P<part>{NUMBER}) is {_PERCENT} of (?P<whole>{NUMBER})(?:[.,;!)]|\s*$)"
    rf"|\b(?P<part2>{NUMBER}) out of (?P<whole2>{NUMBER}) (?:is|=|equals) (?P<percent2>\d{{1,3}}(?:\.\d{{1,2}})?)\s?%",
    ignore_case=True,
    multiline=True,
)


def shares(text: Text) -> Iterator[Check]:
    """Yield a check for every "increasing 200 by 10% gives 220" and "a 25% tip on $40 is $10"."""
    yield from _priced(text)
    for pattern in (_CHANGED, _SHARE, _SHARE_OF, _OFF, _WITH, _GROWN):
        for match in text.matches(pattern, limit=MAX_MATCHES):
            end = match.span("result")[1]
            if not GOES_ON.search(text.value[end : end + 12].encode()):
                yield check(match, match.start, end, _fair(match, pattern))


def _fair(match: Match, pattern: Pattern) -> list[Fraction]:
    """Return the values the phrase may mean, the likeliest first."""
    whole, part = amount(match["whole"]), amount(match["percent"]) / 100
    if pattern is _CHANGED:
        up = match["how"].lower() in {"increasing", "raising"}
        return [whole * (1 + part if up else 1 - part)]
    if pattern is _WITH:
        return [whole * (1 - part)]
    if pattern is _OFF:
        return [whole * (1 - part), whole * part]
    if pattern is _GROWN:
        down = match["how"].lower() in {"decrease", "reduction", "cut"}
        return [whole * (1 - part if down else 1 + part), whole * part]
    # "A 20% discount on $50 is $40" gives the price that is left.
    return [whole * part, whole * (1 - part), whole * (1 + part)]


def _priced(text: Text) -> Iterator[Check]:
    """Yield a check for every "3 notebooks at $4 each cost $12" and "4 boxes with 12 pens each make 48 pens"."""
    for match in text.matches(_EACH, limit=MAX_MATCHES):
        end = match.span("result")[1]
        if match["sign"] != match["sign2"] or GOES_ON.search(text.value[end : end + 12].encode()):
            continue
        yield check(match, match.start, end, [amount(match["count"]) * amount(match["price"])])
    for match in text.matches(_GROUPS, limit=MAX_MATCHES):
        if match["what"].lower().rstrip("s") == match["same"].lower().rstrip("s"):
            worked = amount(match["count"]) * amount(match["price"])
            yield check(match, match.start, match.end, [worked])


def parts(text: Text) -> Iterator[Check]:
    """Yield a check for every "12 is 25% of 48" and "7 out of 10 is 70%", to the decimals shown."""
    for match in text.matches(_IS_PART, limit=MAX_MATCHES):
        more = "2" if match["percent2"] else ""
        part, whole = amount(match[f"part{more}"]), amount(match[f"whole{more}"])
        if not whole:
            continue
        worked, written = 100 * part / whole, match[f"percent{more}"]
        places = decimals(written)
        apart = abs(worked - amount(written))
        place = Region(*match.span(f"percent{more}"))
        end = max(place.end, match.span(f"whole{more}")[1])
        fixed = f"{float(worked):.{places or (0 if worked.denominator == 1 else 1)}f}"
        yield Check.of(
            place, apart * 2 <= Fraction(1, 10**places), fixed,
            whole=Region(match.span(f"part{more}")[0], end), rounded=apart <= 1,
        )  # fmt: skip
