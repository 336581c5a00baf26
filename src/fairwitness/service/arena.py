"""Arena: one prompt across two to five providers, side by side, with a ranking that calls ties ties."""

from __future__ import annotations

from fairwitness.contract.ranking import summarise
from fairwitness.contract.requests import ArenaRequest
from fairwitness.contract.results import ArenaResult
from fairwitness.service.call import Call
from fairwitness.service.generate import Generation
from fairwitness.service.ids_and_times import now


class Arena:
    """The handler of POST /api/arena; arena-evidence runs the same one under its own name."""

    def __init__(
        self,
        generation: Generation,
        *,
        protocol_version: str,
        evaluator_version: str,
        noise: float,
        endpoint: str = "/api/arena",
    ) -> None:
        """Answer in the name of these versions; scores nearer than `noise` are no difference."""
        self._generation = generation
        self._protocol_version = protocol_version
        self._evaluator_version = evaluator_version
        self._noise = noise
        self._endpoint = endpoint

    async def __call__(self, request: ArenaRequest, call: Call) -> ArenaResult:
        """Run the prompt through each provider and compare."""
        items = await self._generation.results(
            self._endpoint, request, request.prompt, request.providers, call
        )
        return ArenaResult(
            request_id=call.request_id,
            completed_at=now(),
            protocol_version=self._protocol_version,
            evaluator_version=self._evaluator_version,
            results=items,
            summary=summarise(items, self._noise),
        )
