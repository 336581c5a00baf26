"""Reads written numbers exactly: English and continental grouping, Indian grouping, exponents."""

from __future__ import annotations

from fractions import Fraction


def readings(text: str) -> tuple[tuple[Fraction, int] | None, tuple[Fraction, int] | None]:
    """Read a number the English way and the continental way: value and decimals shown, or None."""
    if text.isdigit():
        whole = Fraction(int(text)), 0
        return whole, whole
    whole_part, point, decimals = text.partition(".")
    if point and whole_part.isdigit() and decimals.isdigit() and len(decimals) != 3:
        # Most numbers with a point: three decimals alone could be a continental thousand.
        return (
            Fraction(int(whole_part + decimals), 10 ** len(decimals)),
            len(decimals),
        ), None
    mantissa, _, power = text.replace("E", "e").replace("−", "-").partition("e")
    if len(power) > 4:
        return None, None
    mantissa = mantissa.replace("\u2009", ",").replace("\u202f", ",").replace("'", ",")
    shift = int(power) if power else 0
    return _read(mantissa, ",", ".", shift), _read(mantissa, ".", ",", shift)


def _read(text: str, group: str, point: str, shift: int) -> tuple[Fraction, int] | None:
    whole, _, decimals = text.partition(point)
    parts = whole.split(group)
    if group in decimals or point in decimals:
        return None
    if len(parts) > 1 and (
        not 1 <= len(parts[0]) <= 3 or any(len(part) != 3 for part in parts[1:])
    ):
        indian = (
            len(parts[-1]) == 3
            and all(len(part) == 2 for part in parts[1:-1])
            and len(parts[0]) <= 2
        )
        if not (indian and len(parts) > 2):
            return None
    digits = "".join(parts) + decimals
    if not digits:
        return None
    places = len(decimals) - shift
    value = Fraction(int(digits), 10**places) if places > 0 else Fraction(int(digits) * 10**-places)
    return value, places
