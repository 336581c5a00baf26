"""The Arena of contract 2: a prompt or a conversation across two to five providers, with evidence where it is asked for."""

from __future__ import annotations

import asyncio

from msgspec import UNSET

from fairwitness.contract.conversation import Message
from fairwitness.contract.ranking import summarise
from fairwitness.contract.requests_2 import ArenaRequest2
from fairwitness.contract.results_2 import ArenaRequestEcho2, ArenaResult2
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Keyring, witness_2
from fairwitness.providers.asked import conversation
from fairwitness.service.call import Call
from fairwitness.service.generate import Generation
from fairwitness.service.ids_and_times import now
from fairwitness.service.provider_results import Question

ENDPOINT = "/api/v2/arena"


class ArenaOfConversations:
    """The handler of POST /api/v2/arena."""

    def __init__(self, generation: Generation, evaluator: Evaluator, keyring: Keyring) -> None:
        """Judge by `evaluator` what `generation` brings, and sign it with the keyring's current key."""
        self._generation = generation
        self._evaluator = evaluator
        self._keyring = keyring

    async def __call__(self, request: ArenaRequest2, call: Call) -> ArenaResult2:
        """Run the conversation through each provider and compare."""
        # The key first: where it cannot be used, nothing is spent.
        signer = await asyncio.to_thread(self._keyring.signer) if call.evidence else None
        endpoint = f"{ENDPOINT}?evidence=true" if call.evidence else ENDPOINT
        items = await self._generation.results(
            endpoint, request, question_in(request), request.providers, call
        )
        protocol = self._evaluator.protocol
        result = ArenaResult2(
            request_id=call.request_id,
            completed_at=now(),
            protocol=protocol.name,
            protocol_version=protocol.version,
            protocol_digest=protocol.digest,
            evaluator_version=self._evaluator.version,
            results=items,
            summary=summarise(items, protocol.overall.noise),
        )
        if signer is None:
            return result
        return await asyncio.to_thread(witness_2, result, _echo(request), self._evaluator, signer)


def question_in(request: ArenaRequest2) -> Question:
    """Return what providers are asked; a prompt without a system's text or a temperature is asked as it is."""
    temperature = None if request.temperature is UNSET else request.temperature
    system = request.system or ""
    if request.messages is not UNSET:
        asked = conversation(request.messages, system, temperature)
        return Question(asked, None, request.messages)
    prompt = request.prompt or ""
    if not system and temperature is None:
        return Question(prompt, prompt)
    message = Message(role="user", content=prompt)
    return Question(conversation([message], system, temperature), prompt)


def _echo(request: ArenaRequest2) -> ArenaRequestEcho2:
    return ArenaRequestEcho2(
        prompt=request.prompt,
        messages=request.messages,
        providers=list(request.providers),
        system=request.system,
        temperature=request.temperature,
    )
