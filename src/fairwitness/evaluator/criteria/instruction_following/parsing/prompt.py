"""Turns a prompt into one line of symbols, keeping only the sentences that ask something of the writer.

The patterns of the other files run over that line; `Prompt` maps each match back to the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fairwitness.evaluator.criteria.instruction_following.parsing.directives import (
    directives,
    sentences,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import SYMBOLS
from fairwitness.evaluator.criteria.instruction_following.parsing.named_letters import (
    is_letter,
    named_letters,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.numerals import ordinal_of
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import (
    Quantity,
    quantities,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
    MARK,
    STRING,
    SYMBOL,
    WORD,
    Token,
    tokens,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_BEFORE_MAILED_LETTER = frozenset(
    "a your the this cover recommendation love thank-you formal resignation business personal short "
    "farewell complaint motivational open long".split()
)
_LETTERS = frozenset("letter letters character characters vowel vowels".split())
# Symbols between a verb of writing and the noun it asks for, and what parts the two.
_MAX_SYMBOLS_AFTER_VERB = 5
_NEW_PHRASE = frozenset(
    {"|", "about", "for", "of", "on", "to", "where", "that", "which", "in", "with"}
)
_JOINTS = frozenset({",", ":", "(", "and", "but"})
_PAIRS = {
    ("upper", "case"): "uppercase",
    ("lower", "case"): "lowercase",
    ("key", "word"): "keyword",
    ("key", "words"): "keywords",
    ("post", "script"): "postscript",
    ("em", "dash"): "emdash",
    ("em", "dashes"): "emdash",
    ("nothing", "but"): "only",
    ("leave", "out"): "NEG",
    ("leaving", "out"): "NEG",
    ("sign", "off"): "ENDS",
    ("wrap", "up"): "ENDS",
    ("steer", "clear"): "NEG",
    ("steers", "clear"): "NEG",
    ("steering", "clear"): "NEG",
    ("not", "once"): "NEG",
    ("not", "ever"): "NEG",
    ("off", "limits"): "NEG",
    ("stay", "away"): "NEG",
}


@dataclass
class Consumed:
    """What of a prompt already belongs to a demand: quantities by number, tokens by index."""

    quantities: set[int] = field(default_factory=set)
    tokens: set[int] = field(default_factory=set)


class Prompt:
    """A parsed prompt: its tokens, its quantities, and its directive sentences as a line of symbols."""

    def __init__(self, text: Text) -> None:
        """Parse the prompt."""
        self.text = text
        self.tokens = tokens(text)
        self.quantities = quantities(self.tokens)
        self._quantity_at = {quantity.first: n for n, quantity in enumerate(self.quantities)}
        self._symbols: list[str] = []
        self._owners: list[int] = []
        self._sentence_words: dict[int, frozenset[str]] = {}
        self.sentences = list(sentences(self.tokens))
        self.directives = list(directives(self.tokens))
        for first, last in self.directives:
            self._add(first, last)
        self._starts: list[int] = []
        offset = 0
        for symbol in self._symbols:
            self._starts.append(offset)
            offset += len(symbol) + 1
        self.line = "".join(f"{symbol} " for symbol in self._symbols)
        self.utf8 = self.line.encode()

    def _add(self, first: int, last: int) -> None:
        index = first
        while index < last:
            number = self._quantity_at.get(index)
            if number is not None:
                self._push(f"Q{number}", index)
                index = max(self.quantities[number].last, index + 1)
                continue
            symbol, length = self._symbol_at(index, last)
            self._push(symbol, index)
            index += length
        self._push("|", last - 1)

    def _symbol_at(self, index: int, last: int) -> tuple[str, int]:
        """Return the symbol of the word or pair of words at a token, and how many tokens it covers."""
        token = self.tokens[index]
        after = self.tokens[index + 1].low if index + 1 < last else ""
        pair = _PAIRS.get((token.low, after))
        if pair is not None:
            return pair, 2
        if token.low == "wrap" and self.lows(index + 1, index + 3) == ["it", "up"]:
            return "ENDS", 3
        if token.low == "as" and self.lows(index + 1, index + 3) == ["well", "as"]:
            return "and", 3
        if after == "forget" and SYMBOLS.get(token.low) == "NEG":
            return "", 2  # "do not forget to" asks for the thing
        if token.low == "letter" and _is_mailed_letter(self.tokens, index):
            return "WORK", 1
        if token.low in _LETTERS:
            letters = named_letters(self.tokens, index + 1)
            if len(letters) > token.low.endswith("s"):  # "characters" followed by one "a" name none
                return "LETTER", letters[-1] + 1 - index
        if token.low == "copy" and {"request", "question", "prompt"} & set(
            self.lows(index, index + 4)
        ):
            return "REPEAT", 1
        if token.low == "/" and 0 < index < last - 1 and self._between_choices(index):
            return "or", 1
        if token.low.endswith("'s") and (owner := SYMBOLS.get(token.low[:-2])):
            return owner, 1
        return _symbol(token), 1

    def _between_choices(self, index: int) -> bool:
        """Tell whether a slash parts two quoted strings or two words: "yes/no", not "and/or"."""
        left, right = self.tokens[index - 1], self.tokens[index + 1]
        words = left.kind == WORD == right.kind and not {left.low, right.low} & {"and", "or"}
        return words or left.kind == STRING == right.kind

    def _push(self, symbol: str, owner: int) -> None:
        if symbol and not (symbol == "|" and self._symbols[-1:] in ([], ["|"])):
            self._symbols.append(symbol)
            self._owners.append(owner)

    def find(self, pattern: Pattern, *, overlapping: bool = False) -> list[Match]:
        """Return the matches of a pattern over the line of symbols."""
        return pattern.find(self.utf8, int, overlapping=overlapping)

    def token_index(self, offset: int) -> int:
        """Return the token that the symbol at an offset of the line came from."""
        return self._owners[max(bisect_right(self._starts, offset) - 1, 0)]

    def around(self, match: Match) -> tuple[list[str], list[str]]:
        """Return the symbols before a match and after it, nearest first, within its sentence."""
        first = bisect_right(self._starts, match.start) - 1
        while first < len(self._symbols) - 1 and self._symbols[first] in {"|", "and", ","}:
            first += 1
        last = bisect_right(self._starts, max(match.end - 1, match.start))
        before: list[str] = []
        for symbol in reversed(self._symbols[max(first - 14, 0) : first]):
            if symbol == "|":
                break
            before.append(symbol)
        after: list[str] = []
        for symbol in self._symbols[last : last + 14]:
            if symbol == "|":
                break
            after.append(symbol)
        return before, after

    def asked_for(self, work: str) -> bool:
        """Tell whether the prompt asks for something of this name to be written: "write a short eulogy"."""
        since = _MAX_SYMBOLS_AFTER_VERB
        for symbol in self._symbols:
            since = (
                0
                if symbol == "WRITE"
                else _MAX_SYMBOLS_AFTER_VERB
                if symbol in _NEW_PHRASE
                else since + 1
            )
            if symbol == work and since < _MAX_SYMBOLS_AFTER_VERB:
                return True
        return False

    def clause_before(self, match: Match) -> list[str]:
        """Return the symbols before a match, nearest first, back to where its clause begins."""
        before, _ = self.around(match)
        cut = next((n for n, symbol in enumerate(before) if symbol in _JOINTS), len(before))
        return before[:cut]

    def quantity(self, symbol: str) -> Quantity:
        """Return the quantity of a symbol like Q2."""
        return self.quantities[int(symbol.strip()[1:])]

    def span(self, match: Match) -> Region:
        """Return the stretch of the prompt a match covers."""
        first = self.token_index(match.start)
        last = self.token_index(max(match.end - 1, match.start))
        end = self.tokens[last].end
        number = self._quantity_at.get(last)
        if number is not None:
            end = max(end, self.tokens[self.quantities[number].last - 1].end)
        return Region(self.tokens[first].start, max(end, self.tokens[first].end))

    def sentence_of(self, index: int) -> tuple[int, int]:
        """Return the token range of the sentence that holds a token."""
        at = bisect_right(self.sentences, (index, len(self.tokens))) - 1
        return self.sentences[max(at, 0)]

    def sentence_words(self, index: int) -> frozenset[str]:
        """Return the lower-case texts of the sentence that holds a token; each sentence is gone through once."""
        first, last = self.sentence_of(index)
        if first not in self._sentence_words:
            self._sentence_words[first] = frozenset(self.lows(first, last))
        return self._sentence_words[first]

    @cached_property
    def positions(self) -> dict[str, list[int]]:
        """The token indexes of each lower-case text."""
        found: dict[str, list[int]] = {}
        for index, token in enumerate(self.tokens):
            found.setdefault(token.low, []).append(index)
        return found

    def lows(self, first: int, last: int) -> list[str]:
        """Return the lower-case texts of some tokens."""
        return [token.low for token in self.tokens[max(first, 0) : last]]


def _is_mailed_letter(tokens: Sequence[Token], index: int) -> bool:
    """Tell a letter one sends from a letter of the alphabet, by the word before it."""
    before = tokens[index - 1].low if index else ""
    return before in _BEFORE_MAILED_LETTER and not is_letter(tokens, index + 1)


def _symbol(token: Token) -> str:
    if token.kind == WORD:
        if ordinal_of(token.low):
            return "ORD"
        symbol = SYMBOLS.get(token.low)
        if symbol is not None:
            return symbol
        return token.low if token.low.isascii() else "_"
    if token.kind == STRING:
        return "S"
    if token.kind == SYMBOL:
        return token.low
    if token.kind == MARK and token.low in {",", ":", "(", ")"}:
        return token.low
    if token.low == ";":
        return "|"
    return "STAR" if token.low == "*" else "HASH" if token.low == "#" else ""
