"""Finds quantities: numbers with their comparisons ("at least 3", "20 to 30", "50 or fewer", "twice").

It knows nothing of what is counted; the patterns of the other files say that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds
from fairwitness.evaluator.criteria.instruction_following.parsing.comparisons import (
    AFTER_BY_FIRST,
    BEFORE_BY_LAST,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.numerals import OFTEN, is_scale
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
    END,
    LINE,
    MARK,
    NUMBER,
    WORD,
    Token,
)


class Quantity(NamedTuple):
    """A count with its comparison, and the tokens `first` to `last` (exclusive) that say it.

    `bare` is a number nobody compared, `rough` one said to be approximate, `vague` one without a
    number ("a few"), `often` one that already means times ("twice").
    """

    first: int
    last: int
    bounds: Bounds
    bare: bool = False
    rough: bool = False
    vague: bool = False
    often: bool = False

    @property
    def size(self) -> int:
        """The number itself."""
        return self.bounds.at_least or self.bounds.at_most or 0


NEGATIONS = frozenset(
    "not never no without avoid avoiding don't doesn't shouldn't mustn't can't cannot won't isn't "
    "aren't nothing none refrain didn't".split()
)
_INVERSE = {">": "<=", "<": ">="}
_LIMITS = frozenset("limit limited limiting restrict restricted cap keep confine".split())
# What fits in a space may also leave some of it empty.
_FITS = frozenset("fit fits fitting squeeze squeezed cram".split())
_PUT_IN = (["squeeze", "in"], ["cram", "in"])  # "squeeze in three jokes" sets no limit
_VAGUE = frozenset("few several multiple some couple".split())
_JOINTS = (["and"], ["but"], [",", "and"], [",", "but"], [","])
_DASHES = frozenset({"-", "–", "—", "to", "through", "or"})


# More than any prompt counts; a pasted table of numbers holds no demands.
_MAX_QUANTITIES = 500


def quantities(tokens: Sequence[Token]) -> list[Quantity]:
    """Return every quantity of the prompt, in order."""
    found: list[Quantity] = []
    index = 0
    while index < len(tokens) and len(found) < _MAX_QUANTITIES:
        quantity = _quantity_at(tokens, index)
        if quantity is None:
            index += 1
        else:
            if found and (joined := _joined(tokens, found[-1], quantity)):
                found[-1] = joined
            else:
                found.append(quantity)
            index = quantity.last
    return found


def _joined(tokens: Sequence[Token], one: Quantity, two: Quantity) -> Quantity | None:
    """Join "at least 10 and at most 30 words": two sides of one count, with nothing counted between them."""
    between = [token.low for token in tokens[one.last : two.first]]
    if between not in _JOINTS or one.vague or two.vague or one.often or two.often:
        return None
    low, high = (one, two) if one.bounds.at_most is None else (two, one)
    least, most = low.bounds.at_least, high.bounds.at_most
    if low.bounds.at_most is not None or high.bounds.at_least is not None:
        return None
    if least is None or most is None or least > most:
        return None
    return Quantity(one.first, two.last, Bounds(least, most))


def _quantity_at(tokens: Sequence[Token], index: int) -> Quantity | None:
    token = tokens[index]
    if token.kind == NUMBER:
        value, last = _number(tokens, index)
    elif token.kind == WORD and token.low in OFTEN and not _at_once(tokens, index):
        value, last = OFTEN[token.low], index + 1
    elif token.kind == WORD and token.low in _VAGUE:
        return Quantity(index, index + 1, Bounds(at_least=1), vague=True)
    elif token.low == "single" and index and tokens[index - 1].low == "a":
        return Quantity(index - 1, index + 1, Bounds(1, 1), bare=True)
    else:
        return None
    often = token.low in OFTEN
    second, after_range = _range_end(tokens, last, value, often)
    first = index
    if second is not None:
        if index and tokens[index - 1].low in {"between", "from"}:
            first = index - 1
        before, begins = _sign_before(tokens, index)
        if before in {"<=", "<"} or _sign_after(tokens, after_range)[0] == "<=":
            bounds, first = Bounds(at_most=second), min(first, begins)
        else:
            bounds = Bounds(value, second)
        return _widen_about(tokens, Quantity(first, after_range, bounds, often=often))
    return _compared(tokens, index, last, value, often)


def _at_once(tokens: Sequence[Token], index: int) -> bool:
    """Tell the "once" of "at once" and "once upon a time" from a count."""
    before = tokens[index - 1].low if index else ""
    after = tokens[index + 1].low if index + 1 < len(tokens) else ""
    return tokens[index].low == "once" and (before in {"at", "all"} or after in {"upon", "again"})


def _number(tokens: Sequence[Token], index: int) -> tuple[int, int]:
    """Parse "two hundred and fifty" or "1,500": the value and the token after it."""
    value, last = tokens[index].value, index + 1
    total = 0
    while last < len(tokens):
        token = tokens[last]
        if token.kind == NUMBER and is_scale(token.low) and value < 1000:
            value, last = value * token.value, last + 1
            if token.value >= 1000:
                total, value = total + value, 0
        elif _continues(tokens, last, value):
            last += 1 if token.kind == NUMBER else 2
            value += tokens[last - 1].value
        else:
            break
    return min(total + value, 10**9), last


def _continues(tokens: Sequence[Token], last: int, value: int) -> bool:
    """Tell whether "(and) fifty" goes on a number that ended in hundred or thousand."""
    if not is_scale(tokens[last - 1].low) or tokens[last - 1].low == "dozen":
        return False
    at = last + 1 if tokens[last].low == "and" else last
    if at >= len(tokens) or tokens[at].kind != NUMBER or tokens[at].low[0].isdigit():
        return False
    return 0 < tokens[at].value < 100 and not is_scale(tokens[at].low)


def _range_end(
    tokens: Sequence[Token], last: int, value: int, often: bool
) -> tuple[int | None, int]:
    if last + 1 >= len(tokens):
        return None, last
    if not often and (second := _afterthought(tokens, last, value)):
        return second, last
    joint, after = tokens[last], tokens[last + 1]
    nearby = {token.low for token in tokens[max(last - 5, 0) : last]}
    between = joint.low == "and" and "between" in nearby
    if joint.low not in _DASHES and not between:
        return None, last
    if often:
        return (OFTEN[after.low], last + 2) if after.low in OFTEN else (None, last)
    if after.kind != NUMBER:
        return None, last
    second, end = _number(tokens, last + 1)
    return (second, end) if second > value else (None, last)


def _afterthought(tokens: Sequence[Token], last: int, value: int) -> int | None:
    """Find the second number of "one sentence or two", which comes after what is counted."""
    following = tokens[last : last + 4]
    if len(following) < 3 or following[0].kind != WORD or following[1].low != "or":
        return None
    closed = len(following) == 3 or following[3].kind in {END, LINE, MARK}
    second = following[2]
    fits = second.kind == NUMBER and second.value == value + 1
    return second.value if fits and closed else None


def _widen_about(tokens: Sequence[Token], quantity: Quantity) -> Quantity:
    before = tokens[quantity.first - 1].low if quantity.first else ""
    rough = before in {"about", "around", "approximately", "roughly", "approx", "~"}
    return quantity._replace(rough=rough)


def _compared(
    tokens: Sequence[Token], index: int, last: int, value: int, often: bool
) -> Quantity | None:
    sign, first = _sign_before(tokens, index)
    if sign in {">", "<"} and _negated(tokens, first):
        sign = _INVERSE[sign]
    elif sign == "=" and _negated(tokens, first):
        return None
    elif sign in {">=", "<="}:
        again, end = _sign_after(tokens, last)  # "at least 300 or more"
        last = end if again == sign and end else last
    elif sign in {"", "="}:
        after, last_after = _sign_after(tokens, last)
        if after:
            sign = after
            last = last_after or last
    if sign == "" and _limited(tokens, index):
        sign = "<="
    bounds = {
        ">=": Bounds(at_least=value),
        "<=": Bounds(at_most=value),
        "<": Bounds(at_most=value - 1),
        ">": Bounds(at_least=value + 1),
    }.get(sign, Bounds(value, value))
    return Quantity(first, last, bounds, bare=sign == "", rough=sign == "~", often=often)


def _sign_before(tokens: Sequence[Token], index: int) -> tuple[str, int]:
    at = index
    if (
        at
        and tokens[at - 1].low in {"a", "the"}
        and tokens[index].low in {"dozen", "hundred", "thousand"}
    ):
        at -= 1
    if not at:
        return "", index
    for words, sign in BEFORE_BY_LAST.get(tokens[at - 1].low, ()):
        start = at - len(words)
        if start >= 0 and all(tokens[start + k].low == words[k] for k in range(len(words))):
            if words[-2:] == ("total", "of"):
                outer, begin = _sign_before(tokens, start)
                return (outer, begin) if outer else (sign, start)
            return sign, start
    return "", index


def _sign_after(tokens: Sequence[Token], last: int) -> tuple[str, int]:
    """Find "or more", "+", "max" after the number, or after the few words it counts."""
    if last < len(tokens) and tokens[last].low == "+":
        return ">=", last + 1
    for at in range(last, min(last + 4, len(tokens))):
        token = tokens[at]
        if token.kind in {END, LINE} or (token.kind == MARK and token.low not in {"(", "-"}):
            break
        for words, sign in AFTER_BY_FIRST.get(token.low, ()):
            if all(
                at + k < len(tokens) and tokens[at + k].low == words[k] for k in range(len(words))
            ):
                numbered = at + len(words) < len(tokens) and tokens[at + len(words)].kind == NUMBER
                if not numbered:
                    return sign, at + len(words) if at == last else 0
    return "", 0


def _negated(tokens: Sequence[Token], first: int) -> bool:
    for at in range(first - 1, max(first - 9, -1), -1):
        token = tokens[at]
        if token.kind in {END, LINE} or token.low in {",", ";", "and", "but"}:
            return False
        if token.low in NEGATIONS:
            return True
    return False


def _limited(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a bare number closes "limit ... to", "keep it to", "cap ... at", "must fit in"."""
    if not index or tokens[index - 1].low not in {"to", "at", "in", "into", "inside"}:
        return False
    verbs = _LIMITS if tokens[index - 1].low in {"to", "at"} else _FITS
    if [token.low for token in tokens[max(0, index - 2) : index]] in _PUT_IN:
        return False
    for at in range(index - 2, max(index - 12, -1), -1):
        if tokens[at].kind in {END, LINE}:
            return False
        if tokens[at].low in verbs:
            return True
    return False
