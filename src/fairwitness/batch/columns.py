"""Which columns hold the texts and the id of a row: as asked for, or recognised in the first row.

A column is named as it is written, or by a path into it: `item.question`, `resps.0.0`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

import msgspec
from msgspec import Raw

from fairwitness.batch.conversation import (
    Turn,
    passages_of,
    reference_of,
    split_conversation,
    turns_of,
)
from fairwitness.batch.rows import BadInput, Row, RowFault, Texts

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
    context: str | None = None
    reference: str | None = None
    # Whether the rows are another tool's log, whose own `error` column is kept as `logError`.
    is_log: bool = False

    def kept(self, columns: dict[str, Raw]) -> dict[str, Raw]:
        """Return a row's columns as results keep them."""
        if not (self.is_log and "error" in columns):
            return columns
        return {_LOG_ERROR if name == "error" else name: raw for name, raw in columns.items()}

    def texts_only(self) -> Columns:
        """Return the columns without what else a row may give."""
        return replace(self, context=None, reference=None)

    def check_names(self, columns: dict[str, Raw]) -> None:
        """Raise RowFault where a row has a column of a name that results add."""
        for name in (*ADDED, *(() if self.id == ID else (ID,))):
            if name in columns:
                raise RowFault(f"column {name!r}: results have a column of this name; rename it")

    def texts(self, row: Row) -> Texts:
        """Return what is judged of a row; raise RowFault that names the column."""
        if row.fault:
            raise RowFault(row.fault)
        prompt, turns, answer = self._asked(row)
        given: dict[str, Any] = {}
        if len(turns) == 1 and turns[0]["role"] == "user" and len(turns[0]) == 2:
            prompt = turns[0]["content"]
        elif turns:
            prompt, given["messages"] = "", turns
        if calls := answer.get("toolCalls"):
            given["toolCalls"] = calls
        for name, read in (("context", passages_of), ("reference", reference_of)):
            found = self._optional(row, name, read)
            if found:
                given[name] = found
        texts = (prompt, answer["content"])
        return (*texts, msgspec.json.encode(given).decode()) if given else texts

    def _asked(self, row: Row) -> tuple[str, list[Turn], Turn]:
        """Return the prompt or the conversation of a row, and the answer."""
        prompt, answer = "", None
        turns: list[Turn] = []
        if self.messages is not None:
            value = value_at(row, self.messages)
            if self.response is None:
                turns, answer = _named(self.messages, split_conversation, value)
            else:
                turns = _named(self.messages, turns_of, value)
        else:
            assert self.prompt is not None
            found = _named(self.prompt, _text_or_turns, value_at(row, self.prompt))
            prompt, turns = ("", found) if isinstance(found, list) else (found, [])
        if answer is None:
            assert self.response is not None
            said = _named(self.response, _text_or_turns, value_at(row, self.response))
            answer = said[-1] if isinstance(said, list) else {"content": said}
        return prompt, turns, answer

    def _optional(self, row: Row, name: str, read: Callable[[Any], T]) -> T | None:
        """Return what a row gives beside its texts; a row may give none."""
        path: str | None = getattr(self, name)
        if path is None:
            return None
        try:
            value = value_at(row, path)
        except RowFault:
            return None
        return None if value is None else _named(path, read, value)

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
        return ", ".join(
            f"{name} from {path!r}" for name, path in asdict(self).items() if isinstance(path, str)
        )


# Logs and datasets by the columns they are known by; the first whose columns hold texts is taken.
SHAPES: dict[str, Columns] = {
    "prompt and response": Columns("prompt", "response"),
    "prompt and completion": Columns("prompt", "completion"),
    "prompt and output": Columns("prompt", "output"),
    "Inspect": Columns("input", "output.completion"),
    "Inspect (choices)": Columns("input", "output.choices.0.message.content"),
    "chat messages": Columns(messages="messages"),
    "chat conversations": Columns(messages="conversations"),
    "OpenAI evals": Columns("item.prompt", "sample.output_text"),
    "OpenAI evals (question)": Columns("item.question", "sample.output_text"),
    "OpenAI evals (input)": Columns("item.input", "sample.output_text"),
    "OpenAI evals run": Columns("sample.input", "sample.output"),
    "lm-eval samples": Columns("arguments.gen_args_0.arg_0", "resps.0.0"),
    "promptfoo": Columns("prompt.raw", "response.output"),
    "HELM": Columns("request.prompt", "result.completions.0.text"),
    "HELM (chat)": Columns("request.messages", "result.completions.0.text"),
    "RAGAS": Columns("user_input", "response"),
    "DeepEval": Columns("input", "actual_output"),
}
# How datasets call what a response was given.
_CONTEXTS = ("context", "contexts", "retrieved_contexts", "retrieval_context", "passages")
# How datasets call an expected answer. None is taken unasked: `answer` or `target` may as well be the response's own,
# or a label, and a criterion would hold the response against it.
_REFERENCES = ("reference", "expected", "expected_output", "expected_answer", "target", "ideal", "answer", "ground_truth")  # fmt: skip
# Logs that keep an error of their own, which results call otherwise.
_LOGS = ("promptfoo", "HELM", "Inspect")
_LOG_ERROR = "logError"
# Objects longer than this are not looked into for an error message.
_MAX_LISTED_BYTES = 100_000


