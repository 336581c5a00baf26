"""Reads demands on the parts of a response: separators and marked sections."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.lexicon import SYMBOLS
from fairwitness.evaluator.criteria.instruction_following.reading.quantities import Quantity
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import (
    NUMBER,
    STRING,
    SYMBOL,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region

SEPARATED = Pattern(
    r"\bSEP (?:[^ |]+ ){0,14}?(?:RULE|S|asterisk|STAR) "
    r"|\b(?:RULE|S) (?:[^ |]+ ){0,4}?(?:SEP|between) "
    r"|\bbetween (?:[^ |]+ ){0,10}?(?:RULE|S|asterisk|STAR) "
    r"|\bSEP (?:[^ |]+ ){0,8}?(?:below|:) "
)
SECTIONS = Pattern(
    r"\b(?:mark|look|section|label|labeled|labelled|noted|STARTS|indicate|indicated|identify|denote|titled?|with|numbered|called|named|name|call|heading|denoted|identified|headed|designated) "
    r"(?:[^ |]+ ){0,7}?(?:(?P<marker>S|[a-zA-Z]+) (?P<x>x|HASH|n)|(?P<numbered>[a-zA-Z]+) (?P<one>Q\d+)|(?P<s>S)) "
)
NUMBERED = Pattern(r"\b(?P<marker>[a-zA-Z]+) (?:x|HASH|n) |\b(?P<marker2>S) (?:x |HASH |n )?")
RULE = Pattern(r"\bRULE ")
PATTERNS = (SEPARATED, RULE, SECTIONS, NUMBERED)

_SIX = "******"
_NO_MARKER = frozenset(
    """than with of to the from and or about around version january february march april may june july august
    september october november december""".split()
)
_FAR = 300
_PARTS = frozenset("section part chapter scene stanza verse day step act".split())
_EACH = frozenset({"each", "every"})
_NUMBERS = frozenset("number numbers numbered numeral followed x".split())
_TWO = frozenset("apart second another twice both".split())
_PARTED = frozenset(
    """paragraph paragraphs section sections part parts response responses version versions answer
    answers poems jokes stories options alternatives replies letters emails steps step movies songs
    haikus limericks essays riddles suggestions names chapters stanzas verses tweets summaries outputs
    variations slogans titles ideas examples itineraries headlines captions pitches ads advertisements
    recipes tips quotes""".split()
)
_NOT_PARTED = frozenset(
    """words word sentences times placeholders minutes years year days bullet asterisk asterisks stars
    symbols new lines line people characters hashtags bullets hours miles dollars
    weeks months kids students""".split()
)


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the demands on parts."""
    yield from _separated(reading, taken)
    yield from _sections(reading, taken)


def _separated(reading: Reading, taken: Taken) -> Iterator[Demand]:
    seen = -1
    for match in reading.find(SEPARATED):
        index = reading.token_index(match.start)
        if reading.sentence_of(index)[0] == seen:
            continue
        seen = reading.sentence_of(index)[0]
        separator = _separator(reading, index)
        if not separator or {"above", "text"} <= set(reading.lows(*reading.sentence_of(index))):
            continue  # nothing, or how a text handed over is set off
        span = reading.span(match)
        parts, number = _how_many(reading, index)
        if number is not None:
            taken.quantities.add(number)
        if parts is None:
            parts = _template_parts(reading, separator)
        if separator == _SIX:
            yield Demand("separated_parts", span, parts or Bounds(2, 2), separator=separator)
        elif separator == "***":
            yield Demand("paragraph_count", span, parts or Bounds(at_least=2), separator=separator)
        else:
            yield Demand("separated_parts", span, parts or Bounds(at_least=2), separator=separator)
        return
    at = reading.text.value.find(_SIX)
    pair = _template_parts(reading, _SIX) or (_lone_rule(reading) if at >= 0 else None)
    if pair is not None:
        yield Demand("separated_parts", Region(at, at + 6), pair, separator=_SIX)
        return
    template = _template_parts(reading, "***")
    if template is not None and "***" in reading.text.value and "format" in reading.text.lower:
        at = reading.text.value.index("***")
        yield Demand("paragraph_count", Region(at, at + 3), template, separator="***")


