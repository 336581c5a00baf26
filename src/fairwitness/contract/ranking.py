"""How an Arena's results are ranked, ties called ties: the service writes it, and a verifier writes it again."""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.contract.results import ArenaSummary, CompletedItem, RankedProvider, ResultItem


def summarise(items: Sequence[ResultItem], noise: float) -> ArenaSummary:
    """Count and rank; providers within `noise` of the best of their group share its rank."""
    completed = [item for item in items if isinstance(item, CompletedItem)]
    # The sort is stable: equals stay in the order of the request.
    completed.sort(key=lambda item: -item.evaluation.overall_score)
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
    gap = best.evaluation.overall_score - other.evaluation.overall_score
    return gap == 0 or gap < noise


def _ranked(rank: int, item: CompletedItem, *, tied: bool) -> RankedProvider:
    return RankedProvider(
        rank=rank,
        provider_id=item.provider_id,
        overall_score=item.evaluation.overall_score,
        overall_verdict=item.evaluation.overall_verdict,
        tied=tied,
    )
