"""Cuts one line into the tokens of calculations; what it does not know becomes a token that stops parsing."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fairwitness.evaluator import vocabulary as words
from fairwitness.evaluator.criteria.calculation import tokens as t
from fairwitness.evaluator.criteria.calculation import vocabulary as v
from fairwitness.evaluator.criteria.calculation.numbers import readings
from fairwitness.evaluator.criteria.calculation.word_scanner import DIGITS, SPACES, WordScanner
from fairwitness.evaluator.patterns import Pattern

_EDGES = frozenset(",;:.?\"'“”‘’«»[]|&<>≤≥→⇒∴•●…")
_MAX_NUMBER_CHARS = 40


@dataclass(slots=True)
class Scanner(WordScanner):
    """Reads one line from `start` to `end` of `value`, left to right, never going back."""

    def scan(self) -> list[t.Token]:
        """Return the line's tokens."""
        position = self._skip_marker()
        while position < self.end:
            char = self.value[position]
            if char in SPACES or char in "\u200b\u2061":
                position += 1
            elif char in DIGITS or (char == "." and self._digit(position + 1)):
                position = self._number(position)
            elif char == "\\":
                position = self._latex(position)
            elif char.isalpha() or char == "_":
                position = self._word(position)
            else:
                position = self._sign(position, char)
        return self.tokens

    def _skip_marker(self) -> int:
        """Step over a list marker: a bullet, "3.", "b)" or "(iv)"."""
        position = self.start
        while position < self.end and (
            self.value[position] in SPACES or self.value[position] in ">#"
        ):
            position += 1
        if (
            self.value[position : position + 1] in {"-", "*", "+", "•", "–"}
            and self.value[position + 1 : position + 2] == " "
        ):
            return position + 1
        mark = position + (self.value[position : position + 1] == "(")
        begun = mark
        while mark < self.end and mark - begun < 4 and self.value[mark].isalnum():
            mark += 1
        closed = self.value[mark : mark + 1] in ({")"} if begun > position else {")", "."})
        short = self.value[begun:mark].isdigit() or mark - begun == 1 or begun > position
        if mark > begun and short and closed and self.value[mark + 1 : mark + 2] == " ":
            # "(12) + 3" is a number in parentheses.
            following = self.value[mark + 2 : mark + 3]
            return (
                mark + 1 if following not in v.OPERATOR_SIGNS or self._digit(mark + 3) else position
            )
        return position

    def _number(self, start: int) -> int:
        position = start
        while position < self.end:
            if self.value[position] in DIGITS:
                position += 1
            elif self.value.startswith("{,}", position) and self._digit(position + 3):
                position += 3
            elif self.value[position] in ".,'\u2009\u202f" and self._digit(position + 1):
                position += 1
            else:
                break
        position = self._exponent(position)
        if position - start > _MAX_NUMBER_CHARS:
            return self._add(t.BREAK, start, position)
        written = self.value[start:position].replace("{,}", ",")
        english, continental = readings(written)
        # "0730" is a time or a number of its own, "1000,000" is grouped by nobody.
        padded = len(written) > 2 and written[0] == "0" and written.isdigit()
        if padded or (english is None and written[-4:-3] == "," and written[-3:] == "000"):
            return self._add(t.BREAK, start, position)
        if english is None and continental is None:
            return self._add(t.BREAK, start, position)
        first = english or continental
        assert first is not None
        self._add(t.NUMBER, start, position, number=english[0] if english else None,
                  places=first[1], continental=continental)  # fmt: skip
        return self._suffix(position)

    def _exponent(self, position: int) -> int:
        if position < self.end and self.value[position] in "eE":
            after = position + 1
            if after < self.end and self.value[after] in "+-−":
                after += 1
            if self._digit(after):
                while self._digit(after):
                    after += 1
                return after
        return position

    def _suffix(self, position: int) -> int:
        """Read letters that touch a number: a unit, a scale, a times sign, or a variable."""
        end = position
        while end < self.end and self.value[end].isalpha():
            end += 1
        if end == position:
            if (
                self.value[position : position + 1] == "-"
                and self.value[position + 1 : position + 2].isalpha()
            ):
                return self._add(t.LABEL, position, position + 1)
            return position
        text = self.value[position:end]
        if text in {"x", "X"} and self._operand_follows(end, "(.√$€£"):
            return self._add(t.OPERATOR, position, end)
        money = len(self.tokens) > 1 and self.tokens[-2].kind == t.CURRENCY
        if money and text in words.SHORT_SCALES:
            self._scale(words.SHORT_SCALES[text], end)
            return end
        if text in {"st", "nd", "rd", "th"} or (words.unit_of(text) is None and len(text) < 4):
            return self._add(t.BREAK, position, end)
        return self._add(t.LABEL, position, end)

    def _latex(self, start: int) -> int:
        end = start + 1
        while end < self.end and self.value[end].isascii() and self.value[end].isalpha():
            end += 1
        name = self.value[start + 1 : end]
        if not name:
            return self._escaped(start)
        if name in v.LATEX_OPERATORS:
            self._add(t.OPERATOR, start, end)
            self.tokens[-1].text = v.LATEX_OPERATORS[name]
            return end
        if name in v.LATEX_IGNORED:
            return end
        if name in v.LATEX_TEXT and self.value[end : end + 1] == "{":
            close = self.value.find("}", end, self.end)
            return (
                self._add(t.LABEL, start, close + 1)
                if close > 0
                else self._add(t.BREAK, start, end)
            )
        for kind, names in _LATEX_KINDS.items():
            if name in names:
                approximate = kind == t.EQUAL
                return self._add(kind, start, end, approximate=approximate)
        return self._add(t.BREAK, start, end)

    def _escaped(self, start: int) -> int:
        char = self.value[start + 1 : start + 2]
        if char and char in ",;!: ":
            return start + 2
        if char and char in "()[]\\":
            return self._add(t.EDGE, start, start + 2)
        return start + 1

    def _sign(self, start: int, char: str) -> int:
        following = self.value[start + 1 : start + 2]
        if char in v.EQUAL_SIGNS:
            return self._equal(start, char, following)
        if char == "*" and self._is_emphasis(start):
            return start + (2 if following == "*" else 1)
        if char == "*" and following == "*":
            return self._operator(start, start + 2, "^")
        if char in v.OPERATOR_SIGNS:
            return self._operator(start, start + 1, v.OPERATOR_SIGNS[char])
        if char in v.SUPERSCRIPTS or char == "⁻":
            return self._superscript(start)
        if char in v.VULGAR:
            return self._add(t.NUMBER, start, start + 1, number=v.VULGAR[char], tight=True)
        if char in words.CURRENCY:
            if char == "$" and following == "$":
                return self._add(t.EDGE, start, start + 2)
            return self._add(t.CURRENCY, start, start + 1)
        if (
            char == ":"
            and following in DIGITS
            and start > self.start
            and self.value[start - 1] in DIGITS
        ):
            return self._add(t.BREAK, start, start + 1)
        if char in "([]":
            return self._bracket(start, char)
        if char == "!" and self.tokens and self.tokens[-1].end == start:
            # "You're right!!! 2 + 2 = 4": only after an operand, and alone, it is more than an exclamation.
            last = self.tokens[-1]
            operand = last.kind in {t.NUMBER, t.CLOSE} or (
                len(last.text) == 1 and last.text.isalpha()
            )
            return self._add(t.BANG if operand and following != "!" else t.EDGE, start, start + 1)
        kind = _SIGN_KINDS.get(char, t.EDGE if char in _EDGES else t.BREAK)
        return self._add(kind, start, start + 1)

    def _equal(self, start: int, char: str, following: str) -> int:
        before = self.value[start - 1 : start] if start > self.start else ""
        # An operator that touches the sign is code: "x += 1", "a == b", "i => 2".
        if (before and before in "=!<>+-*/:≠|^") or (following and following in "=>~"):
            return self._add(t.BREAK, start, start + 1)
        return self._add(t.EQUAL, start, start + 1, approximate=v.EQUAL_SIGNS[char])

    def _is_emphasis(self, start: int) -> bool:
        width = 2 if self.value[start + 1 : start + 2] == "*" else 1
        before = self.value[start - 1] if start > self.start else " "
        after = self.value[start + width] if start + width < self.end else " "
        if width == 2:
            return (before in SPACES) != (after in SPACES) or before in "(:" or after in ").,:;"
        operand_before = bool(self.tokens) and self.tokens[-1].kind in {
            t.NUMBER,
            t.CLOSE,
            t.LABEL,
            t.PERCENT,
            t.CURRENCY,
        }
        if after in SPACES and before not in SPACES:
            return not self._operand_follows(start + 1)
        return not operand_before or not (self._operand_follows(start + 1) or after in SPACES)

    def _operator(self, start: int, end: int, meaning: str) -> int:
        before = self.value[start - 1] if start > self.start else " "
        after = self.value[end] if end < self.end else " "
        self._add(t.OPERATOR, start, end, tight=before not in SPACES and after not in SPACES)
        self.tokens[-1].text = meaning
        return end

    def _superscript(self, start: int) -> int:
        end, digits, sign = start, 0, 1
        if self.value[end] == "⁻":
            end, sign = end + 1, -1
        while end < self.end and self.value[end] in v.SUPERSCRIPTS and end - start < 6:
            digits = digits * 10 + v.SUPERSCRIPTS[self.value[end]]
            end += 1
        if end == start or (sign < 0 and end == start + 1):
            return self._add(t.BREAK, start, start + 1)
        return self._add(t.POWER, start, end, number=Fraction(sign * digits))

    def _bracket(self, start: int, char: str) -> int:
        """Read square brackets as a group where they hold a calculation, not a footnote: 5[1]."""
        if char == "(":
            return self._parenthesis(start)
        touches = start > self.start and self._digit(start - 1)
        if char == "[" and self._operand_follows(start + 1) and not touches:
            return self._add(t.OPEN, start, start + 1)
        opened = any(token.text == "[" and token.kind == t.OPEN for token in self.tokens[-40:])
        return self._add(t.CLOSE if char == "]" and opened else t.EDGE, start, start + 1)

    def _parenthesis(self, start: int) -> int:
        """Read "(sisters)" after a number as a remark; any other parenthesis opens a group."""
        close = self.value.find(")", start, min(self.end, start + 60))
        inner = self.value[start + 1 : close] if close > 0 else ""
        after_operand = bool(self.tokens) and self.tokens[-1].kind in {t.NUMBER, t.LABEL, t.PERCENT}
        letters = sum(char.isalpha() for char in inner)
        sums = _SUM_INSIDE.search(inner.encode())  # "(718.00 plus 143.60 VAT)"
        if after_operand and letters >= 3 and not sums and "=" not in inner and "(" not in inner:
            # "5 + 3 (plus tax) = 9" counts more than it shows.
            counts = not v.UNSHOWN.isdisjoint(inner.lower().split())
            return self._add(t.BREAK if counts else t.LABEL, start, close + 1)
        return self._add(t.OPEN, start, start + 1)


_SUM_INSIDE = Pattern(
    "|".join(
        rf"^{sign}\d[\d.,]*(?: \pL+)? (?:plus|minus|[-+−]) {sign}\d[\d.,]*(?: \pL+)?$"
        for sign in ("", r"\$", "€", "£")
    )
)
_LATEX_KINDS = {
    t.EQUAL: frozenset({"approx", "simeq"}),
    t.FRACTION: frozenset({"frac", "dfrac", "tfrac"}),
    t.ROOT: frozenset({"sqrt"}),
    t.PI: frozenset({"pi"}),
    t.EDGE: frozenset({"implies", "Rightarrow", "rightarrow", "therefore", "newline"}),
}
_SIGN_KINDS = {
    ")": t.CLOSE, "{": t.OPEN, "}": t.CLOSE, "%": t.PERCENT, "√": t.ROOT, "∛": t.ROOT, "~": t.ABOUT, "∼": t.ABOUT,
    "°": t.LABEL, "¢": t.LABEL,
}  # fmt: skip
