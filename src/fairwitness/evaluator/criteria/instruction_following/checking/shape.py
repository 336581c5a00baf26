"""Checks form: case, forbidden marks, wrapping, JSON, tables, code alone."""

from __future__ import annotations

import json
from collections.abc import Callable

from fairwitness.evaluator.criteria.instruction_following.checking import counting
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.judgement import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

_SHOWN = 5
_DEPTH = 60
_TABLE_RULE = Pattern(
    r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+\|?[ \t]*$", multiline=True
)
_HTML_TABLE = Pattern(r"<table[\s>]", ignore_case=True)
_MARK_NAMES = {
    ",": "commas", ".": "full stops", "!": "exclamation marks", ";": "semicolons", "-": "hyphens and dashes",
    "(": "parentheses", "0": "digits", "emoji": "emojis", "#": "hashtags", "*": "asterisks",
    "bullet": "bullet points", ":": "colons",
}  # fmt: skip


def lowercase(demand: Demand, exchange: Exchange) -> Outcome:
    """No capital letter anywhere."""
    return _case(
        exchange,
        "no capital letters",
        "capital letters",
        str.isupper,
        "Write it all in lower case.",
    )


def uppercase(demand: Demand, exchange: Exchange) -> Outcome:
    """No small letter anywhere."""
    return _case(
        exchange, "capital letters only", "small letters", str.islower, "Write it all in capitals."
    )


def _case(
    exchange: Exchange, asked: str, wrong: str, is_wrong: Callable[[str], bool], suggestion: str
) -> Outcome:
    value = exchange.response.value
    count = sum(map(is_wrong, value))
    spans: list[Region] = []
    for word in exchange.response.words if count else ():
        if any(map(is_wrong, value[word.start : word.end])):
            spans.append(word)
        if len(spans) == _SHOWN:
            break
    letters = value.lower() != value.upper()
    return Outcome(
        met=not count and letters,
        asked=asked,
        found=f"{count} {wrong}" if letters else "no letters at all",
        spans=tuple(spans),
        suggestion=suggestion if count else None,
    )


def forbidden_marks(demand: Demand, exchange: Exchange) -> Outcome:
    """None of the named marks is there."""
    found = [place for mark in demand.terms for place in _places(mark, exchange)]
    names = " or ".join(_MARK_NAMES[mark] for mark in demand.terms)
    return Outcome(
        met=not found,
        asked=f"no {names}",
        found=f"{len(found)}" if found else "none",
        spans=tuple(found[:_SHOWN]),
        suggestion=f"Remove the {names}." if found else None,
    )


def _places(mark: str, exchange: Exchange) -> list[Region]:
    if mark == "emoji":
        return counting.emojis(exchange.response)
    if mark == "bullet":
        return counting.bullets(exchange.response)
    if mark == "#":
        return counting.hashtags(exchange.response)
    wrong = {"0": "0123456789", "-": "-–—", "(": "()"}.get(mark, mark)
    return [
        Region(index, index + 1)
        for index, char in enumerate(exchange.response.value)
        if char in wrong
    ]


def wrapped(demand: Demand, exchange: Exchange) -> Outcome:
    """The whole response stands between quotation marks."""
    value = exchange.response.value
    stripped = value.strip()
    quotes = "'‘’" if demand.terms == ("'",) else '"“”'
    met = len(stripped) > 1 and stripped[0] in quotes and stripped[-1] in quotes
    start = value.find(stripped[:1]) if stripped else 0
    spans = (Region(start, start + 1), Region(start + len(stripped) - 1, start + len(stripped)))
    return Outcome(
        met=met,
        asked="the whole response between quotation marks",
        found="it is" if met else "it is not",
        spans=spans if len(stripped) > 1 else (),
        suggestion=None if met else "Put quotation marks around the whole response.",
    )


def title(demand: Demand, exchange: Exchange) -> Outcome:
    """Something stands in double angular brackets."""
    found = counting.titles(exchange.response)
    return Outcome(
        met=bool(found),
        asked="text in double angular brackets",
        found="found" if found else "none",
        spans=tuple(found[:1]),
        suggestion=None if found else "Add it as <<...>>.",
    )


def json_only(demand: Demand, exchange: Exchange) -> Outcome:
    """The whole response, a code fence aside, is one JSON value."""
    body = exchange.response.value.strip()
    if body.startswith("```"):
        opening = body[3:].split("\n", 1)[0].strip().lower()
        if opening in {"", "json"} or not opening.startswith(("{", "[")):
            body = body[3:].split("\n", 1)[1] if "\n" in body else ""
        else:
            body = body[3:]
        body = body.strip().removesuffix("```").strip()
    problem = _json_problem(body)
    if problem and not demand.firm and _holds_json(exchange):
        problem = ""
    return Outcome(
        met=not problem,
        asked="JSON and nothing else",
        found=problem or "JSON that parses",
        suggestion="Answer with one JSON value and nothing around it." if problem else None,
    )


def _holds_json(exchange: Exchange) -> bool:
    """Tell whether some block of code in the response is JSON that parses."""
    blocks = exchange.response.code_blocks
    return any(not _json_problem(exchange.response.slice(block.body)) for block in blocks)


def _json_problem(body: str) -> str:
    depth = deepest = 0
    for char in body:
        depth += (char in "{[") - (char in "}]")
        deepest = max(deepest, depth)
    if deepest > _DEPTH:
        return "nesting too deep to read"
    try:
        json.loads(body)
    except ValueError:
        return "text that does not parse as JSON"
    return ""


def table(demand: Demand, exchange: Exchange) -> Outcome:
    """A table is there, in Markdown or HTML."""
    match = exchange.response.search(_TABLE_RULE) or exchange.response.search(_HTML_TABLE)
    return Outcome(
        met=match is not None,
        asked="a table",
        found="a table" if match else "no table",
        spans=(Region(match.start, match.end),) if match else (),
    )


def code_only(demand: Demand, exchange: Exchange) -> Outcome:
    """The response is one block of code and no prose."""
    value = exchange.response.value.strip()
    blocks = exchange.response.code_blocks
    met = not blocks or (len(blocks) == 1 and value.startswith("```") and value.endswith("```"))
    return Outcome(
        met=met,
        asked="code and nothing else",
        found="code alone" if met else "text around the code",
        suggestion=None if met else "Leave out what stands around the code.",
    )
