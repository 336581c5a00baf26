"""Turns a prompt into one line of symbols, keeping only the sentences that speak to the writer.

Patterns of the other files run over that line; `Reading` leads each match back to the prompt.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from fairwitness.evaluator.criteria.instruction_following.reading.lexicon import (
    COMMANDS,
    FRAGMENTS,
    MODALS,
    RESPONSES,
    SYMBOLS,
)
from fairwitness.evaluator.criteria.instruction_following.reading.numerals import ordinal_of
from fairwitness.evaluator.criteria.instruction_following.reading.quantities import (
    Quantity,
    quantities,
)
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import (
    END,
    LINE,
    MARK,
    STRING,
    SYMBOL,
    WORD,
    Token,
    tokens,
)
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

_CONNECTORS = frozenset(
    """also and but then finally next first second third lastly please additionally furthermore
    moreover plus now however importantly note firstly secondly thirdly so ok okay hi hello hey
    again besides afterwards after otherwise yet or overall further just kindly""".split()
)
_QUESTION_LEADS = frozenset(
    "what why how when who whom whose which where is are was were do does did has have am "
    "what's who's how's where's isn't aren't doesn't don't didn't should".split()
)
_WH = frozenset("what why how who whom whose which where".split())
_PERSONS = frozenset("i we he she they my our his her their i'm i've he's she's we're they're someone".split())
_WISHES = frozenset("want need like wish prefer expect require i'd would".split())
_WAIVED = frozenset("ignore disregard optional unnecessary needn't".split())
_SUPPOSED = frozenset("if when whenever suppose supposing unless although though because since while".split())
_SUPPLIED = frozenset(
    """text passage paragraph sentence sentences article email essay story poem statement blog pitch
    code paper review conversation dialogue document content message post speech abstract excerpt
    tweet summary letter paragraphs transcript snippet riddle joke haiku limerick information data
    context lyrics description question problem""".split()
)
_MISSIVES = frozenset(
    "a your the this cover recommendation love thank-you formal resignation business personal short "
    "farewell complaint motivational open long".split()
)
_POINTERS = frozenset("following below this given these".split())


class Reading:
    """One prompt, its tokens and quantities, and the line of symbols of its directive sentences."""

    def __init__(self, text: Text) -> None:
        """Read the prompt once."""
        self.text = text
        self.tokens = tokens(text)
        self.quantities = quantities(self.tokens)
        self._quantity_at = {quantity.first: n for n, quantity in enumerate(self.quantities)}
        self._symbols: list[str] = []
        self._owners: list[int] = []
        self.sentences = list(_sentences(self.tokens))
        supplied_from = _supplied_from(self.tokens)
        turn = _last_turn(self.tokens)
        for first, last in self.sentences:
            if first < turn:
                continue
            first = _past_condition(self.tokens, first, last)
            if _directive(self.tokens[first:last], supplied=first >= supplied_from):
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
            token = self.tokens[index]
            after = self.tokens[index + 1].low if index + 1 < last else ""
            if token.low in {"upper", "lower"} and after == "case":
                self._push(f"{token.low}case", index)
                index += 2
                continue
            if after == "forget" and SYMBOLS.get(token.low) == "NEG":
                index += 2  # "do not forget to" asks for the thing
                continue
            if token.low == "key" and after in {"word", "words"}:
                self._push("keywords" if after == "words" else "keyword", index)
                index += 2
                continue
            if token.low == "post" and after == "script":
                self._push("postscript", index)
                index += 2
                continue
            if token.low == "letter" and _is_missive(self.tokens, index):
                self._push("WORK", index)
                index += 1
                continue
            if token.low in {"letter", "character"} and _lone_letter(self.tokens, index + 1):
                self._push("LETTER", index)
                index += 2
                continue
            self._push(_symbol(token), index)
            index += 1
        self._push("|", last - 1)

    def _push(self, symbol: str, owner: int) -> None:
        if symbol and not (symbol == "|" and self._symbols[-1:] in ([], ["|"])):
            self._symbols.append(symbol)
            self._owners.append(owner)

    def find(self, pattern: Pattern) -> list[Match]:
        """Return the matches of a pattern over the line of symbols."""
        return pattern.find(self.utf8, int)

    def token_index(self, offset: int) -> int:
        """Return the token that the symbol at an offset of the line came from."""
        return self._owners[max(bisect_right(self._starts, offset) - 1, 0)]

    def around(self, match: Match) -> tuple[list[str], list[str]]:
        """Return the symbols before a match and after it, nearest first, within its sentence."""
        first = bisect_right(self._starts, match.start) - 1
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

    def quantity(self, symbol: str) -> Quantity:
        """Return the quantity a symbol like Q2 stands for."""
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

    def lows(self, first: int, last: int) -> list[str]:
        """Return the lower-case texts of some tokens."""
        return [token.low for token in self.tokens[max(first, 0) : last]]


def _past_condition(listed: Sequence[Token], first: int, last: int) -> int:
    """Skip a leading "if ..." or "when ...": what it supposes asks for nothing."""
    if listed[first].low not in _SUPPOSED:
        return first
    return next((n + 1 for n in range(first, last) if listed[n].low == ","), first)


def _last_turn(listed: Sequence[Token]) -> int:
    """Return where the last turn of a pasted dialogue starts; 0 where there is none."""
    turn, other = 0, False
    for index, token in enumerate(listed[:-1]):
        if listed[index + 1].low == ":" and (not index or listed[index - 1].kind == LINE):
            if token.low in {"assistant", "ai", "bot", "chatbot"}:
                other = True
            elif token.low in {"human", "user"}:
                turn = index
    return turn if other else 0


def _is_missive(listed: Sequence[Token], index: int) -> bool:
    """Tell a letter one sends from a letter of the alphabet, by the word before it."""
    before = listed[index - 1].low if index else ""
    return before in _MISSIVES and not _lone_letter(listed, index + 1)


def _lone_letter(listed: Sequence[Token], index: int) -> bool:
    if index >= len(listed):
        return False
    token = listed[index]
    return token.kind in {WORD, STRING} and len(token.low) == 1


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
    if token.kind == MARK and token.low in {",", ":", "(", ")", ";"}:
        return token.low
    return "STAR" if token.low == "*" else "HASH" if token.low == "#" else ""


def _sentences(listed: Sequence[Token]) -> Iterator[tuple[int, int]]:
    first = 0
    for index, token in enumerate(listed):
        if token.kind == END or (token.kind == LINE and not _wrapped(listed, index)):
            if index >= first:
                yield first, index + 1
            first = index + 1
    if first < len(listed):
        yield first, len(listed)


def _wrapped(listed: Sequence[Token], index: int) -> bool:
    """Tell whether a line end only wraps a sentence that goes on in lower case."""
    if listed[index].low == "blank" or not 0 < index < len(listed) - 1:
        return False
    before, after = listed[index - 1], listed[index + 1]
    return before.kind == WORD and after.kind == WORD and after.low in SYMBOLS


def _supplied_from(listed: Sequence[Token]) -> int:
    """Return the token from which the prompt hands over a text to work on, unquoted."""
    recent: list[str] = []
    for index, token in enumerate(listed):
        if token.kind in {END, LINE} and token.low != "line":
            recent.clear()
        if token.low == ":" and index + 1 < len(listed):
            follows = listed[index + 1]
            if follows.kind == LINE and index + 2 < len(listed):
                follows = listed[index + 2]
            if follows.kind != STRING and _POINTERS & set(recent) and _SUPPLIED & set(recent):
                return index + 1
        if token.kind == WORD:
            recent.append(token.low)
    return len(listed)


def _directive(sentence: Sequence[Token], supplied: bool) -> bool:
    """Tell whether a sentence asks something of the writer, here and now."""
    words = [token.low for token in sentence if token.kind == WORD]
    every = set(words)
    if supplied and not ("your" in every or RESPONSES & every):
        return False
    if _WAIVED & every or _waived(words):
        return False
    start = 0
    while start < len(words) and words[start] in _CONNECTORS:
        start += 1
    lead = words[start] if start < len(words) else ""
    addressed = "your" in every or bool(RESPONSES & every)
    if sentence[-1].low[:1] == "?" and (lead in _QUESTION_LEADS or _WH & set(words[:3])):
        return False
    if lead in {"can", "could", "would", "will"} and words[start + 1 : start + 2] == ["you"]:
        return True
    if lead in _PERSONS:
        if "to" in words[start + 1 : start + 4] and "you" not in every:
            return addressed and bool(MODALS & every)
        return bool(_WISHES & set(words[start : start + 4])) or (addressed and bool(MODALS & every))
    if lead in _SUPPOSED:
        return bool(MODALS & every) or addressed
    if any(token.kind == SYMBOL and token.low == "RULE" for token in sentence):
        return True
    if not lead or lead in COMMANDS or lead in FRAGMENTS or MODALS & every:
        return True
    if sentence[0].kind != WORD:
        return True
    return _command_inside(sentence)


def _waived(words: Sequence[str]) -> bool:
    """Tell whether the sentence takes a demand back: "you don't have to", "no need to"."""
    for before, after in zip(words, words[1:], strict=False):
        if before in {"don't", "not", "no", "doesn't"} and after in {"need", "have", "necessary", "required"}:
            at = words.index(before)
            if after in {"need", "necessary", "required"} or words[at + 2 : at + 3] == ["to"]:
                return True
    return False


def _command_inside(sentence: Sequence[Token]) -> bool:
    """Tell whether a command follows a comma, a colon or a joining word."""
    joined = False
    for token in sentence:
        if token.low in {",", ":", "and", "but", "then", "-", "–", "—", ")", ";"}:
            joined = True
        elif joined and token.kind == WORD and token.low in COMMANDS:
            return True
        elif token.low not in _CONNECTORS:
            joined = False
    return False
