"""What an exchange is made of in contract 2: messages, tool calls, passages of context, and the response itself."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from fairwitness.contract.canonical_json import canonical

Role = Literal["system", "user", "assistant", "tool"]
MAX_ID_CHARS = 200
# What our schemas say of every text: a caller who sends anything else is told "text only".
TEXT: dict[str, Any] = {"contentMediaType": "text/plain"}


class Part(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="camel"):
    """The base of every part of an exchange: no field beyond its own."""


class ToolCall(Part, frozen=True, kw_only=True, dict=True):
    """One call of a tool."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_ID_CHARS, description="The tool.")]
    arguments: Annotated[dict[str, Any], Meta(description="What it was called with.")]
    id: Annotated[str, Meta(max_length=MAX_ID_CHARS)] | UnsetType = UNSET

    @cached_property
    def text(self) -> str:
        """The call as evidence quotes it: its canonical JSON. Raises ValueError where it has none."""
        return canonical(msgspec.to_builtins(self)).decode()


class Message(Part, frozen=True, kw_only=True):
    """One turn of a conversation."""

    role: Role
    content: Annotated[str, Meta(description="Text only.", extra_json_schema=TEXT)]
    tool_calls: list[ToolCall] | UnsetType = UNSET
    tool_call_id: Annotated[str, Meta(max_length=MAX_ID_CHARS)] | UnsetType = UNSET

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls of this turn."""
        return tuple(self.tool_calls or ())


class Passage(Part, frozen=True, kw_only=True):
    """One text the response should rest on."""

    text: Annotated[str, Meta(min_length=1, extra_json_schema=TEXT)]
    id: Annotated[str, Meta(max_length=MAX_ID_CHARS)] | UnsetType = UNSET


class Answer(Part, frozen=True, kw_only=True):
    """A response that may call tools."""

    content: Annotated[
        str, Meta(description="May be empty only beside tool calls.", extra_json_schema=TEXT)
    ] = ""
    tool_calls: list[ToolCall] | UnsetType = UNSET

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls of the response."""
        return tuple(self.tool_calls or ())
