"""Reads which word first letters are to spell: "an acrostic for the word HOUSE", "whose first letters spell HOUSE"."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import (
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
_WHICH = frozenset("a the one next successive consecutive corresponding each respective".split())
_FAR = 14  # tokens
_NAMES = frozenset("word name phrase message words".split())
_SKIPPED = frozenset({"out", "the", ":", *_NAMES})
_BEFORE_TERM = frozenset("for of on using with from spelling acrostic poem".split())
_LEAD_ON = frozenset({*_SKIPPED, *_BEFORE_TERM, "a", "letters", "in", "based", "spells", "that"})
_NO_TERM = frozenset(
    "your my our a an it this that something what someone their his her correctly and of in is each every".split()
)
_SHORTEST, _LONGEST = 2, 40  # letters


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the word to spell, at most one, and take its tokens: it need not stand in the response."""
    found = _after_spell(reading) or _after_starts(reading) or _after_acrostic(reading)
    if found is None:
        return
    first, last, unit = found
    term = _term(reading, first, last)
    if _SHORTEST <= sum(map(str.isalpha, term)) <= _LONGEST:
        begins = next(n for n in range(first, -1, -1) if n == 0 or not _leads(reading, n - 1))
        taken.tokens.update(range(begins, last))
        span = Region(reading.tokens[begins].start, reading.tokens[last - 1].end)
        yield Demand("acrostic", span, terms=(term, unit))


def _leads(reading: Reading, index: int) -> bool:
    """Tell whether a token before the word belongs to the demand: "acrostic poem for the word"."""
    return reading.tokens[index].low in _LEAD_ON | {"spell", "out"}


def _after_spell(reading: Reading) -> tuple[int, int, str] | None:
    for match in reading.find(SPELT):
        index = reading.token_index(match.start)
        begins, ends = reading.sentence_of(index)
        before = reading.lows(max(begins, index - _FAR), index)
        letters = next((n for n, low in enumerate(before) if low in _LETTERS), None)
        if letters is None or not _FIRST & set(before[:letters]):
            continue
        units = (_UNITS[low] for low in before[letters:] if low in _UNITS)
        place = _place(reading, index + 1, ends)
        if place is not None:
            return (*place, next(units, ""))
    return None


def _after_starts(reading: Reading) -> tuple[int, int, str] | None:
    """Find the word of "each line starts with a letter of the word HOUSE"."""
    for match in reading.find(STARTED):
        index = reading.token_index(max(match.end - 2, match.start)) + 1
        _, ends = reading.sentence_of(index - 1)
        while index < ends and reading.tokens[index].low in _WHICH:
            index += 1
        of = reading.lows(index, index + 2)
        if len(of) == 2 and of[0] in _LETTERS and of[1] in {"of", "in", "from"}:
            place = _place(reading, index + 2, ends)
            if place is not None and _is_word(reading, index + 2, place[0]):
                return (*place, match["unit"])
    return None


def _is_word(reading: Reading, begins: int, index: int) -> bool:
    """Tell a word spelled from "the alphabet": it is quoted, in capitals, or said to be a word."""
    quoted = reading.tokens[index].kind == STRING or _is_capital(reading, index)
    return quoted or bool(_NAMES & set(reading.lows(begins, index)))


def _place(reading: Reading, index: int, ends: int) -> tuple[int, int] | None:
    """Find the word that is spelt: right there, past "out the word"."""
    tokens, named = reading.tokens, False
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
    last = _capitals_end(reading, index, ends)
    closed = last >= ends or tokens[last].kind in {END, LINE, MARK}
    return (index, last) if named or closed or _is_capital(reading, index) else None


def _capitals_end(reading: Reading, index: int, ends: int) -> int:
    """Return the token after a word, or after all of several in capitals: HAPPY BIRTHDAY."""
    last = index + 1
    while last < ends and _is_capital(reading, index) and _is_capital(reading, last):
        last += 1
    return last


def _is_capital(reading: Reading, index: int) -> bool:
    token = reading.tokens[index]
    raw = reading.text.value[token.start : token.end]
    return token.kind == WORD and len(raw) > 1 and raw.isupper()


def _after_acrostic(reading: Reading) -> tuple[int, int, str] | None:
    tokens = reading.tokens
    for match in reading.find(ACROSTIC):
        index = reading.token_index(match.start)
        if tokens[index].low != "acrostic":
            continue
        _, ends = reading.sentence_of(index)
        at = index + 1
        while at < min(ends, index + _FAR) and tokens[at].low in _LEAD_ON:
            at += 1
        if at >= ends or at == index + 1:
            continue
        named = bool(_NAMES & set(reading.lows(index, at)))
        sure = tokens[at].kind == STRING or _is_capital(reading, at)
        named = named and tokens[at].kind == WORD and tokens[at].low not in _NO_TERM
        if sure or named:
            return at, _capitals_end(reading, at, ends), ""
    return None


def _term(reading: Reading, first: int, last: int) -> str:
    raw = reading.text.value[reading.tokens[first].start : reading.tokens[last - 1].end]
    return raw.strip("\"'“”‘’`«»*").rstrip(".!?,;:")
