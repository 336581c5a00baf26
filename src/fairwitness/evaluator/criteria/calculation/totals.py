"""Checks results stated in set phrases: totals of lists, sums and products of named numbers, changes in percent."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import (
    added_up,
    amount,
    combine,
    decimals,
    shown,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_AMOUNT = r"(?P<sign>[$€£₹¥]?)\s?(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d{1,9}(?:\.\d{1,2})?)"
# How an item's amount is made, which is another check's to work out: "3 x $4 =" before it, "at $4 each" in its name.
_MADE = r"(?:[$€£₹¥]?\d[\d.,]*(?: \pL{1,12})?\s?[x×*]\s?[$€£₹¥]?\d[\d.,]*(?: \pL{1,12})?\s?=\s?)?"
_PRICED = r"(?:\s(?:at|@|for|x|×)\s[$€£₹¥]?\d[\d.,]*(?: (?:each|apiece|per \pL+))?| \([$€£₹¥]?\d[\d.,]*(?: each)?\))?"
# "- Rent: $1,200", "3. Food – 400 (about)": a name, then one amount, then nothing that counts.
_ITEM = Pattern(
    r"^[ \t]*(?:[-*•+]|\d{1,2}[.)])?[ \t]*(?:\d{1,4} )?(?P<name>\*{0,2}[\pL][^\n\d$€£₹¥%]{0,60}?)"
    + _PRICED
    + r"\s*(?::|[-–—=])[ \t*]*"
    + _MADE
    + _AMOUNT
    + r"(?P<unit>\s?\pL{0,12})\*{0,2}\.?[ \t]*$"
)
_TOTAL = Pattern(r"^[\s*_]*(?:grand |overall )?(?:total|sum)\b", ignore_case=True)
# Lists with any of these do not simply add up to what "total" says.
NOT_ADDED = Pattern(
    r"\b(?:sub-?total|income|revenue|balance|remaining|discount|tax|average|per|each|price|profit|savings?|"
    r"budget|salary|max\w*|min\w*|year|years|age|rate|score|number|possible|less|minus|off|net|gross)\b",
    ignore_case=True,
)
_RISE = r"increase[ds]?|rise|rose|gain(?:ed)?|growth|grew|growing|grows?|up"
_FALL = r"decrease[ds]?|drop(?:ped)?|decline[ds]?|fell|fall|reduction|reduced|loss|down"
_CHANGE = Pattern(
    r"from " + _AMOUNT.replace("sign", "s1").replace("number", "old")
    + r"(?:\s\pL+)? to " + _AMOUNT.replace("sign", "s2").replace("number", "new")
    + r"(?:\s\pL+)?,?\s(?:(?:which|that|this|it|is|represents|representing|means|was|would be|equals|a|an|the|of) ){1,5}"
    r"(?:(?P<percent>\d{1,4}(?:\.\d{1,3})?)\s?% (?P<direction>" + _RISE + "|" + _FALL + r")\b|"
    r"(?P<direction2>" + _RISE + "|" + _FALL + r") of (?P<percent2>\d{1,4}(?:\.\d{1,3})?)\s?%)",
    ignore_case=True,
)  # fmt: skip
_PLAIN = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,9}(?:\.\d{1,6})?"
_NUMBER = Pattern(_PLAIN)
_COMBINED = Pattern(
    r"\b(?P<how>sum|product|average|mean|difference) (?:of|between) "
    rf"(?P<numbers>(?:{_PLAIN})(?:, (?:{_PLAIN})){{0,12}},? and (?:{_PLAIN})|"
    rf"(?:the|these|those|your|her|his)? ?(?:\pL+ ){{1,3}}?\((?:{_PLAIN})(?:, (?:{_PLAIN})){{1,12}}(?:,? and (?:{_PLAIN}))?\)) "
    rf"(?:is equal to|equals|is|=) (?P<result>{_PLAIN})\b",
    ignore_case=True,
)
_SIGNED = rf"[$€£₹¥]?(?:{_PLAIN})"
# "252 pages left (364 − 112)": a result, what it is of, and in brackets how it was found.
_EXPLAINED = Pattern(
    rf"(?:^|[\s*(:])(?P<result>{_SIGNED})\*{{0,2}}(?P<of>(?: \pL[\pL’'-]*){{0,4}})\*{{0,2}} \((?P<sum>{_SIGNED}(?: [-+−–] {_SIGNED}){{1,12}})\)"
)
# "The seconds (42 + 15) come to 57": nothing is done with the sum before it is stated.
_SUMMED = Pattern(
    rf"(?:^|[.,;:] |\b(?:the|and|these|those|all) )(?:\pL{{3,}} ){{1,2}}\((?P<sum>{_SIGNED}(?: \+ {_SIGNED}){{1,12}})\),? (?:come|comes|adds?|amounts?|sums?)(?: up)? to (?P<result>{_SIGNED})(?:[.,;]?(?:\s|$)|[;)])",
    ignore_case=True,
)
_DONE_MORE = Pattern(r"\b(?:double|twice|half|triple|times)\b|[×*/]", ignore_case=True)
_STEP = Pattern(rf"(?:^|(?P<sign>[-+−–]) )[$€£₹¥]?(?P<number>{_PLAIN})")
# A word that makes the number one of several, or the name of something, and no result.
_NO_RESULT = frozenset("and or to of than chapter page step version room".split())
_UP = Pattern(_RISE, ignore_case=True)
_DIGIT = Pattern(r"\d")
_MAX_ITEMS = 60


def totals(text: Text) -> Iterator[Check]:
    """Yield a check for every list of amounts that ends in its own total."""
    items: list[Match] = []
    incomplete = (
        False  # a line among the items has a number that is not read: their sum is not known
    )
    for line in text.lines:
        value = text.slice(line)
        if not value.strip():
            continue
        found = _ITEM.find(value.encode(), Text(value).codepoint, limit=1)
        if not found:
            incomplete = _DIGIT.search(value.encode())
            items = []
        elif incomplete:
            continue
        elif _TOTAL.search(found[0]["name"].encode()):
            check = _total(items, found[0], line)
            if check is not None:
                yield check
            items = []
        else:
            items = [*items[-_MAX_ITEMS:], found[0]]


def _total(items: list[Match], total: Match, line: Region) -> Check | None:
    if len(items) < 2 or len(items) > _MAX_ITEMS:
        return None
    if len({(item["sign"], item["unit"].strip().lower()) for item in [*items, total]}) != 1:
        return None
    names = "\n".join(item["name"] for item in [*items, total])
    if NOT_ADDED.search(names.encode()):
        return None
    stated = amount(total["number"])
    amounts = [amount(item["number"]) for item in items]
    # An answer may state its result first, and then how it comes about.
    if amounts[0] == stated == sum(amounts[1:], Fraction(0)):
        amounts = amounts[1:]
    added = sum(amounts, Fraction(0))
    place = Region(*total.span("number"))
    places = max(decimals(item["number"]) for item in [*items, total])
    fixed = added_up(added, places, total["number"])
    whole, near = Region(total.start, place.end), abs(added - stated) < 1
    check = Check.of(place, added == stated, fixed, whole=whole, rounded=near)
    return check.moved(line.start)


def changes(text: Text) -> Iterator[Check]:
    """Yield a check for every "from 50 to 75 is a 50% increase"."""
    for match in text.matches(_CHANGE):
        more = "2" if match["percent2"] else ""
        written = match[f"percent{more}"]
        old, new = amount(match["old"]), amount(match["new"])
        if not old or match["s1"] != match["s2"]:
            continue
        change = (new - old) / old * 100
        rising = _UP.fullmatch(match[f"direction{more}"])
        stated = amount(written) * (1 if rising else -1)
        places = decimals(written)
        apart = abs(change - stated)
        fixed = f"{float(abs(change)):.{max(places, 0 if change.denominator == 1 else 1)}f}"
        place, whole = Region(*match.span(f"percent{more}")), Region(match.start, match.end)
        right = apart <= Fraction(1, 10**places)
        yield Check.of(place, right, fixed, whole=whole, rounded=apart < 2)


def combined(text: Text) -> Iterator[Check]:
    """Yield a check for every "the sum of 3, 4 and 5 is 12"."""
    for match in text.matches(_COMBINED):
        numbers = [amount(item.text) for item in Text(match["numbers"]).matches(_NUMBER)]
        worked = combine(match["how"].lower(), numbers)
        place, places = Region(*match.span("result")), decimals(match["result"])
        apart = abs(worked - amount(match["result"]))
        right = apart <= (Fraction(1, 2 * 10**places) if places else 0)
        near = apart < 1 and worked.denominator != 1
        whole = Region(match.start, place.end)
        yield Check.of(place, right, shown(worked, places, False), whole=whole, rounded=near)


def explained(text: Text) -> Iterator[Check]:
    """Yield a check for every "252 pages left (364 − 112)"."""
    for match in text.matches(_SUMMED):
        sentence = Text(text.slice(text.sentence_at(match.span("sum")[0])))
        unit = text.value[match.span("result")[1] :].lstrip()[:1].isalpha()
        if not unit and not sentence.search(_DONE_MORE):
            yield _worked(match, Text(match["sum"]).matches(_STEP))
    for match in text.matches(_EXPLAINED):
        low = match.span("result")[0]
        before = text.lower[max(0, low - 12) : low].split()[-1:]
        if not _NO_RESULT.isdisjoint([*before, *match["of"].lower().split()]):
            continue
        steps = Text(match["sum"]).matches(_STEP)
        worked = _added(steps)
        # "She turned 86 in 2024 (2024 − 1938)": the result stands earlier.
        clause = Text(text.value[text.sentence_at(low).start : match.span("sum")[0]])
        if any(amount(item.text) == worked for item in clause.matches(_NUMBER)):
            continue
        yield _worked(match, steps)


def _added(steps: list[Match]) -> Fraction:
    signed = ((-1 if step["sign"] in {"-", "−", "–"} else 1, step["number"]) for step in steps)
    return sum((sign * amount(number) for sign, number in signed), Fraction(0))


def _worked(match: Match, steps: list[Match]) -> Check:
    """Compare a result with the sum in brackets beside it."""
    worked, place = _added(steps), Region(*match.span("result"))
    written = match["result"].lstrip("$€£₹¥")
    places, apart = decimals(written), abs(worked - amount(written))
    right = apart <= (Fraction(1, 2 * 10**places) if worked.denominator != 1 else 0)
    exact = max(places, *(decimals(step["number"]) for step in steps))
    whole = Region(match.start, match.end)
    return Check.of(place, right, f"{float(worked):.{exact}f}", whole=whole, rounded=apart < 1)
