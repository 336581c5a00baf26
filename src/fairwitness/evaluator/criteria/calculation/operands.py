"""Parses single operands: numbers under one interpretation, and the words that name what was counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fairwitness.evaluator.criteria.calculation import tokens as t
from fairwitness.evaluator.criteria.calculation.tokens import MEANING, Token
from fairwitness.evaluator.criteria.calculation.values import Uncheckable, Value

_MAX_LABELS = 4
_OPERANDS = frozenset({t.NUMBER, t.OPEN, t.ROOT, t.RAISE, t.FRACTION, t.PI})
_SIGNS = frozenset("+-*/^")
# Which operators a place in the grammar takes.
ADDING, MULTIPLYING, ANY = (
    frozenset({"+", "-", "from"}),
    frozenset("*/"),
    frozenset({*"+-*/", "from"}),
)
SIGN, MINUS, SLASH, TIMES, RAISED = (frozenset(sign) for sign in ("+-", "-", "/", "*", "^"))


@dataclass(frozen=True, slots=True, eq=False)
class Interpretation:
    """One way to resolve what is ambiguous; compared by identity, since each is made once."""

    continental: bool = False  # 1.234,5 instead of 1,234.5
    bare_percent: bool = False  # the % sign as a mere unit
    plain_percent: bool = False  # 100 - 20% is 99.8, not 100 less a fifth of it
    tight_products: bool = False  # 8/2(2+2) is 8/(2(2+2)), and 10 ÷ 1/2 is 10 ÷ (1/2)
    loose_products: bool = False  # 6 ÷ 2(1+2) is (6 ÷ 2)(1+2)
    left_to_right: bool = False  # 2 plus 3 times 4, as spoken
    signed_base: bool = False  # -2^2 is 4
    left_powers: bool = False  # 2^3^2 is 64


PLAIN = Interpretation()
CONTINENTAL = Interpretation(continental=True)


@dataclass(slots=True)
class Parsed:
    """An expression: where it ends, its value, and what was seen on the way."""

    end: int
    value: Value
    operators: list[str]
    labels: list[list[Token]]  # for each operand, the words that name it
    currencies: set[str]
    features: set[str]
    added: bool  # whether the top level is a sum or difference
    shown: float  # half a unit of the last decimal that the last number shows


@dataclass(slots=True)
class Seen:
    """What a parse has met so far."""

    operators: list[str] = field(default_factory=list)
    labels: list[list[Token]] = field(default_factory=list)
    currencies: set[str] = field(default_factory=set)
    features: set[str] = field(default_factory=set)
    added: bool = False
    shown: float = 0.0


class OperandReader:
    """Stands at one token of a line and reads on from there."""

    def __init__(
        self, tokens: Sequence[Token], start: int, end: int, interpretation: Interpretation
    ) -> None:
        """Start at `start`, see nothing from `end` on."""
        self.tokens, self.position, self.end, self.interpretation = (
            tokens,
            start,
            end,
            interpretation,
        )
        self.seen = Seen()

    def _kind(self, ahead: int = 0) -> str:
        at = self.position + ahead
        return self.tokens[at].kind if at < self.end else ""

    def _operator(self, among: frozenset[str]) -> str:
        if self.position >= self.end:
            return ""
        token = self.tokens[self.position]
        if token.kind != t.OPERATOR:
            return ""
        text = token.text
        if text not in _SIGNS:
            text = MEANING.get(text.lower(), text)
        return text if text in among else ""

    def _operand_starts(self, at: int) -> bool:
        return at < self.end and self.tokens[at].kind in _OPERANDS

    def _number(self) -> Value:
        token = self.tokens[self.position]
        value = self._literal(token)
        self.position += 1
        if value.mid == 10 and self._lost_exponent():
            raise Uncheckable("a power whose exponent lost its height: 3 x 10-8")
        following = self.tokens[self.position] if self.position < self.end else None
        if following is None or following.kind != t.NUMBER:
            return value
        # A mixed number: "2½" or "1 1/2".
        if following.tight and following.start - token.end <= 1:
            self.position += 1
            return value + self._literal(following)
        if (
            token.number is not None
            and token.number.denominator == 1
            and self._is_fraction(self.position)
        ):
            top, bottom = self._literal(following), self._literal(self.tokens[self.position + 2])
            self.position += 3
            return value + top / bottom
        return value

    def _lost_exponent(self) -> bool:
        multiplied = self.position > 1 and self.tokens[self.position - 2].kind == t.OPERATOR
        return multiplied and bool(self._operator(MINUS)) and self.tokens[self.position].tight

    def _is_fraction(self, at: int) -> bool:
        if at + 2 >= self.end:
            return False
        top, slash, bottom = self.tokens[at : at + 3]
        return (
            slash.kind == t.OPERATOR and slash.text == "/" and slash.tight and bottom.kind == t.NUMBER
            and top.number is not None and bottom.number is not None and 0 < top.number < bottom.number <= 64
        )  # fmt: skip

    def _literal(self, token: Token) -> Value:
        if self.interpretation.continental and token.continental is not None:
            number, places = token.continental
        elif token.number is not None:
            number, places = token.number, token.places
        else:
            self.seen.features.add("continental")
            raise Uncheckable("a number the English way cannot read")
        before = self.tokens[self.position - 1] if self.position else token
        money = places == 2 and before.kind == t.CURRENCY  # prices are exact
        self.seen.shown = 0.5 * 10.0**-places if 0 < places < 30 else 0.0
        return Value(number, 0.0 if money else self.seen.shown)

    def _labels(self) -> None:
        """Take the words that name what was counted: "30 red marbles", "20 km/h", "34 cents per ounce"."""
        taken: list[Token] = []
        while self.position < self.end and len(taken) <= _MAX_LABELS:
            token = self.tokens[self.position]
            slash = (token.kind == t.OPERATOR and token.text == "/") or token.text == "per"
            if token.kind == t.LABEL:
                taken.append(token)
                self.position += 1
            elif slash and taken and token.tight and self._kind(1) == t.NUMBER:
                raise Uncheckable("a rate: 8 liters/100 kilometers")
            elif token.kind == t.CURRENCY and self._kind(1) not in {t.NUMBER, t.OPEN}:
                self.seen.currencies.add(token.text)
                self.position += 1
            elif (
                slash
                and (taken or self.seen.currencies or token.text == "per")
                and self._kind(1) in {t.LABEL, t.BREAK, t.STOP}
            ):
                taken.append(self.tokens[self.position + 1])
                self.position += 2
            elif taken and token.kind == t.POWER:
                self.position += 1
            elif (
                taken
                and token.kind == t.OPERATOR
                and token.text == "^"
                and self._kind(1) == t.NUMBER
            ):
                self.position += 2
            else:
                break
        if len(taken) > _MAX_LABELS:
            raise Uncheckable("a sentence, not a label")
        self.seen.labels.append(taken)