def _lone_rule(reading: Reading) -> Bounds | None:
    """Read six asterisks that stand among words of two things: "keep them apart with ******"."""
    for match in reading.find(RULE):
        before, after = reading.around(match)
        index = reading.token_index(match.start)
        raw = reading.text.value[reading.tokens[index].start : reading.tokens[index].end]
        if not raw.startswith(_SIX) or "NEG" in before[:4]:
            continue
        parts, _ = _how_many(reading, index)
        if parts == Bounds(2, 2) or _TWO & set(reading.lows(*reading.sentence_of(index))):
            return parts or Bounds(2, 2)
    return None


def _separator(reading: Reading, index: int) -> str:
    """Return the mark named near a token: a rule of its own, or "six asterisks" in words."""
    first, last = reading.sentence_of(index)
    tokens, value = reading.tokens, reading.text.value
    stop = min(last + 8, len(tokens))
    asterisks = 0
    for at in range(first, stop):
        token = tokens[at]
        if token.kind == SYMBOL and token.low == "RULE":
            raw = value[token.start : token.end]
            return _SIX if raw[0] == "*" and len(raw) >= 5 else raw
        if token.low.startswith("asterisk") and at and at < last:
            asterisks = next(
                (t.value for t in reversed(tokens[max(at - 3, first) : at]) if t.kind == NUMBER), 0
            )
        if token.kind == STRING and at < last:
            raw = value[token.start + 1 : token.end - 1].strip()
            if len(raw) >= 3 and not raw.strip("*-=#|~_+/<>"):
                return raw
    return "*" * asterisks if asterisks >= 3 else ""


def _how_many(reading: Reading, index: int) -> tuple[Bounds | None, int | None]:
    """Find the number of parts in the sentence of the separator, or in the two before it."""
    first, _ = reading.sentence_of(index)
    places = [n for n, (start, _) in enumerate(reading.sentences) if start <= first]
    for place in places[-1:-4:-1]:
        start, stop = reading.sentences[place]
        counting = [
            (abs(quantity.first - index), number)
            for number, quantity in enumerate(reading.quantities)
            if start <= quantity.first < stop and _counts_parts(reading, quantity)
        ]
        if counting:
            number = min(counting)[1]
            return reading.quantities[number].bounds, number
    return None, None


def _counts_parts(reading: Reading, quantity: Quantity) -> bool:
    """Tell whether a quantity counts the things a separator stands between."""
    if quantity.often or quantity.vague:
        return False
    nouns = reading.lows(quantity.last, quantity.last + 3)
    highlighted = any(
        SYMBOLS.get(word) == "highlight"
        for word in reading.lows(quantity.first - 3, quantity.last + 3)
    )
    if reading.lows(quantity.first - 1, quantity.first) in (["every"], ["each"], ["any"]):
        return False
    plural = any(noun.endswith("s") and len(noun) > 3 for noun in nouns[:2])
    return (
        (bool(_PARTED & set(nouns)) or plural)
        and not _NOT_PARTED & set(nouns[:2])
        and not highlighted
    )


def _template_parts(reading: Reading, separator: str) -> Bounds | None:
    """Count the parts of an example layout: lines that are nothing but the separator."""
    lines = [line.strip() for line in reading.text.value.split("\n")]
    rules = sum(1 for line in lines if line == separator)
    if not rules or any(line.strip(". …") == "" and line for line in lines):
        return None
    return Bounds(rules + 1, rules + 1)


def _sections(reading: Reading, taken: Taken) -> Iterator[Demand]:
    for match in reading.find(SECTIONS):
        if _is_choice(reading, match):
            continue
        marker = _marker(reading, match)
        stems = _PARTS if match["numbered"] else _PARTS | {marker.lower()}
        number = _how_many_sections(reading, match, stems, taken) if marker else None
        total = 0
        if number is None:
            total = _highest(reading, match, marker) if marker else 0
        if number is not None or total:
            yield _section_demand(reading, taken, match, marker, number, total)
            return
    # "ROUND X" needs no verb of marking where rounds are counted.
    for match in reading.find(NUMBERED):
        marker = _lone_marker(reading, match)
        stems = frozenset({f"{marker.lower()}s"})
        number = _how_many_sections(reading, match, stems, taken) if marker else None
        if number is not None:
            yield _section_demand(reading, taken, match, marker, number, 0)
            return


def _is_choice(reading: Reading, match: Match) -> bool:
    """Tell "Part 1 if the first is right, otherwise Part 2" from parts of the response."""
    first, last = reading.sentence_of(reading.token_index(match.start))
    return bool({"if", "otherwise"} & set(reading.lows(first, last)))


