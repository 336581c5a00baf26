"""What is wrong with the parts of an exchange that their types alone let through; no bounds of any wire."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET

from fairwitness.contract.conversation import Answer, Message, Passage, ToolCall
from fairwitness.contract.schema_faults import SchemaFaults

# An evidence file may be 32 levels deep, and arguments stand seven levels into it.
MAX_ARGUMENT_DEPTH = 24
# The largest whole number up to which every whole number is a double of its own.
MAX_SAFE_INTEGER = 2**53 - 1


def answer_faults(answer: Answer) -> Iterator[str]:
    """Yield the faults of a response that is an object."""
    if not answer.content and not answer.calls:
        yield "response: needs content or toolCalls, and content may be empty only beside toolCalls"
    yield from text_faults("response.content", answer.content)
    yield from _call_faults("response", answer.calls)


def message_faults(messages: Sequence[Message]) -> Iterator[str]:
    """Yield the faults of a conversation."""
    for at, message in enumerate(messages):
        yield from text_faults(f"messages[{at}].content", message.content)
        yield from text_faults(f"messages[{at}].toolCallId", message.tool_call_id or "")
        yield from _call_faults(f"messages[{at}]", message.calls)
    if messages and messages[-1].role == "assistant":
        yield "messages: the last one must not be the assistant's; the response answers it"


def passage_faults(passages: Sequence[Passage]) -> Iterator[str]:
    """Yield the faults of a context."""
    for at, passage in enumerate(passages):
        yield from text_faults(f"context[{at}].text", passage.text)
        yield from text_faults(f"context[{at}].id", passage.id or "")
    ids = [passage.id for passage in passages if passage.id is not UNSET]
    if len(set(ids)) != len(ids):
        yield "context: ids must be unique"


def shape_faults(name: str, value: Any, kind: Any) -> Iterator[str]:
    """Yield the faults of plain data that is not of a part's type, in the words of the wire."""
    yield from _shape(kind).at(name, value)


@cache
def _shape(kind: Any) -> SchemaFaults:
    (rule,), definitions = msgspec.json.schema_components(
        [kind], ref_template="#/components/schemas/{name}"
    )
    return SchemaFaults(rule, definitions)


def text_faults(name: str, value: str) -> Iterator[str]:
    """Yield that a text is none: a lone surrogate is no character."""
    # It is the only thing UTF-8 cannot encode; the encoder finds it far faster than a loop.
    try:
        value.encode()
    except UnicodeEncodeError:
        yield f"{name}: contains a lone surrogate, which is not a character"


def _call_faults(name: str, calls: Sequence[ToolCall]) -> Iterator[str]:
    for at, call in enumerate(calls):
        place = f"{name}.toolCalls[{at}]"
        if _deeper(call.arguments, MAX_ARGUMENT_DEPTH):
            yield f"{place}.arguments: nested more than {MAX_ARGUMENT_DEPTH} levels deep"
            continue
        try:
            sound = _numbers_agree(call.arguments) and call.text.encode()
        except ValueError:  # which the error of a lone surrogate is, too
            sound = False
        if not sound:
            yield (
                f"{place}: has no canonical JSON; its texts must be characters, its numbers finite, and "
                "whole numbers beyond 2^53-1 must be sent as strings"
            )


def _deeper(value: Any, most: int) -> bool:
    """Tell whether a value is nested more than so many levels; without recursion, whatever it holds."""
    level = [value]
    for _ in range(most):
        level = [
            part
            for item in level
            if isinstance(item, dict | list)
            for part in (item.values() if isinstance(item, dict) else item)
        ]
    return any(isinstance(item, dict | list) for item in level)


def _numbers_agree(value: Any) -> bool:
    """Tell whether every JSON reader takes the numbers of a value for the same; it is not deep."""
    if isinstance(value, dict | list):
        return all(map(_numbers_agree, value.values() if isinstance(value, dict) else value))
    if isinstance(value, float) and not value.is_integer():
        return True
    return not isinstance(value, int | float) or abs(value) <= MAX_SAFE_INTEGER
