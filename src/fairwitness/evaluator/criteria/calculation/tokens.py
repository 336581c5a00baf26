"""The tokens that a line of a calculation is cut into."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

NUMBER, OPERATOR, OPEN, CLOSE = "number", "operator", "open", "close"
PERCENT, POWER, ROOT, FRACTION, PI, BANG = "percent", "power", "root", "fraction", "pi", "bang"
RAISE = "raise"  # "the cube of" before its number
LABEL, CURRENCY, EQUAL, ABOUT, OF = "label", "currency", "equal", "about", "of"
STOP, EDGE, BREAK = "stop", "edge", "break"


@dataclass(slots=True)
class Token:
    """One token: its kind, where it is, its text, and whether there is space around it."""

    kind: str
    start: int
    end: int
    text: str
    spaced: bool = False  # white space before it
    number: Fraction | None = None  # as an English reader takes it
    places: int = 0  # decimals shown
    # With the decimal comma, where it can be read so: value and decimals shown.
    continental: tuple[Fraction, int] | None = None
    scale: int = 1  # what "million" after it multiplies it by
    approximate: bool = False
    weak: bool = False
    tight: bool = False  # an operator with no space on either side


# What an operator is called, where it is a word or an unspoken sign.
MEANING = {
    "to the power of": "^", "raised to the power of": "^", "multiplied by": "*", "divided by": "/",
    "plus": "+", "minus": "-", "times": "*", "x": "*", "": "*",
}  # fmt: skip
