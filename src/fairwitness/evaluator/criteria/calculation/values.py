"""Numbers with what is known of their rounding: exact fractions, and bounds on how large they may grow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

# Past these a power is worked out in floating point, or not at all: 9^9^9^9 must cost nothing.
_MAX_EXPONENT = 2000
_MAX_BITS = 8000
_MAX_FACTORIAL = 60


class Uncheckable(Exception):
    """Raised where a value cannot be worked out, or not within the bounds."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value, and how far off the true one may be because the numbers it came from were rounded."""

    mid: Fraction
    error: float = 0.0

    def __add__(self, other: Value) -> Value:
        return _bounded(self.mid + other.mid, self.error + other.error)

    def __sub__(self, other: Value) -> Value:
        return _bounded(self.mid - other.mid, self.error + other.error)

    def __neg__(self) -> Value:
        return Value(-self.mid, self.error)

    def __mul__(self, other: Value) -> Value:
        error = 0.0
        if self.error or other.error:
            error = abs(as_float(self.mid)) * other.error + abs(as_float(other.mid)) * self.error
            error += self.error * other.error
        return _bounded(self.mid * other.mid, error)

    def __truediv__(self, other: Value) -> Value:
        if not other.mid:
            raise Uncheckable("division by zero")
        quotient = self.mid / other.mid
        error = 0.0
        if self.error or other.error:
            divisor = abs(as_float(other.mid)) - other.error
            if divisor <= 0:
                raise Uncheckable("the divisor may be zero")
            error = (self.error + abs(as_float(quotient)) * other.error) / divisor
        return _bounded(quotient, error)

    def power(self, exponent: Value) -> Value:
        """Raise to a power, exactly where that is cheap."""
        if exponent.mid.denominator == 1 and not exponent.error:
            return self._whole_power(exponent.mid.numerator)
        base, by = as_float(self.mid), as_float(exponent.mid)
        if base <= 0:
            raise Uncheckable("a broken power of a number that is not positive")
        result = _floating(lambda: math.pow(base, by))
        spread = abs(by) * self.error / base + abs(math.log(base)) * exponent.error + 1e-12
        return Value(Fraction(result), abs(result) * spread)

    def _whole_power(self, exponent: int) -> Value:
        if not self.mid and exponent < 0:
            raise Uncheckable("division by zero")
        bits = max(self.mid.numerator.bit_length(), self.mid.denominator.bit_length())
        if abs(exponent) > _MAX_EXPONENT or bits * abs(exponent) > _MAX_BITS:
            base = as_float(self.mid)
            result = _floating(lambda: math.pow(base, exponent))
            return Value(Fraction(result), abs(result) * 1e-9)
        mid = self.mid**exponent
        error = 0.0
        if self.error and self.mid:
            relative = self.error / abs(as_float(self.mid))
            grown = _floating(lambda: math.pow(1 + relative, min(abs(exponent), 500)))
            error = abs(as_float(mid)) * (grown - 1)
        return Value(mid, error)

    def root(self, degree: int) -> Value:
        """Return the degree-th root, exact where it is."""
        if self.mid < 0:
            raise Uncheckable("a root of a negative number")
        top, bottom = (
            _whole_root(self.mid.numerator, degree),
            _whole_root(self.mid.denominator, degree),
        )
        if top is not None and bottom is not None and not self.error:
            return Value(Fraction(top, bottom))
        return self.power(Value(Fraction(1, degree))) if self.mid else self

    def factorial(self) -> Value:
        """Return the factorial of a small whole number."""
        if self.mid.denominator != 1 or not 0 <= self.mid <= _MAX_FACTORIAL:
            raise Uncheckable("a factorial out of bounds")
        return Value(Fraction(math.factorial(int(self.mid))))


PI = Value(Fraction(math.pi), 0.0016)  # people use 3.14 and 22/7


def as_float(number: Fraction) -> float:
    """Return the nearest float; one past its range cannot be checked."""
    try:
        return float(number)
    except OverflowError:
        raise Uncheckable("out of range") from None


def _bounded(mid: Fraction, error: float) -> Value:
    if max(mid.numerator.bit_length(), mid.denominator.bit_length()) > 2 * _MAX_BITS:
        raise Uncheckable("too many digits")
    return Value(mid, error)


def _floating(work: Callable[[], float]) -> float:
    try:
        result = work()
    except (OverflowError, ValueError, ZeroDivisionError):
        raise Uncheckable("out of range") from None
    if not math.isfinite(result):
        raise Uncheckable("out of range")
    return result


def _whole_root(number: int, degree: int) -> int | None:
    if number.bit_length() > 1000:
        return None
    guess = math.isqrt(number) if degree == 2 else round(number ** (1 / degree))
    for candidate in (guess - 1, guess, guess + 1):
        if candidate >= 0 and candidate**degree == number:
            return candidate
    return None
