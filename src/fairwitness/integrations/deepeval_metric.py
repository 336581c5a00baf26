"""A metric for DeepEval: `FairWitnessMetric`, judged on this machine without a key.

A response that needs review is no success: DeepEval has no third answer, and a doubt must not read as a pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from fairwitness import evaluate
from fairwitness.contract.evaluation import Evaluation


class FairWitnessMetric(BaseMetric):  # type: ignore[misc]  # DeepEval ships no types
    """The overall score from 0 to 1, or one criterion's; `retrieval_context`, or `context`, is what it should rest on.

    `threshold` is the lowest score that succeeds, beside a verdict of pass. `evaluation` holds the whole judgement.
    """

    def __init__(self, threshold: float = 0.65, criterion: str | None = None) -> None:
        """Take the lowest score that succeeds, and the id of a criterion to judge by it alone."""
        self.threshold = threshold
        self.criterion = criterion
        self.async_mode = False
        self.include_reason = True
        self.evaluation_model = "fairwitness"
        self.evaluation: Evaluation | None = None

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        """Judge one test case and return its score."""
        context: Sequence[str] | None = test_case.retrieval_context or test_case.context
        self.error, self.success, self.score = None, False, 0.0
        self.evaluation = evaluate(
            test_case.input,
            test_case.actual_output or "",
            context=list(context) if context else None,
            reference=test_case.expected_output,
        )
        verdict, score, said = self._outcome(self.evaluation)
        self.score = score
        self.success = verdict in {"pass", "not_applicable"} and score >= self.threshold
        self.reason = said
        return score

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        """Judge one test case; it takes milliseconds, so it is done at once."""
        return self.measure(test_case)

    def is_successful(self) -> bool:
        """Return whether the last test case succeeded; one that could not be judged did not."""
        return self.error is None and bool(self.success)

    @property
    def __name__(self) -> str:
        """The metric's name in reports."""
        return f"Fair Witness: {self.criterion}" if self.criterion else "Fair Witness"

    def _outcome(self, evaluation: Evaluation) -> tuple[str, float, str]:
        if self.criterion is None:
            causes = " ".join(detail.message for detail in evaluation.reason_details)
            told = f"{evaluation.overall_verdict.replace('_', ' ')}. {causes}".strip()
            return evaluation.overall_verdict, evaluation.overall_score / 100, told
        item = evaluation[self.criterion]
        score = 1.0 if item.score is None else item.score / 100
        return item.verdict, score, f"{item.verdict.replace('_', ' ')}. {item.summary}"
