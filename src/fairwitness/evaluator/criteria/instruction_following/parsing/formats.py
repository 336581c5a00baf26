"""Finds demands on the kind of text: JSON and other data, tables, lists without a count, code alone."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import Quantity
from fairwitness.evaluator.patterns import Match, Pattern

_DATA = r"(?P<data>json|yaml|csv|xml|toml|html)"
DATA = Pattern(
    rf"\b(?:in|as|into|valid|only|USE) (?:[^ |,]+ ){{0,2}}?{_DATA} "
    r"|\b(?:WRITE|WRAP|RESP) (?:(?:with|RESP|WORK|WRITE|WRAP|all|in|as|valid|structured|only|single|data|"
    rf"results?|lists?|information|properly|USE|into|raw|plain) ){{0,4}}{_DATA.replace('data', 'data2', 1)} "
    rf"|(?:^|\| |, ){_DATA.replace('data', 'data3', 1)} (?:format |RESP )?only "
)
TABLE = Pattern(r"\b(?:in|as|into|using|USE|WRITE) (?:[^ |,Q]+ ){0,2}?table (?P<next>[^ |]+ )?")
NUMBERED = Pattern(
    r"\b(?:in|as|USE|WRITE|with|into) (?:[^ |,Q]+ ){0,2}?numbered WRITE (?:with |USE )?(?:(?P<q>Q\d+) )?"
    r"|\b(?P<q2>Q\d+) numbered "
    r"|\bWRITE (?P<q3>Q\d+) (?:[^ |,:Q]+ ){1,4}?(?:in|as|USE|into) numbered WRITE "
)
BULLETS = Pattern(
    r"\b(?:in|as|USE|WRITE|with|into) (?:[^ |,Q]+ ){0,2}?bullet (?:point |WRITE |form |style )?"
)
_CODE = r"(?P<code>code|function|script|sql|snippet|program|command|regex|request)"
CODE_ONLY = Pattern(
    rf"\bonly (?:WRITE |RESP |with |USE |want |output |in ){{0,3}}(?:[^ |]+ )?{_CODE} (?:\||,|NEG|only|block|and NEG|and only|\()"
    rf"|\b{_CODE.replace('code', 'code2', 1)} only (?:\||,|and NEG|and only|NEG|\()"
)
CODE_BLOCK = Pattern(r"\b(?:in|WRAP|as|into|USE) (?:[^ |,]+ ){0,3}?code (?:block|fence) ")
PATTERNS = (DATA, TABLE, NUMBERED, BULLETS, CODE_ONLY, CODE_BLOCK)

_MEASURES = frozenset(
    "- day week month year hour minute second star word letter page step point dollar part bedroom".split()
)
_NOTHING_ELSE = frozenset("only just nothing solely exclusively no".split())
_ABOUT = frozenset(
    "explain describe tell summarize summarise translate list make express speak".split()
)
_NOT_OURS = frozenset(
    """schema file parser api string to data files library tags tag entry entries fields field elements element
    rows row columns column reader writer export line lines""".split()
)
_STORED = frozenset(
    "save saved saves export exported import load read parse convert upload download stored".split()
)


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the formats asked for, each at most once."""
    readers = ((DATA, _data), (TABLE, _table), (CODE_ONLY, _code_only), (CODE_BLOCK, _code_block))
    for pattern, wanted in readers:
        for match in prompt.find(pattern):
            negated = "NEG" in prompt.clause_before(match)[:4]
            demand = None if negated else wanted(prompt, match)
            if demand is not None:
                yield demand
                break
    yield from _lists(prompt, consumed)


def _data(prompt: Prompt, match: Match) -> Demand | None:
    if "part" in [*match.text.split(), *prompt.around(match)[0][:4]]:
        return None
    name = match["data"] or match["data2"] or match["data3"]
    named = prompt.token_index(match.start + match.text.index(f"{name} "))
    if "".join(prompt.lows(named + 1, named + 2)) in _NOT_OURS:
        return None
    at = prompt.tokens[named].start
    if prompt.text.value[at - 1 : at] == "." and prompt.text.value[max(0, at - 2)].isalnum():
        return None  # the end of a file's name
    if prompt.tokens[prompt.token_index(match.start)].low in _ABOUT:
        return None
    if name == "json":
        return Demand("json", prompt.span(match), firm=not _one_json(prompt, named))
    if _STORED & prompt.sentence_words(named):
        return None
    alone = bool(_NOTHING_ELSE & prompt.sentence_words(named))
    if name == "html" and not alone:
        return None  # any answer shown on a page could be called that
    return Demand("data_format", prompt.span(match), terms=(name,), alone=alone, firm=alone)


