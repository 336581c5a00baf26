"""The request bodies of contract 2: an exchange with its context, and the Arena over a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from fairwitness.contract.conversation import TEXT, Answer, Message, Passage, ToolCall
from fairwitness.contract.exchange_faults import answer_faults, message_faults, passage_faults
from fairwitness.contract.requests import Acknowledged, ArenaProvider, Body

CONTRACT_2: Literal["2.0.0-alpha.1"] = "2.0.0-alpha.1"
# The longest legal request, every character an escaped surrogate pair, fits.
MAX_BODY_BYTES_2 = 4 * 1024 * 1024

TEXT_MAX = 32_000
MESSAGES_MAX, MESSAGES_TOTAL_MAX = 100, 64_000
PASSAGES_MAX, CONTEXT_TOTAL_MAX = 50, 200_000
SYSTEM_MAX = 8_000

Version2 = Annotated[
    Literal["2.0.0-alpha.1"], Meta(description="The contract version of this request.")
]
Prompt2 = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=TEXT_MAX,
        description="What the assistant was asked; exactly one of prompt and messages.",
        extra_json_schema=TEXT,
    ),
]
Messages = Annotated[
    list[Message],
    Meta(
        min_length=1,
        max_length=MESSAGES_MAX,
        description=f"A conversation; the response answers its last message, which is not the assistant's. At most {MESSAGES_TOTAL_MAX} characters together, tool calls as canonical JSON included.",
    ),
]


class Faults(ValueError):
    """What is wrong with a request beyond its types, one line each."""

    def __init__(self, faults: Sequence[str]) -> None:
        """Keep the lines."""
        self.faults = tuple(faults)
        super().__init__("\n".join(faults))


class Request2(Body, frozen=True, kw_only=True):
    """What every request of contract 2 shares: a version, an acknowledgement, a prompt or a conversation."""

    contract_version: Version2
    privacy_acknowledged: Acknowledged
    prompt: Prompt2 | UnsetType = UNSET
    messages: Messages | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse what the types alone let through, all of it at once."""
        if faults := list(self.faults()):
            raise Faults(faults)

    def faults(self) -> Iterator[str]:
        """Yield what is wrong beyond the types."""
        if self.privacy_acknowledged is not True:
            yield "privacyAcknowledged: must be true"
        if (self.prompt is UNSET) == (self.messages is UNSET):
            yield "body: needs exactly one of prompt and messages"
        messages = self.messages or ()
        calls = [call for message in messages for call in message.calls]
        if _far_over(calls, MESSAGES_TOTAL_MAX):
            yield _too_long("messages", MESSAGES_TOTAL_MAX)
            return
        yield from message_faults(messages)
        yield from _total("messages", map(_message_size, messages), MESSAGES_TOTAL_MAX)


class EvaluateRequest2(Request2, frozen=True, kw_only=True):
    """Direct evaluation of an exchange with its context."""

    response: Annotated[
        Annotated[str, Meta(min_length=1, max_length=TEXT_MAX, extra_json_schema=TEXT)] | Answer,
        Meta(
            description=f"The response: its text, or an object with its text, its tool calls, or both; at most {TEXT_MAX} characters together."
        ),
    ]
    context: (
        Annotated[
            list[Passage],
            Meta(
                max_length=PASSAGES_MAX,
                description=f"What the response should rest on; at most {CONTEXT_TOTAL_MAX} characters together.",
            ),
        ]
        | UnsetType
    ) = UNSET
    reference: (
        Annotated[
            str,
            Meta(max_length=TEXT_MAX, description="An expected answer.", extra_json_schema=TEXT),
        ]
        | UnsetType
    ) = UNSET
    protocol: (
        Annotated[
            str,
            Meta(
                description="The name of a protocol listed in /docs/protocols.json; the first by default."
            ),
        ]
        | UnsetType
    ) = UNSET
    protocol_digest: (
        Annotated[
            str,
            Meta(description="Pins the protocol: a deployment with another digest answers 400."),
        ]
        | UnsetType
    ) = UNSET

    @property
    def answer(self) -> Answer:
        """The response as an object."""
        return Answer(content=self.response) if isinstance(self.response, str) else self.response

    def faults(self) -> Iterator[str]:
        """Yield what is wrong beyond the types."""
        yield from super().faults()
        if _far_over(self.answer.calls, TEXT_MAX):
            yield _too_long("response", TEXT_MAX)
            return
        yield from answer_faults(self.answer)
        yield from _total("response", [_answer_size(self.answer)], TEXT_MAX)
        yield from passage_faults(self.context or ())
        sizes = (len(passage.text) for passage in self.context or ())
        yield from _total("context", sizes, CONTEXT_TOTAL_MAX)


class ArenaRequest2(Request2, frozen=True, kw_only=True):
    """One prompt or conversation across two to five distinct providers."""

    providers: Annotated[
        list[ArenaProvider],
        Meta(
            min_length=2,
            max_length=5,
            description="The providers to compare; results come back in this order.",
            extra_json_schema={"uniqueItems": True},
        ),
    ]
    system: (
        Annotated[
            str,
            Meta(
                max_length=SYSTEM_MAX,
                description="Instructions that every provider gets before the prompt or conversation.",
                extra_json_schema=TEXT,
            ),
        ]
        | UnsetType
    ) = UNSET
    temperature: (
        Annotated[
            float,
            Meta(ge=0, le=2, description="The sampling temperature, where a provider takes one."),
        ]
        | UnsetType
    ) = UNSET

    def faults(self) -> Iterator[str]:
        """Yield what is wrong beyond the types."""
        yield from super().faults()
        if len(set(self.providers)) != len(self.providers):
            yield "providers: items must be unique"


def _far_over(calls: Sequence[ToolCall], most: int) -> bool:
    """Tell quickly that calls are far too long: to make megabytes canonical would take seconds."""
    try:
        return len(msgspec.json.encode(calls).decode()) > 2 * most
    except RecursionError:
        return False  # which is a fault of its own


def _too_long(name: str, most: int) -> str:
    return f"{name}: longer than {most} characters together"


def _total(name: str, sizes: Iterable[int], most: int) -> Iterator[str]:
    if sum(sizes) > most:
        yield _too_long(name, most)


def _message_size(message: Message) -> int:
    return len(message.content) + len(message.tool_call_id or "") + _calls_size(message.calls)


def _answer_size(answer: Answer) -> int:
    return len(answer.content) + _calls_size(answer.calls)


def _calls_size(calls: Sequence[ToolCall]) -> int:
    """Return the length of the canonical JSON of calls; one without counts nothing, and is a fault of its own."""
    size = 0
    for call in calls:
        with suppress(ValueError, RecursionError):
            size += len(call.text)
    return size
