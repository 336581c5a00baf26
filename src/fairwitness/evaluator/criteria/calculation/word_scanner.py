"""Reads the words of a line: numbers and operators that are spelled out, labels, and variables."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from fairwitness.evaluator import vocabulary as words
from fairwitness.evaluator.criteria.calculation import tokens as t
from fairwitness.evaluator.criteria.calculation import vocabulary as v

SPACES = frozenset(" \t\u00a0\u2009\u202f\u200a")
DIGITS = frozenset("0123456789")


@dataclass(slots=True)
class WordScanner:
    """The part of the scanner that handles letters, with the line and the tokens so far."""

    value: str
    start: int
    end: int
    tokens: list[t.Token] = field(default_factory=list)
    verb: dict[str, str] | None = None

    def _digit(self, position: int) -> bool:
        return position < self.end and self.value[position] in DIGITS

    def _add(self, kind: str, start: int, end: int, **more: object) -> int:
        spaced = start > self.start and self.value[start - 1] in SPACES
        self.tokens.append(t.Token(kind, start, end, self.value[start:end], spaced, **more))  # type: ignore[arg-type]
        return end

    def _operand_follows(self, position: int, signs: str = "(-−.√$€£") -> bool:
        while position < self.end and self.value[position] in SPACES:
            position += 1
        return position < self.end and (
            self.value[position] in DIGITS or self.value[position] in signs
        )

    def _scale(self, factor: int, end: int) -> None:
        token = self.tokens[-1]
        assert token.number is not None or token.continental is not None
        if token.number is not None:
            token.number *= factor
        if token.continental is not None:
            token.continental = (token.continental[0] * factor, token.continental[1])
        token.scale *= factor
        # Decimals of "1.5 million" are decimals of a million.
        token.places -= len(str(factor)) - 1
        token.end, token.text = end, self.value[token.start : end]

    def _word(self, start: int) -> int:
        end, value, limit = start, self.value, self.end
        # A superscript ends the word: "25 m²" is a unit and its power.
        while end < limit and (
            (char := value[end]).isalpha()
            or (char.isalnum() and char not in v.SUPERSCRIPTS)
            or char in "_’'"
        ):
            end += 1
        while value[end - 1] in "’'":
            end -= 1
        text = value[start:end]
        lowered = text.lower()
        if len(text) == 1:
            return self._letter(start, end, text)
        for phrase, kind, extra in _PHRASES.get(lowered, ()):
            if value[start : start + len(phrase)].lower() == phrase:
                if kind == t.STOP:
                    return start + len(phrase)
                return self._add(kind, start, start + len(phrase), **extra)
        if not text.isalpha() and not text.replace("’", "").replace("'", "").isalpha():
            return self._add(t.BREAK, start, end)
        return self._plain_word(start, end, lowered)

    def _plain_word(self, start: int, end: int, lowered: str) -> int:
        if self.verb and lowered in self.verb and self._operand_follows(end):
            self._add(t.OPERATOR, start, end)
            self.tokens[-1].text, self.verb = self.verb[lowered], None
            return end
        if lowered not in _KNOWN:
            return self._add(t.LABEL, start, end)
        if self.value[start:end] in words.CURRENCY_CODES and self._operand_follows(end):
            return self._add(t.CURRENCY, start, end)
        if lowered in words.NUMBER_WORDS:
            return self._number_words(start)
        if lowered in words.SCALES and self.tokens and self.tokens[-1].kind == t.NUMBER:
            self._scale(words.SCALES[lowered], end)
            return end
        if lowered in v.PARTS and self.value[end : end + 4].lower() == " of ":
            return self._part(start, end, v.PARTS[lowered])
        if lowered in v.MULTIPLES and self._operand_follows(end):
            self._add(t.NUMBER, start, end, number=Fraction(v.MULTIPLES[lowered]))
            return self._add(t.OPERATOR, end, end)
        if lowered in v.VERBS:
            self.verb = v.VERBS[lowered]
            return self._add(t.STOP, start, end)
        if lowered == "percent":
            return self._add(t.PERCENT, start, end)
        if lowered in _WORD_KINDS:
            return self._add(_WORD_KINDS[lowered], start, end, weak=lowered in v.WEAK_EQUALS)
        return self._add(t.LABEL, start, end)

    def _letter(self, start: int, end: int, text: str) -> int:
        if text in {"x", "X"} and self.tokens and self._operand_follows(end):
            return self._add(t.OPERATOR, start, end)
        if text == "π":
            return self._add(t.PI, start, end)
        if text in {"a", "A", "I"} and not self._operator_follows(end):
            return self._add(t.STOP, start, end)
        last = self.tokens[-1] if self.tokens else None
        if last and (last.kind == t.NUMBER or last.text == "/") and words.unit_of(text):
            return self._add(t.LABEL, start, end)
        return self._add(t.BREAK, start, end)

    def _part(self, start: int, end: int, divisor: int) -> int:
        last = self.tokens[-1] if self.tokens else None
        if last and last.kind == t.NUMBER and last.number is not None and last.text.isalpha():
            last.number, last.end = last.number / divisor, end
            last.text = self.value[last.start : end]
            return end
        return self._add(t.NUMBER, start, end, number=Fraction(1, divisor))

    def _number_words(self, start: int) -> int:
        total = part = 0
        position = end = start
        while position < self.end:
            stop = position
            while stop < self.end and self.value[stop].isalpha():
                stop += 1
            word = self.value[position:stop].lower()
            if word in words.NUMBER_WORDS:
                part += words.NUMBER_WORDS[word]
            elif word == "hundred" and part:
                part *= 100
            elif word in words.SCALES and part:
                total, part = total + part * words.SCALES[word], 0
            else:
                break
            end = stop
            if stop >= self.end or self.value[stop] not in " -":
                break
            position = stop + 1
        return self._add(t.NUMBER, start, end, number=Fraction(total + part))

    def _operator_follows(self, position: int) -> bool:
        while position < self.end and self.value[position] in SPACES:
            position += 1
        return position < self.end and self.value[position] in "+-−*×/÷^=<>≤≥"


# By their first word: the whole phrases, what each is, and its number. A STOP says nothing at all: "3/8 as a decimal is".
_PHRASES: dict[str, tuple[tuple[str, str, dict[str, object]], ...]] = {
    "square": (
        ("square root of", t.ROOT, {"number": Fraction(2)}),
        ("square of ", t.RAISE, {"number": Fraction(2)}),
    ),
    "cube": (
        ("cube root of", t.ROOT, {"number": Fraction(3)}),
        ("cube of ", t.RAISE, {"number": Fraction(3)}),
    ),
    "to": (("to the power of", t.OPERATOR, {}),),
    "raised": (("raised to the power of", t.OPERATOR, {}),),
    "multiplied": (("multiplied by", t.OPERATOR, {}),),
    "divided": (("divided by", t.OPERATOR, {}),),
    "squared": (("squared", t.POWER, {"number": Fraction(2)}),),
    "cubed": (("cubed", t.POWER, {"number": Fraction(3)}),),
    "sqrt": (("sqrt", t.ROOT, {"number": Fraction(2)}),),
    "as": (("as a decimal", t.STOP, {}),),
    "in": (("in decimal form", t.STOP, {}),),
}
# The first kind that claims a word keeps it.
_WORD_KINDS = {
    word: kind
    for kind, group in reversed(
        (
            (t.OPERATOR, frozenset({"plus", "minus", "times"})),
            (t.EQUAL, v.EQUAL_WORDS | v.WEAK_EQUALS),
            (t.ABOUT, v.ABOUT),
            (t.OF, frozenset({"of"})),
            (t.STOP, v.STOPS),
            (t.BREAK, v.FUNCTIONS),
        )
    )
    for word in group
}
# Every word that may be more than a label.
_KNOWN = frozenset(
    {"percent", *_WORD_KINDS, *words.NUMBER_WORDS, *words.SCALES, *v.PARTS, *v.MULTIPLES, *v.VERBS}
    | {code.lower() for code in words.CURRENCY_CODES}
)