def _one_json(prompt: Prompt, named: int) -> bool:
    """Tell whether "a JSON" is asked for, or something to be turned into it, which leaves room for words around it."""
    article = prompt.lows(named - 1, named) in (["a"], ["the"], ["into"])
    strict = {"only", "entire", "whole", "format", "block", "nothing", "wrap", "valid", "no"}
    return article and not strict & set(prompt.lows(named - 6, named + 6))


def _table(prompt: Prompt, match: Match) -> Demand | None:
    if match["next"].strip() in {"below", "above", "salt", "tennis", "manners"}:
        return None
    if "periodic" in match.text:
        return None
    index = prompt.token_index(match.start)
    named = "markdown" in match.text or {"WRITE", "form"} & set(match.text.split()[1:])
    if named or prompt.lows(index, index + 2) in (["in", "a"], ["as", "a"], ["into", "a"]):
        return Demand("table", prompt.span(match))
    return None


def _code_only(prompt: Prompt, match: Match) -> Demand | None:
    named = prompt.token_index(match.span("code" if match["code"] else "code2")[0])
    if prompt.tokens[named].low in {"request", "prompt", "question", "task", "instruction"}:
        return None
    return Demand("code_only", prompt.span(match), alone=True)


def _code_block(prompt: Prompt, match: Match) -> Demand | None:
    return Demand("code_block", prompt.span(match))


def _lists(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    for match in prompt.find(NUMBERED):
        symbol = match["q"] or match["q2"] or match["q3"]
        quantity = prompt.quantity(symbol) if symbol else None
        if quantity and (quantity.vague or not _counts_items(prompt, quantity)):
            symbol, quantity = "", None
        if "NEG" in prompt.around(match)[0][:3] or (
            symbol and int(symbol[1:]) in consumed.quantities
        ):
            continue
        if symbol:
            consumed.quantities.add(int(symbol[1:]))
        yield Demand(
            "numbered_count",
            prompt.span(match),
            quantity.bounds if quantity else Bounds(at_least=2),
        )
        return
    for match in prompt.find(BULLETS):
        if {"NEG", "each"} & {*prompt.around(match)[0][:3], *match.text.split()}:
            continue
        if not _is_list(prompt, match):
            continue
        bounds = _listed_exactly(prompt, match, consumed)
        terms = () if bounds else ("any",)
        yield Demand("bullet_count", prompt.span(match), bounds or Bounds(at_least=1), terms=terms)
        return


def _counts_items(prompt: Prompt, quantity: Quantity) -> bool:
    """Tell "a list of ten names" from "a list of 3 day trips": what is counted is no measure."""
    counted = prompt.lows(quantity.last, quantity.last + 1)
    return counted != [] and counted[0] not in _MEASURES


def _is_list(prompt: Prompt, match: Match) -> bool:
    """Tell bullet points from bullets."""
    named = prompt.token_index(match.start + match.text.index("bullet"))
    words = prompt.lows(named, named + 2)
    list_nouns = {"point", "points", "list", "form", "format"} & set(words[1:2])
    return words[0] not in {"bullet", "bullets"} or bool(list_nouns)


def _listed_exactly(prompt: Prompt, match: Match, consumed: Consumed) -> Bounds | None:
    """Find how many things are listed where the bullets themselves are not counted."""
    index = prompt.token_index(match.start)
    for number, quantity in enumerate(prompt.quantities):
        verb = prompt.lows(quantity.first - 1, quantity.first)
        exact = quantity.bounds.at_least == quantity.bounds.at_most and not quantity.bare
        if (
            number not in consumed.quantities
            and exact
            and quantity.first < index
            and verb == ["list"]
        ):
            return quantity.bounds
    return None
