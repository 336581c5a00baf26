"""Turns scored judgements into the evaluation that is sent: numbered findings, and evidence cut from its source."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from fairwitness.contract.evaluation import Evaluation, Evidence, FindingItem, VerdictItem
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.scoring import Overall, Scored


def publish(scored: Sequence[Scored], overall: Overall, exchange: Exchange) -> Evaluation:
    """Return the evaluation: verdict items in protocol order, findings numbered f1, f2, ..."""
    verdicts: list[VerdictItem] = []
    findings: list[FindingItem] = []
    for item in scored:
        first = len(findings) + 1
        for number, finding in enumerate(item.judgement.findings, first):
            findings.append(_finding_item(f"f{number}", item.spec.id, finding, exchange))
        ids = [f"f{number}" for number in range(first, len(findings) + 1)]
        verdicts.append(_verdict_item(item, ids))
    return Evaluation(
        overall_score=overall.score,
        overall_verdict=overall.verdict,
        reasons=overall.reasons,
        reason_details=overall.details,
        verdicts=verdicts,
        findings=findings,
    )


def _verdict_item(item: Scored, finding_ids: list[str]) -> VerdictItem:
    applies = item.verdict != "not_applicable"
    return VerdictItem(
        criterion_id=item.spec.id,
        title=item.spec.title,
        verdict=item.verdict,
        score=item.score if applies else None,
        confidence=round(item.confidence, 2) if applies else None,
        weight=item.spec.weight,
        summary=item.judgement.summary,
        finding_ids=finding_ids,
        observed=item.judgement.observed or UNSET,
    )


def _finding_item(
    finding_id: str, criterion: str, finding: Finding, exchange: Exchange
) -> FindingItem:
    return FindingItem(
        finding_id=finding_id,
        criterion_id=criterion,
        severity=finding.severity,
        message=finding.message,
        detector=finding.detector,
        evidence=[_quote(span, exchange) for span in finding.spans],
        suggestion=finding.suggestion or UNSET,
    )


def _quote(span: Span, exchange: Exchange) -> Evidence:
    # The text is cut from the source here and nowhere else: verbatim by construction.
    return Evidence(
        source=exchange.published(span.source),
        start=span.start,
        end=span.end,
        text=exchange.text(span.source).value[span.start : span.end],
    )
