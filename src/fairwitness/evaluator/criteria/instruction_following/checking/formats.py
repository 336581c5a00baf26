"""Checks the kind of text: JSON, YAML, CSV, XML, TOML or HTML that parses, tables, code and nothing else."""

from __future__ import annotations

import csv
import json
from itertools import pairwise

from fairwitness.evaluator.criteria.coherence import data_syntax
from fairwitness.evaluator.criteria.instruction_following.checking import evidence
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_TABLE_RULE = Pattern(
    r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+\|?[ \t]*$", multiline=True
)
_HTML_TABLE = Pattern(r"<table[\s>]", ignore_case=True)
_YAML_LINE = Pattern(r"^(?:-(?: |$)|---|#|[^\s:#][^:]{0,60}:(?:\s|$)|[\]}]|\.\.\.$)")
_MAX_KEY_WORDS = 4
# Signs that a line is code and not a sentence of prose.
_CODE_SIGNS = frozenset("(){}[];=<>|$\\/#_`")


def json_only(demand: Demand, exchange: Exchange) -> Outcome:
    """The whole response, a code fence aside, is one JSON value."""
    body = _body(exchange.response, "json")
    problem = _json_problem(body)
    if problem and not demand.firm and _contains(exchange, "json"):
        problem = ""
    return Outcome(
        met=not problem,
        asked="JSON and nothing else" if demand.firm else "JSON",
        found=problem or "valid JSON",
        spans=evidence.opening(exchange.response) if problem else (),
        suggestion=_suggestion("JSON", alone=demand.firm) if problem else None,
        unchecked="The JSON is nested too deeply"
        if problem and body[:1] in {"[", "{"} and data_syntax.is_too_deep(body)
        else "",
    )


def data_format(demand: Demand, exchange: Exchange) -> Outcome:
    """The response, a code fence aside, is data of the format asked for."""
    name = demand.terms[0]
    problem = _problem(name, _body(exchange.response, name))
    if problem and not demand.alone and _contains(exchange, name):
        problem = ""
    shown = name.upper()
    return Outcome(
        met=not problem,
        asked=f"{shown} and nothing else" if demand.alone else shown,
        found=problem or f"valid {shown}",
        spans=evidence.opening(exchange.response) if problem else (),
        suggestion=_suggestion(shown, alone=demand.alone) if problem else None,
    )


def _suggestion(shown: str, *, alone: bool) -> str:
    return f"Answer with valid {shown} and nothing else." if alone else f"Answer in valid {shown}."


def _body(text: Text, name: str) -> str:
    """Return the response without a code fence around it."""
    body = text.value.strip()
    if not body.startswith("```"):
        return body
    opening = body[3:].split("\n", 1)[0].strip().lower()
    if opening in {"", name} or not opening.startswith(("{", "[", "<")):
        body = body[3:].split("\n", 1)[1] if "\n" in body else ""
    else:
        body = body[3:]
    return body.strip().removesuffix("```").strip()


def _contains(exchange: Exchange, name: str) -> bool:
    """Tell whether some block of code in the response, or what begins like JSON on a line of its own, is data of the format."""
    text = exchange.response
    if any(not _problem(name, text.slice(block.body).strip()) for block in text.code_blocks):
        return True
    begins = min((at for at in map(text.value.find, ("\n[", "\n{")) if at >= 0), default=-1)
    ends = max(text.value.rfind("]"), text.value.rfind("}")) + 1
    return (
        name == "json" and 0 <= begins < ends and not _json_problem(text.value[begins + 1 : ends])
    )


def _problem(name: str, body: str) -> str:
    if name == "json":
        return _json_problem(body)
    wrong = f"text that is not valid {name.upper()}"
    if name == "csv":
        return "" if is_csv(body) else wrong
    if name == "html":
        return "" if _is_html(body) else wrong
    shaped = {"yaml": _yaml_shaped, "xml": _xml_shaped, "toml": _toml_shaped}[name](body)
    return "" if shaped and data_syntax.fault(name, body) is None else wrong


