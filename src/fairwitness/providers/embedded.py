"""The embedded model: SmolLM2-135M-Instruct behind llama.cpp's own server, spoken to over the OpenAI wire.

Its text comes from the weights. Where they are not installed the slot says not_configured.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Self

import httpx2
import msgspec

from fairwitness.contract.errors import ConcurrencyLimit
from fairwitness.providers import weights, wire
from fairwitness.providers.asked import Asked, sampling_of, text_of
from fairwitness.providers.border import failure_of_status, translate
from fairwitness.providers.config import ProviderConfig
from fairwitness.providers.embedded_queue import Job, Queue
from fairwitness.providers.embedded_server import PARALLEL, SHORT_TOKENS, Address, EmbeddedServer
from fairwitness.providers.openai import OpenAIProvider
from fairwitness.providers.provider import (
    Asking,
    BeforeSend,
    Completion,
    ProviderFailure,
    freely,
)
from fairwitness.providers.secret import Secret

# Each slot's own sampling. The seed is fixed: the same prompt tends to get the same text again.
SAMPLINGS: dict[str, dict[str, float | int]] = {
    "provider_a": {"temperature": 0.0, "top_p": 1.0, "seed": 1},
    "provider_b": {"temperature": 0.3, "top_p": 0.9, "seed": 2},
    "provider_c": {"temperature": 0.5, "top_p": 0.9, "seed": 3},
    "provider_d": {"temperature": 0.6, "top_p": 0.95, "seed": 4},
    "provider_e": {"temperature": 0.8, "top_p": 0.95, "seed": 5},
    "provider_f": {"temperature": 1.0, "top_p": 0.95, "seed": 6},
    "provider_g": {"temperature": 1.2, "top_p": 0.9, "seed": 7},
}
ANSWER_S = 10.0  # for what takes a healthy server milliseconds


class _Tokens(msgspec.Struct):
    tokens: list[int]


class _Delta(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    delta: _Delta
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int
    completion_tokens: int


class _Piece(msgspec.Struct):
    choices: list[_Choice] = []
    usage: _Usage | None = None


@dataclass(slots=True)
class Place:
    """One generation's place before a living server, and how many tokens were written in it."""

    address: Address
    job: Job
    written: int | None = None


class Model:
    """One worker's share of the embedded model: its server, its queue, and whose turn it is."""

    def __init__(self, server: EmbeddedServer) -> None:
        """Use `server`; the slots of one worker share one of these."""
        self.server = server
        self._queue: Queue | None = None
        self._turns = asyncio.Semaphore(PARALLEL)

    @asynccontextmanager
    async def place(self, prompt: Asked, max_tokens: int, deadline: float) -> AsyncIterator[Place]:
        """Hold a place; raise ConcurrencyLimit or ProviderFailure where it cannot end by the deadline."""
        clock = asyncio.get_running_loop().time
        address = await self.server.address(deadline)
        tokens = await self._count(address, prompt, deadline)
        queue = self._queue = self._queue or Queue(clock())
        place = Place(address, Job(tokens, max_tokens, deadline - clock()))
        queue.enter(id(place), place.job, clock())
        try:
            yield place
        finally:
            queue.leave(id(place), clock(), place.written)

    @asynccontextmanager
    async def turn(self, place: Place) -> AsyncIterator[None]:
        """Wait for a place's turn, and hold it."""
        is_long = place.job.context_tokens > SHORT_TOKENS
        async with self.server.long_turn() if is_long else nullcontext(), self._turns:
            assert self._queue is not None
            self._queue.begin(id(place), asyncio.get_running_loop().time())
            yield

    @asynccontextmanager
    async def ask(self, address: Address, path: str, body: Any) -> AsyncIterator[httpx2.Response]:
        """Ask the server; where it ended meanwhile, the failure is one that another attempt may fix."""
        transport = wire.GuardedTransport(address.url, Secret(address.key))
        try:
            async with (
                wire.client(transport) as http,
                http.stream("POST", address.url + path, json=body) as response,
            ):
                if not response.is_success:
                    raise failure_of_status(response.status_code)
                yield response
        except httpx2.TransportError as error:
            for _ in range(10):  # its end may show a moment after its last answer
                if self.server.found() != address:
                    raise _gone() from None
                await asyncio.sleep(0.05)
            raise translate(error) from None

    async def _count(self, address: Address, prompt: Asked, deadline: float) -> int:
        answer_by = asyncio.get_running_loop().time() + ANSWER_S
        try:
            async with (
                asyncio.timeout_at(min(deadline, answer_by)),
                self.ask(address, "/tokenize", {"content": text_of(prompt)}) as response,
            ):
                content = await response.aread()
        except TimeoutError:
            if deadline <= answer_by:
                raise ProviderFailure("timeout") from None
            self.server.kill(address)
            raise _gone() from None
        return len(msgspec.json.decode(content, type=_Tokens).tokens)


