"""Evaluation by contract 2: a response with its conversation, context and reference, by one of several protocols.

Only a protocol with judged criteria asks providers, through admission; what it asked goes into the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from msgspec import UNSET

from fairwitness.contract.errors import PayloadTooLarge
from fairwitness.contract.requests_2 import EvaluateRequest2
from fairwitness.contract.results_2 import EvaluateResult2, Scope
from fairwitness.evaluator.engine import Assessment, Evaluator
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.readers import count_tokens
from fairwitness.service.call import Call
from fairwitness.service.direct_evaluation import stamped
from fairwitness.service.ids_and_times import now
from fairwitness.service.judging import Judged, Judging, Spender
from fairwitness.service.pool import BASE_S, EvaluationPool
from fairwitness.service.protocols import Protocols

T = TypeVar("T")
Evaluates = Callable[[EvaluateRequest2, Call], Awaitable[EvaluateResult2]]

ENDPOINT = "/api/v2/evaluate-response"
# No text of this share of the limit, in characters, has more tokens than the limit: of symbols that are read
# by their names only the first few hundred are.
_SURELY_SHORT = 0.5


class ExchangeEvaluation:
    """The handler of POST /api/v2/evaluate-response."""

    def __init__(
        self,
        pool: EvaluationPool,
        protocols: Protocols,
        judging: Judging,
        caller_of: Callable[[Call], bytes],
    ) -> None:
        """Evaluate in `pool`, each caller in its turn, by one of `protocols`; `judging` asks their judges."""
        self._pool = pool
        self._judging = judging
        self._protocols = protocols
        self._caller_of = caller_of

    async def __call__(self, request: EvaluateRequest2, call: Call) -> EvaluateResult2:
        """Judge one response by the protocol the request names."""
        evaluator = self._protocols.choose(request.protocol, request.protocol_digest)
        exchange = exchange_in(request)
        caller = self._caller_of(call)
        assessed: Assessment | Judged = await self._pool.assess(
            exchange, caller=caller, work=lambda: self._assess(evaluator, exchange)
        )
        if evaluator.protocol.judged:
            spender = Spender(ENDPOINT, caller, msgspec.json.encode(request, order="sorted"))
            assessed = await self._judging.judged(
                evaluator, exchange, spender, off_loop=self._in_pool
            )
        return EvaluateResult2(
            request_id=call.request_id,
            completed_at=now(),
            protocol=evaluator.protocol.name,
            protocol_version=evaluator.protocol.version,
            protocol_digest=evaluator.protocol.digest,
            evaluator_version=evaluator.version,
            evaluation_scope=scope_of(exchange),
            coverage=assessed.coverage,
            evaluation=stamped(assessed.evaluation),
            judge_record=assessed.record if isinstance(assessed, Judged) else UNSET,
        )

    def _in_pool(self, work: Callable[[], T], /) -> Awaitable[T]:
        """Run what follows on a judged exchange, which has had its caller's turn."""
        return self._pool.run(work, caller=b"", cost=BASE_S, paid=True)

    def _assess(self, evaluator: Evaluator, exchange: Exchange) -> Assessment:
        """Judge in a thread of the pool: to count the tokens of a long response takes its time, too."""
        most, response = self._protocols.max_tokens_read, exchange.response.value
        if len(response) > most * _SURELY_SHORT and count_tokens(response) > most:
            raise PayloadTooLarge(
                details=[f"response: more than {most} tokens, the most that is read of one"]
            )
        return evaluator.assess(exchange)


def exchange_in(request: EvaluateRequest2) -> Exchange:
    """Return the exchange a request holds."""
    answer = request.answer
    return Exchange(
        request.prompt or "",
        answer.content,
        context=request.context or (),
        messages=request.messages or (),
        reference=None if request.reference is UNSET else request.reference or None,
        tool_calls=answer.calls,
    )


def scope_of(exchange: Exchange) -> Scope:
    """Return what the evaluation was given to judge."""
    more = exchange.context or exchange.reference is not None or len(exchange.messages) > 1
    return "response_text_and_context" if more else "response_text_only"
