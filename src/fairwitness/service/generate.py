"""Generate and evaluate: every selected provider at once under one deadline, each response judged as it comes.

A provider that fails, or whose response cannot be judged, stays visible in its place and takes no other
with it. What may be spent is admission's to say.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack

import msgspec
import structlog
from msgspec import UNSET

from fairwitness.contract.errors import (
    KillSwitchActive,
    LedgerUnavailable,
    Overloaded,
    ProvidersFailed,
)
from fairwitness.contract.evaluation import Evaluation
from fairwitness.contract.requests import Body, GenerateRequest
from fairwitness.contract.results import (
    CompletedItem,
    GenerateResult,
    ResultItem,
    Usage,
)
from fairwitness.providers.border import translate
from fairwitness.providers.provider import Completion, Provider, ProviderFailure
from fairwitness.service.admission import Admission
from fairwitness.service.call import Call
from fairwitness.service.direct_evaluation import stamped
from fairwitness.service.ids_and_times import now
from fairwitness.service.provider_results import (
    Evaluate,
    Found,
    Limited,
    Question,
    Unjudged,
    failed_item,
    item_of,
    reasons_of,
)
from fairwitness.service.run import Run, SpendAsk

# What is generated has been paid for, so its evaluation is never refused; admission's grace is longer than this wait.
JUDGE_WITHIN_S = 55.0
_RETRY_AFTER_S = 5
_UNJUDGED = "The response was generated but could not be evaluated in time."

_log = structlog.get_logger("fairwitness.generate")


class Generation:
    """Runs one prompt through providers and the evaluator; the stories are made of it."""

    def __init__(
        self,
        slots: Mapping[str, Provider | None],
        admission: Admission,
        evaluate: Evaluate,
        *,
        caller_of: Callable[[Call], bytes],
        deadline_s: float,
        judge_within_s: float = JUDGE_WITHIN_S,
        on_disbelieved: Callable[[str], None] = lambda slot: None,
    ) -> None:
        """Take the slots, the gate, the judge, who a call's caller is, and the providers' and the judge's time.

        `on_disbelieved` is told the slot whose provider reported usage that cannot be.
        """
        self._slots = slots
        self._admission = admission
        self._evaluate = evaluate
        self._caller_of = caller_of
        self._deadline_s = deadline_s
        self._judge_within_s = judge_within_s
        self._on_disbelieved = on_disbelieved

    async def results(
        self,
        endpoint: str,
        request: Body,
        question: str | Question,
        wanted: Sequence[str],
        call: Call,
    ) -> list[ResultItem]:
        """Return one item a provider, in the order asked for; `call.on_result` is called with each as it finishes.

        Where none completed, raise why a response could not be judged, else ProvidersFailed.
        """
        if isinstance(question, str):
            question = Question(question, question)
        chosen = {slot: self._slots.get(slot) for slot in wanted}
        asks = [
            SpendAsk(slot, provider.worst_case_micro_usd(question.asked))
            for slot, provider in chosen.items()
            if provider is not None
        ]
        async with self._admission.run(
            endpoint=endpoint,
            caller=self._caller_of(call),
            body_key=msgspec.json.encode(request, order="sorted"),
            asks=asks,
        ) as run:
            found = await self._together(chosen, question, run, call)
            items = [item_of(one) for one in found]
            if not any(isinstance(item, CompletedItem) for item in items):
                run.failed_wholesale()
                for one in found:
                    if isinstance(one, Unjudged):
                        raise one.error
                waits = [one.retry_after_s for one in found if isinstance(one, Limited)]
                soonest = math.ceil(min(waits)) if waits else None
                raise ProvidersFailed(details=reasons_of(items), retry_after=soonest)
            return items

    async def _together(
        self, chosen: Mapping[str, Provider | None], question: Question, run: Run, call: Call
    ) -> list[Found]:
        deadline = asyncio.get_running_loop().time() + self._deadline_s
        async with AsyncExitStack() as held:
            # Room for all or for none: a run that does not fit is refused before it begins.
            rooms = {
                slot: await held.enter_async_context(provider.room(question.asked, deadline))
                for slot, provider in chosen.items()
                if provider is not None
            }

            async def one(slot: str, provider: Provider | None) -> Found:
                found = await self._one(slot, provider, question, deadline, rooms.get(slot), run)
                call.on_result(item_of(found))
                return found

            try:
                async with asyncio.TaskGroup() as group:
                    tasks = [
                        group.create_task(one(slot, provider)) for slot, provider in chosen.items()
                    ]
            except BaseExceptionGroup as group_error:
                raise group_error.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _one(  # noqa: PLR0917 - one line of the table above
        self,
        slot: str,
        provider: Provider | None,
        question: Question,
        deadline: float,
        room: object,
        run: Run,
    ) -> Found:
        if provider is None:
            return failed_item(slot, None, ProviderFailure("not_configured"), 0)
        clock = asyncio.get_running_loop().time
        started = clock()
        try:
            completion = await provider.complete(
                question.asked, deadline, room=room, before_send=lambda: run.sent(slot)
            )
        except (KillSwitchActive, LedgerUnavailable):
            raise  # these stop the whole run; everything else is this provider's own
        except Exception as error:
            failure = translate(error)
            if failure is not error:
                _log.error("provider_broke", slot=slot, error=type(error).__name__)
            usage = self._settled(slot, failure, run)
            item = failed_item(
                slot, provider.model, failure, round((clock() - started) * 1000), usage
            )
            _log.info("provider_failed", slot=slot, code=failure.code, ms=item.latency_ms)
            return Limited(item, failure.retry_after_s) if failure.retry_after_s else item
        usage = self._settled(slot, completion, run)
        return await self._judged(
            slot, question, completion, round((clock() - started) * 1000), usage
        )

    def _settled(self, slot: str, ended: Completion | ProviderFailure, run: Run) -> Usage | None:
        """Settle a slot and return what it used; None where nothing was sent."""
        if ended.usage_disbelieved:
            _log.warning("provider_usage_disbelieved", slot=slot)
            self._on_disbelieved(slot)
        run.settle(slot, ended.cost_micro_usd)
        counted = run.counted(slot)
        if counted is None:
            return None
        tokens = (
            (ended.input_tokens, ended.output_tokens)
            if isinstance(ended, Completion)
            else (None, None)
        )
        return Usage(input_tokens=tokens[0], output_tokens=tokens[1], cost_usd=counted / 1_000_000)

    async def _judged(
        self,
        slot: str,
        question: Question,
        completion: Completion,
        latency_ms: int,
        usage: Usage | None,
    ) -> CompletedItem | Unjudged:
        assert usage is not None, "what completed was sent"
        try:
            evaluation = await self._patiently(question, completion)
        except Exception as error:
            _log.error("response_unjudged", slot=slot, error=type(error).__name__)
            failure = ProviderFailure("timeout", _UNJUDGED)
            item = failed_item(slot, completion.model, failure, latency_ms, usage)
            return Unjudged(item, error)
        return CompletedItem(
            provider_id=slot,
            model=completion.model,
            response=completion.text,
            truncated=True if completion.truncated else UNSET,
            finish_reason=completion.finish_reason,
            evaluation=stamped(evaluation),
            latency_ms=latency_ms,
            usage=usage,
        )

    async def _patiently(self, question: Question, completion: Completion) -> Evaluation:
        text, reason = completion.text, completion.finish_reason
        try:
            async with asyncio.timeout(self._judge_within_s):
                if question.messages is None:
                    return await self._evaluate(question.prompt, text, finish_reason=reason)
                return await self._evaluate(
                    None, text, finish_reason=reason, messages=question.messages
                )
        except TimeoutError:
            raise Overloaded(retry_after=_RETRY_AFTER_S) from None


class GenerateAndEvaluate:
    """The story behind POST /api/evaluate."""

    def __init__(
        self, generation: Generation, *, protocol_version: str, evaluator_version: str
    ) -> None:
        """Answer in the name of these versions."""
        self._generation = generation
        self._protocol_version = protocol_version
        self._evaluator_version = evaluator_version

    async def __call__(self, request: GenerateRequest, call: Call) -> GenerateResult:
        """Generate through each provider and judge each response."""
        items = await self._generation.results(
            "/api/evaluate", request, request.prompt, request.provider_ids, call
        )
        return GenerateResult(
            request_id=call.request_id,
            completed_at=now(),
            protocol_version=self._protocol_version,
            evaluator_version=self._evaluator_version,
            results=items,
        )