def _gone() -> ProviderFailure:
    return ProviderFailure("unreachable", retry_after_s=0.0)


class EmbeddedProvider(OpenAIProvider):
    """One slot of the embedded model, with its own sampling."""

    def __init__(self, config: ProviderConfig, shared: Model) -> None:
        """Share the model behind `shared` with the other slots."""
        super().__init__(config)
        self._sampling = dict(SAMPLINGS[config.slot])
        if config.temperature is not None:
            self._sampling["temperature"] = config.temperature
        self._shared = shared

    @property
    def sampling(self) -> dict[str, float | int]:
        """The slot's sampling: slots differ in nothing else."""
        return self._sampling

    def as_judge(self, asking: Asking) -> Self:
        """Return the same slot with the judge's sampling in place of its own."""
        judge = copy(self)
        judge._asking = asking
        judge.config = replace(self.config, max_output_tokens=asking.max_output_tokens)
        judge._sampling = {"temperature": asking.temperature, "top_p": 1.0, "seed": asking.seed}
        return judge

    @property
    def model(self) -> str:
        """The weights and the sampling."""
        return _label(self._sampling)

    @asynccontextmanager
    async def room(self, prompt: Asked, deadline: float) -> AsyncIterator[object]:
        """Hold a place; the server is started here where none runs. Why there is none, `complete` says."""
        async with AsyncExitStack() as held:
            room: Place | ProviderFailure
            try:
                room = await held.enter_async_context(self._place(prompt, deadline))
            except ProviderFailure as failure:
                room = failure
            yield room

    async def complete(
        self,
        prompt: Asked,
        deadline: float,
        *,
        room: object = None,
        before_send: BeforeSend = freely,
    ) -> Completion:
        """Write one response, once more where the server ended under it."""
        rooms = [room]

        async def ask() -> Completion:
            given = rooms.pop() if rooms else None
            if isinstance(given, ProviderFailure):
                raise given
            if isinstance(given, Place):
                return await self._write(prompt, given)
            try:
                async with self._place(prompt, deadline) as fresh:
                    return await self._write(prompt, fresh)
            except ConcurrencyLimit as full:
                raise ProviderFailure("rate_limited", full.message) from None

        try:
            return await wire.attempt(ask, self._own_deadline(deadline), before_send)
        except ProviderFailure as failure:
            failure.cost_micro_usd = 0
            raise

    async def prepare(self) -> None:
        """Load nothing: the server starts on first use, for many services never need it."""

    async def aclose(self) -> None:
        """Let go of the server; it ends with its last user."""
        await self._shared.server.aclose()

    def _own_deadline(self, deadline: float) -> float:
        return min(deadline, asyncio.get_running_loop().time() + self.config.timeout_s)

    @asynccontextmanager
    async def _place(self, prompt: Asked, deadline: float) -> AsyncIterator[Place]:
        within = self._own_deadline(deadline)
        async with self._shared.place(prompt, self.config.max_output_tokens, within) as place:
            yield place

    async def _write(self, prompt: Asked, place: Place) -> Completion:
        sampling = self._sampling | sampling_of(prompt)
        question = {
            **self._question(prompt),
            **sampling,
            # The server notices that nobody listens any more when it sends: so it sends all along.
            "stream": True,
            "return_progress": True,
            "stream_options": {"include_usage": True},
        }
        text, reason, usage = "", "", _Usage(0, 0)
        async with (
            self._shared.turn(place),
            self._shared.ask(place.address, "/v1/chat/completions", question) as response,
        ):
            async for line in response.aiter_lines():
                if not line.startswith("data: {"):
                    continue
                piece = msgspec.json.decode(line[6:], type=_Piece)
                usage = piece.usage or usage
                for choice in piece.choices:
                    text += choice.delta.content or ""
                    reason = choice.finish_reason or reason
            if not reason:
                raise httpx2.RemoteProtocolError("the stream was cut")
        place.written = usage.completion_tokens
        written = self._completion(
            prompt, text, reason, (usage.prompt_tokens, usage.completion_tokens)
        )
        return replace(written, model=_label(sampling))


def _label(sampling: Mapping[str, float | int]) -> str:
    named = ", ".join(f"{name} {value:g}" for name, value in sampling.items())
    return f"{weights.MODEL} {weights.QUANTISATION} (embedded; {named})"


def build(config: ProviderConfig, shared: Model) -> EmbeddedProvider:
    """Return the provider of one slot."""
    return EmbeddedProvider(config, shared)
