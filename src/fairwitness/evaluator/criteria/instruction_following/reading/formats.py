"""Reads demands on the kind of text: JSON, tables, lists without a count, code alone."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.quantities import Quantity
from fairwitness.evaluator.patterns import Match, Pattern

JSON = Pattern(
    r"\b(?:in|as|into|valid|only|USE) (?:[^ |,]+ ){0,2}?json "
    r"|\b(?:WRITE|WRAP|RESP) (?:(?:with|RESP|WORK|WRITE|WRAP|all|in|as|valid|structured|only|single|data|"
    r"results?|lists?|information|properly|USE|into) ){0,4}json "
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
CODE_ONLY = Pattern(
    r"\bonly (?:WRITE |RESP |with |USE |want |output ){0,3}(?:[^ |]+ )?code (?:\||,|and|NEG)|\bcode only (?:\||,|and|NEG)"
)
PATTERNS = (JSON, TABLE, NUMBERED, BULLETS, CODE_ONLY)

_MEASURES = frozenset(
    "- day week month year hour minute second star word letter page step point dollar part bedroom".split()
)
_NOT_OURS = frozenset("schema file parser api string to data files library".split())


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the formats asked for, each at most once."""
    for pattern, wanted in ((JSON, _json), (TABLE, _table), (CODE_ONLY, _code)):
        for match in reading.find(pattern):
            before, _ = reading.around(match)
            if "NEG" not in before[:4] and wanted(reading, match):
                kind: Kind = (
                    "json" if pattern is JSON else "table" if pattern is TABLE else "code_only"
                )
                firm = not (pattern is JSON and _one_json(reading, match))
                yield Demand(kind, reading.span(match), firm=firm)
                break
    yield from _lists(reading, taken)


def _json(reading: Reading, match: Match) -> bool:
    if "part" in [*match.text.split(), *reading.around(match)[0][:4]]:
        return False
    named = reading.token_index(match.start + match.text.index("json"))
    return "".join(reading.lows(named + 1, named + 2)) not in _NOT_OURS


def _one_json(reading: Reading, match: Match) -> bool:
    """Tell whether "a JSON" is asked for, which leaves room for words around it."""
    named = reading.token_index(match.start + match.text.index("json"))
    article = reading.lows(named - 1, named) in (["a"], ["the"])
    strict = {"only", "entire", "whole", "format", "block", "nothing", "wrap", "valid", "no"}
    return article and not strict & set(reading.lows(named - 6, named + 6))


def _table(reading: Reading, match: Match) -> bool:
    if match["next"].strip() in {"below", "above", "salt", "tennis", "manners"}:
        return False
    if "periodic" in match.text:
        return False
    if "markdown" in match.text or {"WRITE", "form"} & set(match.text.split()[1:]):
        return True
    index = reading.token_index(match.start)
    return reading.lows(index, index + 2) in (["in", "a"], ["as", "a"], ["into", "a"])


def _code(reading: Reading, match: Match) -> bool:
    return True


def _lists(reading: Reading, taken: Taken) -> Iterator[Demand]:
    for match in reading.find(NUMBERED):
        symbol = match["q"] or match["q2"] or match["q3"]
        quantity = reading.quantity(symbol) if symbol else None
        if quantity and (quantity.vague or not _counts_items(reading, quantity)):
            symbol, quantity = "", None
        if "NEG" in reading.around(match)[0][:3] or (
            symbol and int(symbol[1:]) in taken.quantities
        ):
            continue
        if symbol:
            taken.quantities.add(int(symbol[1:]))
        yield Demand(
            "numbered_count",
            reading.span(match),
            quantity.bounds if quantity else Bounds(at_least=2),
        )
        return
    for match in reading.find(BULLETS):
        if {"NEG", "each"} & {*reading.around(match)[0][:3], *match.text.split()}:
            continue
        if not _is_list(reading, match):
            continue
        bounds = _listed_exactly(reading, match, taken)
        terms = () if bounds else ("any",)
        yield Demand("bullet_count", reading.span(match), bounds or Bounds(at_least=1), terms=terms)
        return


def _counts_items(reading: Reading, quantity: Quantity) -> bool:
    """Tell "a list of ten names" from "a list of 3 day trips": what is counted is no measure."""
    counted = reading.lows(quantity.last, quantity.last + 1)
    return counted != [] and counted[0] not in _MEASURES


def _is_list(reading: Reading, match: Match) -> bool:
    """Tell bullet points from bullets."""
    named = reading.token_index(match.start + match.text.index("bullet"))
    words = reading.lows(named, named + 2)
    return words[0] not in {"bullet", "bullets"} or words[1:2] in (
        ["point"],
        ["points"],
        ["list"],
        ["form"],
        ["format"],
    )


def _listed_exactly(reading: Reading, match: Match, taken: Taken) -> Bounds | None:
    """Find how many things are listed where the bullets themselves are not counted."""
    index = reading.token_index(match.start)
    for number, quantity in enumerate(reading.quantities):
        verb = reading.lows(quantity.first - 1, quantity.first)
        exact = quantity.bounds.at_least == quantity.bounds.at_most and not quantity.bare
        if number not in taken.quantities and exact and quantity.first < index and verb == ["list"]:
            return quantity.bounds
    return None
