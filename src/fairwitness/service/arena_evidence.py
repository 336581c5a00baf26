"""Arena with evidence: one Arena run, and the signed artifact made of its very objects."""

from __future__ import annotations

import asyncio

from fairwitness.contract.requests import ArenaRequest
from fairwitness.contract.results import ArenaEvidenceResult, ArenaRequestEcho
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Keyring, witness
from fairwitness.service.arena import Arena
from fairwitness.service.call import Call


class ArenaWithEvidence:
    """The handler of POST /api/arena-evidence."""

    def __init__(self, arena: Arena, evaluator: Evaluator, keyring: Keyring) -> None:
        """Bind what `arena` returns, judged by `evaluator`, with the keyring's current key."""
        self._arena = arena
        self._evaluator = evaluator
        self._keyring = keyring

    async def __call__(self, request: ArenaRequest, call: Call) -> ArenaEvidenceResult:
        """Run the arena and sign its answer."""
        # The key first: where it cannot be used, nothing is spent.
        signer = await asyncio.to_thread(self._keyring.signer)
        result = await self._arena(request, call)
        echo = ArenaRequestEcho(prompt=request.prompt, providers=list(request.providers))
        return await asyncio.to_thread(witness, result, echo, self._evaluator, signer)
