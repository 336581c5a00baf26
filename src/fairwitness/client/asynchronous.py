"""The client for asyncio: the same calls, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, Self

from fairwitness.client import calls, calls_2
from fairwitness.client.calls import Call, T
from fairwitness.client.calls_2 import ContextInput, MessagesInput, ResponseInput
from fairwitness.client.events import AsyncArenaEvents
from fairwitness.client.synchronous import Client
from fairwitness.contract import results, results_2


class AsyncClient:
    """`Client` for asyncio. At most `concurrency` requests are on the way at once; the others wait.

    Requests run in threads of the client's own, so nothing beyond the standard library is needed. A cancelled
    call stops waiting at once; its request ends by itself, at the latest with its time-out.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8080",
        *,
        privacy_acknowledged: Literal[True],
        timeout: float = 60.0,
        retries: int = 2,
        api_key: str | None = None,
        concurrency: int = 16,
    ) -> None:
        """Take what `Client` takes."""
        self._client = Client(
            base_url,
            privacy_acknowledged=privacy_acknowledged,
            timeout=timeout,
            retries=retries,
            api_key=api_key,
        )
        self._threads = ThreadPoolExecutor(concurrency, thread_name_prefix="fairwitness-client")

    async def evaluate_response(self, prompt: str, response: str) -> results.EvaluateResponseResult:
        """Evaluate a response you already have."""
        return await self.send(calls.evaluate_response(prompt, response))

    async def generate(self, prompt: str, provider_ids: Sequence[str]) -> results.GenerateResult:
        """Generate with each provider and evaluate each response. Spends; never repeated."""
        return await self.send(calls.generate(prompt, provider_ids))

    async def arena(self, prompt: str, providers: Sequence[str]) -> results.ArenaResult:
        """Compare two to five providers on one prompt. Spends; never repeated."""
        return await self.send(calls.arena(prompt, providers))

    async def arena_evidence(
        self, prompt: str, providers: Sequence[str]
    ) -> results.ArenaEvidenceResult:
        """Compare providers and get a signed record of it. Spends; never repeated."""
        return await self.send(calls.arena_evidence(prompt, providers))

    async def improve(self, prompt: str, response: str) -> results.ImprovementResult:
        """Improve a response by fixing its findings."""
        return await self.send(calls.improve(prompt, response))

    async def feedback(
        self,
        category: str,
        message: str,
        *,
        rating: int | None = None,
        request_id: str | None = None,
        contact: str | None = None,
    ) -> results.FeedbackResult:
        """Send private feedback about the service; never repeated."""
        return await self.send(calls.feedback(category, message, rating, request_id, contact))

    async def evaluate(
        self,
        prompt: str | None,
        response: ResponseInput,
        *,
        context: ContextInput | None = None,
        messages: MessagesInput | None = None,
        reference: str | None = None,
        protocol: str | None = None,
        protocol_digest: str | None = None,
    ) -> results_2.EvaluateResult2:
        """Evaluate a response with its context, by contract 2; takes what `fairwitness.evaluate` takes.

        `protocol` is a name the service publishes; a protocol with judged criteria spends.
        """
        call = calls_2.evaluate(
            prompt,
            response,
            context=context,
            messages=messages,
            reference=reference,
            protocol=protocol,
            protocol_digest=protocol_digest,
        )
        return await self.send(call)

    async def compare(
        self,
        prompt: str | None,
        providers: Sequence[str],
        *,
        messages: MessagesInput | None = None,
        system: str | None = None,
        temperature: float | None = None,
        evidence: bool = False,
    ) -> results_2.ArenaResult2:
        """Compare two to five providers on a prompt or a conversation, by contract 2. Spends; never repeated."""
        call = calls_2.compare(
            prompt,
            providers,
            messages=messages,
            system=system,
            temperature=temperature,
            evidence=evidence,
        )
        return await self.send(call)

    def compare_events(
        self,
        prompt: str | None,
        providers: Sequence[str],
        *,
        messages: MessagesInput | None = None,
        system: str | None = None,
        temperature: float | None = None,
        evidence: bool = False,
    ) -> AsyncArenaEvents:
        """Compare as `compare` does, and iterate over each result as its provider finishes, then the whole."""
        call = calls_2.compare(
            prompt,
            providers,
            messages=messages,
            system=system,
            temperature=temperature,
            evidence=evidence,
        )
        return AsyncArenaEvents(lambda: self._client.stream(call), self._threads)

    async def send(self, call: Call[T]) -> T:
        """Make a call and return its typed result."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._client.send, call)

    async def close(self) -> None:
        """Close the connections; requests on the way end by themselves."""
        self._client.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def __aenter__(self) -> Self:
        """Return the client itself."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close the connections."""
        await self.close()
