"""A scorer for Inspect: `fairwitness()`, with one value for the whole and one for each criterion.

A response that needs review is unscored, with its reason: Inspect counts it apart and no mean includes it.
Found by name through the entry point: `inspect score LOG --scorer fairwitness/fairwitness`.
"""

from __future__ import annotations

import math
from typing import Any, Literal

from inspect_ai.model import ChatMessage, ContentText
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from fairwitness import evaluate
from fairwitness.contract.evaluation import Evaluation
from fairwitness.evaluator import shipped as evaluator
from fairwitness.evaluator.protocol import shipped
from fairwitness.reports.made_by import MadeBy

_OVERALL = "overall"


def _metrics() -> dict[str, list[Any]]:
    ids = [spec.id for spec in shipped().criteria]
    return {_OVERALL: [mean(), stderr()], **{name: [mean()] for name in ids}}


@scorer(metrics=_metrics(), name="fairwitness")
def fairwitness(on_review: Literal["unscored", "fail"] = "unscored") -> Scorer:
    """Score each response from 0 to 1: `overall` and every criterion of the shipped protocol.

    Earlier turns of the sample and `metadata["context"]` (a text, or a list of texts) are given to the evaluator.
    With `on_review="fail"` a response that needs review counts as 0 overall; by default it is unscored.
    """
    if on_review not in {"unscored", "fail"}:
        raise ValueError("on_review must be 'unscored' or 'fail'")

    async def score(state: TaskState, target: Target) -> Score:
        response = state.output.completion if state.output else ""
        if not response:
            return Score.unscored(reason="no_response", explanation="The model gave no text.")
        evaluation = _evaluate(state, response)
        review = evaluation.overall_verdict == "needs_review"
        overall = evaluation.overall_score / 100
        if review:
            overall = math.nan if on_review == "unscored" else 0.0
        return Score(
            value={_OVERALL: overall, **_by_criterion(evaluation)},
            answer=response,
            explanation=_explanation(evaluation),
            reason="needs_review" if review else None,
            metadata=_metadata(evaluation),
        )

    return score


def _evaluate(state: TaskState, response: str) -> Evaluation:
    context = state.metadata.get("context") if state.metadata else None
    turns = _turns(state.input)
    if len(turns) > 1:
        return evaluate(None, response, messages=turns, context=context)
    return evaluate(state.input_text, response, context=context)


def _turns(given: str | list[ChatMessage]) -> list[dict[str, str]]:
    if isinstance(given, str):
        return []
    return [{"role": message.role, "content": _text(message)} for message in given]


def _text(message: ChatMessage) -> str:
    if isinstance(message.content, str):
        return message.content
    return "\n".join(part.text for part in message.content if isinstance(part, ContentText))


def _by_criterion(evaluation: Evaluation) -> dict[str, float]:
    return {item.criterion_id: _share(item.verdict, item.score) for item in evaluation.verdicts}


def _share(verdict: str, score: float | None) -> float:
    # Not a number is Inspect's word for unscored: what does not apply, and what needs review.
    return math.nan if score is None or verdict == "needs_review" else score / 100


def _explanation(evaluation: Evaluation) -> str:
    verdict = evaluation.overall_verdict.replace("_", " ")
    lines = [f"{verdict}, {evaluation.overall_score:g} of 100"]
    lines += [detail.message for detail in evaluation.reason_details]
    for finding in evaluation.findings:
        quoted = "; ".join(f"“{evidence.text[:200]}”" for evidence in finding.evidence)
        lines.append(
            f"- {finding.severity} {finding.criterion_id}: {finding.message} {quoted}".rstrip()
        )
    return "\n".join(lines)


def _metadata(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "verdict": evaluation.overall_verdict,
        "score": evaluation.overall_score,
        "reasons": list(evaluation.reasons),
        "verdicts": {item.criterion_id: item.verdict for item in evaluation.verdicts},
        **MadeBy.of(evaluator()).to_dict(),
    }
