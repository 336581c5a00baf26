"""Finds how often a letter is asked for, and how many words are to be in capitals."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.named_letters import named_letters
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.wording import first_group
from fairwitness.evaluator.patterns import Match, Pattern

_CAPS = (
    r"(?:(?:all|only|full|block|entirely) )*(?:uppercase(?: letters?)?|capital letters?|capitalize)"
)
_NOT_Q = r"(?:[^ |Q][^ |]* )"
CAPITALS = Pattern(
    rf"\b(?P<q>Q\d+) (?:different |single |or |more ){{0,2}}words? {_NOT_Q}{{0,7}}?{_CAPS} "
    rf"|\b(?:USE )?words? (?:or phrases? )?(?:in|with|WRITE|USE|of) {_CAPS} {_NOT_Q}{{0,9}}?(?P<q2>Q\d+) (?:time )?"
    rf"|\b{_CAPS} words? {_NOT_Q}{{0,9}}?(?P<q3>Q\d+) time "
    rf"|\b(?P<q4>Q\d+) (?:or |such |different |fully |all |more ){{0,2}}{_CAPS} words? "
    rf"|\b(?:limit|number|amount) (?:USE )?{_CAPS} words? {_NOT_Q}{{0,4}}?(?P<q5>Q\d+) "
    rf"|\b{_CAPS} (?:for|on|to) (?P<q6>Q\d+) (?:key |important |different )?words? "
    rf"|\bcapitalize (?P<q7>Q\d+) (?:key |important |different )?words? "
    rf"|\bUSE words? (?:or phrases? )?(?:in|with|of) {_CAPS} "
)
LETTERS = Pattern(
    rf"\b(?:NEG )?(?:from )?(?:USE )?LETTER {_NOT_Q}{{0,9}}?(?P<q>Q\d+) (?:time )?"
    rf"|\b(?P<q2>Q\d+) (?:time |APPEAR |instances )?(?:USE )?LETTER "
    rf"|\b(?P<neg>NEG) (?:from )?(?:USE |in |either |words? |following ){{0,3}}LETTER "
    rf"|\bLETTER (?P<neg2>NEG) (?:USE|APPEAR|allow|in) "
    rf"|\bUSE LETTER "
)
PATTERNS = (CAPITALS, LETTERS)

_THINGS = frozenset("word words name names".split())
_TEXT_UNITS = frozenset("words sentence paragraph line stanza verse bullet point character".split())
_MAX_LISTED_WORDS = 25  # more are a length


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the demands on letters and capital words, and consume the quantities they use."""
    yield from _capitals(prompt, consumed)
    yield from _letters(prompt, consumed)


def _capitals(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    bounded = False
    for match in prompt.find(CAPITALS, overlapping=True):
        symbol = first_group(match, *("q", "q2", "q3", "q4", "q5", "q6", "q7"))
        if not symbol:
            if not bounded:
                yield Demand("capital_word_count", prompt.span(match), Bounds(at_least=1))
            continue
        quantity = prompt.quantity(symbol)
        if int(symbol[1:]) in consumed.quantities or {"and", ",", "NEG"} & set(
            match.text.split()[1:]
        ):
            continue
        timed = match.text.endswith("time ") or quantity.often
        if (
            match["q2"]
            and not timed
            and not {"number", "limit", "amount", "count"} & set(prompt.around(match)[0][:3])
        ):
            continue
        consumed.quantities.add(int(symbol[1:]))
        bounded = True
        bounds = Bounds(at_least=quantity.bounds.at_least) if quantity.bare else quantity.bounds
        yield Demand("capital_word_count", prompt.span(match), bounds)


def _letters(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    for match in prompt.find(LETTERS, overlapping=True):
        symbols = match.text.split()
        before, after = prompt.clause_before(match), prompt.around(match)[1]
        if {"STARTS", "ENDS", "each"} & {*before[:4], *after[:1], *symbols}:
            continue
        if _of_things(prompt, before):
            continue
        bounds = _letter_bounds(prompt, match, consumed)
        named = prompt.token_index(match.start + match.text.index("LETTER")) + 1
        places = named_letters(prompt.tokens, named)
        letters = tuple(_letter(prompt, place) for place in places)
        if bounds is None or not all(len(letter) == 1 for letter in letters):
            continue
        if len(letters) > 1 and bounds.at_least and not _counted_each(prompt, match, places):
            continue
        yield Demand("letter_count", prompt.span(match), bounds, terms=letters)


def _letter(prompt: Prompt, place: int) -> str:
    token = prompt.tokens[place]
    return prompt.text.value[token.start : token.end].strip("\"'“”‘’`")


def _counted_each(prompt: Prompt, match: Match, places: list[int]) -> bool:
    """Tell letters that must come so often from letters to choose from or to make words of."""
    return bool(first_group(match, "q", "q2")) and "or" not in prompt.lows(places[0], places[-1])


def _of_things(prompt: Prompt, before: list[str]) -> bool:
    """Tell whether only some words or names must do without: "five words without the letter e"."""
    if before[:1] and before[0] in _THINGS:
        return True
    at = next(
        (n for n, symbol in enumerate(before) if symbol[0] == "Q" and symbol[1:].isdigit()), 0
    )
    if not at or "WORK" in before[:at]:
        return False
    counted = before[at - 1]
    return counted not in _TEXT_UNITS or (
        counted == "words" and prompt.quantity(before[at]).size < _MAX_LISTED_WORDS
    )


def _letter_bounds(prompt: Prompt, match: Match, consumed: Consumed) -> Bounds | None:
    """Return how often the letter is asked for; without a number, at all or not at all."""
    symbols = match.text.split()
    place = symbols.index("LETTER")
    symbol = first_group(match, "q", "q2")
    if symbol and not {"word", "words", "S", "keyword", "|"} & set(symbols[place:]):
        quantity = prompt.quantity(symbol)
        if quantity.often or match.text.endswith("time ") or match["q2"]:
            if int(symbol[1:]) in consumed.quantities:
                return None
            consumed.quantities.add(int(symbol[1:]))
            return quantity.bounds
    head = symbols[:place]
    if "NEG" in head or match["neg2"] or "NEG" in prompt.clause_before(match)[:3]:
        return Bounds(at_most=0)
    return Bounds(at_least=1) if "USE" in head else None
