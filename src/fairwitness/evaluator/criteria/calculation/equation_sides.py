"""Finds where the two sides of an equation begin and end on a line, and gives up where that is unclear."""

from __future__ import annotations

from dataclasses import dataclass, field

from fairwitness.evaluator.criteria.calculation import tokens as t
from fairwitness.evaluator.criteria.calculation.operands import CONTINENTAL, PLAIN
from fairwitness.evaluator.criteria.calculation.parser import Interpretation, Parsed, parse
from fairwitness.evaluator.criteria.calculation.tokens import Token
from fairwitness.evaluator.criteria.calculation.values import Uncheckable
from fairwitness.evaluator.criteria.calculation.vocabulary import FILLERS, VERBS
from fairwitness.evaluator.text import Region

_MAX_TOKENS = 160
_ENDS = frozenset({t.EDGE, t.STOP, t.EQUAL, t.LABEL, t.CLOSE, t.ABOUT})
_TAKEN = frozenset(
    {t.NUMBER, t.OPERATOR, t.OPEN, t.CLOSE, t.PERCENT, t.POWER, t.ROOT, t.RAISE, t.FRACTION, t.PI, t.BANG,
     t.LABEL, t.CURRENCY, t.OF}
)  # fmt: skip
# "And" and "or" of other languages, which else would be variables.
_CONJUNCTIONS = frozenset("y e o i u".split())
# A number after these is their own: "Chapter 3 - 4".
_HEADINGS = frozenset(
    "chapter section step option figure table question problem exercise part level no day week month year phase round "
    "game lesson unit page line row item version model apollo".split()
)
# "A total of 3 + 4 = 7": the calculation begins after "of"; not so after "the square of".
_RESULT_NOUNS = frozenset(
    "total sum result answer value case equation example cost profit calculation".split()
)
# "..., you get", "and the total is": what may come between an action and its result.
_LEADS_TO_RESULT = frozenset(
    ", and then so you we they i it that which the total result answer sum product".split()
)
_MAX_CLAUSE_TOKENS, _MAX_LEFT_TOKENS, _MAX_NOUN_TOKENS = 5, 12, 4
_AFTER_RESULT = frozenset({t.LABEL, t.PERCENT, t.CURRENCY})
_AFTER_BRACKET = frozenset({t.EDGE, t.STOP})
_OPERANDS = frozenset({t.NUMBER, t.OPEN, t.ROOT, t.RAISE, t.FRACTION, t.PI, t.CURRENCY})
_BEGINS, _TAKEN_OR_STOP = _OPERANDS | {t.OPERATOR}, _TAKEN | {t.STOP}
_STEPPED, _FILLERS = frozenset({t.STOP, t.LABEL, t.OF}), FILLERS | {"of"}


@dataclass(frozen=True, slots=True)
class Side:
    """An expression on one line, and the readings of it."""

    tokens: list[Token]
    start: int
    end: int
    known: dict[Interpretation, Parsed | None] = field(default_factory=dict)

    @property
    def calculates(self) -> bool:
        """Tell whether it is more than a number, as far as it was read."""
        return any(parsed is not None and parsed.operators for parsed in self.known.values())

    def read(self, interpretation: Interpretation) -> Parsed:
        """Work it out under one reading, once; raise Uncheckable where it is not one expression."""
        if interpretation not in self.known:
            self.known[interpretation] = self._parsed(interpretation)
        known = self.known[interpretation]
        if known is None:
            raise Uncheckable("not one expression")
        return known

    def _parsed(self, interpretation: Interpretation) -> Parsed | None:
        try:
            parsed = parse(self.tokens, self.start, self.end, interpretation)
        except Uncheckable:
            return None
        return parsed if parsed.end == self.end else None


def says_equal(tokens: list[Token], index: int, first: int) -> bool:
    """Tell "is equal to" from a mere "is"."""
    return any(token.kind == t.EQUAL and not token.weak for token in tokens[index:first])


def anything_before(tokens: list[Token], index: int) -> bool:
    """Tell whether the line says anything before this equals sign."""
    return any(token.kind != t.EDGE for token in tokens[:index])


def ends_line(tokens: list[Token], index: int) -> bool:
    """Tell whether nothing follows, so that the next line may go on with "= ..."; a full stop ends it."""
    return all(token.text in {"\\\\", "&", "$"} for token in tokens[index:])


def step_over(tokens: list[Token], index: int) -> tuple[int, bool]:
    """Step over "is equal to approximately": where the right side begins, and whether it is rounded."""
    approximate = False
    index += 1
    while index < len(tokens):
        token = tokens[index]
        if token.kind == t.ABOUT:
            approximate = True
        elif token.kind == t.EQUAL:
            approximate = approximate or token.approximate
        elif not (token.kind in _STEPPED and token.text.lower() in _FILLERS):
            break
        index += 1
    return index, approximate


def left_of(tokens: list[Token], index: int) -> Side | None:
    """Return the expression that ends just before the equals sign at `index`, if it surely begins somewhere."""
    end = _before_clause(tokens, index)
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
    return Side(tokens, start, end) if _may_begin(tokens, start) else None


def _before_clause(tokens: list[Token], index: int) -> int:
    """Step back over what leads to the equals sign: "5 + 3, which is", "multiply 5 by 3 and you get"."""
    end = index
    while end and (tokens[end - 1].kind == t.ABOUT or tokens[end - 1].text.lower() == "which"):
        end -= 1
    if end < index:
        return end - 1 if end and tokens[end - 1].text == "," else end
    back = end
    while (
        back
        and index - back < _MAX_CLAUSE_TOKENS
        and tokens[back - 1].text.lower() in _LEADS_TO_RESULT
    ):
        back -= 1
    # Only an action ("add 3 to 4") has its result in a clause of its own.
    deed = back < end and _is_deed(tokens, back)
    return back if deed else end


