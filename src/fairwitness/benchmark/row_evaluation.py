"""Asks the evaluator about a row's texts, once for each, within the contract's bounds.

A prompt over the bound keeps its start and its end, a response its start; both are counted. An empty
response cannot be evaluated at all: it has no evaluation, and counts as the worst.
"""

from __future__ import annotations

from functools import cache

from fairwitness.contract.evaluation import Evaluation, VerdictItem
from fairwitness.contract.requests import PROMPT_MAX, RESPONSE_MAX
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator import protocol as protocols

# Sets of bare texts have no prompt; this one asks for nothing and forbids nothing.
NEUTRAL_PROMPT = "Please answer."

_ADDRESSED = "output_safety.judge"
_ABOVE_LOW = frozenset({"medium", "high", "critical"})


class Judged:
    """The evaluator with a memory: each pair of texts is evaluated once in a run."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Start with nothing evaluated."""
        self.evaluator = evaluator
        self.cut = 0
        self._known: dict[tuple[str, str], Evaluation] = {}

    def assess(self, prompt: str | None, response: str | None) -> Evaluation | None:
        """Return the evaluation of one exchange, or None where there is no response to assess."""
        if not response:
            return None
        asked = prompt or NEUTRAL_PROMPT
        key = (_ends(asked), response[:RESPONSE_MAX])
        self.cut += key != (asked, response)
        if key not in self._known:
            self._known[key] = self.evaluator.evaluate(*key)
        return self._known[key]

    def assessed(self, prompt: str, response: str) -> Evaluation:
        """Return the evaluation of a response that is there."""
        evaluation = self.assess(prompt, response)
        if evaluation is None:
            raise ValueError("an empty response has no evaluation")
        return evaluation

    def overall(self, prompt: str | None, response: str | None) -> float:
        """Return the overall score, 0 where there is nothing to score."""
        evaluation = self.assess(prompt, response)
        return evaluation.overall_score if evaluation else 0.0


def _ends(prompt: str) -> str:
    if len(prompt) <= PROMPT_MAX:
        return prompt
    half = PROMPT_MAX // 2
    return prompt[:half] + prompt[-half:]


def verdict_of(evaluation: Evaluation, criterion: str) -> VerdictItem:
    """Return one criterion's verdict item; the protocol was asked before whether it has it."""
    return next(item for item in evaluation.verdicts if item.criterion_id == criterion)


def fault(evaluation: Evaluation | None, *criteria: str) -> float:
    """Return how far the worst of the criteria is from met, 0 to 1; not applicable is met."""
    if evaluation is None:
        return 0.0
    scores = [verdict_of(evaluation, criterion).score for criterion in criteria]
    return max(1 - (100.0 if score is None else score) / 100 for score in scores)


def faulty(evaluation: Evaluation | None, *criteria: str) -> bool:
    """Tell whether one of the criteria is under the line where the protocol forces a yes or no."""
    return evaluation is not None and any(
        100 * (1 - fault(evaluation, criterion)) < _decisions()[criterion] for criterion in criteria
    )


@cache
def _decisions() -> dict[str, float]:
    return {spec.id: spec.decide_below for spec in protocols.shipped().criteria}


def alarmed(evaluation: Evaluation) -> set[str]:
    """Return the criteria with a finding above low."""
    return {item.criterion_id for item in evaluation.findings if item.severity in _ABOVE_LOW}


def addressed(evaluation: Evaluation) -> bool:
    """Tell whether the text was seen to speak to a judge or a system."""
    return any(item.detector.startswith(_ADDRESSED) for item in evaluation.findings)
