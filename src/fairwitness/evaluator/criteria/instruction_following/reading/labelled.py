"""Reads how long a part with a name of its own is to be: "an Introduction of two sentences", "a 3-sentence conclusion"."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.counts import roughly
from fairwitness.evaluator.criteria.instruction_following.reading.lexicon import (
    LABELS,
    SYMBOLS,
    WORKS,
)
from fairwitness.evaluator.criteria.instruction_following.reading.quantities import Quantity
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import STRING, WORD
from fairwitness.evaluator.patterns import Match, Pattern

_UNIT = r"(?:(?:short|long|full|complete|brief|concise|or|less|fewer|more) ){0,2}(?P<unit>words?|sentence|paragraph|bullet) "
_KNOWN = "|".join(sorted(LABELS, key=len, reverse=True))
_HOLDS = r"(?:(?:section|part|with|USE|:|\(|long|limit|within|at|WRITE|only) ){0,4}"
# "an Introduction of Q sentences"; a name nobody knows must be written as one.
OF = Pattern(rf"\b(?P<label>S|[a-z]+) {_HOLDS}(?P<q>Q\d+) {_UNIT}")
# "a Q-sentence introduction".
LONG = Pattern(rf"\b(?P<q>Q\d+) {_UNIT}(?:long )?(?P<label>{_KNOWN}) ")
PATTERNS = (OF, LONG)

_SAYS_SO = frozenset("section part called titled named labeled labelled headed heading".split())
_LISTING = frozenset("with and , include including have containing has contains".split())
_NO_NAME = frozenset(
    "i january february march april may june july august september october november december".split()
)
_NEAR = 8  # tokens
_BETWEEN = frozenset("a an the me us of with in short brief good my".split())
_SMALL = 10  # words; a bare number above is a rough one


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the sizes asked of named parts, and take the quantities they use."""
    found = dict(_sized(reading, taken))
    # "Write a two-sentence introduction" asks for nothing else: its size is that of the response.
    if found and not (len(found) == 1 and all(_is_all(reading, number) for number in found)):
        taken.quantities.update(found)
        yield from found.values()


def _sized(reading: Reading, taken: Taken) -> Iterator[tuple[int, Demand]]:
    for pattern in PATTERNS:
        for match in reading.find(pattern, overlapping=True):
            number, quantity = int(match["q"][1:]), reading.quantity(match["q"])
            if number in taken.quantities or quantity.vague or quantity.often:
                continue
            label = _label(reading, match)
            if label and "each" not in reading.around(match)[1][:1]:
                unit = match["unit"].removesuffix("s")
                bounds, firm = _bounds(quantity, unit)
                span, terms = reading.span(match), (label, unit)
                yield number, Demand("section_size", span, bounds, terms=terms, firm=firm)


def _is_all(reading: Reading, number: int) -> bool:
    """Tell whether the part is what is to be written: a verb of writing stands right before it."""
    first = reading.quantities[number].first
    begins, _ = reading.sentence_of(first)
    lows = reading.lows(max(begins, first - _NEAR), first)
    kept = [low for low in lows if low not in _BETWEEN and low not in LABELS]
    return bool(kept) and SYMBOLS.get(kept[-1]) == "WRITE"


def _label(reading: Reading, match: Match) -> str:
    """Return the part's name as the prompt writes it, empty where it names no part."""
    index = reading.token_index(match.span("label")[0])
    token = reading.tokens[index]
    raw = reading.text.value[token.start : token.end]
    if token.low in LABELS:
        return raw
    if token.kind == STRING:
        near = {*reading.lows(index - 2, index), *reading.lows(index + 1, index + 2)}
        return raw.strip("\"'“”‘’`*") if _SAYS_SO & near else ""
    first, _ = reading.sentence_of(index)
    plain = token.low in WORKS or token.low in SYMBOLS or token.low in _NO_NAME
    named = token.kind == WORD and raw[:1].isupper() and not raw.isupper() and index > first
    joint, article = ["", "", *reading.lows(index - 2, index)][-2:]
    listed = joint in _LISTING and article in {"a", "an", "the"}
    return raw if named and listed and not plain else ""


def _bounds(quantity: Quantity, unit: str) -> tuple[Bounds, bool]:
    rough = quantity.rough or (unit == "word" and quantity.bare and quantity.size >= _SMALL)
    return (roughly(quantity.bounds), False) if rough else (quantity.bounds, True)
