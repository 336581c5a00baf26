"""Arena: one prompt across two to five providers, side by side, with a ranking that calls ties ties."""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.contract.requests import ArenaRequest
from fairwitness.contract.results import (
    ArenaResult,
    ArenaSummary,
    CompletedItem,
    RankedProvider,
    ResultItem,
)
from fairwitness.service.call import Call
from fairwitness.service.generate import Generation
from fairwitness.service.stamps import now


class Arena:
    """The story behind POST /api/arena; arena-evidence tells the same one under its own name."""

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
            requestId=call.request_id,
            completedAt=now(),
            protocolVersion=self._protocol_version,
            evaluatorVersion=self._evaluator_version,
            results=items,
            summary=summarise(items, self._noise),
        )


def summarise(items: Sequence[ResultItem], noise: float) -> ArenaSummary:
    """Count and rank; providers within `noise` of the best of their group share its rank."""
    completed = [item for item in items if isinstance(item, CompletedItem)]
    # The sort is stable: equals stay in the order of the request.
    completed.sort(key=lambda item: -item.evaluation.overallScore)
    groups: list[list[CompletedItem]] = []
    for item in completed:
        if groups and _near(groups[-1][0], item, noise):
            groups[-1].append(item)
        else:
            groups.append([item])
    ranking: list[RankedProvider] = []
    for group in groups:
        rank = len(ranking) + 1
        ranking.extend(_ranked(rank, item, tied=len(group) > 1) for item in group)
    failed = len(items) - len(completed)
    return ArenaSummary(completed=len(completed), failed=failed, ranking=ranking)


def _near(best: CompletedItem, other: CompletedItem, noise: float) -> bool:
    gap = best.evaluation.overallScore - other.evaluation.overallScore
    return gap == 0 or gap < noise


def _ranked(rank: int, item: CompletedItem, *, tied: bool) -> RankedProvider:
    return RankedProvider(
        rank=rank,
        providerId=item.providerId,
        overallScore=item.evaluation.overallScore,
        overallVerdict=item.evaluation.overallVerdict,
        tied=tied,
    )
