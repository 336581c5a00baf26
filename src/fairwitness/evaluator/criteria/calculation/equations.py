"""Finds the equations stated in a text and works each out again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from fairwitness.evaluator.criteria.calculation import tokens as t
from fairwitness.evaluator.criteria.calculation.parser import Parsed, Reading, parse
from fairwitness.evaluator.criteria.calculation.render import corrected
from fairwitness.evaluator.criteria.calculation.tokens import Scanner, Token
from fairwitness.evaluator.criteria.calculation.units import comparable
from fairwitness.evaluator.criteria.calculation.values import Uncheckable, Value, as_float
from fairwitness.evaluator.text import Region, Text

Outcome = Literal["holds", "rounding", "wrong", "excused"]
_MAX_TOKENS = 160
_ENDS = frozenset({t.EDGE, t.STOP, t.EQUAL, t.LABEL, t.CLOSE, t.ABOUT})
_TAKEN = frozenset(
    {t.NUMBER, t.OPERATOR, t.OPEN, t.CLOSE, t.PERCENT, t.POWER, t.ROOT, t.FRACTION, t.PI, t.BANG,
     t.LABEL, t.CURRENCY, t.OF}
)  # fmt: skip
_OPERANDS = frozenset({t.NUMBER, t.OPEN, t.ROOT, t.FRACTION, t.PI, t.CURRENCY})
# Tried in turn where the plain reading does not hold; each needs the feature that makes it possible.
_ALTERNATIVES = (
    ("percent", Reading(bare_percent=True)),
    ("percent", Reading(plain_percent=True)),
    ("implicit", Reading(tight_products=True)),
    ("slash", Reading(tight_products=True)),
    ("spoken", Reading(left_to_right=True)),
    ("signed", Reading(signed_base=True)),
)


@dataclass(frozen=True, slots=True)
class Check:
    """One stated calculation worked out again: where it stands, what it says, and what it should say."""

    start: int
    end: int
    result: Region
    outcome: Outcome
    corrected: str


@dataclass(frozen=True, slots=True)
class _Side:
    """An expression on one line, and the readings of it."""

    tokens: list[Token]
    start: int
    end: int

    def read(self, reading: Reading) -> Parsed:
        parsed = parse(self.tokens, self.start, self.end, reading)
        if parsed.end != self.end:
            raise Uncheckable("not one expression")
        return parsed


def equations(text: Text, lines: list[Region]) -> Iterator[Check]:
    """Yield a check for every equation on the given lines that can be worked out."""
    carried: _Side | None = None
    for line in lines:
        tokens = Scanner(text.value, line.start, line.end).scan()
        last: _Side | None = None
        for index, token in enumerate(tokens):
            if token.kind != t.EQUAL or (index and tokens[index - 1].kind == t.EQUAL):
                continue
            left = _left(tokens, index) or (carried if not _before(tokens, index) else None)
            first, approximate = _after(tokens, index)
            right = _right(tokens, first)
            last = right
            if left is None or right is None:
                continue
            weak = token.weak and not _strong(tokens, index, first)
            check = _check(left, right, approximate or token.approximate, weak)
            if check is not None:
                yield check
        carried = last if last is not None and _at_end(tokens, last.end) else None


def _strong(tokens: list[Token], index: int, first: int) -> bool:
    return any(token.kind == t.EQUAL and not token.weak for token in tokens[index:first])


def _before(tokens: list[Token], index: int) -> bool:
    return any(token.kind != t.EDGE for token in tokens[:index])


def _at_end(tokens: list[Token], index: int) -> bool:
    return all(token.kind in {t.EDGE, t.CURRENCY} for token in tokens[index:])


def _after(tokens: list[Token], index: int) -> tuple[int, bool]:
    """Step over "is equal to approximately": where the right side begins, and whether it is rounded."""
    from fairwitness.evaluator.criteria.calculation.words import FILLERS

    approximate = False
    index += 1
    while index < len(tokens):
        token = tokens[index]
        if token.kind == t.ABOUT:
            approximate = True
        elif token.kind == t.EQUAL:
            approximate = approximate or token.approximate
        elif not (token.kind in {t.STOP, t.LABEL, t.OF} and token.text.lower() in FILLERS | {"of"}):
            break
        index += 1
    return index, approximate


def _left(tokens: list[Token], index: int) -> _Side | None:
    """Return the expression that ends just before the equals sign at `index`, if it surely begins somewhere."""
    end = index
    while end and (tokens[end - 1].kind == t.ABOUT or tokens[end - 1].text.lower() == "which"):
        end -= 1
    if end < index and end and tokens[end - 1].text == ",":
        end -= 1
    start = end
    depth = 0
    while start and tokens[start - 1].kind in _TAKEN and end - start < _MAX_TOKENS:
        kind = tokens[start - 1].kind
        depth += (kind == t.CLOSE) - (kind == t.OPEN)
        if depth < 0:
            break
        # "had 12 apples. 3 + 4": an operand right after a word begins anew.
        if depth == 0 and start < end and tokens[start].kind in _OPERANDS and kind == t.LABEL:
            break
        start -= 1
    while start < end and tokens[start].kind in {t.LABEL, t.OF, t.CLOSE}:
        start += 1
    if start >= end or end - start >= _MAX_TOKENS or depth > 0:
        return None
    return _Side(tokens, start, end) if _may_begin(tokens, start) else None


def _may_begin(tokens: list[Token], start: int) -> bool:
    if start == 0:
        return True
    before, token = tokens[start - 1], tokens[start]
    if before.kind in {t.EDGE, t.STOP, t.EQUAL, t.ABOUT}:
        return not (before.kind == t.EDGE and before.text in ".,'’" and before.end == token.start)
    if before.kind == t.OPEN:
        return start < 2 or tokens[start - 2].kind not in {t.BREAK, t.ROOT, t.FRACTION, t.OPERATOR}
    if before.kind == t.LABEL:
        measured = start > 1 and tokens[start - 2].kind == t.NUMBER and token.kind == t.NUMBER
        return token.kind != t.OPEN and before.end < token.start and not measured
    return False


def _right(tokens: list[Token], start: int) -> _Side | None:
    """Return the longest expression that begins at `start`, where what follows does not go on with it."""
    if start >= len(tokens) or tokens[start].kind not in _OPERANDS | {t.OPERATOR}:
        return None
    end = start
    while end < len(tokens) and tokens[end].kind in _TAKEN | {t.STOP} and end - start < _MAX_TOKENS:
        end += 1
    for reading in (Reading(), Reading(continental=True)):
        try:
            parsed = parse(tokens, start, end, reading)
        except Uncheckable:
            continue
        return _Side(tokens, start, parsed.end) if _may_end(tokens, parsed.end) else None
    return None


def _may_end(tokens: list[Token], end: int) -> bool:
    if end >= len(tokens):
        return True
    token = tokens[end]
    following = tokens[end + 1] if end + 1 < len(tokens) else None
    if token.kind == t.OPERATOR:
        dash = token.text == "-" and not token.tight and following is not None
        return dash and following is not None and following.kind in {t.LABEL, t.STOP}
    if token.kind == t.EDGE and token.text in ",." and following and following.start == token.end:
        return following.kind not in {t.NUMBER, t.BREAK}
    return token.kind in _ENDS or token.kind in {t.BANG, t.CURRENCY, t.OF}


def _check(left: _Side, right: _Side, approximate: bool, weak: bool) -> Check | None:
    try:
        plain = _pair(left, right, Reading())
    except Uncheckable:
        try:
            plain = _pair(left, right, Reading(continental=True))
        except Uncheckable:
            return None
    one, two = plain
    if not _worth_checking(one, two, left, weak):
        return None
    # "100 = 50 + 50" states its result first.
    backwards = not one.operators and bool(two.operators)
    stated, worked = (left, one), two
    if not backwards:
        stated, worked = (right, two), one
    outcome = _outcome(worked, stated[1], approximate)
    if outcome != "holds":
        outcome = min(
            outcome, _others(left, right, one, two, backwards, approximate), key=_RANK.index
        )
    result = _literal_region(stated[0])
    start = min(left.tokens[left.start].start, right.tokens[right.start].start)
    end = max(left.tokens[left.end - 1].end, result.end)
    if left.tokens is not right.tokens:
        start, end = right.tokens[0].start, result.end
    value = _percentage(worked, stated[1], left)
    fixed = corrected(value, stated[0].tokens[stated[0].start : stated[0].end])
    return Check(start, end, result, outcome, fixed)


def _percentage(worked: Parsed, said: Parsed, left: _Side) -> Value:
    """Undo the sign where the writer already multiplied by 100: (1/4) × 100 = 25%."""
    hundred = any(token.number == 100 for token in left.tokens[left.start : left.end])
    if "percent" in said.features and "percent" not in worked.features and hundred:
        return worked.value / Value(Fraction(100))
    return worked.value


_RANK: tuple[Outcome, ...] = ("holds", "rounding", "wrong")


def _pair(left: _Side, right: _Side, reading: Reading) -> tuple[Parsed, Parsed]:
    return left.read(reading), right.read(reading)


def _others(
    left: _Side, right: _Side, one: Parsed, two: Parsed, backwards: bool, approximate: bool
) -> Outcome:
    """Return the kindest outcome among the other ways to read the same signs."""
    features = one.features | two.features
    best: Outcome = "wrong"
    readings = [reading for feature, reading in _ALTERNATIVES if feature in features]
    pairs = [(left, right, reading) for reading in readings]
    # A result may be written with a bare percent sign after shares: 0.25 × 100 = 25%.
    for a, b, reading in pairs:
        for mixed in ((reading, reading), (Reading(), reading)):
            try:
                first, second = a.read(mixed[0]), b.read(mixed[1])
            except Uncheckable:
                continue
            worked, said = (second, first) if backwards else (first, second)
            best = min(best, _outcome(worked, said, approximate), key=_RANK.index)
    kinder = (
        _continental(left, right),
        _running(one, right),
        _from_separator(left, two),
        _span(left, one, two),
    )
    return min(best, *kinder, key=_RANK.index)


def _span(left: _Side, one: Parsed, two: Parsed) -> Outcome:
    """Let "1990-2000 = 10 years" pass: a range, not a difference; both ends may count."""
    tight = one.operators == ["-"] and "tight" in one.features and one.value.mid < 0
    return "holds" if tight and two.value.mid + one.value.mid in {0, 1} else "wrong"


def _continental(left: _Side, right: _Side) -> Outcome:
    try:
        one, two = _pair(left, right, Reading(continental=True))
    except Uncheckable:
        return "wrong"
    return "holds" if one.value.mid == two.value.mid else "wrong"


def _running(one: Parsed, right: _Side) -> Outcome:
    """Let a running total pass: "5 + 3 = 8 × 2 = 16" means 8 first."""
    for index in range(right.start + 1, min(right.end, right.start + 6)):
        if right.tokens[index].kind != t.OPERATOR:
            continue
        try:
            first = parse(right.tokens, right.start, index, Reading())
        except Uncheckable:
            continue
        if first.end == index and first.value.mid == one.value.mid:
            return "holds"
    return "wrong"


def _from_separator(left: _Side, two: Parsed) -> Outcome:
    """Let "Option 2 - 5 + 3 = 8" pass: a spaced dash may part a heading from a calculation."""
    for index in range(left.start, min(left.end, left.start + 4)):
        token = left.tokens[index]
        if token.kind == t.OPERATOR and token.text == "-" and not token.tight:
            try:
                rest = _Side(left.tokens, index + 1, left.end).read(Reading())
            except Uncheckable:
                return "wrong"
            return "holds" if rest.value.mid == two.value.mid else "wrong"
    return "wrong"


def _worth_checking(one: Parsed, two: Parsed, left: _Side, weak: bool) -> bool:
    if not one.operators and not two.operators:
        return False
    if weak and (
        two.operators
        or not one.operators
        or ("tight" in one.features and "spoken" not in one.features)
    ):
        return False
    if not one.operators and not (_starts_line(left) and _is_plain(two)):
        return False
    return comparable(one, two)


def _is_plain(two: Parsed) -> bool:
    """Tell a sum or product of plain numbers from an equation being solved: 60 = 2 × 2 × 3 × 5."""
    return set(two.operators) in ({"+"}, {"*"}) and "implicit" not in two.features


def _starts_line(side: _Side) -> bool:
    return side.start == 0 or side.tokens[side.start - 1].kind in {t.EDGE, t.CURRENCY}


def _literal_region(side: _Side) -> Region:
    """The stretch of the stated result without the words that name it."""
    end = side.end
    while end - 1 > side.start and side.tokens[end - 1].kind in {t.LABEL, t.STOP, t.BREAK}:
        end -= 1
    if end - 1 > side.start and side.tokens[end - 1].kind == t.CURRENCY:
        end -= 1
    return Region(side.tokens[side.start].start, side.tokens[end - 1].end)


def _outcome(left: Parsed, right: Parsed, approximate: bool) -> Outcome:
    """Compare what was worked out with what was said, by the precision the latter shows."""
    worked, said = left.value, right.value
    if worked.mid == said.mid:
        return "holds"
    if not right.operators:
        said = Value(said.mid, max(said.error, right.shown))
    try:
        return _apart(worked, said, approximate, "/" in left.operators)
    except Uncheckable:
        return "wrong"


def _apart(worked: Value, said: Value, approximate: bool, divided: bool) -> Outcome:
    apart, size = as_float(abs(worked.mid - said.mid)), abs(as_float(worked.mid))
    unit = 2 * said.error  # of the last decimal shown; 0 for a whole number
    shows_all = unit > 0 and (worked.mid * Fraction(round(1 / unit))).denominator == 1
    truncated = abs(said.mid) < abs(worked.mid) and apart < unit and not shows_all
    if apart <= said.error * 1.0001 or truncated or apart <= size * 1e-9:
        return "holds"
    if approximate and (apart <= size * 0.01 or apart <= max(unit, _last_digit(said.mid))):
        return "holds"
    nearly = apart < unit and not shows_all
    if (
        nearly
        or apart <= 1.02 * (worked.error + said.error)
        or (approximate and apart <= size * 0.05)
    ):
        return "rounding"
    broken = worked.mid.denominator != 1
    if said.mid.denominator == 1 and broken and divided and apart < 1 and size > 1:
        return "rounding"
    return "rounding" if apart <= size * 0.0005 and broken and not shows_all else "wrong"


def _last_digit(number: Fraction) -> float:
    """Return the place of the last digit that is not a zero: 500 is said to the hundred."""
    if number.denominator != 1:
        return 0.0
    whole, place = abs(int(number)), 1
    while whole and whole % 10 == 0:
        whole, place = whole // 10, place * 10
    return float(place)
