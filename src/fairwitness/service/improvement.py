"""The improvement demonstration: bounded, deterministic, measured by the evaluator alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from fairwitness.contract.evaluation import Evaluation
from fairwitness.contract.requests import ImprovementRequest
from fairwitness.contract.results import ImprovementResult
from fairwitness.revision import Improvement, Search, advance, search
from fairwitness.service.call import Call
from fairwitness.service.direct_evaluation import stamped
from fairwitness.service.ids_and_times import now
from fairwitness.service.pool import EvaluationPool, estimate


class ImprovementDemo:
    """The handler of POST /api/improvement-demo."""

    def __init__(self, pool: EvaluationPool, caller_of: Callable[[Call], bytes]) -> None:
        """Search in `pool`, one evaluation at a time: between two of them other callers have their turn."""
        self._pool = pool
        self._caller_of = caller_of

    async def __call__(self, request: ImprovementRequest, call: Call) -> ImprovementResult:
        """Improve one response by its own findings."""
        evaluator = self._pool.evaluator
        found = await self._search(request.prompt, request.response, self._caller_of(call))
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

    async def _search(self, prompt: str, response: str, caller: bytes) -> Improvement:
        evaluator = self._pool.evaluator
        running = search(prompt, response)
        found: str | Improvement = next(running)
        while isinstance(found, str):
            measure = partial(evaluator.evaluate, prompt, found)
            found = await self._pool.run(
                partial(_step, running, measure), caller=caller, cost=estimate(prompt, found)
            )
        return found


def _step(running: Search, measure: Callable[[], Evaluation]) -> str | Improvement:
    return advance(running, measure())