def _section_demand(
    reading: Reading, taken: Taken, match: Match, marker: str, number: int | None, total: int
) -> Demand:
    span = reading.span(match)
    if number is not None:
        taken.quantities.add(number)
        quantity = reading.quantities[number]
        first, last = reading.tokens[quantity.first], reading.tokens[quantity.last - 1]
        span = Region(min(first.start, span.start), max(last.end, span.end))
        total = quantity.size
    return Demand("section_count", span, Bounds(at_least=total), terms=(marker,))


def _how_many_sections(
    reading: Reading, match: Match, stems: frozenset[str], taken: Taken
) -> int | None:
    """Return the number of the quantity that counts sections, or what "each" is said of.

    Not the 1 of "part 1 and part 2", nor the one of "each one".
    """
    symbols = match.text.split()
    each = symbols[symbols.index("each") + 1 :][:1] if "each" in symbols else []
    fitting = [
        (abs(reading.tokens[quantity.first].start - reading.span(match).start), number)
        for number, quantity in enumerate(reading.quantities)
        if number not in taken.quantities
        and not (quantity.vague or quantity.often)
        and not (stems | _EACH) & set(reading.lows(quantity.first - 1, quantity.first))
        and any(
            noun.startswith(stem) for noun in _after(reading, quantity) for stem in (*stems, *each)
        )
    ]
    distance, number = min(fitting, default=(_FAR, 0))
    return number if distance < _FAR else None


def _after(reading: Reading, quantity: Quantity) -> list[str]:
    """Return the lower-case words and their symbols that a quantity may count."""
    tokens = reading.tokens[quantity.last : quantity.last + 2]
    return [
        name for token in tokens for name in (token.low, SYMBOLS.get(token.low, token.low)) if name
    ]


def _highest(reading: Reading, match: Match, marker: str) -> int:
    """Return the highest number the marker is given: "Audience 1 and Audience 2" asks for two."""
    first = reading.token_index(match.start)
    pairs = pairwise(reading.tokens[first : first + 40])
    numbers = [two.value for one, two in pairs if one.low == marker.lower() and two.kind == NUMBER]
    return max(numbers, default=0) if len(numbers) > 1 else 0


def _marker(reading: Reading, match: Match) -> str:
    """Return the word that numbers the sections: the one before X or 1, or inside quotation marks."""
    if match["s"]:
        index = reading.token_index(match.span("s")[0])
        token = reading.tokens[index]
        inside = reading.text.value[token.start + 1 : token.end - 1].split()
        if len(inside) == 1 and inside[0].lower() in _PARTS:
            return inside[0] if _NUMBERS & set(reading.lows(index + 1, index + 5)) else ""
        return _before_number(inside)
    name = "marker" if match["marker"] else "numbered"
    if name == "numbered" and reading.tokens[reading.token_index(match.span("one")[0])].low != "1":
        return ""
    return _unquoted(reading, match, name)


def _before_number(inside: list[str]) -> str:
    """Return the word of "Section X" or "Section 1"."""
    if len(inside) != 2:
        return ""
    return inside[0] if inside[1].lower() in {"x", "n", "#"} or inside[1].isdigit() else ""


def _lone_marker(reading: Reading, match: Match) -> str:
    """Return the word of a "Section X" that no verb leads up to, quoted or not."""
    index = reading.token_index(match.start)
    token = reading.tokens[index]
    if _is_choice(reading, match):
        return ""
    if match.text == "S ":
        return _before_number(reading.text.value[token.start + 1 : token.end - 1].split())
    sign, *after = reading.tokens[index + 1 : index + 3]
    joined = sign.low in {"x", "n", "#"} and reading.text.value[token.end] == " "
    if not joined or (after and after[0].kind == NUMBER):
        return ""  # "lives/#28", "lions + X", "rounds x 3"
    return _unquoted(reading, match, "marker" if match["marker"] else "marker2")


def _unquoted(reading: Reading, match: Match, name: str) -> str:
    """Return the marker a group names, without the quotation marks it may stand in."""
    token = reading.tokens[reading.token_index(match.span(name)[0])]
    inner = 1 if token.kind == STRING else 0
    marker = reading.text.value[token.start + inner : token.end - inner]
    return marker if len(marker) > 1 and marker.lower() not in _NO_MARKER else ""
