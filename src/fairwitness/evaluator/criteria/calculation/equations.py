"""Finds the equations stated in a text and works each out again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation import comparison, equation_sides
from fairwitness.evaluator.criteria.calculation import tokens as t
from fairwitness.evaluator.criteria.calculation.comparison import Equation
from fairwitness.evaluator.criteria.calculation.corrected_result import corrected
from fairwitness.evaluator.criteria.calculation.equation_sides import Side
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.parser import Parsed
from fairwitness.evaluator.criteria.calculation.scanner import Scanner
from fairwitness.evaluator.criteria.calculation.units import comparable, converted
from fairwitness.evaluator.criteria.calculation.values import Value
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# More equations than a real response of its length has; the rest is not checked.
_BASE_EQUATIONS, _CHARS_PER_EQUATION = 16, 125
# "7 x 8 = 56" alone on its line, as in tables: where it is correct, there is nothing more to check.
_TABLE_ROW = Pattern(
    r"^[ \t]*(?:[-*•] +|\d{1,2}[.)] +)?(?P<left>\d{1,6}) ?(?P<sign>[-+×*x/÷]) ?[$€£]?(?P<right>\d{1,6}) ?= ?[$€£]?(?P<result>\d{1,12})\.?[ \t]*$"
)
_MAX_ROW_CHARS = 40
_ROWS_PER_EQUATION = 2  # rows of a table cost that much less than an equation
_MIN_PIECE_CHARS = 240


def equations(text: Text, lines: Iterable[Region]) -> Iterator[Check]:
    """Yield a check for every equation on the given lines that can be worked out."""
    carried: Side | None = None
    seen = rows = before = 0
    most = _BASE_EQUATIONS + len(text) // _CHARS_PER_EQUATION
    for line in (piece for whole in lines for piece in _cut(text.value, whole)):
        if text.value[before : line.start].strip():
            carried = None
        before = line.end
        if (row := _table_row(text, line)) is not None:
            carried = None
            rows += 1
            if rows > _ROWS_PER_EQUATION * most:
                return
            yield row
            continue
        end = _worth_scanning(text.value, line, most - seen)
        tokens = Scanner(text.value, line.start, end).scan()
        last: Side | None = None
        for index, token in enumerate(tokens):
            if token.kind != t.EQUAL or (index and tokens[index - 1].kind == t.EQUAL):
                continue
            seen += 1
            if seen > most:
                return
            left = equation_sides.left_of(tokens, index)
            if left is None and not equation_sides.anything_before(tokens, index):
                left = carried
            first, approximate = equation_sides.step_over(tokens, index)
            last = equation_sides.right_of(tokens, first)
            left = left or equation_sides.explained_by(last)
            if left is None or last is None or (left.start == 0 and _continues(text.value, line)):
                continue
            weak = token.weak and not equation_sides.says_equal(tokens, index, first)
            if weak and last.calculates:
                continue
            approximate = approximate or token.approximate or equation_sides.follows_about(left)
            equation = comparison.read(left, last, approximate)
            if equation is not None and _worth_checking(equation, weak):
                check = _check(equation)
                # A wrong result was tried under every other interpretation: that counts against the limit.
                if check.outcome != "correct":
                    seen += len(equation.one.features | equation.two.features) // 2
                yield check
        carried = last if last is not None and equation_sides.ends_line(tokens, last.end) else None


def _continues(value: str, line: Region) -> bool:
    """Tell whether the line before ends in an operator: the sum began there."""
    before = value[max(0, line.start - 40) : line.start].rstrip()
    return before[-1:] in {"+", "×", "÷", "−"}


def pieces(text: Text) -> Iterator[Region]:
    """Yield the lines of a text, long ones cut where sentences end."""
    return (piece for line in text.lines for piece in _cut(text.value, line))


def _cut(value: str, line: Region) -> Iterator[Region]:
    """Cut a long line where sentences end, so that nothing past the limit is scanned."""
    start = line.start
    while (stop := value.find(". ", start + _MIN_PIECE_CHARS, line.end)) > 0:
        yield Region(start, stop + 1)
        start = stop + 1
    yield Region(start, line.end)


def _table_row(text: Text, line: Region) -> Check | None:
    """Return the check of a line that is one small, correct equation; any other goes to the full parser."""
    if line.end - line.start > _MAX_ROW_CHARS:
        return None
    row = Text(text.slice(line))
    match = row.search(_TABLE_ROW)
    if match is None:
        return None
    left, right, result = int(match["left"]), int(match["right"]), int(match["result"])
    sign = match["sign"]
    if sign in "+-":
        holds = result == (left + right if sign == "+" else left - right)
    else:
        holds = left == right * result != 0 if sign in "/÷" else result == left * right
    if not holds:
        return None
    stated = Region(*(line.start + at for at in match.span("result")))
    return Check(line.start + match.span("left")[0], stated.end, stated, "correct")


def _worth_scanning(value: str, line: Region, left: int) -> int:
    """Return where to stop on a line with more equals signs than will be looked at."""
    if value.count("=", line.start, line.end) < left + 2:
        return line.end
    at = line.start
    for _ in range(left + 2):
        at = value.index("=", at, line.end) + 1
    return at - 1


def _worth_checking(equation: Equation, weak: bool) -> bool:
    one, two = equation.one, equation.two
    if not one.operators and not two.operators:
        return False
    if weak and (two.operators or not one.operators or _may_be_no_sum(equation)):
        return False
    if one.operators == two.operators == ["*"] and any(two.labels):
        return False  # "2x4 lumber = 1.5 x 3.5 inches" gives sizes
    if equation.backwards and not (
        equation_sides.starts_line(equation.left)
        and _is_plain(one, two)
        and not _names_a_share(one, two)
    ):
        return False
    return comparable(one, two) and not converted(one, two) and not _may_be_a_score(one, two)


def _may_be_a_score(one: Parsed, two: Parsed) -> bool:
    """Tell "3-1 = 3 points" and "3-2-1 = 11": results of games, not differences."""
    hyphens = "tight" in one.features and set(one.operators) == {"-"}
    return hyphens and (len(one.operators) > 1 or any(two.labels)) and one.value.mid < 100


def _may_be_no_sum(equation: Equation) -> bool:
    """Tell "24/7 is", "3-1 is" and "a 2x4 is 1.5 inches" from "2+2 is 5"; "5+1 is 1 of them" counts nothing."""
    one, left, right = equation.one, equation.left, equation.right
    if "tight" not in one.features or "spoken" in one.features:
        return False
    signs = {token.text for token in left.tokens[left.start : left.end] if token.kind == t.OPERATOR}
    # "5/4 is 1.25": a number below a hundred over another, and a decimal, is a fraction written out.
    if one.operators == ["/"] and equation.two.shown and "percent" not in equation.two.features:
        return any(one.labels) or any(equation.two.labels)
    named = any(one.labels) or any(equation.two.labels)
    of_them = right.end < len(right.tokens) and right.tokens[right.end].kind == t.OF
    return not signs <= {"+", "*"} or named or of_them


def _is_plain(one: Parsed, two: Parsed) -> bool:
    """Tell a sum or product of bare numbers, 60 = 2 × 2 × 3 × 5, from an equation or a conversion."""
    named = any(one.labels) or any(two.labels)
    if named or "implicit" in two.features:
        return False
    written_out = two.operators == ["/"] and one.shown > 0  # 0.6 = 3/5
    return set(two.operators) in ({"+"}, {"*"}) or written_out


def _names_a_share(one: Parsed, two: Parsed) -> bool:
    """Tell "15% = 6.40 + 3.20": a percentage alone says which share is worked out, and not how much it is."""
    written_out = two.operators == ["/"] and "tight" in two.features  # 60% = 3/5
    return "percent" in one.features and "percent" not in two.features and not written_out


def _check(equation: Equation) -> Check:
    left, right = equation.left, equation.right
    result = equation_sides.literal_region(equation.stated)
    outcome = comparison.outcome(equation)
    start, end = left.tokens[left.start].start, max(left.tokens[left.end - 1].end, result.end)
    if left.tokens is not right.tokens:
        # The left side is on the line before: quote this line only.
        start, end = right.tokens[0].start, result.end
    elif right.start < left.start:  # in brackets behind its result
        start, end = right.tokens[right.start].start, left.tokens[left.end].end
    if equation.backwards:
        end = equation_sides.literal_region(right).end
    if outcome == "correct":
        return Check(start, end, result, outcome)
    stated = equation.stated
    return Check(
        start, end, result, outcome,
        corrected(_percentage(equation), stated.tokens[stated.start : stated.end]),
    )  # fmt: skip


def _percentage(equation: Equation) -> Value:
    """Undo the sign where the writer already multiplied by 100: (1/4) × 100 = 25%."""
    left, worked = equation.left, equation.worked
    hundred = any(token.number == 100 for token in left.tokens[left.start : left.end])
    if "percent" in equation.said.features and "percent" not in worked.features and hundred:
        return worked.value / Value(Fraction(100))
    return worked.value
