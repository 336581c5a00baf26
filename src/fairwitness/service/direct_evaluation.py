"""Direct evaluation: judges a response the caller already has; no provider, no store."""

from __future__ import annotations

import msgspec

from fairwitness.contract.requests import EvaluateResponseRequest
from fairwitness.contract.results import Assessment, EvaluateResponseResult, Evaluation
from fairwitness.service.call import Call
from fairwitness.service.ids_and_times import new_id, now
from fairwitness.service.pool import EvaluationPool


def stamped(assessment: Assessment) -> Evaluation:
    """Give a pure assessment its id."""
    return Evaluation(evaluationId=new_id(), **msgspec.structs.asdict(assessment))


class DirectEvaluation:
    """The handler of POST /api/evaluate-response."""

    def __init__(self, pool: EvaluationPool) -> None:
        """Evaluate in `pool`."""
        self._pool = pool

    async def __call__(
        self, request: EvaluateResponseRequest, call: Call
    ) -> EvaluateResponseResult:
        """Judge one response."""
        assessment = await self._pool.evaluate(request.prompt, request.response)
        return EvaluateResponseResult(
            requestId=call.request_id,
            completedAt=now(),
            protocolVersion=self._pool.evaluator.protocol.version,
            evaluatorVersion=self._pool.evaluator.version,
            evaluation=stamped(assessment),
        )
