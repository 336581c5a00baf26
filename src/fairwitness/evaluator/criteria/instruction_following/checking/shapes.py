"""Checks shapes asked for in ordinary words: keys, columns, how lines start, a box, a subject line, nothing but a list."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from itertools import pairwise

from fairwitness.evaluator.criteria.coherence import data_syntax
from fairwitness.evaluator.criteria.instruction_following.checking import counting, evidence
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_LITERAL_CHARS = 10_000
_MAX_NAME_WORDS = 10
_MAX_JSON_CHARS = 100_000
_MAX_SHOWN, _MAX_NAME_CHARS = 5, 60
_SUBJECT = Pattern(
    r"^[\s*_#>]*(?:subject|subject line|re|betreff)[\s*_]*:", ignore_case=True, multiline=True
)
_RULE = Pattern(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+\|?[ \t]*$")
_ITEM = Pattern(r"^[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]+\S", multiline=True)
_NUMBERED = Pattern(r"^\d")
_MARKUP = "*_#`\"'“” "


def _outcome(
    met: bool, asked: str, found: str, exchange: Exchange, *, unchecked: str = ""
) -> Outcome:
    spans = () if met else evidence.opening(exchange.response)
    return Outcome(met=met, asked=asked, found=found, spans=spans, unchecked=unchecked)


def _object(text: Text) -> dict[str, object] | None:
    """Return the JSON object of a response: alone, in a block of code, or between words."""
    candidates = [
        text.value.strip(),
        *(text.slice(block.body).strip() for block in text.code_blocks[:3]),
    ]
    opened, closed = text.value.find("{"), text.value.rfind("}")
    if 0 <= opened < closed:
        candidates.append(text.value[opened : closed + 1])
    for candidate in candidates:
        if len(candidate) > _MAX_JSON_CHARS or data_syntax.is_too_deep(candidate):
            continue
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        while isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, dict):
            return value
    return None


def json_keys(demand: Demand, exchange: Exchange) -> Outcome:
    """The JSON object has the keys asked for, and no others where only those were allowed."""
    found = _object(exchange.response)
    asked = f"the keys {_quoted(demand.terms)}" + (" and no others" if demand.alone else "")
    if found is None:
        return _outcome(
            False, asked, "no JSON object", exchange, unchecked="The response has no JSON object"
        )
    have = _keys(found)
    want = {_folded(name): name for name in demand.terms}
    # The keys may be those of an object further in.
    inner = (keys for keys in _inner(found) if want.keys() <= keys.keys())
    have = have if want.keys() <= have.keys() else next(inner, have)
    missing = [name for key, name in want.items() if key not in have]
    more = [key for folded, key in have.items() if folded not in want] if demand.alone else []
    told = [
        f"{what}: {_quoted(names[:_MAX_SHOWN])}"
        for what, names in (("missing", missing), ("not asked for", more))
        if names
    ]
    return _outcome(not told, asked, "; ".join(told) or "these keys", exchange)


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"“{' '.join(name.split())[:_MAX_NAME_CHARS]}”" for name in names)


def _keys(value: dict[str, object]) -> dict[str, str]:
    """Return the keys of an object as they are written, by how they are compared."""
    return {_folded(key): key for key in value}


def _inner(value: object) -> Iterator[dict[str, str]]:
    """Yield the keys of every object in a JSON value."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield _keys(each)
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each


def _folded(key: str) -> str:
    return "".join(filter(str.isalnum, key.lower()))


def columns(demand: Demand, exchange: Exchange) -> Outcome:
    """The table has the columns asked for, by name or by number."""
    text = exchange.response
    header = _header(text)
    asked = (
        f"{demand.bounds.of('column')}" if demand.bounds else f"the columns {_quoted(demand.terms)}"
    )
    if header is None:
        return _outcome(False, asked, "no table", exchange, unchecked="The response has no table")
    if demand.bounds:
        met = demand.bounds.hold(len(header))
        return _outcome(met, asked, counted(len(header), "column"), exchange)
    have = [_folded(name) for name in header]
    missing = [
        name for name in demand.terms if not any(_folded(name).rstrip("s") in each for each in have)
    ]
    return _outcome(
        not missing,
        asked,
        f"missing: {_quoted(missing)}" if missing else "these columns",
        exchange,
    )


