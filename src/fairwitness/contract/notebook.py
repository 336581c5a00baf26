"""Shows an evaluation in a notebook: score, verdicts, and the evidence highlighted; no script, no network."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairwitness.contract.evaluation import Evaluation, FindingItem

_COLOURS = {
    "pass": "#1a7f37",
    "fail": "#cf222e",
    "needs_review": "#9a6700",
    "not_applicable": "#6e7781",
}


def html_of(evaluation: Evaluation) -> str:
    """Return a small, self-contained piece of HTML."""
    rows = "".join(
        f"<tr><td>{escape(item.title)}</td><td>{_badge(item.verdict)}</td>"
        f"<td style='text-align:right'>{'' if item.score is None else f'{item.score:.1f}'}</td>"
        f"<td style='text-align:left'>{escape(item.summary)}</td></tr>"
        for item in evaluation.verdicts
    )
    reasons = "".join(f"<li>{escape(detail.message)}</li>" for detail in evaluation.reason_details)
    findings = "".join(_finding(item) for item in evaluation.findings)
    return (
        f"<div><p>{_badge(evaluation.overall_verdict)} <strong>{evaluation.overall_score:.1f}</strong> of 100. "
        "Facts are not checked.</p>"
        + (f"<ul>{reasons}</ul>" if reasons else "")
        + f"<table>{rows}</table>"
        + (f"<p>Findings:</p><ul>{findings}</ul>" if findings else "")
        + "</div>"
    )


def _badge(verdict: str) -> str:
    return f"<strong style='color:{_COLOURS[verdict]}'>{verdict.replace('_', ' ')}</strong>"


def _finding(finding: FindingItem) -> str:
    quotes = " … ".join(f"<mark>{escape(quote.text)}</mark>" for quote in finding.evidence)
    return f"<li>{finding.severity}: {escape(finding.message)} {quotes}</li>"
