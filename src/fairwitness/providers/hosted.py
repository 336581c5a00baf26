"""What the hosted kinds share: one guarded client, the worst case, the time-out, the retry; no wire of its own."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import replace
from importlib import import_module
from typing import Any, ClassVar, Self

import httpx2

from fairwitness.providers import wire
from fairwitness.providers.asked import Asked, text_of
from fairwitness.providers.config import ProviderConfig
from fairwitness.providers.prices import token_count
from fairwitness.providers.provider import (
    Asking,
    BeforeSend,
    Completion,
    FinishReason,
    ProviderFailure,
    completion,
    freely,
)
from fairwitness.providers.usage import believable

_NO_PRICE = "The price of so long a prompt is not known for this model."


class Hosted(ABC):
    """A provider reached over HTTP; a kind adds how it asks and what the answers look like."""

    finish_reasons: ClassVar[dict[str, FinishReason]]
    sdk_module: ClassVar[str] = ""

    def __init__(self, config: ProviderConfig) -> None:
        """Keep the slot's configuration; nothing is opened before the first request."""
        self.config = config
        self._transport: wire.GuardedTransport | None = None
        self._client: httpx2.AsyncClient | None = None
        self._asking: Asking | None = None

    @property
    def kind(self) -> str:
        """The kind's name in the settings."""
        return self.config.kind

    @property
    def model(self) -> str:
        """The model as the operator named it."""
        return self.config.model

    @property
    def sampling(self) -> dict[str, float | int]:
        """What we ask for; the rest is the provider's default."""
        temperature = self.config.temperature
        found: dict[str, float | int] = {} if temperature is None else {"temperature": temperature}
        return (
            found
            if self._asking is None or not temperature
            else {**found, "seed": self._asking.seed}
        )

    def as_judge(self, asking: Asking) -> Self:
        """Return the same model over the same client, asked in another way."""
        self._http()  # made here, so that both have the same one
        judge = copy(self)
        most = min(asking.max_output_tokens, self.config.max_output_tokens)
        judge.config = replace(self.config, temperature=asking.temperature, max_output_tokens=most)
        judge._asking = asking
        return judge

    def worst_case_micro_usd(self, prompt: Asked) -> int:
        """Return the most that every attempt together can cost."""
        return self.config.price.worst_case_micro_usd(
            text_of(prompt), self.config.max_output_tokens, wire.ATTEMPTS
        )

    @asynccontextmanager
    async def room(self, prompt: Asked, deadline: float) -> AsyncIterator[object]:
        """Hold nothing: a hosted provider has its own limits."""
        yield None

    async def complete(
        self,
        prompt: Asked,
        deadline: float,
        *,
        room: object = None,
        before_send: BeforeSend = freely,
    ) -> Completion:
        """Ask once, perhaps twice, and read the answer."""
        if not self.config.price.covers(text_of(prompt)):
            raise ProviderFailure("too_large", _NO_PRICE, generated_nothing=True)
        now = asyncio.get_running_loop().time()
        deadline = min(deadline, now + self.config.timeout_s)
        return await wire.attempt(lambda: self._ask(prompt), deadline, before_send)

    async def aclose(self) -> None:
        """Close the client."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def prepare(self) -> None:
        """Import the SDK and read the certificates off the event loop: together they can take seconds."""
        await asyncio.to_thread(self._http)
        if self.sdk_module:
            await asyncio.to_thread(import_module, self.sdk_module)

    @abstractmethod
    async def _ask(self, prompt: Asked) -> Completion:
        """Send one request and read its answer."""

    async def _loaded(self) -> Any:
        """Return the kind's SDK, imported off the event loop where nobody prepared it."""
        return await asyncio.to_thread(import_module, self.sdk_module)

    @property
    def _schema(self) -> Mapping[str, Any] | None:
        return self._asking.schema if self._asking else None

    def _http(self) -> tuple[httpx2.AsyncClient, str]:
        """Return the client and the placeholder that stands for the key in it."""
        if self._client is None or self._transport is None:
            self._transport = wire.GuardedTransport(
                self.config.base_url, self.config.key, proxy=self.config.proxy
            )
            self._client = wire.client(self._transport)
        return self._client, self._transport.placeholder

    @abstractmethod
    def read(self, content: bytes, prompt: Asked) -> Completion:
        """Return the completion that an answer's body holds."""

    def _completion(
        self, prompt: Asked, text: str, reason: str | None, reported: tuple[object, object]
    ) -> Completion:
        used = token_count(reported[0]), token_count(reported[1])
        disbelieved = not believable(text_of(prompt), text, self.config.max_output_tokens, *used)
        if disbelieved:
            used = None, None
        return completion(
            text=text,
            finish_reason=self.finish_reasons.get(reason or "", "other"),
            input_tokens=used[0],
            output_tokens=used[1],
            cost_micro_usd=self.config.price.of_usage(*used),
            model=self.model,
            usage_disbelieved=disbelieved,
        )
