"""promptfoo's shapes: what its webhook assertion sends and reads, and an evaluation as one of its gradings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from fairwitness.contract.evaluation import Evaluation, Result, VerdictItem
from fairwitness.contract.tool_body import ToolBody


class WebhookContext(Struct, frozen=True, kw_only=True):
    """What promptfoo tells about the test: the rendered prompt, which may be a chat as JSON, and the variables."""

    prompt: Any = None
    vars: dict[str, Any] = msgspec.field(default_factory=dict)


class WebhookRequest(ToolBody, frozen=True, kw_only=True):
    """What a webhook assertion sends."""

    output: Any
    context: WebhookContext = WebhookContext()


class WebhookResult(Result, frozen=True, kw_only=True):
    """All that promptfoo reads of an answer. One without `pass` would count as a pass, so it is always there."""

    passed: bool = msgspec.field(name="pass")
    score: float
    reason: str


def grading(evaluation: Evaluation, review_passes: bool, criteria: Iterable[str]) -> dict[str, Any]:
    """Return an evaluation in promptfoo's shape; `pass` is always a real boolean."""
    chosen = [evaluation[name] for name in criteria]
    verdicts = [item.verdict for item in chosen] or [evaluation.overall_verdict]
    passed = all(
        verdict in {"pass", "not_applicable"} or (review_passes and verdict == "needs_review")
        for verdict in verdicts
    )
    applicable = [item for item in chosen or evaluation.verdicts if item.score is not None]
    score = evaluation.overall_score
    if chosen:
        score = min((item.score for item in applicable if item.score is not None), default=100.0)
    return {
        "pass": passed,
        "score": score / 100,
        "reason": _reason(evaluation, chosen),
        "namedScores": {item.criterion_id: (item.score or 0.0) / 100 for item in applicable},
        "componentResults": [_component(item, review_passes) for item in applicable],
    }


def _reason(evaluation: Evaluation, chosen: list[VerdictItem]) -> str:
    if chosen:
        told = [f"{item.criterion_id}: {item.verdict}. {item.summary}" for item in chosen]
        return " ".join(told)
    causes = " ".join(detail.message for detail in evaluation.reason_details)
    failed = [item for item in evaluation.verdicts if item.verdict == "fail"]
    causes = causes or " ".join(f"{item.title}: {item.summary}" for item in failed)
    return f"{evaluation.overall_verdict}: {causes or f'{evaluation.overall_score:g} of 100'}"


def _component(item: VerdictItem, review_passes: bool) -> dict[str, Any]:
    passed = item.verdict == "pass" or (review_passes and item.verdict == "needs_review")
    return {
        "pass": passed,
        "score": (item.score or 0.0) / 100,
        "reason": f"{item.title}: {item.verdict.replace('_', ' ')}. {item.summary}",
    }
