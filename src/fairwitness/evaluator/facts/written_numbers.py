"""Reads numbers as they are written: in digits with points and commas, or in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.evaluator.vocabulary import NUMBER_WORDS

# Longer ones are the names of things, or hostile.
MAX_NUMBER_CHARS = 18


def number_end(value: str, at: int, limit: int) -> int:
    """Return where a number ends: digits, and points or commas with digits behind them."""
    limit = min(limit, at + MAX_NUMBER_CHARS + 1)
    # "mop,3,6.50": right behind a comma the next one parts cells.
    marks = ".'’" if value[at - 1 : at] == "," else ".,'’"
    while at < limit and (
        value[at].isdecimal()
        or (value[at] in marks and at + 1 < limit and value[at + 1].isdecimal())
    ):
        at += 1
    return at


def read_digits(digits: str) -> tuple[float, float, float | None] | None:
    """Return a number's value, the size of its last digit, and its value with a decimal comma."""
    if digits.isdecimal():
        return float(digits), 1.0, None
    plain = digits.replace("’", ",").replace("'", ",")
    whole, point, decimals = plain.rpartition(".")
    if point and whole.replace(",", "").isdecimal() and decimals.isdecimal():
        value = float(whole.replace(",", "") + "." + decimals)
        thousands = len(decimals) == 3 and "," not in whole and len(whole) <= 3
        return value, 10.0 ** -len(decimals), float(whole + decimals) if thousands else None
    groups = plain.split(",")
    if all(group.isdecimal() for group in groups):
        joined = float("".join(groups))
        grouped = len(groups[0]) <= 3 and all(len(group) in {2, 3} for group in groups[1:])
        if grouped and len(groups[-1]) == 3:
            comma = float(".".join(groups)) if len(groups) == 2 else None
            return joined, 1.0, comma
        if len(groups) == 2:
            return float(".".join(groups)), 10.0 ** -len(groups[1]), None
    parts = plain.replace(",", ".").split(".")
    if plain.count(",") == 1 and all(len(part) == 3 for part in parts[1:-1]):
        return float("".join(parts[:-1]) + "." + parts[-1]), 10.0 ** -len(parts[-1]), None
    if plain.count(",") == 0 and all(len(part) == 3 for part in parts[1:]):
        return float("".join(parts)), 1.0, None
    return None


def coarse_step(digits: str, step: float) -> float:
    """Return the size of the last digit that is not 0."""
    zeros = len(digits) - len(digits.rstrip("0,")) - digits[len(digits.rstrip("0,")) :].count(",")
    return step * 10.0**zeros if "." not in digits else step


def spelled_value(pieces: Sequence[str]) -> float | None:
    """Return the value of a number word, or of two with a hyphen between them."""
    if len(pieces) == 1:
        return float(NUMBER_WORDS[pieces[0]])
    if len(pieces) == 2 and pieces[1] in NUMBER_WORDS and NUMBER_WORDS[pieces[1]] < 10:
        return float(NUMBER_WORDS[pieces[0]] + NUMBER_WORDS[pieces[1]])
    return None
