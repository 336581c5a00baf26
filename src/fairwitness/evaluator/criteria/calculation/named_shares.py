"""Checks percentages of parts that the prompt counts, and amounts that it wants split or scaled in proportion.

"143 of 260 said hybrid" makes hybrid 55%; 210 euros split by 24, 18 and 18 square metres are 84, 63 and 63 euros.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.phrase_checks import shown
from fairwitness.evaluator.criteria.calculation.quantities import (
    MEASURE,
    MONEY,
    NUMBER,
    PERCENT,
    Line,
    Quantity,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_PROMPT_CHARS, _MAX_RESPONSE_CHARS = 2_000, 3_000
_MAX_PARTS, _MAX_PIECES, _MAX_NAMES, _MAX_STATED = 12, 60, 8, 12
_ASKS_PERCENT = Pattern(r"\b(?:per ?cent\w*|shares?|proportions?)\b|%", ignore_case=True)
_CUT = Pattern(r"[,;:.!?](?:\s|$)|\n|\b(?:while|whereas|and|but)\b", ignore_case=True)
_ROW_CUT = Pattern(r"\n|;\s|,\s|[.!?](?:\s|$)|\band\b")
_WORD = Pattern(r"\pL{3,}")
_NAMED = Pattern(
    r"\b(?P<name>\p{Lu}\pL{1,15})(?: (?:has|earns|uses|gets|worked|drove|used|put in))?[ :,(–-]{1,3}$"
)
_NAME = Pattern(r"\b\p{Lu}\pL{1,15}\b")
_CHANGED = Pattern(
    r"\b(?:up|down|more|less|than|points?|increas\w*|decreas\w*|grew|growth|rise|rose|fell|drop\w*|higher|lower|off|discount|tax|vat|about|over|under|nearly|almost|just|roughly|around|or|not|every|out of|least|target|last|year|both|together|combined|total|all)\b",
    ignore_case=True,
)
_IN_PROPORTION = Pattern(
    r"\b(?:in proportion|proportion\w*|pro rata|in the ratio|(?:split|divided?|shared?|goes) (?:\pL+ ){0,2}?(?:by|according to) (?:the )?(?:\pL+ )?(?:size|area|use|usage|hours|evenings|days|nights|weight|income|pay|salary|square met\w+))\b",
    ignore_case=True,
)
_LOOSE_WORDS = frozenset(
    "said they them their with from that were have want would like there this people answered each the and for was are who one two not how had has you our "
    "all but out got did can of".split()
)


class _Part(NamedTuple):
    """A count of the prompt and the words beside it."""

    value: Fraction
    words: frozenset[str]


def named_shares(exchange: Exchange) -> Iterator[Check]:
    """Yield a check for each percentage of a part, and for each share of an amount."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) > _MAX_PROMPT_CHARS or len(response) > _MAX_RESPONSE_CHARS:
        return
    # A table has more than one count in a row.
    plain = prompt.value.count("|") < 3 and "%" not in prompt.value
    if plain and "%" in response.value and prompt.search(_ASKS_PERCENT):
        yield from _percentages(prompt, response)
    if prompt.search(_IN_PROPORTION):
        yield from _in_proportion(prompt, response)


def _percentages(prompt: Text, response: Text) -> Iterator[Check]:
    parts = [*_parts(prompt)]
    if Line(prompt).of(PERCENT) or not 2 <= len(parts) <= _MAX_PARTS:
        return
    wholes = _wholes(prompt, response, parts)
    own = [_distinct(part, parts) for part in parts]
    done = 0
    for piece in _pieces(response, _CUT)[:_MAX_PIECES]:
        value = response.slice(piece)
        line = Line(Text(value))
        percents = line.of(PERCENT)
        if len(percents) != 1 or _CHANGED.search(value.encode()):
            continue
        words = _words(value)
        named = [part for part, distinct in zip(parts, own, strict=True) if distinct & words]
        counts = {one.value for one in line.of(NUMBER)}
        # In a row of a table the count itself stands beside the percentage.
        beside = [part for part in parts if part.value in counts and part.words & words]
        chosen = {part.value for part in beside or named}
        done += len(chosen) == 1
        if len(chosen) == 1 and done <= _MAX_STATED:
            right = _is_share(percents[0], float(chosen.pop()), wholes)
            yield Check.of(percents[0].moved(piece.start).place, right, sure=False)


