"""Checks tables and data for what was ordered of them: these columns and no others, as many rows."""

from __future__ import annotations

import csv
import json
from itertools import pairwise

from fairwitness.evaluator.criteria.coherence import data_syntax
from fairwitness.evaluator.criteria.instruction_following.checking import evidence, formats
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.text import Text

_MAX_CHARS = 100_000
# A column that only counts the rows is none, nor is a row that only adds them up.
_COUNTING = frozenset({"", "#", "no", "no.", "nr", "nr."})
_ADDING = ("total", "sum", "average", "overall", "…", "...")


def only_columns(demand: Demand, exchange: Exchange) -> Outcome:
    """The table has no column beside those asked for."""
    tables = _tables(exchange.response)
    header = tables[0][0] if len(tables) == 1 else []
    extra = len(header) - len(demand.terms) - (header[:1] != [] and header[0].lower() in _COUNTING)
    asked = f"{counted(len(demand.terms), 'column')} and no other"
    return Outcome(
        met=extra <= 0,
        asked=asked,
        found=counted(len(header), "column"),
        spans=evidence.opening(exchange.response) if extra > 0 else (),
        suggestion="Leave out the other columns." if extra > 0 else None,
        unchecked="" if header else "The response is no one table",
    )


def row_count(demand: Demand, exchange: Exchange) -> Outcome:
    """The table, the CSV or the JSON has as many rows as were asked for."""
    assert demand.bounds is not None
    counts = _row_counts(exchange.response, demand.terms)
    count = next(filter(demand.bounds.hold, counts), counts[0] if counts else 0)
    met = demand.bounds.hold(count)
    return Outcome(
        met=met or not counts,
        asked=f"{demand.bounds} rows",
        found=counted(count, "row"),
        spans=() if met else evidence.opening(exchange.response),
        unchecked="" if counts else "The response is no one table or list of data",
    )


def _row_counts(text: Text, terms: tuple[str, ...]) -> tuple[int, ...]:
    """Return how many rows there are, in every way they can be counted; the first is the plainest."""
    tables = _tables(text)
    if len(tables) == 1:
        names, rows = tables[0]
        added = bool(rows) and rows[-1][:1] != [] and rows[-1][0].lower().startswith(_ADDING)
        if "rows" in terms:
            return (len(rows), len(rows) - added, len(rows) + 1)
        # What is compared may stand in the columns.
        return (len(rows), len(rows) - added, len(names) - 1, len(names))
    blocks = [text.slice(block.body).strip() for block in text.code_blocks]
    bodies = blocks if blocks else [text.value.strip()]
    if tables or len(bodies) != 1 or len(bodies[0]) > _MAX_CHARS:
        return ()
    if bodies[0][:1] in {"[", "{"}:
        return _objects(bodies[0])
    if not formats.is_csv(bodies[0]):
        return ()
    rows = [row for row in csv.reader(bodies[0].split("\n"), skipinitialspace=True) if row]
    return (len(rows) - 1,) if "header" in terms else (len(rows) - 1, len(rows))


def _objects(body: str) -> tuple[int, ...]:
    if data_syntax.is_too_deep(body):
        return ()
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    if isinstance(value, list):
        return (len(value),)
    inner = [each for each in value.values() if isinstance(each, list | dict)]
    if len(inner) != 1:
        return (len(value), len(inner)) if inner and len(inner) == len(value) else ()
    return (len(inner[0]),)


def _tables(text: Text) -> list[tuple[list[str], list[list[str]]]]:
    """Return each Markdown table: its header, and its rows."""
    lines = [text.slice(line) for line in text.lines]
    found: list[tuple[list[str], list[list[str]]]] = []
    rows: list[list[str]] | None = None
    for before, line in pairwise(["", *lines]):
        if "|" in line and formats.is_rule(line):
            rows = []
            found.append((_cells(before), rows))
        elif rows is not None and "|" in line:
            rows.append(_cells(line))
        else:
            rows = None
    return found


def _cells(line: str) -> list[str]:
    inside = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip(" *_`\t") for cell in inside.replace("\\|", "/").split("|")]
