"""Coherence: is the response complete, free of repetition, in the right language, with code and data that parse?

Each detector has its own file; this one runs them all and collects their findings.
"""

from __future__ import annotations

from typing import get_args

from fairwitness.contract.evaluation import ReviewReason, Severity
from fairwitness.evaluator.criteria.coherence import (
    broken_paragraphs,
    code_blocks,
    code_language,
    contradictions,
    cutoff,
    encoding_damage,
    gibberish,
    language,
    outline,
    repetition,
    totals_and_counts,
)
from fairwitness.evaluator.criteria.coherence.examples import EXAMPLES
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Finding, Judgement
from fairwitness.evaluator.protocol import CriterionSpec
from fairwitness.evaluator.signals import Signals

__all__ = ["EXAMPLES", "judge"]

_SEVERITY_ORDER: tuple[Severity, ...] = get_args(Severity)
_DETECTORS = (
    cutoff.find,
    broken_paragraphs.find,
    repetition.find,
    encoding_damage.find,
    gibberish.find,
    language.find,
    code_blocks.find,
    code_language.find,
    outline.find,
    contradictions.find,
    totals_and_counts.find,
)


def judge(exchange: Exchange, spec: CriterionSpec, signals: Signals) -> Judgement:
    """Judge the response's form; its content is other criteria's business."""
    findings: list[Finding] = []
    for detector in _DETECTORS:
        findings += detector(exchange)
    reasons: frozenset[ReviewReason] = frozenset()
    if language.is_unsupported_script(exchange.response):
        reasons = frozenset({"language_unsupported"})
    if not findings:
        return Judgement(
            summary="No cut-off, repetition, broken code or contradiction was detected.",
            reasons=reasons,
        )
    worst = max(findings, key=lambda finding: _SEVERITY_ORDER.index(finding.severity))
    return Judgement(summary=worst.message, findings=tuple(findings), reasons=reasons)
