"""Finds how long each part may be: "each paragraph at most 2 sentences", "no bullet over 10 words"."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import SYMBOLS
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import NUMBER
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
_UNITS_OF_PART = {
    "paragraph": {"word", "sentence", "character", "line"},
    "sentence": {"word", "character"},
    "bullet": {"word", "sentence", "character", "line"},
    "item": {"word", "sentence", "character", "line"},
    "line": {"word", "character"},
    "stanza": {"line", "word"},
}
_SYNONYMS = {"point": "item", "verse": "stanza"}
_OBLIGES = frozenset("must should shall keep make have has need may can cannot".split())


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the sizes asked of each part, and consume the quantities they use."""
    for pattern in PATTERNS:
        for match in prompt.find(pattern, overlapping=True):
            symbol = match["q"] or (match["q2"] if pattern is APIECE else "")
            number, quantity = int(symbol[1:]), prompt.quantity(symbol)
            if number in consumed.quantities or quantity.vague or quantity.often:
                continue
            unit = match["unit"] or (match["unit2"] if pattern is APIECE else "")
            unit = unit.removesuffix("s")
            part = _part(prompt, match, pattern)
            if unit not in _UNITS_OF_PART.get(part, ()) or not _meant(
                prompt, match, pattern, quantity.bounds
            ):
                continue
            consumed.quantities.add(number)
            bounds = quantity.bounds
            if quantity.rough or (
                quantity.bare and unit == "word" and (bounds.at_most or 0) > _MAX_EXACT_WORDS
            ):
                continue  # "sentences of 20 words" is no measure to hold anyone to
            yield Demand("part_size", prompt.span(match), bounds, terms=(part, unit))


_MAX_EXACT_WORDS = 12
_MAX_TOKENS_BACK = 15  # a part named further back is not what "each" refers to
_CONTEXT_TOKENS = 40


def _part(prompt: Prompt, match: Match, pattern: Pattern) -> str:
    """Return the part that is measured: the one named, or the last one named before."""
    named = match["part"] if pattern is not APIECE else ""
    if pattern is OF_THING:
        return "item" if _listed(prompt, named) else ""
    if not named:
        index = prompt.token_index(match.start)
        lows = reversed(prompt.lows(index - _MAX_TOKENS_BACK, index))
        before = [SYMBOLS.get(low, "") for low in lows]
        named = next((symbol for symbol in before if symbol in _PARTS), "")
        if named == "point" and "bullet" in before:
            named = "bullet"
    return _SYNONYMS.get(named, named)


def _listed(prompt: Prompt, noun: str) -> bool:
    """Tell whether a number of such things is asked for elsewhere in the prompt."""
    tokens, places = prompt.tokens, prompt.positions.get(f"{noun}s", [])
    return any(token.kind == NUMBER for n in places[:3] for token in tokens[max(n - 3, 0) : n])


def _meant(prompt: Prompt, match: Match, pattern: Pattern, bounds: Bounds) -> bool:
    """Tell whether the lead is said of every part: "no sentence", "every line", "all lines"."""
    if pattern is PLURAL:
        index = prompt.token_index(match.span("part")[0])
        plural = prompt.tokens[index].low.endswith("s") or prompt.lows(index + 1, index + 2) == [
            "points"
        ]
        first, last = prompt.sentence_of(index)
        near = prompt.lows(max(first, index - _CONTEXT_TOKENS), min(last, index + _CONTEXT_TOKENS))
        return plural and bool(_OBLIGES & set(near))
    if pattern not in {OF_EACH, OF_THING}:
        return "NEG" not in prompt.clause_before(match)[:1]
    token = prompt.tokens[prompt.token_index(match.start)]
    if pattern is OF_THING:
        return token.low in {"each", "every"}
    if match["lead"] == "NEG":
        return token.low in {"no", "none"} and bounds.at_least is None
    return match["lead"] == "each" or token.low in {"every", "all"}
