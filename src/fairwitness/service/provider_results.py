"""What providers are asked in one run, and what came of each of them."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Protocol

from msgspec import UNSET

from fairwitness.contract.conversation import Message
from fairwitness.contract.evaluation import Evaluation
from fairwitness.contract.results import (
    CompletedItem,
    FailedItem,
    ProviderError,
    ResultItem,
    Usage,
)
from fairwitness.providers.asked import Asked
from fairwitness.providers.provider import ProviderFailure


class Evaluate(Protocol):
    """Judges one response."""

    def __call__(
        self,
        prompt: str | None,
        response: str,
        *,
        finish_reason: str | None = None,
        messages: Sequence[Message] | None = None,
    ) -> Awaitable[Evaluation]:
        """Return the evaluation, however long it has to wait for its turn."""


@dataclass(frozen=True, slots=True)
class Question:
    """What providers are asked, and what their responses are judged as answers to: a prompt or messages."""

    asked: Asked
    prompt: str | None
    messages: Sequence[Message] | None = None


@dataclass(frozen=True, slots=True)
class Limited:
    """A provider that failed and said when to come again: its item, and in how many seconds."""

    item: FailedItem
    retry_after_s: float


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A response that was generated and could not be judged: its item, and why."""

    item: FailedItem
    error: Exception


# What came of one provider.
Found = CompletedItem | FailedItem | Limited | Unjudged


def item_of(found: Found) -> ResultItem:
    """Return the item of what came of a provider."""
    return found.item if isinstance(found, Limited | Unjudged) else found


def failed_item(
    slot: str,
    model: str | None,
    failure: ProviderFailure,
    latency_ms: int,
    usage: Usage | None = None,
) -> FailedItem:
    """Return the item of a provider that failed."""
    return FailedItem(
        provider_id=slot,
        model=model,
        error=ProviderError(code=failure.code, message=failure.message),
        latency_ms=latency_ms,
        usage=usage or UNSET,
    )


def reasons_of(items: Sequence[ResultItem]) -> list[str]:
    """Return why each provider failed, one line each."""
    return [
        f"{item.provider_id}: {item.error.code}: {item.error.message}"
        for item in items
        if isinstance(item, FailedItem)
    ]