def _header(text: Text) -> list[str] | None:
    """Return the names over the first table, in Markdown or as the first line of CSV."""
    lines = [
        text.slice(line) for line in text.lines if not text.slice(line).strip().startswith("```")
    ]
    for before, line in pairwise(lines):
        if "|" in line and _RULE.fullmatch(line):
            return [cell.strip(_MARKUP) for cell in before.strip().strip("|").split("|")]
    filled = [line for line in lines if line.strip()]
    if len(filled) > 1 and len({line.count(",") for line in filled}) == 1 and "," in filled[0]:
        return [cell.strip(_MARKUP) for cell in filled[0].split(",")]
    return None


def line_start(demand: Demand, exchange: Exchange) -> Outcome:
    """Every line starts with the mark or word asked for; a first line that leads up to them may not."""
    text, mark = exchange.response, demand.terms[0]
    lines = counting.lines(text)
    wrong = [line for line in lines if not _starts(text.slice(line), mark)]
    if (
        wrong
        and wrong[0] == lines[0]
        and len(lines) > 2
        and text.slice(lines[0]).rstrip().endswith(":")
    ):
        wrong = wrong[1:]
    return Outcome(
        met=not wrong,
        asked=f"every line to start with {'a number' if mark == '0' else f'“{mark}”'}",
        found=f"{len(wrong)} of {len(lines)} lines do not" if wrong else "every line does",
        spans=tuple(evidence.cut(line) for line in wrong[:3]),
    )


def _starts(line: str, mark: str) -> bool:
    body = line.strip()
    if mark == "0":
        return _NUMBERED.search(body.encode())
    if mark in {"-", "*"}:
        return body.startswith(("-", "–", "—", "•") if mark == "-" else "*")
    return body.lstrip("-*•0123456789.) #_\"'“").lower().startswith(mark.lower())


def boxed(demand: Demand, exchange: Exchange) -> Outcome:
    """The answer stands in a box."""
    met = "\\boxed" in exchange.response.value or "\\fbox" in exchange.response.value
    return _outcome(met, "the answer in \\boxed{}", "a box" if met else "no box", exchange)


def subject(demand: Demand, exchange: Exchange) -> Outcome:
    """There is a subject line, or none where none was wanted."""
    found = exchange.response.search(_SUBJECT)
    met = (found is None) is demand.negated
    return Outcome(
        met=met,
        asked="no subject line" if demand.negated else "a subject line",
        found="a subject line" if found else "no subject line",
        spans=()
        if met
        else (Region(found.start, found.end),)
        if found
        else evidence.opening(exchange.response),
    )


def no_code(demand: Demand, exchange: Exchange) -> Outcome:
    """There is no block of code."""
    blocks = exchange.response.code_blocks
    return Outcome(
        met=not blocks,
        asked="no code",
        found="a block of code" if blocks else "no block of code",
        spans=(evidence.cut(blocks[0].region),) if blocks else (),
    )


def literal(demand: Demand, exchange: Exchange) -> Outcome:
    """The response is one list and nothing else, a code fence aside."""
    text = exchange.response
    blocks = text.code_blocks
    body = text.value.strip()
    if len(blocks) == 1 and body.startswith(("```", "~~~")) and blocks[0].region.end >= len(body):
        body = text.slice(blocks[0].body).strip()
    met = body.startswith("[") and body.endswith("]") and _parses(body)
    return _outcome(
        met, "a list and nothing else", "a list" if met else "text that is not one list", exchange
    )


def _parses(body: str) -> bool:
    if len(body) > _MAX_LITERAL_CHARS or data_syntax.is_too_deep(body):
        return True  # too long to tell
    try:
        ast.parse(body, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def name_only(demand: Demand, exchange: Exchange) -> Outcome:
    """The response is one short name."""
    words = len(exchange.response.words)
    met = words <= _MAX_NAME_WORDS
    return _outcome(met, "a name and nothing else", counted(words, "word"), exchange)


def comma_list(demand: Demand, exchange: Exchange) -> Outcome:
    """The things stand on one line with commas between them, not one to a line."""
    text = exchange.response
    items = text.matches(_ITEM, limit=3)
    met = "," in text.value and len(items) < 2
    return _outcome(
        met,
        "a list with commas",
        "a list with commas" if met else "no list on one line with commas",
        exchange,
    )
