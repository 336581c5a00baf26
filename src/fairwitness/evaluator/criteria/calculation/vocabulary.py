"""The words and signs that calculations are written with."""

from __future__ import annotations

from fractions import Fraction

OPERATOR_SIGNS = {
    "+": "+", "＋": "+", "-": "-", "−": "-", "–": "-", "—": "-", "*": "*", "×": "*", "·": "*",
    "⋅": "*", "∙": "*", "✕": "*", "✖": "*", "/": "/", "÷": "/", "⁄": "/", "∕": "/", "^": "^",
}  # fmt: skip
# "multiply A by B" and its kin: the verb, the words between the operands, and what they then mean.
VERBS: dict[str, dict[str, str]] = {
    verb: signs
    for verbs, signs in (
        ("multiply multiplying multiplies", {"by": "*", "and": "*"}),
        ("divide dividing divides", {"by": "/"}),
        ("add adding adds", {"to": "+", "and": "+"}),
        ("subtract subtracting subtracts", {"from": "from"}),
    )
    for verb in verbs.split()
}
LATEX_OPERATORS = {"times": "*", "cdot": "*", "ast": "*", "div": "/"}
LATEX_IGNORED = frozenset(
    "left right big Big bigg Bigg boxed displaystyle quad qquad mathbf bf textbf mathit".split()
)
LATEX_TEXT = frozenset("text mathrm textrm operatorname textit".split())
SUPERSCRIPTS = {char: digit for digit, char in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
VULGAR = {
    "½": Fraction(1, 2), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3), "¼": Fraction(1, 4),
    "¾": Fraction(3, 4), "⅕": Fraction(1, 5), "⅖": Fraction(2, 5), "⅗": Fraction(3, 5),
    "⅘": Fraction(4, 5), "⅙": Fraction(1, 6), "⅚": Fraction(5, 6), "⅛": Fraction(1, 8),
    "⅜": Fraction(3, 8), "⅝": Fraction(5, 8), "⅞": Fraction(7, 8),
}  # fmt: skip
EQUAL_SIGNS = {"=": False, "≈": True, "≃": True, "≅": True, "≒": True}
EQUAL_WORDS = frozenset("equals equal".split())
# These mean "is" only between a calculation and a number.
WEAK_EQUALS = frozenset("is gives makes yields totals leaves becomes comes results get".split())
ABOUT = frozenset("about approximately approx roughly around nearly almost circa ca".split())
FILLERS = frozenset(
    "to exactly just only simply us you the a an total in out also precisely".split()
)
# An expression ends at these; a calculation may begin right after them.
STOPS = frozenset(
    "and or then so because which that this these those we i you he she it they but with for to in "
    "from the a an at on if when where as while since therefore thus hence have has had was were be "
    "been by do does did will would can could each every all your my his her their its our not no "
    "than there here let lets now next first second finally add calculate compute find".split()
)
# A number after these is an argument of something this checker does not know.
FUNCTIONS = frozenset(
    "sin cos tan cot sec csc log ln exp lim max min gcd lcm mod arcsin arccos arctan floor ceil "
    "round abs det over choose base remainder quotient ratio root power average mean".split()
)
PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4,
    "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6, "eighth": 8, "eighths": 8, "tenth": 10,
    "tenths": 10,
}  # fmt: skip
MULTIPLES = {"twice": 2, "double": 2, "triple": 3}
# Words in a remark that say more is counted than the signs show.
UNSHOWN = frozenset("plus minus times less tax taxes discount fee fees tip vat interest".split())