def _json_problem(body: str) -> str:
    try:
        if not data_syntax.is_too_deep(body):
            json.loads(body)
            return ""
    except (ValueError, RecursionError):
        pass
    return "text that is not valid JSON"


def _is_html(body: str) -> bool:
    opens = body[:1] == "<" and (body[1:2].isalpha() or body[1:2] == "!")
    return opens and body.endswith(">") and "```" not in body


def is_csv(body: str) -> bool:
    """Tell rows of equal width from prose: two fields a row, or one short word a row."""
    try:
        rows = [row for row in csv.reader(body.split("\n"), skipinitialspace=True) if row]
    except csv.Error:
        return False
    if not rows or "```" in body or any(len(one) != len(two) for one, two in pairwise(rows)):
        return False
    if len(rows[0]) > 1:
        return len(rows) > 1 or body[-1] not in ".!?"
    return len(rows) > 1 and all(len(row[0].split()) <= _MAX_KEY_WORDS for row in rows)


def _yaml_shaped(body: str) -> bool:
    """Tell keys and items from prose, which YAML would take as one long string."""
    margin = [line for line in body.split("\n") if line.strip() and not line[0].isspace()]
    keys = (line.partition(":")[0] for line in margin if line[0] not in "-#")
    return (
        bool(margin)
        and all(_YAML_LINE.search(line.encode()) for line in margin)
        and all(len(key.split()) <= _MAX_KEY_WORDS for key in keys)
    )


def _xml_shaped(body: str) -> bool:
    return body.startswith("<") and body.endswith(">") and ("</" in body or "/>" in body)


def _toml_shaped(body: str) -> bool:
    return "=" in body and "```" not in body


def is_rule(line: str) -> bool:
    """Tell whether a line is the rule under a Markdown table's header."""
    return _TABLE_RULE.search(line.encode())


def table_rules(text: Text) -> list[Region]:
    """Return where tables are, by the rule under a Markdown table's header or by HTML's tag."""
    found = [*text.matches(_TABLE_RULE), *text.matches(_HTML_TABLE)]
    return [Region(match.start, match.end) for match in found]


def table(demand: Demand, exchange: Exchange) -> Outcome:
    """A table is there, in Markdown or HTML."""
    found = table_rules(exchange.response)
    return Outcome(
        met=bool(found),
        asked="a table",
        found="a table" if found else "no table",
        spans=tuple(found[:1]),
    )


def code_only(demand: Demand, exchange: Exchange) -> Outcome:
    """The response is one block of code and no prose."""
    text = exchange.response
    value, blocks = text.value.strip(), text.code_blocks
    if blocks:
        met = len(blocks) == 1 and value.startswith("```") and value.endswith("```")
    else:
        lines = [line for line in value.split("\n") if line.strip()]
        met = not any(map(_is_prose, (lines[:1] + lines[-1:])))
    return Outcome(
        met=met,
        asked="code and nothing else",
        found="only code" if met else "text around the code",
        spans=() if met else _around(text),
        suggestion=None if met else "Remove the text around the code.",
    )


def _around(text: Text) -> tuple[Region, ...]:
    """Return the first line of prose outside the code."""
    lines = (line for line in text.lines if _is_prose(text.slice(line)))
    outside = next((line for line in lines if not text.in_code(line.start)), None)
    return evidence.opening(text) if outside is None else (evidence.cut(outside),)


def _is_prose(line: str) -> bool:
    """Tell a sentence from a line of code: several words, no sign that code is made of."""
    words = line.split()
    plain = not _CODE_SIGNS & set(line) and line.lstrip()[:2] not in {"--", "//", "/*", "* ", "%%"}
    return plain and len(words) >= 4 and line.rstrip()[-1] in ".:!?"


def code_block(demand: Demand, exchange: Exchange) -> Outcome:
    """A fenced block of code is there."""
    blocks = exchange.response.code_blocks
    return Outcome(
        met=bool(blocks),
        asked="a code block",
        found="a code block" if blocks else "no code block",
        spans=(blocks[0].region,) if blocks else (),
        suggestion=None if blocks else "Put the code in a fenced block (```).",
    )
