"""The improvement demonstration: bounded, deterministic, measured by the evaluator alone."""

from __future__ import annotations

from fairwitness.contract.requests import ImprovementRequest
from fairwitness.contract.results import ImprovementResult
from fairwitness.revision import improve
from fairwitness.service.call import Call
from fairwitness.service.direct_evaluation import stamped
from fairwitness.service.ids_and_times import now
from fairwitness.service.pool import EvaluationPool


class ImprovementDemo:
    """The handler of POST /api/improvement-demo."""

    def __init__(self, pool: EvaluationPool) -> None:
        """Search in `pool`: one demonstration takes one place, however many evaluations it makes."""
        self._pool = pool

    async def __call__(self, request: ImprovementRequest, call: Call) -> ImprovementResult:
        """Improve one response by its own findings."""
        evaluator = self._pool.evaluator
        found = await self._pool.run(
            lambda: improve(evaluator.evaluate, request.prompt, request.response)
        )
        return ImprovementResult(
            request_id=call.request_id,
            completed_at=now(),
            protocol_version=evaluator.protocol.version,
            evaluator_version=evaluator.version,
            before=stamped(found.before),
            steps=found.steps,
            rejected=found.rejected,
            unresolved=found.unresolved,
            revised_response=found.revised,
            diff=found.diff,
            after=stamped(found.after),
            improved=found.improved,
        )