def _is_deed(tokens: list[Token], end: int) -> bool:
    """Tell whether "add 3 to 4", "dividing 12 by 3" or the like ends here."""
    for at in range(end - 1, max(-1, end - 12), -1):
        token = tokens[at]
        if token.kind == t.STOP and token.text.lower() in VERBS:
            return True
        if token.kind in {t.EQUAL, t.BREAK} or (token.kind == t.EDGE and token.text == "."):
            return False
    return False


def _may_begin(tokens: list[Token], start: int) -> bool:
    if start == 0:
        return True
    before, token = tokens[start - 1], tokens[start]
    if before.kind in {t.EDGE, t.STOP, t.EQUAL, t.ABOUT}:
        return not (before.kind == t.EDGE and before.text in ".,'’" and before.end == token.start)
    if before.text in _CONJUNCTIONS and before.spaced:
        return start > 1 and tokens[start - 2].kind in {t.NUMBER, t.CURRENCY, t.LABEL}
    if before.kind == t.OF:
        return start > 1 and tokens[start - 2].text.lower() in _RESULT_NOUNS
    if before.kind == t.OPEN:
        return start < 2 or tokens[start - 2].kind not in {t.BREAK, t.ROOT, t.FRACTION, t.OPERATOR}
    if before.kind == t.LABEL:
        if before.text.lower() in _HEADINGS:
            return False
        measured = start > 1 and tokens[start - 2].kind == t.NUMBER and token.kind == t.NUMBER
        return token.kind != t.OPEN and before.end < token.start and not measured
    return False


def right_of(tokens: list[Token], start: int) -> Side | None:
    """Return the longest expression that begins at `start`, where what follows does not go on with it."""
    if start >= len(tokens) or tokens[start].kind not in _BEGINS:
        return None
    end = start
    most = start + (2 if _is_share_of_more(tokens, start) else _MAX_TOKENS)
    while end < min(len(tokens), most) and tokens[end].kind in _TAKEN_OR_STOP:
        end += 1
    for interpretation in (PLAIN, CONTINENTAL):
        try:
            parsed = parse(tokens, start, end, interpretation)
        except Uncheckable:
            continue
        if not _may_end(tokens, parsed.end):
            return None
        return Side(tokens, start, parsed.end, {interpretation: parsed})
    return None


def explained_by(result: Side | None) -> Side | None:
    """Return the calculation in brackets right after a result: "132 calls per day (520 ÷ 4)"."""
    if result is None or result.calculates:
        return None
    tokens, end = result.tokens, result.end
    at = end
    while at < min(len(tokens), end + _MAX_NOUN_TOKENS) and tokens[at].kind in _AFTER_RESULT:
        at += 1
    if at >= len(tokens) or tokens[at].kind != t.OPEN or not tokens[at].spaced:
        return None
    inside = range(at + 1, min(len(tokens), at + _MAX_LEFT_TOKENS))
    close = next((step for step in inside if tokens[step].kind == t.CLOSE), None)
    if close is None or (close + 1 < len(tokens) and tokens[close + 1].kind not in _AFTER_BRACKET):
        return None  # "(2 + 1)(1 + 2)" goes on
    signs = [token for token in tokens[at + 1 : close] if token.kind == t.OPERATOR]
    mixed = [(token.text, token.tight) for token in signs] == [("/", True)]  # 22 (1/2)
    return None if mixed else Side(tokens, at + 1, close)


def _is_share_of_more(tokens: list[Token], start: int) -> bool:
    """Tell whether "2 × 2% = 4% of €50,000" works out a share, and then says of what."""
    if [token.kind for token in tokens[start + 1 : start + 3]] != [t.PERCENT, t.OF]:
        return False
    left = {token.kind for token in tokens[max(0, start - _MAX_LEFT_TOKENS) : start]}
    return t.PERCENT in left and t.OF not in left


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
    if token.kind == t.OPEN:
        return token.spaced
    if token.text in _CONJUNCTIONS and token.spaced and following is not None:
        return following.kind in {t.CURRENCY, t.LABEL, t.NUMBER, t.STOP}
    if token.kind == t.BANG:
        # "It is 5!" but not "5! = 5 × 4!".
        return sum(other.kind == t.BANG for other in tokens) == 1 and token is not tokens[0]
    return token.kind in _ENDS or token.kind in {t.CURRENCY, t.OF}


def follows_about(side: Side) -> bool:
    """Tell whether "about" or the like comes before the calculation."""
    return side.start > 0 and side.tokens[side.start - 1].kind == t.ABOUT


def starts_line(side: Side) -> bool:
    """Tell whether no word comes right before it."""
    return side.start == 0 or side.tokens[side.start - 1].kind in {t.EDGE, t.CURRENCY}


def literal_region(side: Side) -> Region:
    """Return the stretch of the stated result without the words that name it."""
    end = side.end
    while end - 1 > side.start and (
        side.tokens[end - 1].kind in {t.LABEL, t.STOP, t.BREAK}
        or (side.tokens[end - 1].text == "/" and side.tokens[end - 2].kind in {t.LABEL, t.CURRENCY})
    ):
        end -= 1
    if end - 1 > side.start and side.tokens[end - 1].kind == t.CURRENCY:
        end -= 1
    return Region(side.tokens[side.start].start, side.tokens[end - 1].end)
