"""Cuts one line into the tokens of calculations; what it does not know becomes a token that stops any reading."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation import words as w
from fairwitness.evaluator.criteria.calculation.numbers import readings

NUMBER, OPERATOR, OPEN, CLOSE = "number", "operator", "open", "close"
PERCENT, POWER, ROOT, FRACTION, PI, BANG = "percent", "power", "root", "fraction", "pi", "bang"
LABEL, CURRENCY, EQUAL, ABOUT, OF = "label", "currency", "equal", "about", "of"
STOP, EDGE, BREAK = "stop", "edge", "break"

_EDGES = frozenset(",;:.?\"'“”‘’«»[]|&<>≤≥→⇒∴•●…")
_SPACES = frozenset(" \t\u00a0\u2009\u202f\u200a")
_DIGITS = frozenset("0123456789")


@dataclass(slots=True)
class Token:
    """One token: its kind, where it stands, what it says, and whether space stood around it."""

    kind: str
    start: int
    end: int
    text: str
    spaced: bool = False  # white space before it
    number: Fraction | None = None  # as an English reader takes it
    places: int = 0  # decimals shown
    continental: tuple[Fraction, int] | None = (
        None  # with the decimal comma, where it can be read so
    )
    approximate: bool = False
    weak: bool = False
    tight: bool = False  # an operator with no space on either side


@dataclass(slots=True)
class Scanner:
    """Reads one line from `start` to `end` of `value`, left to right, never going back."""

    value: str
    start: int
    end: int
    tokens: list[Token] = field(default_factory=list)
    verb: tuple[str, str] | None = None

    def scan(self) -> list[Token]:
        """Return the line's tokens."""
        position = self._skip_marker()
        while position < self.end:
            char = self.value[position]
            if char in _SPACES or char in "\u200b\u2061":
                position += 1
            elif char in _DIGITS or (char == "." and self._digit(position + 1)):
                position = self._number(position)
            elif char == "\\":
                position = self._latex(position)
            elif char.isalpha() or char == "_":
                position = self._word(position)
            else:
                position = self._sign(position, char)
        return self.tokens

    def _digit(self, position: int) -> bool:
        return position < self.end and self.value[position] in _DIGITS

    def _add(self, kind: str, start: int, end: int, **more: object) -> int:
        spaced = start > self.start and self.value[start - 1] in _SPACES
        self.tokens.append(Token(kind, start, end, self.value[start:end], spaced, **more))  # type: ignore[arg-type]
        return end

    def _skip_marker(self) -> int:
        """Step over a list marker: a bullet, "3." or "b)"."""
        position = self.start
        while position < self.end and (
            self.value[position] in _SPACES or self.value[position] in ">#"
        ):
            position += 1
        mark = position
        while self._digit(mark) and mark - position < 3:
            mark += 1
        if mark == position and mark < self.end and self.value[mark].isalpha():
            mark += 1
        if (
            position < mark < self.end - 1
            and self.value[mark] in ".)"
            and self.value[mark + 1] == " "
        ):
            return mark + 1
        if (
            position < self.end - 1
            and self.value[position] in "-*+•–"
            and self.value[position + 1] == " "
        ):
            return position + 1
        return position

    def _number(self, start: int) -> int:
        position = start
        while position < self.end:
            if self.value[position] in _DIGITS:
                position += 1
            elif self.value.startswith("{,}", position) and self._digit(position + 3):
                position += 3
            elif self.value[position] in ".,'\u2009\u202f" and self._digit(position + 1):
                position += 1
            else:
                break
        position = self._exponent(position)
        english, continental = readings(self.value[start:position].replace("{,}", ","))
        if (english is None and continental is None) or position - start > 40:
            return self._add(BREAK, start, position)
        first = english or continental
        assert first is not None
        self._add(NUMBER, start, position, number=english[0] if english else None,
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
                return self._add(LABEL, position, position + 1)
            return position
        text = self.value[position:end]
        if text in {"x", "X"} and self._operand_follows(end, "(.√$€£"):
            return self._add(OPERATOR, position, end)
        money = len(self.tokens) > 1 and self.tokens[-2].kind == CURRENCY
        if money and text in w.SHORT_SCALES:
            self._scale(w.SHORT_SCALES[text], end)
            return end
        if text in {"st", "nd", "rd", "th"} or (w.unit_of(text) is None and len(text) < 4):
            return self._add(BREAK, position, end)
        return self._add(LABEL, position, end)

    def _scale(self, factor: int, end: int) -> None:
        token = self.tokens[-1]
        assert token.number is not None or token.continental is not None
        if token.number is not None:
            token.number *= factor
        if token.continental is not None:
            token.continental = (token.continental[0] * factor, token.continental[1])
        # Decimals of "1.5 million" are decimals of a million.
        token.places -= len(str(factor)) - 1
        token.end, token.text = end, self.value[token.start : end]

    def _operand_follows(self, position: int, signs: str = "(-−.√$€£") -> bool:
        while position < self.end and self.value[position] in _SPACES:
            position += 1
        return position < self.end and (
            self.value[position] in _DIGITS or self.value[position] in signs
        )

    def _operator_follows(self, position: int) -> bool:
        while position < self.end and self.value[position] in _SPACES:
            position += 1
        return position < self.end and self.value[position] in "+-−*×/÷^=<>≤≥"

    def _word(self, start: int) -> int:
        end = start
        while end < self.end and (self.value[end].isalnum() or self.value[end] in "_’'"):
            end += 1
        while self.value[end - 1] in "’'":
            end -= 1
        text = self.value[start:end]
        lowered = text.lower()
        if len(text) == 1:
            return self._letter(start, end, text)
        for phrase, kind, extra in _PHRASES:
            if (
                lowered == phrase[0]
                and self.value[start : start + len(phrase[1])].lower() == phrase[1]
            ):
                return self._add(kind, start, start + len(phrase[1]), **extra)
        if any(char.isdigit() or char == "_" for char in text):
            return self._add(BREAK, start, end)
        return self._plain_word(start, end, lowered)

    def _plain_word(self, start: int, end: int, lowered: str) -> int:
        if self.verb and lowered == self.verb[0]:
            verb, self.verb = self.verb, None
            return (
                self._add(OPERATOR, start, end) if not self._rewrite(verb[1], start, end) else end
            )
        if lowered in w.NUMBER_WORDS:
            return self._number_words(start)
        if lowered in w.SCALES and self.tokens and self.tokens[-1].kind == NUMBER:
            self._scale(w.SCALES[lowered], end)
            return end
        if lowered in w.PARTS and self.value[end : end + 4].lower() == " of ":
            return self._part(start, end, w.PARTS[lowered])
        if lowered in w.MULTIPLES and self._operand_follows(end):
            self._add(NUMBER, start, end, number=Fraction(w.MULTIPLES[lowered]))
            return self._add(OPERATOR, end, end)
        if lowered in w.VERBS:
            self.verb = w.VERBS[lowered]
            return self._add(STOP, start, end)
        if lowered == "percent":
            return self._add(PERCENT, start, end)
        for kind, group in _WORD_KINDS:
            if lowered in group:
                weak = kind == EQUAL and lowered in w.WEAK_EQUALS
                return self._add(kind, start, end, weak=weak)
        return self._add(LABEL, start, end)

    def _rewrite(self, meaning: str, start: int, end: int) -> bool:
        self._add(OPERATOR, start, end)
        self.tokens[-1].text = meaning
        return True

    def _letter(self, start: int, end: int, text: str) -> int:
        if text in {"x", "X"} and self.tokens and self._operand_follows(end):
            return self._add(OPERATOR, start, end)
        if text == "π":
            return self._add(PI, start, end)
        if text in {"a", "A", "I"} and not self._operator_follows(end):
            return self._add(STOP, start, end)
        last = self.tokens[-1] if self.tokens else None
        if last and (last.kind == NUMBER or last.text == "/") and w.unit_of(text):
            return self._add(LABEL, start, end)
        return self._add(BREAK, start, end)

    def _part(self, start: int, end: int, divisor: int) -> int:
        last = self.tokens[-1] if self.tokens else None
        if last and last.kind == NUMBER and last.number is not None and last.text.isalpha():
            last.number, last.end = last.number / divisor, end
            last.text = self.value[last.start : end]
            return end
        return self._add(NUMBER, start, end, number=Fraction(1, divisor))

    def _number_words(self, start: int) -> int:
        total = part = 0
        position = end = start
        while position < self.end:
            stop = position
            while stop < self.end and self.value[stop].isalpha():
                stop += 1
            word = self.value[position:stop].lower()
            if word in w.NUMBER_WORDS:
                part += w.NUMBER_WORDS[word]
            elif word == "hundred" and part:
                part *= 100
            elif word in w.SCALES and part:
                total, part = total + part * w.SCALES[word], 0
            else:
                break
            end = stop
            if stop >= self.end or self.value[stop] not in " -":
                break
            position = stop + 1
        return self._add(NUMBER, start, end, number=Fraction(total + part))

    def _latex(self, start: int) -> int:
        end = start + 1
        while end < self.end and self.value[end].isascii() and self.value[end].isalpha():
            end += 1
        name = self.value[start + 1 : end]
        if not name:
            return self._escaped(start)
        if name in w.LATEX_OPERATORS:
            self._add(OPERATOR, start, end)
            self.tokens[-1].text = w.LATEX_OPERATORS[name]
            return end
        if name in w.LATEX_IGNORED:
            return end
        if name in w.LATEX_TEXT and self.value[end : end + 1] == "{":
            close = self.value.find("}", end, self.end)
            return self._add(LABEL, start, close + 1) if close > 0 else self._add(BREAK, start, end)
        for kind, names in _LATEX_KINDS.items():
            if name in names:
                approximate = kind == EQUAL
                return self._add(kind, start, end, approximate=approximate)
        return self._add(BREAK, start, end)

    def _escaped(self, start: int) -> int:
        char = self.value[start + 1 : start + 2]
        if char and char in ",;!: ":
            return start + 2
        if char and char in "()[]\\":
            return self._add(EDGE, start, start + 2)
        return start + 1

    def _sign(self, start: int, char: str) -> int:
        following = self.value[start + 1 : start + 2]
        if char in w.EQUAL_SIGNS:
            return self._equal(start, char, following)
        if char == "*" and self._is_emphasis(start):
            return start + (2 if following == "*" else 1)
        if char == "*" and following == "*":
            return self._operator(start, start + 2, "^")
        if char in w.OPERATOR_SIGNS:
            return self._operator(start, start + 1, w.OPERATOR_SIGNS[char])
        if char in w.SUPERSCRIPTS or char == "⁻":
            return self._superscript(start)
        if char in w.VULGAR:
            return self._add(NUMBER, start, start + 1, number=w.VULGAR[char], tight=True)
        if char in w.CURRENCY:
            if char == "$" and following == "$":
                return self._add(EDGE, start, start + 2)
            return self._add(CURRENCY, start, start + 1)
        if (
            char == ":"
            and following in _DIGITS
            and start > self.start
            and self.value[start - 1] in _DIGITS
        ):
            return self._add(BREAK, start, start + 1)
        if char == "(":
            return self._parenthesis(start)
        if char == "!" and self.tokens and self.tokens[-1].end == start:
            return self._add(BANG, start, start + 1)
        kind = _SIGN_KINDS.get(char, EDGE if char in _EDGES else BREAK)
        return self._add(kind, start, start + 1)

    def _equal(self, start: int, char: str, following: str) -> int:
        before = self.value[start - 1 : start] if start > self.start else ""
        if (before and before in "=!<>+-*/:≠%&|^") or (following and following in "=>~"):
            # An operator that touches the sign ("5*=") is code; "%=" is not, where a number stands before.
            if not (before == "%" and following not in {"=", ">"}):
                return self._add(BREAK, start, start + 1)
        return self._add(EQUAL, start, start + 1, approximate=w.EQUAL_SIGNS[char])

    def _is_emphasis(self, start: int) -> bool:
        width = 2 if self.value[start + 1 : start + 2] == "*" else 1
        before = self.value[start - 1] if start > self.start else " "
        after = self.value[start + width] if start + width < self.end else " "
        if width == 2:
            return (before in _SPACES) != (after in _SPACES) or before in "(:" or after in ").,:;"
        operand_before = bool(self.tokens) and self.tokens[-1].kind in {
            NUMBER,
            CLOSE,
            LABEL,
            PERCENT,
            CURRENCY,
        }
        if after in _SPACES and before not in _SPACES:
            return not self._operand_follows(start + 1)
        return not operand_before or not (self._operand_follows(start + 1) or after in _SPACES)

    def _operator(self, start: int, end: int, meaning: str) -> int:
        before = self.value[start - 1] if start > self.start else " "
        after = self.value[end] if end < self.end else " "
        self._add(OPERATOR, start, end, tight=before not in _SPACES and after not in _SPACES)
        self.tokens[-1].text = meaning
        return end

    def _superscript(self, start: int) -> int:
        end, digits, sign = start, 0, 1
        if self.value[end] == "⁻":
            end, sign = end + 1, -1
        while end < self.end and self.value[end] in w.SUPERSCRIPTS and end - start < 6:
            digits = digits * 10 + w.SUPERSCRIPTS[self.value[end]]
            end += 1
        if end == start or (sign < 0 and end == start + 1):
            return self._add(BREAK, start, start + 1)
        return self._add(POWER, start, end, number=Fraction(sign * digits))

    def _parenthesis(self, start: int) -> int:
        """Read "(sisters)" after a number as a remark; any other parenthesis opens a group."""
        close = self.value.find(")", start, min(self.end, start + 60))
        inner = self.value[start + 1 : close] if close > 0 else ""
        after_operand = bool(self.tokens) and self.tokens[-1].kind in {NUMBER, LABEL, PERCENT}
        letters = sum(char.isalpha() for char in inner)
        if after_operand and letters >= 3 and "=" not in inner and "(" not in inner:
            return self._add(LABEL, start, close + 1)
        return self._add(OPEN, start, start + 1)


_PHRASES: tuple[tuple[tuple[str, str], str, dict[str, object]], ...] = (
    (("square", "square root of"), ROOT, {"number": Fraction(2)}),
    (("cube", "cube root of"), ROOT, {"number": Fraction(3)}),
    (("to", "to the power of"), OPERATOR, {}),
    (("raised", "raised to the power of"), OPERATOR, {}),
    (("multiplied", "multiplied by"), OPERATOR, {}),
    (("divided", "divided by"), OPERATOR, {}),
    (("squared", "squared"), POWER, {"number": Fraction(2)}),
    (("cubed", "cubed"), POWER, {"number": Fraction(3)}),
    (("sqrt", "sqrt"), ROOT, {"number": Fraction(2)}),
)  # fmt: skip
MEANING = {
    "to the power of": "^", "raised to the power of": "^", "multiplied by": "*", "divided by": "/",
    "plus": "+", "minus": "-", "times": "*", "x": "*", "": "*",
}  # fmt: skip
_WORD_KINDS = (
    (OPERATOR, frozenset({"plus", "minus", "times"})),
    (EQUAL, w.EQUAL_WORDS | w.WEAK_EQUALS),
    (ABOUT, w.ABOUT),
    (OF, frozenset({"of"})),
    (STOP, w.STOPS),
    (BREAK, w.FUNCTIONS),
)
_LATEX_KINDS = {
    EQUAL: frozenset({"approx", "simeq"}),
    FRACTION: frozenset({"frac", "dfrac", "tfrac"}),
    ROOT: frozenset({"sqrt"}),
    PI: frozenset({"pi"}),
    EDGE: frozenset({"implies", "Rightarrow", "rightarrow", "therefore", "newline"}),
}
_SIGN_KINDS = {
    ")": CLOSE, "{": OPEN, "}": CLOSE, "%": PERCENT, "√": ROOT, "∛": ROOT, "~": ABOUT, "∼": ABOUT,
    "°": LABEL, "¢": LABEL,
}  # fmt: skip
