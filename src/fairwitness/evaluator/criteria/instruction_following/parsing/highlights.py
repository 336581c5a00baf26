"""Finds how many parts of the response are to be highlighted in Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import Quantity
from fairwitness.evaluator.patterns import Match, Pattern

HIGHLIGHT = Pattern(
    r"\bhighlight (?:in |for |on |WORK |RESP |, |with |markdown |by |USE |mark |and |STAR |asterisk |highlight ){0,4}?(?P<q>Q\d+) "
    r"|\b(?P<q2>Q\d+) (?:[^ |Q]+ ){0,3}?highlight (?P<what>[^ |,]+ )?"
    r"|\bEMPHASIS (?:for|on) (?P<q3>Q\d+) "
    r"|\bhighlight (?:[^ |Q,]+ ){0,6}?(?P<q4>Q\d+) (?:section|part|phrases?|areas?) "
    r"|\b(?P<q5>Q\d+) (?:section|part|phrases?) (?:[^ |Q]+ ){0,8}?EMPHASIS "
    r"|\bWRAP (?P<q6>Q\d+) (?:[^ |Q]+ ){1,4}?(?:in|with|by) (?:STAR|EMPHASIS|asterisk) "
    r"|\bhighlight (?:[^ |Q]+ ){0,5}?(?:,|:|\() (?P<q8>Q\d+) (?:,|in|\||\)|EMPHASIS)"
    r"|\bhighlight \( (?:[^ |Q()]+ ){1,8}\) (?P<q9>Q\d+) "
    r"|\bhighlight (?:[^ |Q]+ ){0,8}?(?P<q7>Q\d+) (?:different )?(?:time|WRAP|places|spots|instances) "
    r"|\bhighlight (?:[^ |Q]+ ){0,8}?(?P<star>STAR|EMPHASIS|asterisk) "
)
PATTERNS = (HIGHLIGHT,)

_GROUPS = ("q", *(f"q{n}" for n in range(2, 10)))
# What is highlighted, where the prompt does not show how.
_PARTS = frozenset(
    """section part phrase phrases word words sentence text markdown keyword keywords point area areas terms term
    EMPHASIS""".split()
)
_SIGNS = frozenset({"markdown", "EMPHASIS", "STAR", "asterisk"})


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the demands on highlighting, and consume the quantities they use."""
    for match in prompt.find(HIGHLIGHT, overlapping=True):
        group = next((name for name in _GROUPS if match[name]), "")
        before, after = prompt.clause_before(match), prompt.around(match)[1]
        if "NEG" in before[:3]:
            continue
        if not group:
            yield Demand("highlight_count", prompt.span(match), Bounds(at_least=1))
            continue
        number, quantity = int(match[group][1:]), prompt.quantity(match[group])
        if quantity.vague and (often := _how_often(prompt, after)):
            consumed.quantities.add(int(often[1:]))
            at_least = Bounds(at_least=prompt.quantity(often).size)
            yield Demand("highlight_count", prompt.span(match), at_least)
        elif number not in consumed.quantities and _counts_parts(prompt, match, group):
            consumed.quantities.add(number)
            yield Demand("highlight_count", prompt.span(match), _bounds(quantity))


def _bounds(quantity: Quantity) -> Bounds:
    return Bounds(at_least=quantity.bounds.at_least) if quantity.bare else quantity.bounds


def _counts_parts(prompt: Prompt, match: Match, group: str) -> bool:
    """Tell whether the number counts what is highlighted, and not what the response is to list."""
    symbols, after = match.text.split(), prompt.around(match)[1]
    if group in {"q6", "q7", "q8", "q9"}:
        return True
    if group == "q2" and {"and", ","} & set(symbols):
        return False
    nouns = set(after[:3] if group in {"q", "q3"} else [*symbols, *after[:2]])
    if "line" in nouns and {"in", "WRAP"} & set(symbols):
        return True  # "two lines in italics", not "two lines highlighting the costs"
    if group == "q2" and _SIGNS & set(after[:3]) and "ways" not in symbols:
        return True  # "three dates are highlighted with asterisks"
    return bool(nouns & _PARTS) or (group in {"q", "q4"} and _in_asterisks(prompt, match))


def _in_asterisks(prompt: Prompt, match: Match) -> bool:
    """Tell whether a sentence shows how to highlight: then whatever it names may be highlighted."""
    before, after = prompt.around(match)
    shown = {*before, *after, *match.text.split()}
    return not {"how", "ways"} & set(before) and bool(_SIGNS & shown)


def _how_often(prompt: Prompt, after: list[str]) -> str:
    """Find the "twice" of "highlight some words or phrases twice"."""
    for symbol, following in zip(after[:5], [*after[1:5], ""], strict=False):
        counts = symbol[0] == "Q" and symbol[1:].isdigit()
        if counts and (prompt.quantity(symbol).often or following == "time"):
            return symbol
    return ""
