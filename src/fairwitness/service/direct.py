"""Direct evaluation: judges a response the caller already has; no provider, no store."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from fairwitness.contract.requests import EvaluateResponseRequest
from fairwitness.contract.results import Assessment, EvaluateResponseResult, Evaluation
from fairwitness.service.call import Call
from fairwitness.service.pool import EvaluationPool
from fairwitness.service.stamps import new_id, now


def stamped(assessment: Assessment) -> Evaluation:
    """Give a pure assessment its id."""
    return Evaluation(evaluationId=new_id(), **msgspec.structs.asdict(assessment))


class DirectEvaluation:
    """The story behind POST /api/evaluate-response."""

    def __init__(self, pool: EvaluationPool, caller_of: Callable[[Call], bytes]) -> None:
        """Evaluate in `pool`, each caller in its turn."""
        self._pool = pool
        self._caller_of = caller_of

    async def __call__(
        self, request: EvaluateResponseRequest, call: Call
    ) -> EvaluateResponseResult:
        """Judge one response."""
        assessment = await self._pool.evaluate(
            request.prompt, request.response, caller=self._caller_of(call)
        )
        return EvaluateResponseResult(
            requestId=call.request_id,
            completedAt=now(),
            protocolVersion=self._pool.evaluator.protocol.version,
            evaluatorVersion=self._pool.evaluator.version,
            evaluation=stamped(assessment),
        )
