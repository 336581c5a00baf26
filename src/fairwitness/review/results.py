"""Reads a results file for people: each row with every text that was judged, its evaluation and its own columns."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct

from fairwitness.batch.columns import Columns, choose
from fairwitness.batch.results import Origin
from fairwitness.batch.rows import BadInput, Row, RowFault, Texts
from fairwitness.batch.saved_results import read_results
from fairwitness.batch.sources import journal_of, shown
from fairwitness.contract.conversation import ToolCall
from fairwitness.contract.evaluation import Evaluation
from fairwitness.reports.made_by import MadeBy


class Part(Struct, frozen=True):
    """One text of a row: the source that evidence names, what people call it, and the text."""

    source: str
    title: str
    text: str


@dataclass(frozen=True)
class ResultRow:
    """One evaluated row of a results file."""

    number: int
    id: str | int
    given: Texts
    evaluation: Evaluation
    columns: dict[str, Raw]
    made_by: MadeBy

    @property
    def texts(self) -> str:
        """The SHA-256 of its texts: what a label belongs to, wherever the row stands."""
        return hashlib.sha256(msgspec.json.encode(self.given)).hexdigest()

    @property
    def parts(self) -> list[Part]:
        """Every text that was judged, in the order people read them; the response is last."""
        prompt, response, *rest = self.given
        more: dict[str, Any] = msgspec.json.decode(rest[0]) if rest else {}
        parts = [] if "messages" in more else [Part("prompt", "Prompt", prompt)]
        for at, turn in enumerate(more.get("messages", ())):
            parts.append(Part(f"messages[{at}]", turn["role"].capitalize(), turn["content"]))
            parts += _calls(f"messages[{at}]", turn.get("toolCalls", ()))
        for at, passage in enumerate(more.get("context", ())):
            text = passage if isinstance(passage, str) else passage["text"]
            parts.append(Part(f"context[{at}]", f"Context {at + 1}", text))
        if "reference" in more:
            parts.append(Part("reference", "Reference", more["reference"]))
        parts.append(Part("response", "Response", response))
        return [*parts, *_calls("response", more.get("toolCalls", ()))]


def rows_of(path: Path) -> Iterator[ResultRow]:
    """Yield the rows that were evaluated; raise BadInput where the file is no results file."""
    columns = _known_columns(path)
    for found in read_results(path):
        if found.evaluation is None:
            continue
        row = Row(found.number, f"{shown(path)}:{found.number}", found.columns)
        if columns is None:
            columns, _ = choose(Columns(), row)
        try:
            given = columns.texts(row)
        except RowFault as fault:
            raise BadInput(f"{row.place}: {fault}") from None
        yield ResultRow(
            found.number, found.id, given, found.evaluation, found.columns, found.made_by
        )


def _calls(source: str, calls: Any) -> Iterator[Part]:
    for at, call in enumerate(calls):
        text = msgspec.convert(call, ToolCall).text
        yield Part(f"{source}.toolCalls[{at}]", f"Tool call {at + 1}", text)


def _known_columns(path: Path) -> Columns | None:
    """Return the columns the results were made from, or None where no journal is beside them."""
    try:
        origin = msgspec.json.decode(journal_of(path).read_bytes(), type=Origin)
        return msgspec.convert(origin.columns, Columns)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError:
        raise BadInput(f"{journal_of(path)}: not written by this version of `batch`") from None
