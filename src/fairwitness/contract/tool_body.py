"""The base of requests in another tool's shape: what a newer version of the tool adds is left aside."""

from __future__ import annotations

from typing import Any

import msgspec

from fairwitness.contract.requests import Body


class ToolBody(Body, frozen=True, kw_only=True, rename=None, forbid_unknown_fields=False):
    """A body whose fields are the tool's, in its spelling."""


def text_of(output: Any) -> str:
    """Return an output as text: tools give an object where a model called tools."""
    if isinstance(output, str):
        return output
    return msgspec.json.encode(output, order="sorted").decode()


def chat_of(turns: Any) -> list[dict[str, str]] | None:
    """Return a chat as messages of contract 2, or None where it is no chat of plain text that ends with a question."""
    if not isinstance(turns, list) or not turns:
        return None
    messages = [_message(turn) for turn in turns]
    if messages[-1] is None or messages[-1]["role"] == "assistant":
        return None
    found = [message for message in messages if message is not None]
    return found if len(found) == len(messages) else None


_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}


def _message(turn: Any) -> dict[str, str] | None:
    if not isinstance(turn, dict) or _ROLES.get(str(turn.get("role"))) is None:
        return None
    content = turn.get("content")
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else None for part in content]
        if not all(isinstance(part, str) for part in parts):
            return None
        content = "\n".join(part for part in parts if part)
    if not isinstance(content, str):
        return None
    return {"role": _ROLES[turn["role"]], "content": content}
