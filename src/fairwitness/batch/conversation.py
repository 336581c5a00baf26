"""Turns a chat, as datasets keep it, into the prompt and the response that are judged."""

from __future__ import annotations

from typing import Any

from fairwitness.batch.rows import RowFault

# How datasets call who speaks.
_ROLES = {"human": "user", "gpt": "assistant", "bot": "assistant", "model": "assistant"}


def split_conversation(value: Any) -> tuple[str, str]:
    """Return what was asked and the last answer; raise RowFault where no assistant's turn comes last."""
    turns = _turns(value)
    if len(turns) < 2 or turns[-1][0] != "assistant":
        raise RowFault("the last of two or more messages must be the assistant's")
    return _told(turns[:-1]), turns[-1][1]


def transcript(value: Any) -> str:
    """Return messages as one text."""
    return _told(_turns(value))


def _told(turns: list[tuple[str, str]]) -> str:
    """One request is its own text, a system's text before it; a longer conversation names who speaks."""
    if len([role for role, _ in turns if role != "system"]) < 2:
        return "\n\n".join(text for _, text in turns)
    return "\n\n".join(f"{role.capitalize()}: {text}" for role, text in turns)


def _turns(value: Any) -> list[tuple[str, str]]:
    if not isinstance(value, list) or not value:
        raise RowFault("must be a list of messages")
    return [_turn(message) for message in value]


def _turn(message: Any) -> tuple[str, str]:
    if not isinstance(message, dict):
        raise RowFault("a message must be an object with 'role' and 'content'")
    role, content = (
        message.get("role", message.get("from")),
        message.get("content", message.get("value")),
    )
    if isinstance(content, list):
        content = "\n".join(_part(part) for part in content)
    if not isinstance(role, str) or not isinstance(content, str):
        raise RowFault("a message must have 'role' and 'content' (or 'from' and 'value') as text")
    return _ROLES.get(role, role), content


def _part(part: Any) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    if not isinstance(text, str):
        raise RowFault("a message holds a part that is not text")
    return text
