"""Checks written as data in a protocol file: a criterion made of these needs no code.

Each check passes or gives one finding, with its author's severity and message and the text that shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.checks import data, document, reference, size, tools, wording
from fairwitness.evaluator.checks.check import Check, Fault
from fairwitness.evaluator.coverage import Part
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Finding, Judgement
from fairwitness.evaluator.signals import Signals

if TYPE_CHECKING:
    from fairwitness.evaluator.protocol import CriterionSpec

__all__ = ["KINDS", "Check", "judge", "kind_of", "reads"]

_SEVERITIES: tuple[Severity, ...] = get_args(Severity)
_CHECKS: tuple[type[Check], ...] = (
    *wording.CHECKS,
    *size.CHECKS,
    *document.CHECKS,
    *data.CHECKS,
    *reference.CHECKS,
    *tools.CHECKS,
)


def kind_of(check: Check | type[Check]) -> str:
    """Return the name of a check's kind, as protocol files write it."""
    return str(check.__struct_config__.tag)


# A new kind is one class in one of the modules above.
KINDS: dict[str, type[Check]] = {kind_of(check): check for check in _CHECKS}


def reads(spec: CriterionSpec) -> tuple[Part, ...]:
    """Return what the checks of a criterion read beside the prompt and the response's text."""
    return tuple(dict.fromkeys(part for check in spec.checks for part in check.READS))


def judge(exchange: Exchange, spec: CriterionSpec, signals: Signals) -> Judgement:
    """Judge a response by the checks of a criterion alone."""
    found = [(check, check.fault(exchange)) for check in spec.checks]
    findings = [_finding(check, fault, spec.id) for check, fault in found if fault is not None]
    if not findings:
        checks = "the check" if len(found) == 1 else f"all {len(found)} checks"
        return Judgement(summary=f"Passed {checks}.", confidence=1.0)
    gravest = max(findings, key=lambda finding: _SEVERITIES.index(finding.severity))
    return Judgement(
        summary=f"Failed {len(findings)} of {len(found)} checks: {gravest.message}",
        findings=tuple(findings),
        confidence=1.0,  # a check says exactly what it checks
    )


def _finding(check: Check, fault: Fault, criterion: str) -> Finding:
    detail = f" ({fault.detail})" if fault.detail else ""
    return Finding(
        severity=check.severity,
        message=f"{check.message}{detail}",
        detector=f"{criterion}.{kind_of(check)}",
        spans=fault.spans,
    )
