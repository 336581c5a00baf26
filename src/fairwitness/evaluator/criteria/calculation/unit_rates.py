"""Checks rates against the amounts beside them: "189 km over 2.25 hours is 84 km/h", "at 1.75 euros a litre, 6 litres cost 10.50".

Three amounts whose units cancel must multiply, within how precisely they are written. Two that the text joins may take the
third, a rate, from elsewhere in the text or from the prompt, if there is only one of those units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import Line, number
from fairwitness.evaluator.criteria.calculation.silent_words import BREAKS, CHARGES
from fairwitness.evaluator.criteria.calculation.unit_amounts import BARE, Amount, amounts
from fairwitness.evaluator.criteria.calculation.unit_products import (
    NEAR,
    Three,
    cancelling,
    compared,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS = 3_000, 6_000
_MAX_SENTENCES, _MAX_SENTENCE_CHARS, _MAX_RATES = 60, 400, 12
# Sentences with as many amounts as take time to compare.
_MAX_FULL = 25
_MAX_GAP_CHARS = 60
_RATE_SIGN = Pattern(
    r"\d[^.;\n]{0,30}(?:/ ?\pL|/ ?100 |\b(?:per|an?|every|each) |\b[mk]ph\b)", ignore_case=True
)
# What follows is worked out of what stands before.
_CONCLUDES = Pattern(
    r"=|→|\b(?:so|is|are|was|makes?|made|means?|comes? (?:to|out)|came to|gives?|gave|equals?|takes?|took|lasts?|lasted|needs?|works? out|"
    r"that['’]s|costs?|cost|totals?|results? in|would be|will be|i\.e\.|average|averaged|averaging|covers?|covered|gets?|got|do|does|travel\w*|earns?|uses?|used|delivers?)\b",
    ignore_case=True,
)
# How two amounts belong together.
_TOGETHER = Pattern(
    r"[×*÷]|\b(?:over|in|on|at|for|during|within|after|times|with|using|by|x|of)\b",
    ignore_case=True,
)
_AND_GOES_ON = Pattern(
    r"\band (?:at|over|with|so|that|this|it|therefore|thus|hence)\b", ignore_case=True
)
# More than the three takes part, or they are compared, bounded or told of different things.
_MORE_TO_IT = Pattern(
    rf"[%+?]|\b(?:{CHARGES}|{BREAKS}|and|more|another|further|extra|additional|remaining|rest|than|instead|but|except|although|though|plus|minus|less|then|"
    r"least|most|max\w*|min(?:imum)?|limit\w*|up to|or|whereas|while|compared|against|versus|vs|first|last|next|each|apiece|both|half|twice|double|"
    r"free|if|until|before|not|n['’]t|between|saved?|saves|longer|shorter|faster|slower|earlier|later|ahead|behind|below|above|under|beyond|enough|started|flat|"
    r"fixed|rounded|per|every|other|others|usually|normally|typical\w*)\b",
    ignore_case=True,
)
_MORE_AFTER = Pattern(
    r"^(?:\W+\pL+){0,2}\W*\b(?:left|remain\w*|more|less|extra|longer|shorter|each|apiece|per|off|to spare|over|short|or|to \d|[-–] ?\d|a (?:head|person)|plus|saved|too|behind|ahead|back|cheaper|later|earlier|faster|slower)\b|^\W*[-–×*/+]",
    ignore_case=True,
)
# Who works at the rate is more than one.
_SEVERAL = Pattern(
    r"\b(?:both|all|each|together|two|three|four|five|six|several)\b", ignore_case=True
)
# A term of a sum, or a part of the amount: "60 of 180 km", "half of the 12 litres".
_IN_PART = Pattern(
    r"[-+−–*×÷/] ?$|(?:\d|%|\b(?:half|thirds?|quarters?|fifths?|tenths?|part|rest|most|some)) (?:out )?of(?: (?:the|those|these|your|my))? $",
    ignore_case=True,
)
_WITH_MORE = Pattern(
    rf"\b(?:{BREAKS}|{CHARGES}|traffic|includ\w+|incl|plus|extra|delivery|on top|with an?|started|begun|part of|rounded)\b",
    ignore_case=True,
)
_IF = Pattern(r"\bif\b", ignore_case=True)
_GOES_ON = Pattern(
    r"^\W*(?:so|that|which|this|over|at|in|it|therefore|thus|hence|for|with|=)\b", ignore_case=True
)
_DIGIT = Pattern(r"\d")
_MIN_NUMBERS = 2
_OPERATOR = Pattern(r"[÷×*/+=]")
# The prompt has a rate that does not run through.
_UNEVEN = Pattern(
    rf"\b(?:{BREAKS}|{CHARGES}|free|minimum|flat|started (?:hour|day|week|month|kilomet\w+)|part of|fixed|extra|above|beyond|after that|bands?|overtime|up to|"
    r"except\w*|increas\w+|ris(?:es?|ing)|slow\w*|leak\w*|wast\w+|evaporat\w*)\b",
    ignore_case=True,
)


class _Told(NamedTuple):
    """What is told elsewhere: rates that two amounts may be joined by, what the prompt states, and all other numbers."""

    rates: Callable[[], list[Amount]]
    known: set[tuple[Fraction, str, str]]
    others: set[Fraction]


def unit_rates(exchange: Exchange) -> Iterator[Check]:
    """Yield a check for three amounts that belong together, by sentence and the one before it."""
    response, prompt = exchange.response, exchange.prompt
    if len(response) > _MAX_RESPONSE_CHARS or not (
        response.search(_RATE_SIGN)
        or (len(prompt) <= _MAX_PROMPT_CHARS and prompt.search(_RATE_SIGN))
    ):
        return
    short = len(prompt) <= _MAX_PROMPT_CHARS
    plain = short and not prompt.search(_UNEVEN)

    @cache
    def rates() -> list[Amount]:
        # Where a rate does not run through, none is taken from elsewhere.
        return _rates(response) + _rates(prompt) if plain else []

    stated = amounts(Line(prompt)) if short else []
    known = {(one.number, one.unit, one.per) for one in stated}
    others = {one.number for one in stated} | {one.value for one in Line(response).quantities}
    full = 0
    told = _Told(rates, known, others)
    before: Region | None = None
    for sentence in response.sentences[:_MAX_SENTENCES]:
        value = response.slice(sentence)
        if len(value) > _MAX_SENTENCE_CHARS or response.in_code(sentence.start):
            before = None
            continue
        window = sentence
        same_line = before is not None and "\n" not in response.value[before.end : sentence.start]
        if before is not None and same_line and _GOES_ON.search(value.encode()):
            window = Region(before.start, sentence.end)
        before = sentence
        full += len(Text(value).matches(_DIGIT, limit=_MIN_NUMBERS)) == _MIN_NUMBERS
        if full > _MAX_FULL:
            return
        yield from _checked(response, window, sentence.start, told)


def _rates(text: Text) -> list[Amount]:
    found: list[Amount] = []
    if text.search(_RATE_SIGN) is None:
        return found
    for sentence in text.sentences[:_MAX_SENTENCES]:
        if sentence.end - sentence.start <= _MAX_SENTENCE_CHARS:
            value = Text(text.slice(sentence))
            found += [
                one
                for one in amounts(Line(value))
                if one.is_rate and one.of != BARE and not value.search(_SEVERAL)
            ]
    return found


def _checked(text: Text, window: Region, since: int, told: _Told) -> Iterator[Check]:
    """Yield the checks of a window whose last amount stands in its last sentence."""
    value = text.slice(window)
    found = [one for one in amounts(Line(Text(value))) if not _in_working(value, one.start)]
    past = 0
    for at, three in enumerate(zip(found, found[1:], found[2:], strict=False)):
        if at < past or not all(one.of for one in three) or three[-1].start + window.start < since:
            continue
        if at and _counts(value, found[at - 1], three[0]):
            continue
        check = _three(value, three, told.known)
        if check is not None:
            # Its result may be an amount of the next three, nothing else.
            past = at + 2
            yield check.moved(window.start)
    if past or _IF.search(value.encode()):
        return
    for one, two in pairwise(found):
        if not (one.of and two.of) or two.start + window.start < since:
            continue
        if one.powers(named=True) == two.powers(named=True) or not _belong(value, (one, two)):
            continue
        here = any(part.is_rate and cancelling((one, two, part)) for part in found)
        check = None if here else _with_rate(value, one, two, told.rates())
        if check is not None and not _explained(check, two, told.others):
            yield check.moved(window.start)


def _counts(value: str, before: Amount, first: Amount) -> bool:
    """Tell whether the amount before says how many do it: "3 people at 12 euros an hour"."""
    between = value[before.end : first.start].strip()
    return (
        before.of.startswith("thing")
        and not before.is_rate
        and between in {"at", "for", "with", "at a rate of", "on"}
    )


def _explained(check: Check, result: Amount, others: set[Fraction]) -> bool:
    """Tell whether another number that is told makes up for the difference: two pumps, 20 already there."""
    if check.outcome != "wrong" or not result.number:
        return False
    worked = number(check.corrected)[0]
    if not worked:
        return True
    apart, factor = (
        abs(worked - result.number),
        max(worked, result.number) / min(worked, result.number),
    )
    return apart in others or any(abs(factor - one) <= one * NEAR for one in others if one > 1)


def _three(value: str, parts: Three, known: set[tuple[Fraction, str, str]]) -> Check | None:
    signs = cancelling(parts)
    if signs is None or not _belong(value, parts):
        return None
    # What the prompt gave is not what was worked out.
    new = [at for at, part in enumerate(parts) if (part.number, part.unit, part.per) not in known]
    at = new[-1] if new else len(parts) - 1
    order = [*(n for n in range(3) if n != at), at]
    one, two, last = order
    return compared(
        value,
        (parts[one], parts[two], parts[last]),
        (signs[one], signs[two], signs[last]),
        frozenset(part for n, part in enumerate(parts) if n not in new),
        beside=parts,
    )


def _with_rate(value: str, one: Amount, two: Amount, rates: list[Amount]) -> Check | None:
    """Compare two joined amounts by the only rate of their units that is told."""
    if one.is_rate and not two.is_rate:
        return None
    fitting = [
        rate
        for rate in rates[:_MAX_RATES]
        if _alike(one, two, rate) and cancelling((one, two, rate)) is not None
    ]
    if not fitting or len({rate.value for rate in fitting}) > 1:
        return None
    signs = cancelling((one, two, fitting[0]))
    # The rate comes first: what is worked out is the last of the two.
    return signs and compared(
        value,
        (fitting[0], one, two),
        (signs[2], signs[0], signs[1]),
        frozenset(),
        beside=(one, two),
    )


def _alike(one: Amount, two: Amount, rate: Amount) -> bool:
    """Tell whether a rate is by the units of the amounts: what is charged by the day need not be so by the hour."""
    by_time = {part.unit for part in (one, two) if part.of == "time" and not part.is_rate}
    by_time |= {part.per_unit for part in (one, two, rate) if part.per == "time"}
    return len({unit in {"day", "week"} for unit in by_time}) < 2


def _belong(value: str, parts: tuple[Amount, ...]) -> bool:
    """Tell whether the words between amounts join them, and one is said to come of the others."""
    first, last = parts[0], parts[-1]
    gaps = [value[one.end : two.start] for one, two in pairwise(parts)]
    if any(len(gap) > _MAX_GAP_CHARS for gap in gaps):
        return False
    between = _without_and(" … ".join(gaps))
    opening = value[max(0, first.start - 24) : first.start]
    if _MORE_TO_IT.search(between.encode()) or _MORE_AFTER.search(
        value[last.end : last.end + 24].encode()
    ):
        return False
    rest = value[last.end : last.end + 80].split(". ", maxsplit=1)[0]
    if _IN_PART.search(opening.encode()) or _WITH_MORE.search(rest.encode()):
        return False
    concluding = sum(_CONCLUDES.search(gap.encode()) for gap in gaps)
    joined = _TOGETHER.search(f"{opening} {between}".encode()) or concluding > 1
    return joined and concluding > 0 and not _SEVERAL.search(opening.encode())


def _without_and(between: str) -> str:
    for match in reversed(Text(between).matches(_AND_GOES_ON)):
        between = between[: match.start] + between[match.start + 3 :]
    return between


def _in_working(value: str, at: int) -> bool:
    """Tell whether a place is inside parentheses that hold a calculation."""
    opened = value.rfind("(", max(0, at - 80), at)
    closed = value.find(")", at, at + 80)
    if opened < 0 or closed < 0 or ")" in value[opened:at]:
        return False
    return _OPERATOR.search(value[opened:closed].encode())
