"""Finds how long a named section is to be: "an Introduction of two sentences", "a 3-sentence conclusion"."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.counts import roughly
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import (
    LABELS,
    SYMBOLS,
    WORKS,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import Quantity
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import STRING, WORD
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.vocabulary import MONTHS

_UNIT = r"(?:(?:short|long|full|complete|brief|concise|or|less|fewer|more) ){0,2}(?P<unit>words?|sentence|paragraph|bullet) "
_KNOWN = "|".join(sorted(LABELS, key=len, reverse=True))
_HOLDS = r"(?:(?:section|part|with|USE|:|\(|long|limit|within|at|WRITE|only) ){0,4}"
# "an Introduction of Q sentences"; a name nobody knows must be written as one.
OF = Pattern(rf"\b(?P<label>S|[a-z]+) {_HOLDS}(?P<q>Q\d+) {_UNIT}")
# "a Q-sentence introduction".
LONG = Pattern(rf"\b(?P<q>Q\d+) {_UNIT}(?:long )?(?P<label>{_KNOWN}) ")
PATTERNS = (OF, LONG)

_NAMING_WORDS = frozenset(
    "section part called titled named labeled labelled headed heading".split()
)
_LISTING = frozenset("with and , include including have containing has contains".split())
_NO_NAME = frozenset({"i", *MONTHS})
_MAX_TOKENS_BEFORE = 8
_BETWEEN = frozenset("a an the me us of with in short brief good my".split())
_MIN_ROUGH_WORDS = 10  # a bare number above is a rough one


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the sizes asked of named parts, and consume the quantities they use."""
    found = dict(_sized(prompt, consumed))
    # "Write a two-sentence introduction" asks for nothing else: its size is that of the response.
    if found and not (
        len(found) == 1 and all(_is_whole_response(prompt, number) for number in found)
    ):
        consumed.quantities.update(found)
        yield from found.values()


def _sized(prompt: Prompt, consumed: Consumed) -> Iterator[tuple[int, Demand]]:
    for pattern in PATTERNS:
        for match in prompt.find(pattern, overlapping=True):
            number, quantity = int(match["q"][1:]), prompt.quantity(match["q"])
            if number in consumed.quantities or quantity.vague or quantity.often:
                continue
            label = _label(prompt, match)
            if label and "each" not in prompt.around(match)[1][:1]:
                unit = match["unit"].removesuffix("s")
                bounds, firm = _bounds(quantity, unit)
                span, terms = prompt.span(match), (label, unit)
                yield number, Demand("section_size", span, bounds, terms=terms, firm=firm)


def _is_whole_response(prompt: Prompt, number: int) -> bool:
    """Tell whether the section is all that is to be written: a verb of writing is right before it."""
    first = prompt.quantities[number].first
    begins, _ = prompt.sentence_of(first)
    lows = prompt.lows(max(begins, first - _MAX_TOKENS_BEFORE), first)
    kept = [low for low in lows if low not in _BETWEEN and low not in LABELS]
    return bool(kept) and SYMBOLS.get(kept[-1]) == "WRITE"


def _label(prompt: Prompt, match: Match) -> str:
    """Return the part's name as the prompt writes it, empty where it names no part."""
    index = prompt.token_index(match.span("label")[0])
    token = prompt.tokens[index]
    raw = prompt.text.value[token.start : token.end]
    if token.low in LABELS:
        return raw
    if token.kind == STRING:
        near = {*prompt.lows(index - 2, index), *prompt.lows(index + 1, index + 2)}
        return raw.strip("\"'“”‘’`*") if _NAMING_WORDS & near else ""
    first, _ = prompt.sentence_of(index)
    plain = token.low in WORKS or token.low in SYMBOLS or token.low in _NO_NAME
    named = token.kind == WORD and raw[:1].isupper() and not raw.isupper() and index > first
    joint, article = ["", "", *prompt.lows(index - 2, index)][-2:]
    listed = joint in _LISTING and article in {"a", "an", "the"}
    return raw if named and listed and not plain else ""


def _bounds(quantity: Quantity, unit: str) -> tuple[Bounds, bool]:
    rough = quantity.rough or (
        unit == "word" and quantity.bare and quantity.size >= _MIN_ROUGH_WORDS
    )
    return (roughly(quantity.bounds), False) if rough else (quantity.bounds, True)