def _is_share(stated: Quantity, count: float, wholes: set[float]) -> bool:
    slack = 0.75 if not stated.places else 0.6 / 10**stated.places
    told = float(stated.value * 100)
    return any(
        abs(part * 100 / whole - told) <= slack
        for whole in wholes
        if whole >= count > 0
        for part in (count, whole - count)
    )


def _parts(prompt: Text) -> Iterator[_Part]:
    for piece in _pieces(prompt, _ROW_CUT)[:_MAX_PIECES]:
        value = prompt.slice(piece)
        counts = [
            one
            for one in Line(Text(value)).of(NUMBER)
            if one.value.denominator == 1 and one.value > 1
        ]
        # "We asked 320 people: 176 came by tram"
        colon = value.rfind(":")
        if len(counts) == 2 and counts[0].end <= colon < counts[1].start:
            counts, value = counts[1:], value[colon:]
        if len(counts) == 1 and (words := _words(value)):
            yield _Part(counts[0].value, frozenset(words))


def _wholes(prompt: Text, response: Text, parts: list[_Part]) -> set[float]:
    """Return all that a percentage may be of: any number told, what parts add up to, or what is left without one."""
    told = {float(one.value) for text in (prompt, response) for one in Line(text).of(NUMBER)}
    values = [float(part.value) for part in parts]
    sums = {
        sum(values[low:high])
        for low in range(len(values))
        for high in range(low + 1, len(values) + 1)
    }
    less = {one - other for one in sums | {max(told)} for other in values if one > other}
    return told | sums | less


def _distinct(part: _Part, parts: list[_Part]) -> set[str]:
    others = {word for other in parts if other is not part for word in other.words}
    return {*part.words} - others


def _words(value: str) -> set[str]:
    return {match.text.lower() for match in Text(value).matches(_WORD)} - _LOOSE_WORDS


def _pieces(text: Text, cut: Pattern) -> list[Region]:
    """Return the rows of tables, and the clauses of everything else."""
    found: list[Region] = []
    for line in text.lines[:_MAX_PIECES]:
        value = text.slice(line)
        if value.count("|") > 2:
            found.append(line)
            continue
        start = 0
        for match in Text(value).matches(cut):
            found.append(Region(line.start + start, line.start + match.start))
            start = match.end
        found.append(Region(line.start + start, line.end))
    return [piece for piece in found if piece.end > piece.start]


def _in_proportion(prompt: Text, response: Text) -> Iterator[Check]:
    """Compare what each name gets with its share of an amount that the prompt gives."""
    weights = _weights(prompt)
    if not 2 <= len(weights) <= _MAX_NAMES:
        return
    stated = _by_name(response, {*weights})
    if len(stated) < len(weights):
        return
    whole = sum(weights.values())
    amounts = {one.value for one in Line(prompt).of(MONEY, NUMBER, MEASURE)}
    for total in sorted(amounts - {*weights.values()}, reverse=True):
        fits = {
            name: abs(one.value - weights[name] * total / whole)
            <= max(Fraction(1), one.value / 100)
            for name, one in stated.items()
        }
        if all(fits.values()):
            return
        adds_up = sum(one.value for one in stated.values()) == total
        if adds_up or (sum(fits.values()) >= len(fits) - 1 and len(fits) > 2):
            for name, one in stated.items():
                if not fits[name]:
                    fixed = shown(weights[name] * total / whole, one.places, "," in one.text)
                    yield Check.of(one.place, False, fixed, sure=False)
            return


def _weights(prompt: Text) -> dict[str, Fraction]:
    """Return the number that the prompt gives with each name, or those of a ratio for the names right before it."""
    found: dict[str, Fraction] = {}
    for piece in _pieces(prompt, _ROW_CUT)[:_MAX_PIECES]:
        value = prompt.slice(piece)
        for one in Line(Text(value)).of(NUMBER, MONEY, MEASURE):
            before = Text(value[max(0, one.start - 30) : one.start]).search(_NAMED)
            if before is not None:
                found.setdefault(before["name"], one.amount)
    return found


def _by_name(response: Text, names: set[str]) -> dict[str, Quantity]:
    """Return the one amount that the response gives each name in a clause or line of its own."""
    found: dict[str, list[Quantity]] = {}
    for piece in _pieces(response, _ROW_CUT)[:_MAX_PIECES]:
        value = response.slice(piece)
        here = {match.text for match in Text(value).matches(_NAME)} & names
        read = Line(Text(value)).of(MONEY, NUMBER)
        if len(here) == 1 and len(read) == 1:
            found.setdefault(here.pop(), []).append(read[0].moved(piece.start))
    return {name: ones[0] for name, ones in found.items() if len(ones) == 1}
