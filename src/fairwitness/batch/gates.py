"""Gates: what a whole run must reach, read from the command line and held against its tally."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairwitness.batch.comparison import compare
from fairwitness.batch.paired_statistics import MIN_PAIRS
from fairwitness.batch.rows import BadInput
from fairwitness.batch.scored_runs import load
from fairwitness.batch.tally import Tally
from fairwitness.contract.evaluation import Result
from fairwitness.reports.comparison import Difference


class Outcome(Result, frozen=True, kw_only=True):
    """One gate, what was measured, and whether it is met."""

    gate: str
    value: float | None
    met: bool


@dataclass(frozen=True)
class Gates:
    """The gates of one run; none given is a run that meets them."""

    fail_under: float | None = None
    max_fail: int | None = None
    max_criterion_fail: tuple[tuple[str, int], ...] = ()
    # Rows, or a share of the judged rows in percent.
    max_review: int | None = None
    max_review_percent: float | None = None

    @classmethod
    def of(
        cls,
        criteria: Iterable[str],
        fail_under: float | None,
        max_fail: Sequence[str],
        max_review: str | None,
    ) -> Gates:
        """Read the gates; raise BadInput where one cannot be meant."""
        if fail_under is not None and not 0 <= fail_under <= 100:
            raise BadInput(f"--fail-under {fail_under:g}: must be a score, 0 to 100")
        known, whole, by_criterion = list(criteria), [], []
        for text in max_fail:
            criterion, equals, count = text.rpartition("=")
            if not equals:
                whole.append(_count("--max-fail", count))
            elif criterion in known:
                by_criterion.append((criterion, _count("--max-fail", count)))
            else:
                raise BadInput(
                    f"--max-fail {text}: no such criterion; there are {', '.join(known)}"
                )
        share = _percent(max_review) if max_review and max_review.endswith("%") else None
        rows = _count("--max-review", max_review) if max_review and share is None else None
        return cls(fail_under, min(whole, default=None), tuple(by_criterion), rows, share)

    def outcomes(self, tally: Tally) -> list[Outcome]:
        """Hold a tally against each gate."""
        found: list[Outcome] = []
        if self.fail_under is not None:
            mean = tally.mean_score
            met = mean is not None and mean >= self.fail_under
            found.append(
                Outcome(
                    gate=f"mean score at least {self.fail_under:g}",
                    value=None if mean is None else round(mean, 2),
                    met=met,
                )
            )
        failed, review = tally.verdicts["fail"], tally.verdicts["needs_review"]
        if self.max_fail is not None:
            found.append(_at_most("rows that fail", failed, self.max_fail))
        for criterion, most in self.max_criterion_fail:
            count = tally.criteria[criterion]["fail"] if criterion in tally.criteria else 0
            found.append(_at_most(f"rows that fail {criterion}", count, most))
        if self.max_review is not None:
            found.append(_at_most("rows that need review", review, self.max_review))
        if self.max_review_percent is not None:
            share = 100 * review / tally.judged if tally.judged else 0.0
            found.append(
                Outcome(
                    gate=f"rows that need review at most {self.max_review_percent:g}%",
                    value=round(share, 2),
                    met=100 * review <= self.max_review_percent * tally.judged,
                )
            )
        return found


def against_baseline(now: Path, baseline: Path) -> list[Outcome]:
    """Hold a run against an earlier one over the same rows: worse is what `compare` shows to be worse."""
    found = compare(load(baseline), load(now))
    failed = next(one for one in found.shares if one.name == "fail %")
    return [
        _no_worse(f"mean score no lower than in {found.first}", found.overall, "points", -1),
        _no_worse(f"rows that fail no more than in {found.first}", failed, "%", 1),
    ]


def _no_worse(gate: str, found: Difference, unit: str, worse: int) -> Outcome:
    """Return a gate that fails where a difference for the worse is shown; with too few pairs to show one, any counts."""
    enough = found.rows >= MIN_PAIRS
    span = f"{found.rows:,} pairs, 95% interval {found.low:+.1f} to {found.high:+.1f} {unit}"
    few = f"{found.rows:,} of the {MIN_PAIRS} pairs that tell a change from chance: any difference counts"
    is_worse = (found.is_shown or not enough) and (found.difference or 0) * worse > 0
    return Outcome(
        gate=f"{gate} ({span if enough else few})", value=found.difference, met=not is_worse
    )


def _at_most(what: str, count: int, most: int) -> Outcome:
    return Outcome(gate=f"{what} at most {most}", value=count, met=count <= most)


def _count(flag: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise BadInput(f"{flag} {text}: must be a whole number")
    return int(text)


def _percent(text: str) -> float:
    try:
        share = float(text.removesuffix("%"))
    except ValueError:
        share = -1.0
    if not 0 <= share <= 100:
        raise BadInput(f"--max-review {text}: must be a whole number, or 0% to 100%")
    return share
