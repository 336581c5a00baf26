"""Compares a calculation with its stated result, under every reasonable interpretation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation import tokens as t
from fairwitness.evaluator.criteria.calculation.equation_sides import Side
from fairwitness.evaluator.criteria.calculation.operands import CONTINENTAL, PLAIN
from fairwitness.evaluator.criteria.calculation.outcomes import Outcome
from fairwitness.evaluator.criteria.calculation.parser import Interpretation, Parsed, parse
from fairwitness.evaluator.criteria.calculation.values import Uncheckable, Value, as_float

_RANK: tuple[Outcome, ...] = ("correct", "rounding", "wrong")
# Tried in turn where the plain interpretation is wrong; each needs a feature that makes it possible.
_ALTERNATIVES = (
    (frozenset({"percent"}), Interpretation(bare_percent=True)),
    (frozenset({"percent"}), Interpretation(plain_percent=True)),
    (frozenset({"implicit", "slash"}), Interpretation(tight_products=True)),
    (frozenset({"implicit"}), Interpretation(loose_products=True)),
    (frozenset({"spoken"}), Interpretation(left_to_right=True)),
    (frozenset({"signed"}), Interpretation(signed_base=True)),
    (frozenset({"power"}), Interpretation(left_powers=True)),
)
_AMBIGUOUS = frozenset[str]().union(*(features for features, _ in _ALTERNATIVES))
_MAX_AMBIGUITIES = 3


@dataclass(frozen=True, slots=True)
class Equation:
    """Two parsed sides of one equation; `backwards` where the result comes first: 100 = 50 + 50."""

    left: Side
    right: Side
    one: Parsed
    two: Parsed
    approximate: bool

    @property
    def backwards(self) -> bool:
        """Tell whether the result is on the left."""
        return not self.one.operators and bool(self.two.operators)

    @property
    def stated(self) -> Side:
        """The side that gives the result."""
        return self.left if self.backwards else self.right

    @property
    def said(self) -> Parsed:
        """The result as stated."""
        return self.one if self.backwards else self.two

    @property
    def worked(self) -> Parsed:
        """The calculation worked out."""
        return self.two if self.backwards else self.one


def read(left: Side, right: Side, approximate: bool) -> Equation | None:
    """Parse both sides the plain way, or with decimal commas where only that parses."""
    for interpretation in (PLAIN, CONTINENTAL):
        try:
            return Equation(
                left, right, left.read(interpretation), right.read(interpretation), approximate
            )
        except Uncheckable:
            continue
    return None


def outcome(equation: Equation) -> Outcome:
    """Return the most lenient outcome over the reasonable interpretations."""
    plain = _compare(equation.worked, equation.said, equation.approximate)
    if plain == "correct":
        return plain
    if len((equation.one.features | equation.two.features) & _AMBIGUOUS) > _MAX_AMBIGUITIES:
        return "excused"  # too many interpretations to decide
    return _most_lenient(plain, *_other_signs(equation), *_other_layouts(equation))


def _most_lenient(*outcomes: Outcome) -> Outcome:
    return min(outcomes, key=_RANK.index)


def _other_signs(equation: Equation) -> list[Outcome]:
    """Try the other interpretations of percent signs, implicit products and spoken order."""
    found: list[Outcome] = []
    for features, interpretation in _ALTERNATIVES:
        in_left = not features.isdisjoint(equation.one.features)
        in_right = not features.isdisjoint(equation.two.features)
        # A side without the feature reads the same either way. And a result may carry a bare percent sign
        # after plain shares: 0.25 × 100 = 25%.
        for first in [interpretation] * in_left + [PLAIN] * in_right:
            try:
                one = equation.left.read(first)
                two = equation.right.read(interpretation if in_right else PLAIN)
            except Uncheckable:
                continue
            worked, said = (two, one) if equation.backwards else (one, two)
            found.append(_compare(worked, said, equation.approximate))
    return found


def _other_layouts(equation: Equation) -> list[Outcome]:
    """Try the other interpretations of commas, running totals, headings and ranges; only an exact fit counts."""
    fits = (
        _continental(equation), _running(equation), _after_heading(equation), _range(equation),
        _scaled(equation),
    )  # fmt: skip
    return ["correct"] if any(fits) else []


def _continental(equation: Equation) -> bool:
    try:
        one, two = equation.left.read(CONTINENTAL), equation.right.read(CONTINENTAL)
    except Uncheckable:
        return False
    return one.value.mid == two.value.mid


def _running(equation: Equation) -> bool:
    """Tell a running total: "5 + 3 = 8 × 2 = 16" means 8 first."""
    side = equation.right
    for index in range(side.start + 1, min(side.end, side.start + 6)):
        if side.tokens[index].kind != t.OPERATOR:
            continue
        try:
            first = parse(side.tokens, side.start, index, PLAIN)
        except Uncheckable:
            continue
        if first.end == index and first.value.mid == equation.one.value.mid:
            return True
    return False


def _after_heading(equation: Equation) -> bool:
    """Tell "Option 2 - 5 + 3 = 8" and "17% - 37 / 212 = 0.1745": a spaced dash may part a heading or a result from a calculation."""
    side = equation.left
    labelled = side.start > 0 and side.tokens[side.start - 1].kind == t.LABEL
    for index in range(side.start, min(side.end, side.start + 4)):
        token = side.tokens[index]
        if token.kind == t.OPERATOR and token.text == "-" and not token.tight:
            if not labelled and side.tokens[index - 1].kind != t.PERCENT:
                return False
            try:
                rest = Side(side.tokens, index + 1, side.end).read(PLAIN)
            except Uncheckable:
                return False
            return _compare(rest, equation.two, equation.approximate) == "correct"
    return False


def _scaled(equation: Equation) -> bool:
    """Tell "2 * 10 = $20 million": the word names what all the numbers are counted in."""
    side, other = equation.stated, equation.right if equation.backwards else equation.left
    scales = {token.scale for token in side.tokens[side.start : side.end] if token.scale > 1}
    plain = all(token.scale == 1 for token in other.tokens[other.start : other.end])
    return plain and any(
        equation.said.value.mid == scale * equation.worked.value.mid for scale in scales
    )


def _range(equation: Equation) -> bool:
    """Tell "1990-2000 = 10 years": a range, not a difference; both ends may count."""
    one, two = equation.one, equation.two
    tight = one.operators == ["-"] and "tight" in one.features and one.value.mid < 0
    return tight and two.value.mid + one.value.mid in {0, 1}


def _compare(worked: Parsed, said: Parsed, approximate: bool) -> Outcome:
    if worked.value.mid == said.value.mid:
        return "correct"
    result = said.value
    if not said.operators:
        result = Value(result.mid, max(result.error, said.shown))
    try:
        return _apart(worked.value, result, approximate, "/" in worked.operators)
    except Uncheckable:
        return "wrong"


def _apart(worked: Value, said: Value, approximate: bool, divided: bool) -> Outcome:
    """Compare by the precision that the stated result shows."""
    apart, size = as_float(abs(worked.mid - said.mid)), abs(as_float(worked.mid))
    unit = 2 * said.error  # of the last decimal shown; 0 for a whole number
    shows_all = _shows_all(worked.mid, unit)
    truncated = abs(said.mid) < abs(worked.mid) and apart < unit and not shows_all
    if apart <= said.error * 1.0001 or truncated or apart <= size * 1e-9:
        return "correct"
    if approximate and (apart <= size * 0.01 or apart <= max(unit, _last_digit(said.mid))):
        return "correct"
    nearly = apart < unit and not shows_all
    from_inputs = apart <= 1.02 * (worked.error + said.error)
    if nearly or from_inputs or (approximate and apart <= size * 0.05):
        return "rounding"
    broken = worked.mid.denominator != 1
    if said.mid.denominator == 1 and broken and divided and apart < 1 and size > 1:
        return "rounding"
    return "rounding" if apart <= size * 0.0005 and broken and not shows_all else "wrong"


def _shows_all(worked: Fraction, unit: float) -> bool:
    """Tell whether the right result can be written in full with the digits shown."""
    if not unit:
        return False
    step = Fraction(1, round(1 / unit)) if unit < 1 else Fraction(round(unit))
    return (worked / step).denominator == 1


def _last_digit(number: Fraction) -> float:
    """Return the place of the last digit that is not a zero: 500 is said to the hundred."""
    if number.denominator != 1:
        return 0.0
    whole, place = abs(int(number)), 1
    while whole and whole % 10 == 0:
        whole, place = whole // 10, place * 10
    return float(place)
