"""Works out questions about plain numbers that the prompt determines: sums, averages, order, rounding."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from fairwitness.evaluator.criteria.calculation import tokens as t
from fairwitness.evaluator.criteria.calculation.answers import MORE_STEPS, Answer, literal, plain
from fairwitness.evaluator.criteria.calculation.operands import PLAIN
from fairwitness.evaluator.criteria.calculation.parser import Parsed, parse
from fairwitness.evaluator.criteria.calculation.phrase_checks import combine
from fairwitness.evaluator.criteria.calculation.quantities import NUMBER, Line
from fairwitness.evaluator.criteria.calculation.question_closed import LARGER, SMALLER
from fairwitness.evaluator.criteria.calculation.scanner import Scanner
from fairwitness.evaluator.criteria.calculation.values import Uncheckable
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text
from fairwitness.evaluator.vocabulary import COUNT_WORDS

# What may stand before and after an expression that is the whole question.
_LEAD = (
    r"(?:(?:hi|hey|hello|please|quick(?:ly)?|so|ok|okay|question|math|maths)[ ,:!?.]+){0,2}(?:(?:can|could) you (?:please )?)?"
    r"(?:(?:what(?:'s|’s| is| are| does)|whats|how much(?:'s| is| are)|calculate|compute|evaluate|work out|solve|find|tell me|give me|simplify|do you know)[ :]+)?"
    r"(?:(?:what(?:'s|’s| is)|the (?:value|result|answer|sum|product) of|result of|answer to) ?:? ?)?"
)
_TRAIL = r"(?:[ ,]*(?:=|equals?|equal to|make|come to)?[ ?!.,=]*(?:please|help|thanks|thank you|for me|asap|(?:answer|reply|respond)[^.?!\n]{0,60}|(?:just|only)[^.?!\n]{0,40}|show[^.?!\n]{0,40}|step by step)?[ ?!.=]*)"
_EXPRESSION = Pattern(
    rf"^\W{{0,4}}{_LEAD}(?P<sum>[-−(√\d.$€£]?[^\n?!:;]*?(?:[\d)%²³!]|squared|cubed|\b(?:{COUNT_WORDS}|twenty|thirty|hundred)))(?P<after>{_TRAIL})$",
    ignore_case=True,
)
_LIST = r"(?:[NMU]\d+(?:, ?| and |, and |; ?| \+ ))+[NMU]\d+"
_COMBINED = Pattern(
    rf"\b(?:(?P<how>average|mean|median|sum|total|product)\b[^\n?.:]{{0,30}}?(?: of|:)(?: these| the| my)?(?: numbers| values)?:? ?|(?P<add>add)(?: up| together)?(?: these| the)?(?: numbers)?:? )(?P<list>{_LIST})"
)
_LIST_FIRST = Pattern(
    rf"(?P<list>{_LIST})\b[^?]*\b(?:(?:what|how much|find|calculate|give)\b[^?]*\b)?(?P<how>average|mean|median|sum|total|combined)\b[^?.,]*(?:\?|$)"
)
_LISTED_AFTER = Pattern(
    r"\bwhat(?:'s| is| was)\b[^?]*\b(?P<how>average|mean|median|sum|total|combined)\b[^?]*\?[^?]*?(?P<list>[^?]*N?)$"
)
_WEIGHTED = Pattern(
    r"\b(?:weighted|gpa|credits?|harmonic|geometric|moving|twice|percent|points per|except|without|each)\b"
)
_WHICH = Pattern(
    rf"\b(?:which|what)\b[^?]*\b(?P<how>{LARGER}|{SMALLER})\b[^?]*\b(?P<list>[NU]\d+(?:, [NU]\d+)*,? or [NU]\d+)(?:\W*\([^)]*\))?\W*$"
)
# "Is 9.11 newer than 9.9": numbers that count otherwise.
_NUMBERED = Pattern(
    r"\b(?:versions?|releases?|builds?|chapters?|sections?|python|ios|android|kernel|firmware|software|dates?)\b"
)
_SORT = Pattern(
    r"\b(?:sort|order|arrange|put|rank)\b[^?]*\b(?P<how>ascending|increasing|smallest to largest|low(?:est)? to high(?:est)?|descending|decreasing|largest to smallest|high(?:est)? to low(?:est)?)\b"
)
_COUNT = Pattern(
    r"^\W*(?:please |can you )?count (?:down |backwards? |up )?from N0 (?:down |up |backwards? )?to N1\W*$"
)
_ROUND = Pattern(
    r"\bround (?P<what>[NM]\d+) (?:off )?to (?:the )?(?:nearest (?P<unit>ten|hundred|thousand|whole number|integer|tenth|hundredth|cent)|(?P<places>N\d+) decimals?(?: places?)?)"
)
_STEPS = {
    "ten": Fraction(10), "hundred": Fraction(100), "thousand": Fraction(1000), "whole number": Fraction(1),
    "integer": Fraction(1), "tenth": Fraction(1, 10), "hundredth": Fraction(1, 100), "cent": Fraction(1, 100),
}  # fmt: skip
_FEW_NUMBERS = 40
# "3, 1 and 2": what may stand between numbers that are to be sorted.
_MAX_LETTERS_BETWEEN = 3


def answer(line: Line) -> Answer | None:
    """Return what the question determines, or None where it is none of these."""
    for solve in (_expression, _rounded, _sorted, _which, _combined):
        if (found := solve(line)) is not None:
            return found
    return None


def worked_out(value: str) -> Parsed | None:
    """Work out a text that is one expression and nothing else."""
    tokens = Scanner(value, 0, len(value)).scan()
    if not tokens or tokens[-1].kind == t.BANG:
        tokens = [*tokens, t.Token(t.EQUAL, len(value), len(value), "")]
        stop = len(tokens) - 1
    else:
        stop = len(tokens)
    try:
        parsed = parse(tokens, 0, stop, PLAIN)
    except Uncheckable:
        return None
    whole = parsed.end == stop and bool(parsed.operators) and not any(parsed.labels)
    return parsed if whole else None


def _expression(line: Line) -> Answer | None:
    match = line.text.search(_EXPRESSION)
    if match is None:
        return None
    told = match["sum"].strip().lower().removeprefix("the ")
    bang = (
        told[-1:].isdigit()
        and match["after"][:1] == "!"
        and not any(sign in told for sign in "+-*/x×")
    )
    parsed = worked_out(told + ("!" if bang and match["after"][:2] != "!!" else ""))
    # "3-1", "24/7" and "5-10" may be no calculation at all; a date is none.
    if parsed is None or (_bare(parsed) and match["sum"].strip() == line.text.value.strip()):
        return None
    if len({*parsed.features} & {"implicit", "slash", "percent"}) > 0 and len(parsed.operators) > 1:
        return None  # it can be read in more than one way
    return Answer("number", ((parsed.value.mid,),), plain(parsed.value.mid))


def _bare(parsed: Parsed) -> bool:
    return "tight" in parsed.features and set(parsed.operators) <= {"-", "/"}


def _numbers(line: Line, symbols: str) -> list[Fraction]:
    found = Text(symbols).matches(_SYMBOL)
    return [line[match.text].amount for match in found]


_SYMBOL = Pattern(r"[A-Z]\d+")


def _combined(line: Line) -> Answer | None:
    match = line.first(_COMBINED) or line.first(_LIST_FIRST) or line.first(_LISTED_AFTER)
    if (
        match is None
        or line.first(_WEIGHTED)
        or line.first(MORE_STEPS)
        or len(line.quantities) > _FEW_NUMBERS
    ):
        return None
    values = _numbers(line, match["list"])
    same = len({(q.kind, q.unit) for q in line.quantities}) == 1
    if len(values) < 2 or len(values) != len(line.quantities) or not same:
        return None
    worked = combine(match["how"] or "sum", values)
    return Answer("number", ((worked,),), plain(worked, line.quantities[0]))


def _which(line: Line) -> Answer | None:
    match = line.first(_WHICH)
    if match is None or line.first(_NUMBERED):
        return None
    values = [line[found.text] for found in Text(match["list"]).matches(_SYMBOL)]
    if len(values) != len(line.quantities) or len({q.kind for q in values}) > 1 or _powers(line):
        return None
    pick = max if Pattern(LARGER).fullmatch(match["how"]) else min
    right = pick(values, key=lambda quantity: quantity.value)
    if sum(q.value == right.value for q in values) > 1:
        return None
    others = "|".join(literal(q.text) for q in values if q is not right)
    told = r"^\W*(?:the (?:answer|larger|bigger|greater|smaller|lower|larger one|bigger one|larger number|bigger number|smaller number|greater number) is )?"
    words = tuple(
        Pattern(told + rf"(?:{each})(?:[^\d.,/]|[.,]?\s|[.,]?$)", ignore_case=True)
        for each in (literal(right.text), others)
    )
    return Answer("word", (), right.text, words=(words[0], words[1]))


def _powers(line: Line) -> bool:
    return "^" in line.value or "%" in line.value


def _sorted(line: Line) -> Answer | None:
    if (match := line.first(_COUNT)) and len(line.quantities) == 2:
        first, last = (int(q.value) for q in line.quantities)
        step = -1 if first > last else 1
        if 2 < abs(first - last) + 1 <= _FEW_NUMBERS:
            return _in_order(range(first, last + step, step))
    match = line.first(_SORT)
    if match is None or not 3 <= len(line.quantities) <= _FEW_NUMBERS:
        return None
    if any(q.kind != NUMBER for q in line.quantities) or _has_names(line):
        return None
    down = match["how"].startswith(("desc", "decr", "largest", "high"))
    return _in_order(sorted((q.value for q in line.quantities), reverse=down))


def _has_names(line: Line) -> bool:
    """Tell whether words stand between the numbers: records to be put in order, perhaps by more than their numbers."""
    gaps = (line.text.value[one.end : two.start] for one, two in pairwise(line.quantities))
    return any(sum(map(str.isalpha, gap)) > _MAX_LETTERS_BETWEEN for gap in gaps)


def _in_order(values: Iterable[Fraction | int]) -> Answer:
    wanted = tuple(map(Fraction, values))
    return Answer("order", (wanted,), ", ".join(map(plain, wanted)))


def _rounded(line: Line) -> Answer | None:
    match = line.first(_ROUND)
    if match is None:
        return None
    places = int(line[match["places"]].value) if match["places"] else 0
    step = Fraction(1, 10 ** min(places, 12)) if match["places"] else _STEPS[match["unit"]]
    value = line[match["what"]].value
    steps = value / step
    worked = (2 * steps + 1) // 2 * step
    # A five may be rounded to the even digit.
    accepted = [(worked,)] if (steps * 2).denominator != 1 else [(worked,), (worked - step,)]
    shown = (
        f"{float(worked):,.{places or (2 if step < Fraction(1, 10) else 1 if step < 1 else 0)}f}"
    )
    return Answer("number", tuple(accepted), shown, exact=True)
