"""Turns a chat, and what else a row gives, as datasets keep them, into the words of the contract."""

from __future__ import annotations

from typing import Any

import msgspec

from fairwitness.batch.rows import RowFault

Turn = dict[str, Any]

# How datasets call who speaks.
_ROLES = {
    "human": "user",
    "gpt": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "developer": "system",
    "function": "tool",
    "ipython": "tool",
    "observation": "tool",
}
_KNOWN = ("system", "user", "assistant", "tool")
# Where an object of a list of passages keeps its text.
_PASSAGE_TEXTS = ("text", "page_content", "content", "body")


def turns_of(value: Any) -> list[Turn]:
    """Return the messages of a chat; raise RowFault where one cannot be read."""
    if not isinstance(value, list) or not value:
        raise RowFault("must be a list of messages")
    return [_turn(message) for message in value]


def split_conversation(value: Any) -> tuple[list[Turn], Turn]:
    """Return what was asked and the last answer; raise RowFault where no assistant's turn comes last."""
    turns = turns_of(value)
    if len(turns) < 2 or turns[-1]["role"] != "assistant":
        raise RowFault("the last of two or more messages must be the assistant's")
    return turns[:-1], turns[-1]


def passages_of(value: Any) -> list[str]:
    """Return the texts of a context: a text, or a list of texts or of objects with one."""
    items = value if isinstance(value, list) else [value]
    texts = [_passage(item) for item in items if item is not None]
    return [text for text in texts if text]


def reference_of(value: Any) -> str:
    """Return an expected answer as text; of several, one a line."""
    items = value if isinstance(value, list) else [value]
    texts = []
    for item in items:
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            raise RowFault("must be text, a number, or a list of them")
        texts.append(item if isinstance(item, str) else msgspec.json.encode(item).decode())
    return "\n".join(texts)


def _passage(item: Any) -> str:
    if isinstance(item, dict):
        item = next((item[name] for name in _PASSAGE_TEXTS if name in item), None)
    if not isinstance(item, str):
        raise RowFault("must be text, or a list of texts or of objects with 'text'")
    return item


def _turn(message: Any) -> Turn:
    if not isinstance(message, dict):
        raise RowFault("a message must be an object with 'role' and 'content'")
    role, content = (
        message.get("role", message.get("from")),
        message.get("content", message.get("value")),
    )
    calls = message.get("tool_calls") or message.get("toolCalls")
    if content is None and calls:
        content = ""
    if isinstance(content, list):
        content = "\n".join(_part(part) for part in content)
    if not isinstance(role, str) or not isinstance(content, str):
        raise RowFault("a message must have 'role' and 'content' (or 'from' and 'value') as text")
    role = _ROLES.get(role, role)
    if role not in _KNOWN:
        raise RowFault(f"a message has the role {role!r}; known: {', '.join((*_KNOWN, *_ROLES))}")
    return {"role": role, "content": content, **({"toolCalls": _calls(calls)} if calls else {})}


def _part(part: Any) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    if not isinstance(text, str):
        raise RowFault("a message holds a part that is not text")
    return text


def _calls(calls: Any) -> list[dict[str, Any]]:
    if not isinstance(calls, list):
        raise RowFault("the tool calls of a message must be a list")
    return [_call(call) for call in calls]


def _call(call: Any) -> dict[str, Any]:
    """Return a tool call, as OpenAI writes it or as the contract does."""
    told = call.get("function", call) if isinstance(call, dict) else {}
    name, arguments = (
        (told.get("name", told.get("function")), told.get("arguments"))
        if isinstance(told, dict)
        else (call.get("function"), call.get("arguments"))
    )
    if isinstance(arguments, str):
        try:
            arguments = msgspec.json.decode(arguments)
        except (msgspec.DecodeError, RecursionError):
            arguments = None
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise RowFault("a tool call must have a name and arguments that are a JSON object")
    return {"name": name, "arguments": arguments}
