"""Which columns hold the prompt, the response and the id: as asked for, or recognised in the first row.

A column is named as it is written, or by a path into it: `item.question`, `resps.0.0`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import msgspec
from msgspec import Raw

from fairwitness.batch.conversation import split_conversation, transcript
from fairwitness.batch.rows import BadInput, Row, RowFault

T = TypeVar("T")

# What a result adds to a row. A column of the input must not be called like one of these; `id` may, as the row's id.
ID = "id"
ADDED = ("evaluation", "error", "protocolVersion", "evaluatorVersion", "protocolDigest")


@dataclass(frozen=True)
class Columns:
    """Where a row keeps its texts: a prompt and a response, or a whole conversation; and its id."""

    prompt: str | None = None
    response: str | None = None
    messages: str | None = None
    id: str | None = None

    def texts(self, row: Row) -> tuple[str, str]:
        """Return a row's prompt and response; raise RowFault that names the column."""
        if row.fault:
            raise RowFault(row.fault)
        if self.messages is not None:
            return _named(self.messages, split_conversation, value_at(row, self.messages))
        assert self.prompt is not None
        assert self.response is not None
        prompt = _named(self.prompt, _text, value_at(row, self.prompt))
        return prompt, _named(self.response, _text, value_at(row, self.response))

    def id_of(self, row: Row) -> str | int:
        """Return a row's id: its id column, or its number where it has none or cannot be read."""
        if row.fault or self.id is None:
            return row.number
        found = value_at(row, self.id)
        if isinstance(found, bool) or not isinstance(found, str | int):
            raise RowFault(f"column {self.id!r}: an id must be text or a whole number")
        return found

    def in_words(self) -> str:
        """Say which columns are used."""
        return ", ".join(f"{name} from {path!r}" for name, path in asdict(self).items() if path)


# Logs and datasets by the columns they are known by; the first whose columns hold texts is taken.
SHAPES: dict[str, Columns] = {
    "prompt and response": Columns("prompt", "response"),
    "prompt and completion": Columns("prompt", "completion"),
    "prompt and output": Columns("prompt", "output"),
    "chat messages": Columns(messages="messages"),
    "chat conversations": Columns(messages="conversations"),
    "OpenAI evals": Columns("item.prompt", "sample.output_text"),
    "OpenAI evals (question)": Columns("item.question", "sample.output_text"),
    "OpenAI evals (input)": Columns("item.input", "sample.output_text"),
    "OpenAI evals run": Columns("sample.input", "sample.output"),
    "lm-eval samples": Columns("arguments.gen_args_0.arg_0", "resps.0.0"),
    "promptfoo": Columns("prompt.raw", "response.output"),
    "HELM": Columns("request.prompt", "result.completions.0.text"),
}


def choose(asked: Columns, first: Row) -> tuple[Columns, str]:
    """Return the columns to use and what was recognised; raise BadInput where the first row has them not."""
    if first.fault:
        raise BadInput(f"{first.place}: {first.fault}")
    for name in ADDED:
        if name in first.columns:
            raise BadInput(
                f"{first.place}: column {name!r}: results have a column of this name; rename it"
            )
    row_id = asked.id or (ID if ID in first.columns else None)
    if row_id != ID and ID in first.columns:
        raise BadInput(f"{first.place}: column 'id': results have a column of this name; rename it")
    if asked.messages is not None and (asked.prompt or asked.response):
        raise BadInput("give --messages, or --prompt and --response")
    for name, shape in SHAPES.items():
        tried = _filled(asked, shape, row_id)
        if tried is not None and _fits(tried, first):
            given = asked.messages or (asked.prompt and asked.response)
            return tried, "" if given else name
    # As asked, even where the first row is faulty: its fault is named like any other row's.
    if asked.messages or (asked.prompt and asked.response):
        chosen = Columns(asked.prompt, asked.response, asked.messages, row_id)
        for path in (chosen.prompt, chosen.response, chosen.messages, asked.id):
            if (
                path is not None
                and path.split(".")[0] not in first.columns
                and path not in first.columns
            ):
                raise BadInput(f"{first.place}: no column {path!r}; there are {_listed(first)}")
        return chosen, ""
    raise BadInput(
        f"{first.place}: no prompt and response recognised; name them with --prompt and --response,"
        f" or --messages; there are {_listed(first)}"
    )


def value_at(row: Row, path: str) -> Any:
    """Return what a row holds in a column, or at a path into one; raise RowFault where there is nothing."""
    raw = row.columns.get(path)
    rest: list[str] = []
    if raw is None:
        name, *rest = path.split(".")
        raw = row.columns.get(name)
    if raw is None:
        raise RowFault(f"column {path!r} is missing")
    value = _value(raw, path)
    for key in rest:
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            raise RowFault(f"column {path!r} is missing")
    return value


def _value(raw: Raw, path: str) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        raise RowFault(f"column {path!r}: not valid JSON") from None


def _filled(asked: Columns, shape: Columns, row_id: str | None) -> Columns | None:
    """Return a shape with what was asked for in its place, or None where the two do not go together."""
    if asked.messages is not None:
        return Columns(messages=asked.messages, id=row_id)
    if shape.messages is not None:
        return (
            None if asked.prompt or asked.response else Columns(messages=shape.messages, id=row_id)
        )
    return Columns(asked.prompt or shape.prompt, asked.response or shape.response, id=row_id)


def _fits(columns: Columns, row: Row) -> bool:
    try:
        columns.texts(row)
        columns.id_of(row)
    except RowFault:
        return False
    return True


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return transcript(value)
    raise RowFault(f"must be text, not {_kind(value)}")


def _named(path: str, read: Callable[[Any], T], value: Any) -> T:
    try:
        return read(value)
    except RowFault as fault:
        raise RowFault(f"column {path!r}: {fault}") from None


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", dict: "an object", type(None): "null"}
    return kinds.get(type(value), "a number")


def _listed(row: Row) -> str:
    shown = ", ".join(repr(name) for name in list(row.columns)[:20])
    return shown + (", ..." if len(row.columns) > 20 else "")
