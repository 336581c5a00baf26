"""Finds how many numbered sections are asked for, and the word that marks them: "SECTION X", "Day 1"."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise, takewhile

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import SYMBOLS
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import Quantity
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import NUMBER, STRING, WORD
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region
from fairwitness.evaluator.vocabulary import MONTHS

SECTIONS = Pattern(
    r"\b(?:mark|look|section|label|labeled|labelled|noted|STARTS|indicate|indicated|identify|denote|titled?|with|numbered|called|named|name|call|heading|denoted|identified|headed|designated) "
    r"(?:[^ |]+ ){0,7}?(?:(?P<marker>S|[a-zA-Z]+) (?P<x>x|HASH|n)|(?P<numbered>[a-zA-Z]+) (?P<one>Q\d+)|(?P<s>S)) "
)
NUMBERED = Pattern(r"\b(?P<marker>[a-zA-Z]+) (?:x|HASH|n) |\b(?P<marker2>S) (?:x |HASH |n )?")
PATTERNS = (SECTIONS, NUMBERED)

_NO_MARKER = frozenset([*MONTHS, *"than with of to the from and or about around version".split()])
_MAX_CHARS_APART = 300
_CONTEXT_TOKENS = 24
_PARTS = frozenset("section part chapter scene stanza verse day step act".split())
_EACH = frozenset({"each", "every"})
_NUMBERS = frozenset("number numbers numbered numeral followed x".split())


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield how many numbered sections are asked for, at most once, and take the number."""
    for match in prompt.find(SECTIONS):
        if _is_choice(prompt, match):
            continue
        marker = _marker(prompt, match)
        stems = _PARTS if match["numbered"] else _PARTS | {marker.lower()}
        number = _how_many(prompt, match, stems, consumed) if marker else None
        if number is not None:
            yield _counted(prompt, consumed, match, marker, number)
            return
        if marker and (total := _highest(prompt, match, marker)):
            yield _asked(prompt.span(match), marker, total)
            return
    # "ROUND X" needs no verb of marking where rounds are counted.
    for match in prompt.find(NUMBERED):
        marker = _lone_marker(prompt, match)
        stems = frozenset({marker.lower()})
        number = _how_many(prompt, match, stems, consumed) if marker[:1].isupper() else None
        if number is not None:
            yield _counted(prompt, consumed, match, marker, number)
            return


def _asked(span: Region, marker: str, total: int) -> Demand:
    return Demand("section_count", span, Bounds(at_least=total), terms=(marker,))


def _counted(prompt: Prompt, consumed: Consumed, match: Match, marker: str, number: int) -> Demand:
    """Return the demand for as many sections as a quantity says, which is then taken."""
    consumed.quantities.add(number)
    span, quantity = prompt.span(match), prompt.quantities[number]
    first, last = prompt.tokens[quantity.first], prompt.tokens[quantity.last - 1]
    span = Region(min(first.start, span.start), max(last.end, span.end))
    return _asked(span, marker, quantity.size)


def _is_choice(prompt: Prompt, match: Match) -> bool:
    """Tell "Part 1 if the first is right, otherwise Part 2" from parts of the response."""
    index = prompt.token_index(match.start)
    first, last = prompt.sentence_of(index)
    near = prompt.lows(max(first, index - _CONTEXT_TOKENS), min(last, index + _CONTEXT_TOKENS))
    return bool({"if", "otherwise"} & set(near))


def _how_many(
    prompt: Prompt, match: Match, stems: frozenset[str], consumed: Consumed
) -> int | None:
    """Return the number of the quantity that counts sections, or what "each" is said of.

    Not the 1 of "part 1 and part 2", nor the one of "each one".
    """
    symbols = match.text.split()
    each = symbols[symbols.index("each") + 1 :][:1] if "each" in symbols else []
    at = prompt.span(match).start
    fitting = [
        (abs(prompt.tokens[quantity.first].start - at), number)
        for number, quantity in _nearby(prompt, at)
        if number not in consumed.quantities
        and not (quantity.vague or quantity.often)
        and not (stems | _EACH) & set(prompt.lows(quantity.first - 1, quantity.first))
        and any(
            noun.startswith(stem) for noun in _after(prompt, quantity) for stem in (*stems, *each)
        )
    ]
    distance, number = min(fitting, default=(_MAX_CHARS_APART, 0))
    return number if distance < _MAX_CHARS_APART else None


