"""Arena with evidence: the same run as Arena, and a signed record made of the very objects it returned."""

from __future__ import annotations

import asyncio

from fairwitness.contract.requests import ArenaRequest
from fairwitness.contract.results import ArenaEvidenceResult, ArenaRequestEcho
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Keyring, witness
from fairwitness.service.arena import Arena
from fairwitness.service.call import Call


class ArenaWithEvidence:
    """The story behind POST /api/arena-evidence."""

    def __init__(self, arena: Arena, evaluator: Evaluator, keyring: Keyring) -> None:
        """Run `arena` (its endpoint /api/arena-evidence) and sign for what `evaluator` judged."""
        self._arena = arena
        self._evaluator = evaluator
        self._keyring = keyring

    async def __call__(self, request: ArenaRequest, call: Call) -> ArenaEvidenceResult:
        """Run the Arena and bind its answer."""
        # The key first: where it cannot be used nothing is spent.
        signer = await asyncio.to_thread(self._keyring.signer)
        result = await self._arena(request, call)
        echo = ArenaRequestEcho(prompt=request.prompt, providers=list(request.providers))
        return await asyncio.to_thread(witness, result, echo, self._evaluator, signer)
