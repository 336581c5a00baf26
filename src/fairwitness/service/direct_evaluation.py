"""Direct evaluation: judges a response the caller already has; no provider, no store."""

from __future__ import annotations

from collections.abc import Callable

from fairwitness.contract.evaluation import Evaluation, StampedEvaluation
from fairwitness.contract.requests import EvaluateResponseRequest
from fairwitness.contract.results import EvaluateResponseResult
from fairwitness.service.call import Call
from fairwitness.service.ids_and_times import new_id, now
from fairwitness.service.pool import EvaluationPool


def stamped(evaluation: Evaluation) -> StampedEvaluation:
    """Give an evaluation its id."""
    # Field by field: what every answer costs.
    return StampedEvaluation(
        evaluation_id=new_id(),
        overall_score=evaluation.overall_score,
        overall_verdict=evaluation.overall_verdict,
        reasons=evaluation.reasons,
        reason_details=evaluation.reason_details,
        verdicts=evaluation.verdicts,
        findings=evaluation.findings,
        interpretation=evaluation.interpretation,
    )


class DirectEvaluation:
    """The handler of POST /api/evaluate-response."""

    def __init__(self, pool: EvaluationPool, caller_of: Callable[[Call], bytes]) -> None:
        """Evaluate in `pool`, each caller in its turn."""
        self._caller_of = caller_of
        self._pool = pool
        self._evaluator_version = pool.evaluator.version

    async def __call__(
        self, request: EvaluateResponseRequest, call: Call
    ) -> EvaluateResponseResult:
        """Judge one response."""
        evaluation = await self._pool.evaluate(
            request.prompt, request.response, caller=self._caller_of(call)
        )
        return EvaluateResponseResult(
            request_id=call.request_id,
            completed_at=now(),
            protocol_version=self._pool.evaluator.protocol.version,
            evaluator_version=self._evaluator_version,
            evaluation=stamped(evaluation),
        )
