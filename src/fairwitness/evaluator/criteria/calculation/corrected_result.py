"""Writes a corrected result the way the wrong one was written."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation import tokens as t
from fairwitness.evaluator.criteria.calculation.tokens import Token
from fairwitness.evaluator.criteria.calculation.values import Value


def corrected(value: Value, stated: Sequence[Token]) -> str:
    """Return the right result in the manner of the stated one: sign, currency, decimals, grouping."""
    numbers = [token for token in stated if token.kind == t.NUMBER]
    percent = any(token.kind == t.PERCENT for token in stated)
    prefix = ""
    for token in stated:
        if token.kind == t.NUMBER:
            prefix += " " if prefix and token.spaced else ""
            break
        prefix = token.text if token.kind == t.CURRENCY else prefix
    number = value.mid * 100 if percent else value.mid
    scaled = numbers[0] if len(numbers) == 1 and numbers[0].scale > 1 else None
    if scaled is not None:
        word = scaled.text.lstrip("0123456789.,")
        places = max(scaled.places + len(str(scaled.scale)) - 1, 0)
        return f"{prefix}{_decimal(number / scaled.scale, places, False, exact=True)}{word}"
    slashed = any(token.kind == t.FRACTION or token.text == "/" for token in stated)
    if slashed and len(numbers) == 2 and value.error == 0 and number.denominator <= 10**6:
        return f"{number.numerator}/{number.denominator}" if number.denominator > 1 else str(number)
    places = max((token.places for token in numbers), default=0)
    continental = any(token.number is None for token in numbers)
    grouped = any(("." if continental else ",") in token.text for token in numbers)
    body = _decimal(abs(number), places, grouped, exact=value.error == 0)
    if continental:
        body = body.translate(str.maketrans(".,", ",."))
    sign = "-" if number < 0 else ""
    return f"{sign}{prefix}{body}{'%' if percent else ''}"


def _decimal(number: Fraction, places: int, grouped: bool, *, exact: bool) -> str:
    places = max(places, 0)
    if number.denominator != 1 and places <= 0:
        fits = [count for count in range(1, 5) if (number * 10**count).denominator == 1]
        places = fits[0] if exact and fits else 2
    with localcontext() as context:
        context.prec = 400
        quotient = Decimal(number.numerator) / Decimal(number.denominator)
        if quotient and (quotient >= Decimal(10) ** 21 or quotient < Decimal(10) ** -(places + 1)):
            return f"{quotient:.3e}"
        rounded = quotient.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
        return f"{rounded:,f}" if grouped else f"{rounded:f}"