def choose(asked: Columns, first: Row, reads: Collection[str] = ()) -> tuple[Columns, str]:
    """Return the columns to use and what was recognised; raise BadInput where the first row has them not.

    What a response was given is looked for only where the protocol `reads` it: else it would only ask for review.
    """
    if first.fault:
        raise BadInput(f"{first.place}: {first.fault}")
    if asked.messages is not None and asked.prompt:
        raise BadInput("give --messages, or --prompt and --response")
    chosen, recognised = _chosen(asked, first)
    try:
        chosen.check_names(chosen.kept(first.columns))
    except RowFault as fault:
        raise BadInput(f"{first.place}: {fault}") from None
    if chosen.prompt is None and chosen.messages is None:
        raise BadInput(
            f"{first.place}: no prompt and response recognised; name them with --prompt and --response,"
            f" or --messages; there are {_listed(first)}"
        )
    if "context" in reads and asked.context is None:
        names = (name for name in _CONTEXTS if _fits(replace(chosen, context=name), first))
        found = next((name for name in names if name in first.columns), None)
        chosen = replace(chosen, context=found)
        recognised = recognised or ("a context" if found else "")
    return chosen, recognised


def unread_reference(chosen: Columns, first: Row, reads: Collection[str]) -> str | None:
    """Return the column that may hold an expected answer, where the protocol reads one and none was named."""
    if chosen.reference is not None or "reference" not in reads:
        return None
    taken = {chosen.prompt, chosen.response, chosen.messages, chosen.context}
    names = (name for name in _REFERENCES if name in first.columns and name not in taken)
    return next((name for name in names if _fits(replace(chosen, reference=name), first)), None)


def _chosen(asked: Columns, first: Row) -> tuple[Columns, str]:
    asked = replace(asked, id=asked.id or (ID if ID in first.columns else None))
    is_given = asked.messages or (asked.prompt and asked.response)
    tries = ((name, _filled(asked, shape)) for name, shape in SHAPES.items())
    fitting = ((name, one) for name, one in tries if one and _fits(one.texts_only(), first))
    name, tried = next(fitting, ("", asked))
    # As asked, even where the first row is faulty: its fault is named like any other row's.
    for path in (
        tried.prompt,
        tried.response,
        tried.messages,
        asked.id,
        asked.context,
        asked.reference,
    ):
        if path is not None and not {path, path.split(".")[0]} & set(first.columns):
            raise BadInput(f"{first.place}: no column {path!r}; there are {_listed(first)}")
    if is_given:
        return tried, ""
    return replace(tried, is_log=name.startswith(_LOGS)), name


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


def _filled(asked: Columns, shape: Columns) -> Columns | None:
    """Return a shape with what was asked for in its place, or None where the two do not go together."""
    if asked.messages is not None:
        return asked
    if shape.messages is not None:
        return None if asked.prompt or asked.response else replace(asked, messages=shape.messages)
    return replace(
        asked, prompt=asked.prompt or shape.prompt, response=asked.response or shape.response
    )


def _fits(columns: Columns, row: Row) -> bool:
    try:
        columns.texts(row)
        columns.id_of(row)
    except RowFault:
        return False
    return True


def _text_or_turns(value: Any) -> str | list[Turn]:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return turns_of(value)
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
    paths = [path for name, raw in row.columns.items() for path in _paths(name, raw)]
    return ", ".join(map(repr, paths[:20])) + (", ..." if len(paths) > 20 else "")


def _paths(name: str, raw: Raw) -> list[str]:
    """Return a column's name, or of an object the paths to what is in it."""
    if bytes(raw)[:1] != b"{" or len(bytes(raw)) > _MAX_LISTED_BYTES:
        return [name]
    try:
        return [f"{name}.{key}" for key in msgspec.json.decode(raw, type=dict[str, Raw])] or [name]
    except msgspec.DecodeError:
        return [name]
