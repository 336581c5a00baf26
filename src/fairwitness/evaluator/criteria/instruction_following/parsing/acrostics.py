"""Finds which word first letters are to spell: "an acrostic for the word HOUSE", "whose first letters spell HOUSE"."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
    END,
    LINE,
    MARK,
    STRING,
    WORD,
)
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

SPELT = Pattern(r"\b(?:spell|spells|spelling|spelled|spelt) ")
STARTED = Pattern(r"\b(?:each|all) (?P<unit>line|sentence|paragraph) (?:[^ |]+ )?STARTS with ")
ACROSTIC = Pattern(r"\bWORK ")
PATTERNS = (SPELT, STARTED, ACROSTIC)

_FIRST = frozenset("first initial starting beginning opening".split())
_LETTERS = frozenset("letter letters character characters".split())
_UNITS = {
    form: unit
    for unit in ("line", "sentence", "paragraph", "word", "stanza", "verse", "bullet", "item")
    for form in (unit, f"{unit}s")
}
_DETERMINERS = frozenset(
    "a the one next successive consecutive corresponding each respective".split()
)
_MAX_TOKENS_BETWEEN = 14
_NAMES = frozenset("word name phrase message words".split())
_SKIPPED = frozenset({"out", "the", ":", *_NAMES})
_BEFORE_TERM = frozenset("for of on using with from spelling acrostic poem".split())
_LEAD_ON = frozenset({*_SKIPPED, *_BEFORE_TERM, "a", "letters", "in", "based", "spells", "that"})
_NO_TERM = frozenset(
    "your my our a an it this that something what someone their his her correctly and of in is each every".split()
)
_MIN_LETTERS, _MAX_LETTERS = 2, 40


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the word to spell, at most one, and consume its tokens: it need not be in the response."""
    found = _after_spell(prompt) or _after_starts(prompt) or _after_acrostic(prompt)
    if found is None:
        return
    first, last, unit = found
    term = _term(prompt, first, last)
    if _MIN_LETTERS <= sum(map(str.isalpha, term)) <= _MAX_LETTERS:
        begins = next(n for n in range(first, -1, -1) if n == 0 or not _leads(prompt, n - 1))
        consumed.tokens.update(range(begins, last))
        span = Region(prompt.tokens[begins].start, prompt.tokens[last - 1].end)
        yield Demand("acrostic", span, terms=(term, unit))


def _leads(prompt: Prompt, index: int) -> bool:
    """Tell whether a token before the word belongs to the demand: "acrostic poem for the word"."""
    return prompt.tokens[index].low in _LEAD_ON | {"spell", "out"}


def _after_spell(prompt: Prompt) -> tuple[int, int, str] | None:
    for match in prompt.find(SPELT):
        index = prompt.token_index(match.start)
        begins, ends = prompt.sentence_of(index)
        before = prompt.lows(max(begins, index - _MAX_TOKENS_BETWEEN), index)
        letters = next((n for n, low in enumerate(before) if low in _LETTERS), None)
        if letters is None or not _FIRST & set(before[:letters]):
            continue
        units = (_UNITS[low] for low in before[letters:] if low in _UNITS)
        place = _place(prompt, index + 1, ends)
        if place is not None:
            return (*place, next(units, ""))
    return None


def _after_starts(prompt: Prompt) -> tuple[int, int, str] | None:
    """Find the word of "each line starts with a letter of the word HOUSE"."""
    for match in prompt.find(STARTED):
        index = prompt.token_index(max(match.end - 2, match.start)) + 1
        _, ends = prompt.sentence_of(index - 1)
        while index < ends and prompt.tokens[index].low in _DETERMINERS:
            index += 1
        of = prompt.lows(index, index + 2)
        if len(of) == 2 and of[0] in _LETTERS and of[1] in {"of", "in", "from"}:
            place = _place(prompt, index + 2, ends)
            if place is not None and _is_word(prompt, index + 2, place[0]):
                return (*place, match["unit"])
    return None


def _is_word(prompt: Prompt, begins: int, index: int) -> bool:
    """Tell a word spelled from "the alphabet": it is quoted, in capitals, or said to be a word."""
    quoted = prompt.tokens[index].kind == STRING or _is_capital(prompt, index)
    return quoted or bool(_NAMES & set(prompt.lows(begins, index)))


def _place(prompt: Prompt, index: int, ends: int) -> tuple[int, int] | None:
    """Find the word that is spelt: right there, past "out the word"."""
    tokens, named = prompt.tokens, False
    while index < ends and tokens[index].low in _SKIPPED:
        named = named or tokens[index].low in _NAMES
        index += 1
    if index >= ends:
        return None
    token = tokens[index]
    if token.kind == STRING:
        return index, index + 1
    if token.kind != WORD or token.low in _NO_TERM:
        return None
    last = _capitals_end(prompt, index, ends)
    closed = last >= ends or tokens[last].kind in {END, LINE, MARK}
    return (index, last) if named or closed or _is_capital(prompt, index) else None


def _capitals_end(prompt: Prompt, index: int, ends: int) -> int:
    """Return the token after a word, or after all of several in capitals: HAPPY BIRTHDAY."""
    last = index + 1
    while last < ends and _is_capital(prompt, index) and _is_capital(prompt, last):
        last += 1
    return last


def _is_capital(prompt: Prompt, index: int) -> bool:
    token = prompt.tokens[index]
    raw = prompt.text.value[token.start : token.end]
    return token.kind == WORD and len(raw) > 1 and raw.isupper()


def _after_acrostic(prompt: Prompt) -> tuple[int, int, str] | None:
    tokens = prompt.tokens
    for match in prompt.find(ACROSTIC):
        index = prompt.token_index(match.start)
        if tokens[index].low != "acrostic":
            continue
        _, ends = prompt.sentence_of(index)
        at = index + 1
        while at < min(ends, index + _MAX_TOKENS_BETWEEN) and tokens[at].low in _LEAD_ON:
            at += 1
        if at >= ends or at == index + 1:
            continue
        named = bool(_NAMES & set(prompt.lows(index, at)))
        sure = tokens[at].kind == STRING or _is_capital(prompt, at)
        named = named and tokens[at].kind == WORD and tokens[at].low not in _NO_TERM
        if sure or named:
            return at, _capitals_end(prompt, at, ends), ""
    return None


def _term(prompt: Prompt, first: int, last: int) -> str:
    raw = prompt.text.value[prompt.tokens[first].start : prompt.tokens[last - 1].end]
    return raw.strip("\"'“”‘’`«»*").rstrip(".!?,;:")
