"""Reads how long each part may be: "each paragraph at most 2 sentences", "no bullet over 10 words"."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.lexicon import SYMBOLS
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import NUMBER
from fairwitness.evaluator.patterns import Match, Pattern

_ADJECTIVES = (
    r"(?:(?:short|long|full|complete|single|or|less|fewer|more|max|maximum|minimum) ){0,2}"
)
_UNIT = rf"{_ADJECTIVES}(?P<unit>words?|sentence|character|line) "
_PART = r"(?P<part>paragraph|sentence|bullet|line|stanza|verse|item|point)"
_FILL = r"(?:[^ |Q,]+ ){0,6}?"
# "each paragraph has Q sentences", "no sentence over Q words".
OF_EACH = Pattern(rf"\b(?P<lead>each|all|NEG) {_PART} (?:point )?{_FILL}(?P<q>Q\d+) {_UNIT}")
# "Q words per line", "of Q words each".
SHARED = Pattern(
    rf"\b(?P<q>Q\d+) {_UNIT}(?:long |or |less |fewer |in |for |on |at |max )*each (?:{_PART} )?"
)
# "paragraphs, each with Q sentences".
APIECE = Pattern(
    rf"\beach (?:with|USE|in|:|at|WRITE|long|,) (?:USE |at |long )?(?P<q>Q\d+) {_UNIT}|\beach (?P<q2>Q\d+) {_UNIT.replace('unit', 'unit2', 1)}"
)
# "Sentences should be no longer than Q words."
PLURAL = Pattern(
    rf"(?:^|\| |and |, )(?:keep |WRITE |USE )?{_PART} (?:point )?(?:long |NEG |USE |in |at |within |limit |WRITE |short |and )*(?P<q>Q\d+) {_UNIT}"
)
# "each fact is Q sentence", where some number of facts was asked for.
OF_THING = Pattern(rf"\b(?:each|all) (?P<part>[a-z]+) {_FILL}(?P<q>Q\d+) {_UNIT}")
PATTERNS = (OF_EACH, SHARED, APIECE, PLURAL, OF_THING)

_PARTS = frozenset("paragraph sentence bullet line stanza verse item point".split())
_HOLDS = {
    "paragraph": {"word", "sentence", "character", "line"},
    "sentence": {"word", "character"},
    "bullet": {"word", "sentence", "character", "line"},
    "item": {"word", "sentence", "character", "line"},
    "line": {"word", "character"},
    "stanza": {"line", "word"},
}
_SAME = {"point": "item", "verse": "stanza"}
_OBLIGES = frozenset("must should shall keep make have has need may can cannot".split())


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the sizes asked of each part, and take the quantities they use."""
    for pattern in PATTERNS:
        for match in reading.find(pattern, overlapping=True):
            symbol = match["q"] or (match["q2"] if pattern is APIECE else "")
            number, quantity = int(symbol[1:]), reading.quantity(symbol)
            if number in taken.quantities or quantity.vague or quantity.often:
                continue
            unit = match["unit"] or (match["unit2"] if pattern is APIECE else "")
            unit = unit.removesuffix("s")
            part = _part(reading, match, pattern)
            if unit not in _HOLDS.get(part, ()) or not _meant(
                reading, match, pattern, quantity.bounds
            ):
                continue
            taken.quantities.add(number)
            bounds = quantity.bounds
            if quantity.rough or (
                quantity.bare and unit == "word" and (bounds.at_most or 0) > _FEW
            ):
                continue  # "sentences of 20 words" is no measure to hold anyone to
            yield Demand("part_size", reading.span(match), bounds, terms=(part, unit))


_FEW = 12
_NEAR = 15  # tokens; a part named further back is not what "each" is said of
_FAR = 40  # tokens


def _part(reading: Reading, match: Match, pattern: Pattern) -> str:
    """Return the part that is measured: the one named, or the last one named before."""
    named = match["part"] if pattern is not APIECE else ""
    if pattern is OF_THING:
        return "item" if _listed(reading, named) else ""
    if not named:
        index = reading.token_index(match.start)
        lows = reversed(reading.lows(index - _NEAR, index))
        before = [SYMBOLS.get(low, "") for low in lows]
        named = next((symbol for symbol in before if symbol in _PARTS), "")
        if named == "point" and "bullet" in before:
            named = "bullet"
    return _SAME.get(named, named)


def _listed(reading: Reading, noun: str) -> bool:
    """Tell whether a number of such things is asked for elsewhere in the prompt."""
    tokens, places = reading.tokens, reading.places.get(f"{noun}s", [])
    return any(token.kind == NUMBER for n in places[:3] for token in tokens[max(n - 3, 0) : n])


def _meant(reading: Reading, match: Match, pattern: Pattern, bounds: Bounds) -> bool:
    """Tell whether the lead is said of every part: "no sentence", "every line", "all lines"."""
    if pattern is PLURAL:
        index = reading.token_index(match.span("part")[0])
        plural = reading.tokens[index].low.endswith("s") or reading.lows(index + 1, index + 2) == [
            "points"
        ]
        first, last = reading.sentence_of(index)
        near = reading.lows(max(first, index - _FAR), min(last, index + _FAR))
        return plural and bool(_OBLIGES & set(near))
    if pattern not in {OF_EACH, OF_THING}:
        return "NEG" not in reading.clause_before(match)[:1]
    token = reading.tokens[reading.token_index(match.start)]
    if pattern is OF_THING:
        return token.low in {"each", "every"}
    if match["lead"] == "NEG":
        return token.low in {"no", "none"} and bounds.at_least is None
    return match["lead"] == "each" or token.low in {"every", "all"}
