"""The embedded model: SmolLM2-135M-Instruct in a process of its own, spoken to over the OpenAI wire.

Its text comes from the weights. Where they are not installed the slot says not_configured.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import httpx2
import msgspec

from fairwitness.contract.errors import ConcurrencyLimit
from fairwitness.providers import resident, weights, wire
from fairwitness.providers.border import failure_of_status, translate
from fairwitness.providers.config import ProviderConfig
from fairwitness.providers.prices import token_count
from fairwitness.providers.provider import (
    BeforeSend,
    Completion,
    FinishReason,
    ProviderFailure,
    completion,
    freely,
)
from fairwitness.providers.resident import Gone, Link, Place, Resident
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
_REASONS: dict[str, FinishReason] = {"stop": "stop", "length": "length"}


class _Delta(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    delta: _Delta
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int
    completion_tokens: int


class _Progress(msgspec.Struct):
    processed: int = 0


class _Piece(msgspec.Struct):
    choices: list[_Choice] = []
    usage: _Usage | None = None
    prompt_progress: _Progress | None = None


class _Tokens(msgspec.Struct):
    tokens: list[int]


@dataclass(frozen=True, slots=True)
class Room:
    """A place in the line of a living process, or why there can be none."""

    link: Link | None = None
    place: Place | None = None
    failure: ProviderFailure | None = None


class EmbeddedProvider:
    """One slot of the embedded model, with its own sampling."""

    kind = "embedded"

    def __init__(self, config: ProviderConfig, shared: Resident) -> None:
        """Share the process behind `shared` with the other slots."""
        self.config = config
        self.sampling = dict(SAMPLINGS[config.slot])
        if config.temperature is not None:
            self.sampling["temperature"] = config.temperature
        self._resident = shared

    @property
    def model(self) -> str:
        """The weights and the sampling: slots differ in nothing else."""
        named = ", ".join(f"{name} {value:g}" for name, value in self.sampling.items())
        return f"{weights.MODEL} {weights.QUANTISATION} (embedded; {named})"

    def worst_case_micro_usd(self, prompt: str) -> int:
        """Return nothing: it runs on our own cores."""
        return 0

    @asynccontextmanager
    async def room(self, prompt: str, deadline: float) -> AsyncIterator[object]:
        """Hold a place in the line; the process is started here where it does not run."""
        async with AsyncExitStack() as held:
            room = Room()
            try:
                room = await held.enter_async_context(self._hold(prompt, deadline))
            except ProviderFailure as failure:
                room = Room(failure=failure)
            except Gone:
                pass  # complete starts another
            yield room

    async def complete(
        self,
        prompt: str,
        deadline: float,
        *,
        room: object = None,
        before_send: BeforeSend = freely,
    ) -> Completion:
        """Write one response, once more where the process ended under it."""
        before_send()
        deadline = self._own_deadline(deadline)
        given = room if isinstance(room, Room) else Room()
        try:
            if given.failure is not None:
                raise given.failure
            try:
                if given.place is not None:
                    return await self._write(prompt, deadline, given)
                async with self._hold(prompt, deadline) as fresh:
                    return await self._write(prompt, deadline, fresh)
            except Gone:
                before_send()
            async with self._hold(prompt, deadline) as fresh:
                return await self._write(prompt, deadline, fresh)
        except ConcurrencyLimit as full:
            failure = ProviderFailure("rate_limited", full.message, generated_nothing=True)
            raise failure from None
        except (ProviderFailure, Gone) as error:
            failure = translate(error)
            failure.cost_micro_usd = 0
            raise failure from None

    async def aclose(self) -> None:
        """Let go of the process; it ends with its last user."""
        await self._resident.aclose()

    def _own_deadline(self, deadline: float) -> float:
        return min(deadline, asyncio.get_running_loop().time() + self.config.timeout_s)

    @asynccontextmanager
    async def _hold(self, prompt: str, deadline: float) -> AsyncIterator[Room]:
        deadline = self._own_deadline(deadline)
        link = await self._resident.link(deadline)
        tokens = await _count(link, prompt, deadline)
        left_s = deadline - asyncio.get_running_loop().time()
        async with link.place(tokens, self.config.max_output_tokens, left_s) as place:
            yield Room(link, place)

    async def _write(self, prompt: str, deadline: float, room: Room) -> Completion:
        assert room.link is not None
        assert room.place is not None
        try:
            async with asyncio.timeout_at(deadline):
                await room.place.turn
                written = await self._stream(prompt, room.link, room.place)
        except Exception as error:
            raise await _told(error, room.link) from None
        room.place.written, room.place.read = written.output_tokens, written.input_tokens
        return written

    async def _stream(self, prompt: str, link: Link, place: Place) -> Completion:
        question = {
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": self.config.max_output_tokens,
            "stream": True,
            # Something to send while the prompt is read: a closed connection is noticed by sending.
            "return_progress": True,
            "stream_options": {"include_usage": True},
            **self.sampling,
        }
        pieces: list[str] = []
        reason, usage = "", _Usage(0, 0)
        place.read = place.written = 0
        async with (
            _http(link) as http,
            http.stream("POST", "/v1/chat/completions", json=question) as response,
        ):
            if not response.is_success:
                raise failure_of_status(response.status_code)
            async for line in response.aiter_lines():
                if not line.startswith("data: {"):
                    continue
                piece = msgspec.json.decode(line[6:], type=_Piece)
                usage = piece.usage or usage
                if piece.prompt_progress is not None:
                    place.read = piece.prompt_progress.processed
                for choice in piece.choices:
                    pieces.append(choice.delta.content or "")
                    if choice.delta.content and not place.written:
                        link.has_read(place)
                    place.written += bool(choice.delta.content)
                    reason = choice.finish_reason or reason
        if not reason:
            raise ProviderFailure("unreachable")  # the stream was cut
        return completion(
            text="".join(pieces),
            finish_reason=_REASONS.get(reason, "other"),
            input_tokens=token_count(usage.prompt_tokens),
            output_tokens=token_count(usage.completion_tokens),
            cost_micro_usd=0,
            model=self.model,
        )


@asynccontextmanager
async def _http(link: Link) -> AsyncIterator[httpx2.AsyncClient]:
    transport = wire.GuardedTransport(link.url, Secret(link.key))
    async with wire.client(transport) as client:
        client.base_url = httpx2.URL(link.url)
        yield client


async def _count(link: Link, prompt: str, deadline: float) -> int:
    answer_by = asyncio.get_running_loop().time() + resident.ANSWER_S
    try:
        async with asyncio.timeout_at(min(deadline, answer_by)), _http(link) as http:
            response = await http.post("/tokenize", json={"content": prompt})
            return len(msgspec.json.decode(response.content, type=_Tokens).tokens)
    except TimeoutError:
        if deadline <= answer_by:
            raise ProviderFailure("timeout") from None
        link.abandon()
        raise Gone from None
    except Exception as error:
        raise await _told(error, link) from None


async def _told(error: Exception, link: Link) -> Exception:
    """Return Gone where an error came of the process's end, else our failure for it."""
    if isinstance(error, Gone):
        return error
    failure = translate(error)
    return Gone() if failure.code == "unreachable" and await link.ended() else failure


def build(config: ProviderConfig, shared: Resident) -> EmbeddedProvider:
    """Return the provider of one slot."""
    return EmbeddedProvider(config, shared)
