"""What a provider is to the rest of the house: a label, a worst case, and complete(prompt, deadline).

It knows no wire, no SDK and no admission. Deadlines are times of the running event loop's clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from fairwitness.contract.requests import RESPONSE_MAX
from fairwitness.contract.results import ProviderErrorCode
from fairwitness.providers.asked import Asked

Kind = Literal["embedded", "openai", "anthropic", "gemini"]
FinishReason = Literal["stop", "length", "content_filter", "other"]

# Called before an attempt's first byte is written; what it raises stops it and reaches the caller as it is.
BeforeSend = Callable[[], None]


def freely() -> None:
    """Let every attempt pass: the BeforeSend of callers that count nothing."""


# The words callers read. Nothing a provider sent is ever part of them.
MEANINGS: dict[ProviderErrorCode, str] = {
    "timeout": "The provider did not answer in time.",
    "rate_limited": "The provider's rate limit was reached; try again later.",
    "refused_by_provider": "The provider refused this request.",
    "invalid_answer": "The provider's answer could not be used.",
    "unauthorised": "The provider did not accept the service's credentials.",
    "unreachable": "The provider could not be reached, or the connection was lost.",
    "not_configured": "This provider is not configured on this service.",
    "too_large": "The provider's answer, or the prompt for this model, is too large.",
}


class ProviderFailure(Exception):
    """A provider gave no usable response: why, in our words, and what it may have cost."""

    def __init__(
        self,
        code: ProviderErrorCode,
        message: str | None = None,
        *,
        cost_micro_usd: int | None = None,
        generated_nothing: bool = False,
        retry_after_s: float | None = None,
        usage_disbelieved: bool = False,
    ) -> None:
        """Take the code; a cost of None means unknown, so that the whole reservation counts."""
        self.code = code
        self.message = message or MEANINGS[code]
        self.cost_micro_usd = 0 if generated_nothing else cost_micro_usd
        self.generated_nothing = generated_nothing
        self.retry_after_s = retry_after_s
        self.usage_disbelieved = usage_disbelieved
        super().__init__(f"{code}: {self.message}")

    def sent_nothing(self) -> None:
        """Note that no byte of a request had left us, so that nothing can have been generated or billed."""
        self.generated_nothing = True
        self.cost_micro_usd = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """One generated response. A cost of None means the provider did not say what it used."""

    text: str
    finish_reason: FinishReason
    input_tokens: int | None
    output_tokens: int | None
    cost_micro_usd: int | None
    model: str
    truncated: bool = False
    usage_disbelieved: bool = False


@dataclass(frozen=True, slots=True)
class Asking:
    """How a judge is asked, where that is not as its slot is configured.

    The seed is sent only at a temperature above 0, where it matters. `schema` is the JSON Schema the answer is
    to match; a kind that cannot enforce one leaves it to the prompt.
    """

    temperature: float
    seed: int
    max_output_tokens: int
    schema: Mapping[str, Any] | None = None


class Provider(Protocol):
    """One configured slot."""

    @property
    def model(self) -> str:
        """The public label: the model, and its sampling where that is what sets the slot apart."""

    @property
    def sampling(self) -> dict[str, float | int]:
        """The sampling we ask for; empty where the provider's own default is used."""

    @property
    def kind(self) -> str:
        """Which file of this room serves it."""

    def worst_case_micro_usd(self, prompt: Asked) -> int:
        """Return what completing this prompt can cost at most, retries included."""

    def room(self, prompt: Asked, deadline: float) -> AbstractAsyncContextManager[object]:
        """Hold room for one completion; raise ConcurrencyLimit where it cannot end by the deadline.

        What is held is given to `complete`; why else it cannot be had, `complete` then says.
        """

    async def complete(
        self,
        prompt: Asked,
        deadline: float,
        *,
        room: object = None,
        before_send: BeforeSend = freely,
    ) -> Completion:
        """Generate one response or raise ProviderFailure; cancelling it stops the generation."""

    def as_judge(self, asking: Asking) -> Provider:
        """Return the same model, asked in another way; it is closed with this one."""

    async def prepare(self) -> None:
        """Load what the first completion would otherwise wait for."""

    async def aclose(self) -> None:
        """Let go of connections and processes."""


def completion(
    *,
    text: str,
    finish_reason: FinishReason,
    input_tokens: int | None,
    output_tokens: int | None,
    cost_micro_usd: int | None,
    model: str,
    usage_disbelieved: bool = False,
) -> Completion:
    """Build a completion from what a wire carried, or raise where it holds no publishable text."""

    def unusable(code: ProviderErrorCode, message: str | None = None) -> ProviderFailure:
        return ProviderFailure(
            code, message, cost_micro_usd=cost_micro_usd, usage_disbelieved=usage_disbelieved
        )

    try:
        # Halves of a pair that arrived in separate pieces are joined; a half left alone is no text.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise unusable("invalid_answer") from None
    if not text.strip():
        if finish_reason == "content_filter":
            raise unusable("refused_by_provider")
        raise unusable("invalid_answer", "The provider's answer was empty.")
    cut = len(text) > RESPONSE_MAX
    return Completion(
        text[:RESPONSE_MAX],
        # A text we cut reads as cut: whoever evaluates it again sees the same reason.
        "length" if cut else finish_reason,
        input_tokens,
        output_tokens,
        cost_micro_usd,
        model,
        cut,
        usage_disbelieved,
    )