def _nearby(prompt: Prompt, at: int) -> list[tuple[int, Quantity]]:
    """Return the quantities close to a place of the prompt, each with its number."""

    def place(quantity: Quantity) -> int:
        return prompt.tokens[quantity.first].start

    first = bisect_left(prompt.quantities, at - _MAX_CHARS_APART, key=place)
    last = bisect_right(prompt.quantities, at + _MAX_CHARS_APART, key=place)
    return list(enumerate(prompt.quantities[first:last], first))


def _after(prompt: Prompt, quantity: Quantity) -> list[str]:
    """Return the lower-case words and their symbols that a quantity may count."""
    ahead = prompt.tokens[quantity.last : quantity.last + 2]
    tokens = takewhile(lambda token: token.kind == WORD or token.low == "-", ahead)
    return [
        name for token in tokens for name in (token.low, SYMBOLS.get(token.low, token.low)) if name
    ]


def _highest(prompt: Prompt, match: Match, marker: str) -> int:
    """Return the highest number the marker is given: "Audience 1 and Audience 2" asks for two."""
    first = prompt.token_index(match.start)
    pairs = pairwise(prompt.tokens[first : first + 40])
    numbers = [two.value for one, two in pairs if one.low == marker.lower() and two.kind == NUMBER]
    return max(numbers, default=0) if len(numbers) > 1 else 0


def _marker(prompt: Prompt, match: Match) -> str:
    """Return the word that numbers the sections: the one before X or 1, or inside quotation marks."""
    if match["s"]:
        index = prompt.token_index(match.span("s")[0])
        token = prompt.tokens[index]
        inside = prompt.text.value[token.start + 1 : token.end - 1].split()
        if len(inside) == 1 and inside[0].lower() in _PARTS:
            return inside[0] if _NUMBERS & set(prompt.lows(index + 1, index + 5)) else ""
        return _before_number(inside)
    name = "marker" if match["marker"] else "numbered"
    if name == "numbered" and prompt.tokens[prompt.token_index(match.span("one")[0])].low != "1":
        return ""
    return _unquoted(prompt, match, name)


def _before_number(inside: list[str]) -> str:
    """Return the word of "Section X" or "Section 1"."""
    if len(inside) != 2:
        return ""
    return inside[0] if inside[1].lower() in {"x", "n", "#"} or inside[1].isdigit() else ""


def _lone_marker(prompt: Prompt, match: Match) -> str:
    """Return the word of a "Section X" that no verb leads up to, quoted or not."""
    index = prompt.token_index(match.start)
    token = prompt.tokens[index]
    if _is_choice(prompt, match):
        return ""
    if match.text == "S ":
        return _before_number(prompt.text.value[token.start + 1 : token.end - 1].split())
    sign, *after = prompt.tokens[index + 1 : index + 3]
    joined = sign.low in {"x", "n", "#"} and prompt.text.value[token.end] == " "
    if not joined or (after and after[0].kind == NUMBER):
        return ""  # "lives/#28", "lions + X", "rounds x 3"
    return _unquoted(prompt, match, "marker" if match["marker"] else "marker2")


def _unquoted(prompt: Prompt, match: Match, name: str) -> str:
    """Return the marker a group names, without quotation marks."""
    token = prompt.tokens[prompt.token_index(match.span(name)[0])]
    inner = 1 if token.kind == STRING else 0
    marker = prompt.text.value[token.start + inner : token.end - inner]
    return marker if len(marker) > 1 and marker.lower() not in _NO_MARKER else ""
