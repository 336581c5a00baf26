"""How far people agree with each other, and with the evaluator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class Agreement:
    """How far reviewers agree on what two or more of them labelled pass or fail."""

    items: int
    # Share of pairs of reviewers that said the same; None where no item has two labels.
    share: float | None
    # Krippendorff's alpha for nominal data; None also where only one verdict was ever given.
    alpha: float | None


def agreement(items: Iterable[Mapping[str, str]]) -> Agreement:
    """Compare the verdicts of reviewers, item by item; `skip` is no verdict."""
    rated = [[verdict for verdict in item.values() if verdict != "skip"] for item in items]
    rated = [verdicts for verdicts in rated if len(verdicts) > 1]
    pairs = [pair for verdicts in rated for pair in combinations(verdicts, 2)]
    if not pairs:
        return Agreement(0, None, None)
    share = sum(one == other for one, other in pairs) / len(pairs)
    return Agreement(len(rated), share, _alpha(rated))


def _alpha(rated: list[list[str]]) -> float | None:
    """Return 1 - observed / expected disagreement, over all values that can be paired."""
    totals = Counter(verdict for verdicts in rated for verdict in verdicts)
    count = sum(totals.values())
    # An item's pairs count by 1 / (its number of labels - 1), so that each label counts once.
    observed = sum(
        (len(verdicts) ** 2 - sum(n * n for n in Counter(verdicts).values())) / (len(verdicts) - 1)
        for verdicts in rated
    )
    expected = (count**2 - sum(n * n for n in totals.values())) / (count - 1)
    return None if expected == 0 else 1 - observed / expected
