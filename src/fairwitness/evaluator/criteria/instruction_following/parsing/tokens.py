"""Cuts a prompt into tokens: words, numbers, quoted strings, example marks and sentence ends.

One pass. Quoted material becomes one token, so that a demand inside somebody's words is never read
as a demand on the response.
"""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.criteria.instruction_following.parsing.emphasis import is_sample
from fairwitness.evaluator.criteria.instruction_following.parsing.misspellings import (
    JOINED,
    corrected,
    then_to_than,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.numerals import number_of
from fairwitness.evaluator.text import Text

WORD, NUMBER, STRING, MARK, END, LINE, SYMBOL = range(7)


class Token(NamedTuple):
    """A stretch of the prompt; `low` is its lower-case text, or the name of a symbol or mark.

    `value` is a number's value; of a line end, 1 where the next line starts with a small letter.
    """

    kind: int
    start: int
    end: int
    low: str
    value: int = 0


_CLOSERS = {'"': '"”“', "“": '”"“', "”": '”"“', "«": "»", "‘": "’", "`": "`", "„": "“”"}
_ABBREVIATIONS = frozenset("etc vs mr mrs ms dr eg ie approx incl".split())
_COUNTED = frozenset("word words sentences lines paragraphs characters".split())
_NAMING = frozenset("words word keywords keyword phrase phrases".split())
_MAX_BRACKET_CHARS = 90
_MAX_SINGLE_QUOTED_CHARS = 160
_MAX_HYPHENS = 4


class Lexer:
    """Reads one prompt; `tokens` is the result."""

    def __init__(self, text: Text) -> None:
        """Take the text and its words; call `run` once."""
        self.value = text.value
        self.words = text.words
        self.tokens: list[Token] = []
        self._next_word = 0
        self._spent: set[str] = set()
        self._stressed: dict[int, int] = {}

    def run(self) -> list[Token]:
        """Return the tokens, in order."""
        value, size = self.value, len(self.value)
        position = 0
        while position < size:
            while (
                self._next_word < len(self.words) and self.words[self._next_word].start < position
            ):
                self._next_word += 1
            word = self.words[self._next_word] if self._next_word < len(self.words) else None
            if word is not None and word.start == position:
                position = self._word(word.start, word.end)
            elif value[position] in " \t\r":
                position += 1
            else:
                position = self._other(position)
        return self.tokens

    def _emit(self, kind: int, start: int, end: int, low: str, value: int = 0) -> int:
        self.tokens.append(Token(kind, start, end, low, value))
        return end

    def _word(self, start: int, end: int) -> int:
        low = self.value[start:end].lower().replace("’", "'")
        if low in {"p", "ps", "pps"} and (marker_end := self._postscript(start)):
            return marker_end
        if low.count("-") > _MAX_HYPHENS:
            return self._emit(WORD, start, end, low)
        if low[0].isdigit() and low.isascii():
            return self._numeric(start, end, low)
        if "-" in low:
            return self._hyphenated(start, end, low)
        number = number_of(low)
        if number is not None:
            return self._emit(NUMBER, start, end, low, number)
        if low in JOINED:
            first, second = JOINED[low]
            self._emit(WORD, start, start + len(first), first)
            return self._emit(WORD, start + len(first), end, second)
        before = self.tokens[-1].low if self.tokens else ""
        return self._emit(WORD, start, end, then_to_than(corrected(low), before))

    def _numeric(self, start: int, end: int, low: str) -> int:
        digits = 0
        while digits < len(low) and low[digits].isdigit():
            digits += 1
        if digits == len(low):
            while self.value[end : end + 1] == "," and self._three_digits(end + 1):
                end += 4
            return self._emit(
                NUMBER, start, end, low, _to_int(self.value[start:end].replace(",", ""))
            )
        rest = low[digits:]
        if rest in {"st", "nd", "rd", "th"}:
            return self._emit(SYMBOL, start, end, "ORD", _to_int(low[:digits]))
        if rest == "'s":
            return self._emit(NUMBER, start, end, low[:digits], _to_int(low[:digits]))
        if rest[0] == "-":
            self._emit(NUMBER, start, start + digits, low[:digits], _to_int(low[:digits]))
            self._emit(MARK, start + digits, start + digits + 1, "-")
            return self._word(start + digits + 1, end)
        return self._emit(WORD, start, end, low)

    def _three_digits(self, start: int) -> bool:
        piece = self.value[start : start + 3]
        after = self.value[start + 3 : start + 4]
        return len(piece) == 3 and piece.isdecimal() and not after.isdecimal()

    def _hyphenated(self, start: int, end: int, low: str) -> int:
        number = number_of(low.replace("-", " "))
        if number is not None:
            return self._emit(NUMBER, start, end, low, number)
        head, _, tail = low.partition("-")
        number = number_of(head)
        if number is None and not (head == "top" and (tail.isdecimal() or number_of(tail))):
            return self._emit(WORD, start, end, low)
        self._emit(WORD if head == "top" else NUMBER, start, start + len(head), head, number or 0)
        if number_of(tail.partition("-")[0]) is not None:
            self._emit(MARK, start + len(head), start + len(head) + 1, "-")
        return self._word(start + len(head) + 1, end)

    def _postscript(self, start: int) -> int:
        piece = self.value[start : start + 9].lower()
        letters, length = "", 0
        for index, char in enumerate(piece):
            if char in "ps" and not letters.endswith("s"):
                letters, length = letters + char, index + 1
            elif char not in ". ":
                break
        raw = self.value[start : start + length]
        if letters not in {"ps", "pps"} or not ("." in raw or raw.isupper()):
            return 0
        end = start + length
        if self.value[end : end + 1].isalnum():
            return 0
        if self.value[end : end + 1] == ".":
            end += 1
        self._emit(SYMBOL, start, end, letters.upper())
        following = self.value[end:].lstrip(" ")[:1] if end < len(self.value) else ""
        if following.isupper() or following == "\n":
            self._emit(END, end, end, ".")
        return end

    def _other(self, position: int) -> int:
        value, char = self.value, self.value[position]
        if position in self._stressed:
            return self._stressed[position]
        if char == "\n":
            end = position
            while end < len(value) and value[end] in "\n \t\r":
                end += 1
            kind = "blank" if "\n" in value[position + 1 : end] else "line"
            return self._emit(LINE, position, end, kind, int(value[end : end + 1].islower()))
        if char in "*`-#=_~|" and (end := self._run(position, char)):
            return end
        if char in _CLOSERS and (end := self._quoted(position, _CLOSERS[char])):
            return end
        if char == "'" and (end := self._single_quoted(position)):
            return end
        if char in "[<{" and (end := self._bracketed(position)):
            return end
        if char in ".!?…":
            return self._stop(position, char)
        return self._emit(MARK, position, position + 1, char)

    def _run(self, position: int, char: str) -> int:
        value, end = self.value, position
        while end < len(value) and value[end] == char:
            end += 1
        length = end - position
        if char == "`" and length >= 3:
            closing = self._find("```", end)
            return self._emit(SYMBOL, position, closing + 3 if closing >= 0 else end, "FENCE")
        if length >= 3:
            return self._emit(SYMBOL, position, end, "RULE")
        if char == "*" and value[end : end + 1].strip():
            line = value.find("\n", end)
            limit = min(line if line >= 0 else len(value), end + _MAX_BRACKET_CHARS)
            closing = value.find(char * length, end, limit)
            if closing > end and value[closing - 1].strip() and value[closing - 1] != char:
                if self._names_words():
                    self._emit(STRING, end - 1, closing + 1, value[end:closing].lower())
                    return closing + length
                if is_sample(value[end:closing], [token.low for token in self.tokens[-2:]]):
                    return self._emit(SYMBOL, position, closing + length, "EMPHASIS")
                self._stressed[closing] = closing + length
                return end
        return 0

    def _names_words(self) -> bool:
        """Tell whether what is highlighted is a word the prompt speaks of: "the words *sea* and *sand*"."""
        for token in reversed(self.tokens[-3:]):
            if token.low not in {",", "and", "or", ":", "/"}:
                starred = token.kind == STRING and self.value[token.start] == "*"
                return starred or token.low in _NAMING
        return False

    def _find(self, closer: str, position: int) -> int:
        """Find a closer; one that was once not found is never looked for again."""
        if closer in self._spent:
            return -1
        found = self.value.find(closer, position)
        if found < 0:
            self._spent.add(closer)
        return found

    def _quoted(self, position: int, closers: str) -> int:
        found = [place for closer in closers if (place := self._find(closer, position + 1)) > 0]
        if not found:
            return 0
        end = min(found) + 1
        return self._string(position, end)

    def _string(self, position: int, end: int) -> int:
        """Emit a quoted string; a stop inside it ends the sentence where a new one begins."""
        inner = self.value[position + 1 : end - 1]
        marker = inner.lower().replace(".", "").replace(" ", "")
        if marker in {"ps", "pps"} and ("." in inner or inner.isupper()):
            return self._emit(SYMBOL, position, end, marker.upper())
        self._emit(STRING, position, end, inner.lower())
        following = self.value[end : end + 4].lstrip(" ")
        spaced = self.value[end : end + 1] in {" ", "\n"}
        if inner[-1:] in {".", "!", "?"} and spaced and following[:1].isupper():
            self._emit(END, end, end, ".")
        return end

    def _single_quoted(self, position: int) -> int:
        value = self.value
        if position and value[position - 1].isalnum():
            return 0
        if not value[position + 1 : position + 2].strip():
            return 0
        closing = position + 1
        while (closing := value.find("'", closing, position + _MAX_SINGLE_QUOTED_CHARS)) > 0:
            if closing > position + 1 and not value[closing + 1 : closing + 2].isalnum():
                inner = value[position + 1 : closing]
                return self._string(position, closing + 1) if "\n" not in inner else 0
            closing += 1
        return 0

    def _bracketed(self, position: int) -> int:
        value = self.value
        opener, closer, name = value[position], "]", "BRACKET"
        if opener == "<":
            double = value[position : position + 2] == "<<"
            closer, name = (">>", "ANGLE") if double else (">", "TAG")
        elif opener == "{":
            closer, name = "}", "BRACE"
        inner = value[position + len(closer) : position + len(closer) + 1]
        if name != "ANGLE" and inner in {"'", '"', "“", "‘", " ", "="}:
            return 0
        end = value.find(closer, position + 1, position + _MAX_BRACKET_CHARS)
        if end < 0 or "\n" in value[position:end]:
            return 0
        return self._emit(SYMBOL, position, end + len(closer), name)

    def _stop(self, position: int, char: str) -> int:
        end = position
        while end < len(self.value) and self.value[end] in ".!?…":
            end += 1
        following = self.value[end : end + 1]
        if following and not following.isspace() and following not in "\"'”’)*":
            return self._emit(MARK, position, end, char)
        if char == "." and end == position + 1 and self._abbreviated(position):
            return self._emit(MARK, position, end, char)
        return self._emit(END, position, end, char)

    def _abbreviated(self, position: int) -> bool:
        last = self.tokens[-1].low if self.tokens else ""
        if last in {"e", "g"} and len(self.tokens) > 2:
            return self.tokens[-3].low in {"i", "e"}
        if last in {"min", "max"} and self.tokens[-2:][0].low not in _COUNTED:
            return self.value[position + 1 : position + 3].strip()[:1].isdecimal()
        return last in _ABBREVIATIONS


def _to_int(digits: str) -> int:
    # A count beyond nine digits asks for nothing a response could hold.
    return int(digits) if len(digits) < 10 and digits.isdecimal() else 10**9


def tokens(text: Text) -> list[Token]:
    """Return a prompt's tokens, in order."""
    return Lexer(text).run()
