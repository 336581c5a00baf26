"""The service with nothing to judge: every layer of ours around one and the same answer of typical size.

PERF_HANDOVER=no answers in the event loop, which leaves the HTTP layer alone; otherwise the work goes to the
evaluator's thread and back, as every evaluation does.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from fairwitness.cli import main
from fairwitness.contract.evaluation import Evaluation
from fairwitness.evaluator import Evaluator, engine
from fairwitness.evaluator.protocol import Protocol
from fairwitness.service.pool import EvaluationPool
from perf.sample_texts import prose

T = TypeVar("T")
_of = Evaluator.of


class _Constant(Evaluator):
    """Answers what the real one said of a typical text, whatever it is asked."""

    answer: Evaluation

    def evaluate(self, *texts: object, **options: object) -> Evaluation:
        return self.answer


def _constant(
    protocol: Protocol, on_failure: engine.OnFailure | None = None, *rest: int
) -> Evaluator:
    real = _of(protocol, on_failure, *rest)
    constant = _Constant(real.protocol, real.criteria, real.readers)
    object.__setattr__(constant, "answer", real.evaluate(prose(120), prose(1200)))
    return constant


async def _in_the_loop(
    self: EvaluationPool, work: Callable[[], T], *, caller: bytes, cost: float, paid: bool = False
) -> T:
    return work()


Evaluator.of = staticmethod(_constant)  # type: ignore[method-assign, assignment]
if os.environ.get("PERF_HANDOVER") == "no":
    EvaluationPool.run = _in_the_loop  # type: ignore[method-assign]

if __name__ == "__main__":
    main()
