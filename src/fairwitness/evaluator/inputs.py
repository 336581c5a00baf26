"""Turns what a caller gives into an exchange, or says everything that is wrong with it.

No bounds of a wire: texts may be of any length here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from fairwitness.contract.conversation import Answer, Message, Passage
from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.exchange_faults import (
    answer_faults,
    message_faults,
    passage_faults,
    shape_faults,
    text_faults,
)
from fairwitness.evaluator.exchange import Exchange

T = TypeVar("T")

# What callers may write; each becomes the types of the contract.
ResponseInput = str | Answer | Mapping[str, Any]
ContextInput = str | Passage | Mapping[str, Any] | Sequence[str | Passage | Mapping[str, Any]]
MessagesInput = Sequence[Message | Mapping[str, Any]]


def exchange_of(
    prompt: str | None,
    response: ResponseInput,
    finish_reason: str | None = None,
    *,
    context: ContextInput | None = None,
    messages: MessagesInput | None = None,
    reference: str | None = None,
) -> Exchange:
    """Return the exchange; raise InvalidRequest with one detail a fault, TypeError where a text is no str."""
    faults: list[str] = []
    if messages is None:
        faults += _named_text("prompt", prompt)
    elif prompt is not None:
        faults.append("prompt: give prompt or messages, not both")
    answer = _answer(response, faults)
    # A text or a mapping can be iterated over too, and is no conversation.
    said = messages if isinstance(messages, str | Mapping) else list(messages or ())
    turns = _converted("messages", said, list[Message], faults) or []
    if messages is not None and not messages:
        faults.append("messages: at least one is required")
    passages = _passages(context, faults)
    if reference:
        faults += _named_text("reference", reference)
    faults += [*message_faults(turns), *passage_faults(passages)]
    if faults:
        raise InvalidRequest(details=faults)
    return Exchange(
        prompt or "",
        answer.content,
        finish_reason,
        context=passages,
        messages=turns,
        reference=reference or None,
        tool_calls=answer.calls,
    )


def exchange_of_row(prompt: str, response: str, given: str = "") -> Exchange:
    """Return the exchange of a row of a file; `given` is what it has beside the two texts, as JSON."""
    more: dict[str, Any] = msgspec.json.decode(given) if given else {}
    calls = more.pop("toolCalls", None)
    answer = {"content": response, "toolCalls": calls} if calls else response
    return exchange_of(None if "messages" in more else prompt, answer, **more)


def _named_text(name: str, value: object) -> Iterator[str]:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    if not value:
        yield f"{name}: must not be empty"
    yield from text_faults(name, value)


def _answer(response: ResponseInput, faults: list[str]) -> Answer:
    if not isinstance(response, Answer | Mapping):
        faults += _named_text("response", response)
        return Answer(content=response)
    answer = _converted("response", response, Answer, faults)
    if answer is not None:
        faults += answer_faults(answer)
    return answer or Answer()


def _passages(context: ContextInput | None, faults: list[str]) -> list[Passage]:
    given = [context] if isinstance(context, str | Passage | Mapping) else list(context or ())
    plain = [{"text": one} if isinstance(one, str) else one for one in given]
    return _converted("context", plain, list[Passage], faults) or []


def _converted(name: str, value: Any, kind: type[T], faults: list[str]) -> T | None:
    """Return the value as the contract's type; None, and a fault, where it is not one."""
    try:
        # Through plain data, so that structs and mappings are checked alike.
        plain = msgspec.to_builtins(value)
    except RecursionError:
        faults.append(f"{name}: nested too deeply")
        return None
    except TypeError:
        faults.append(f"{name}: must be plain data: texts, numbers, lists and dicts")
        return None
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError:
        faults += list(shape_faults(name, plain, kind)) or [f"{name}: does not match the contract"]
    return None
