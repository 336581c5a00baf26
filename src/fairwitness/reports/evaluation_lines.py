"""An evaluation as lines for tools that take scores: the whole first, then each criterion.

Unless quotations are asked for, a line says nothing that could hold text of prompt or response: what checks and judges
say in words may, so it gives their findings by the names of their detectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairwitness.contract.evaluation import (
    CriterionVerdict,
    Evaluation,
    FindingItem,
    VerdictItem,
)

OVERALL = "overall"
# The conventions of OpenTelemetry for generative AI.
EVENT = "gen_ai.evaluation.result"
_MAX_EXPLANATION = 2000


@dataclass(frozen=True, slots=True)
class Line:
    """The whole or one criterion: `name` is `overall` or the criterion's id."""

    name: str
    verdict: CriterionVerdict
    score: float | None
    explanation: str
    # Whether the criterion raised an error, and so was not judged.
    broken: bool = False

    def attributes(self) -> dict[str, str | float]:
        """Return the line as the attributes of OpenTelemetry's event."""
        found: dict[str, str | float] = {
            "gen_ai.evaluation.name": f"fairwitness.{self.name}",
            "gen_ai.evaluation.score.label": self.verdict,
        }
        if self.score is not None:
            found["gen_ai.evaluation.score.value"] = self.score
        if self.explanation:
            found["gen_ai.evaluation.explanation"] = self.explanation
        if self.broken:
            found["error.type"] = "criterion_failed"
        return found


def lines_of(evaluation: Evaluation, *, quote: bool = False) -> Iterator[Line]:
    """Yield the lines; with `quote` the explanations are the evaluator's words and the quoted evidence."""
    causes = " ".join(detail.message for detail in evaluation.reason_details)
    yield Line(OVERALL, evaluation.overall_verdict, evaluation.overall_score, causes)
    broken = {
        detail.criterion_id
        for detail in evaluation.reason_details
        if detail.code == "criterion_failed"
    }
    for item in evaluation.verdicts:
        found = [one for one in evaluation.findings if one.finding_id in item.finding_ids]
        told = _quoted(item, found) if quote else _named(found)
        yield Line(
            item.criterion_id,
            item.verdict,
            item.score,
            told[:_MAX_EXPLANATION],
            item.criterion_id in broken,
        )


def _named(findings: list[FindingItem]) -> str:
    names = sorted({f"{one.detector} ({one.severity})" for one in findings})
    return f"Found: {', '.join(names)}." if names else ""


def _quoted(item: VerdictItem, findings: list[FindingItem]) -> str:
    evidence = [f"“{quoted.text}”" for one in findings for quoted in one.evidence]
    return " ".join([item.summary, *evidence]).strip()
