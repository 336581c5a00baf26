"""A precedence parser over the tokens of one line: where an expression ends, and what it comes to.

Written arithmetic is ambiguous ("8/2(2+2)", "$100 - 20%"); an `Interpretation` is one way to resolve it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation import operands as o
from fairwitness.evaluator.criteria.calculation import tokens as t
from fairwitness.evaluator.criteria.calculation.operands import (
    Interpretation,
    OperandReader,
    Parsed,
)
from fairwitness.evaluator.criteria.calculation.tokens import Token
from fairwitness.evaluator.criteria.calculation.values import PI, Uncheckable, Value

__all__ = ["Interpretation", "Parsed", "parse"]

_MAX_DEPTH = 24


def parse(tokens: Sequence[Token], start: int, end: int, interpretation: Interpretation) -> Parsed:
    """Read the longest expression from `start`, not past `end`; raise Uncheckable where there is none."""
    parser = _Parser(tokens, start, end, interpretation)
    value = parser.sum(0)
    seen = parser.seen
    return Parsed(
        parser.position, value, seen.operators, seen.labels, seen.currencies, seen.features,
        seen.added, seen.shown,
    )  # fmt: skip


class _Parser(OperandReader):
    def sum(self, depth: int) -> Value:
        if depth > _MAX_DEPTH:
            raise Uncheckable("too deep")
        begun = self.position
        value = self.product(depth)
        while operator := self._operator(o.ANY if self.interpretation.left_to_right else o.ADDING):
            back = self.position, len(self.seen.operators), len(self.seen.labels)
            self._note(operator)
            self.position += 1
            try:
                first = self.position
                other = self.product(depth)
            except Uncheckable:
                if self._operand_starts(back[0] + 1):
                    raise
                # "8 - that is all": the sign belongs to the sentence.
                self.position = back[0]
                del self.seen.operators[back[1] :], self.seen.labels[back[2] :]
                break
            if depth == 0:
                self.seen.added = True
            if operator in "+-" and self._is_relative(begun, first):
                other = value * other
            value = self._apply(operator, value, other)
        return value

    def _is_relative(self, begun: int, first: int) -> bool:
        """Tell whether a percentage is added to or taken from something that is none."""
        if not any(token.kind == t.PERCENT for token in self.tokens[first : self.position]):
            return False
        mixed = not any(token.kind == t.PERCENT for token in self.tokens[begun:first])
        # "plus 19% VAT": what the percentage is called may follow it.
        named = (
            token.kind
            for token in reversed(self.tokens[first : self.position])
            if token.kind != t.LABEL
        )
        last = next(named, "") == t.PERCENT
        return mixed and last and not self.interpretation.plain_percent

    def _note(self, operator: str) -> None:
        token = self.tokens[self.position]
        self.seen.operators.append(operator)
        if token.text.isalpha() and token.text not in "xX":
            self.seen.features.add("spoken")
        if token.tight:
            self.seen.features.add("tight")

    def _apply(self, operator: str, left: Value, right: Value) -> Value:
        if operator in "+-":
            return left + right if operator == "+" else left - right
        if operator == "from":
            return right - left
        return left * right if operator == "*" else left / right

    def product(self, depth: int) -> Value:
        value = self.factor(depth)
        while True:
            if (
                self._kind() == t.OF
                and self._is_share(value)
                and self._operand_starts(self._after_of())
            ):
                self.seen.operators.append("of")
                self.position = self._after_of()
                value = value * self.factor(depth)
                continue
            if self.interpretation.loose_products and self._kind() == t.OPEN and self._touches():
                self.seen.operators.append("*")
                value = value * self.factor(depth)
                continue
            operator = "" if self.interpretation.left_to_right else self._operator(o.MULTIPLYING)
            if not operator or not self._factor_starts(self.position + 1):
                return value
            self._note(operator)
            self.position += 1
            other = self.factor(depth)
            if operator == "/" and self._power_of_ten():
                # "a / 3 * 10^9" mostly means a / (3 * 10^9).
                self.seen.features.add("implicit")
                if self.interpretation.tight_products:
                    self.position += 1
                    other = other * self.factor(depth)
            value = self._apply(operator, value, other)

    def _power_of_ten(self) -> bool:
        after = self.tokens[self.position : min(self.end, self.position + 3)]
        return (
            len(after) == 3 and bool(self._operator(o.TIMES)) and after[1].number == 10
            and (after[2].kind == t.POWER or after[2].text == "^")
        )  # fmt: skip

    def _is_share(self, value: Value) -> bool:
        """Tell whether "of" can mean a product: "20% of", "1/2 of", "half of", but not "10 multiples of"."""
        return self.tokens[self.position - 1].kind == t.PERCENT or 0 < value.mid < 1

    def _after_of(self) -> int:
        after = self.position + 1
        if (
            after < self.end
            and self.tokens[after].kind == t.STOP
            and self.tokens[after].text == "the"
        ):
            after += 1
        if after < self.end and self.tokens[after].kind == t.CURRENCY:
            return after + 1
        return after

    def _factor_starts(self, at: int) -> bool:
        while at < self.end and (
            self.tokens[at].kind == t.CURRENCY
            or (self.tokens[at].kind == t.OPERATOR and self.tokens[at].text in "+-")
        ):
            at += 1
        return self._operand_starts(at)

    def factor(self, depth: int) -> Value:
        """Read an operand with its sign, powers, percent sign, labels and what it multiplies unsaid."""
        if self._operator(o.SIGN):
            negative = self._operator(o.MINUS)
            self.position += 1
            signed = self.factor(depth + 1)
            if "power" in self.seen.features:
                self.seen.features.add("signed")
                if negative and self.interpretation.signed_base and self._is_even_power():
                    return signed
            return -signed if negative else signed
        if depth > _MAX_DEPTH:
            raise Uncheckable("too deep")
        value = self._powered(depth)
        if self.interpretation.tight_products:
            while self._tight_slash():
                self.position += 1
                self.seen.operators.append("/")
                value = value / self._powered(depth)
        elif self._tight_slash():
            self.seen.features.add("slash")
        while self._kind() == t.OPEN and self._touches() and not self.interpretation.loose_products:
            self.seen.operators.append("*")
            self.seen.features.add("implicit")
            value = value * self._powered(depth)
        self._labels()
        return value

    def _is_even_power(self) -> bool:
        token = self.tokens[self.position - 1]
        return token.number is not None and token.number % 2 == 0

    def _tight_slash(self) -> bool:
        return (
            bool(self._operator(o.SLASH))
            and self.tokens[self.position].tight
            and self._operand_starts(self.position + 1)
        )

    def _touches(self) -> bool:
        before, token = self.tokens[self.position - 1], self.tokens[self.position]
        return before.end == token.start or before.kind in {token.kind, t.CLOSE}

    def _powered(self, depth: int) -> Value:
        if self._kind() == t.CURRENCY:
            self.seen.currencies.add(self.tokens[self.position].text)
            self.position += 1
            if self._operator(o.MINUS):
                self.position += 1
                return -self._powered(depth + 1)
        value = self._primary(depth)
        while True:
            kind = self._kind()
            if kind == t.POWER:
                token = self.tokens[self.position]
                assert token.number is not None
                self.seen.operators.append("^")
                self.seen.features.add("power")
                value = value.power(Value(token.number))
                self.position += 1
            elif kind == t.PERCENT:
                self.seen.features.add("percent")
                if not self.interpretation.bare_percent:
                    self.seen.shown /= 100
                    value = value / Value(Fraction(100))
                self.position += 1
            elif kind == t.BANG and self._is_factorial():
                value = value.factorial()
                self.seen.operators.append("!")
                self.position += 1
            else:
                break
        while self._operator(o.RAISED):
            if depth > _MAX_DEPTH:
                raise Uncheckable("too deep")
            self.seen.operators.append("^")
            self.seen.features.add("power")
            self.position += 1
            value = value.power(self._exponent(depth + 1))
        return value

    def _is_factorial(self) -> bool:
        """Tell "5! = 120" from "it is 5!"."""
        after = self.position + 1
        ends = {t.OPERATOR, t.EQUAL, t.CLOSE, t.OPEN}
        return after < len(self.tokens) and self.tokens[after].kind in ends

    def _exponent(self, depth: int) -> Value:
        if self._operator(o.MINUS):
            self.position += 1
            return -self._exponent(depth + 1)
        if self.interpretation.left_powers:
            return self._primary(depth)
        return self._powered(depth)

    def _primary(self, depth: int) -> Value:
        kind = self._kind()
        if kind == t.NUMBER:
            return self._number()
        if kind == t.OPEN:
            return self._group(depth)
        if kind == t.PI:
            self.position += 1
            return PI
        if kind == t.ROOT:
            token = self.tokens[self.position]
            self.position += 1
            self.seen.operators.append("root")
            degree = 3 if token.text == "∛" or token.number == 3 else 2
            return self._powered(depth + 1).root(degree)
        if kind == t.RAISE:
            exponent = self.tokens[self.position].number
            assert exponent is not None
            self.position += 1
            self.seen.operators.append("^")
            return self._powered(depth + 1).power(Value(exponent))
        if kind == t.FRACTION:
            self.position += 1
            self.seen.operators.append("/")
            return self._group(depth) / self._group(depth)
        raise Uncheckable("no operand")

    def _group(self, depth: int) -> Value:
        if self._kind() != t.OPEN:
            raise Uncheckable("no group")
        opened = self.position
        self.position += 1
        added = self.seen.added
        value = self.sum(depth + 1)
        self.seen.added = added
        if self._kind() != t.CLOSE:
            raise Uncheckable("a group that never closes")
        self.position += 1
        if self.position - opened == 3 and self.tokens[opened + 1].number is None:
            raise Uncheckable("a pair, perhaps: (2,3)")
        return value
