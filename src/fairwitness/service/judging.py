"""Asks judges through the same admission, budget and kill switch as all spending, and records what they said.

A judge that is away or over the budget leaves its question unanswered, and the criterion needs review. Only the
digest of a record is kept: the record itself goes to the caller.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import structlog
from msgspec import UNSET

from fairwitness.contract.errors import KillSwitchActive, LedgerUnavailable, ServiceError
from fairwitness.contract.evaluation import Coverage, Evaluation
from fairwitness.contract.judge_record import AskedQuestion, JudgeRecord
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator import protocol as protocols
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judges.questions import JudgeQuestion
from fairwitness.evaluator.judges.replay import answers_of, recorded, sha256
from fairwitness.providers.border import translate
from fairwitness.providers.provider import Asking, Provider, ProviderFailure
from fairwitness.service.admission import Admission
from fairwitness.service.run import Run, SpendAsk
from fairwitness.service.shared_answers import SharedAnswers
from fairwitness.settings import Settings

T = TypeVar("T")

_log = structlog.get_logger("fairwitness.judging")


class OffLoop(Protocol):
    """Runs what takes the processor somewhere else than on the event loop."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]:
        """Return what the work returns."""


@dataclass(frozen=True)
class Judged:
    """An evaluation with its record: what a caller of a judged protocol is given."""

    evaluation: Evaluation
    coverage: Coverage
    record: JudgeRecord


@dataclass(frozen=True)
class Spender:
    """In whose name questions are paid for, by which endpoint, and what tells the same request again."""

    endpoint: str
    caller: bytes
    body_key: bytes

    def in_round(self, number: int) -> Spender:
        """Return the spender of another round of questions for the same request."""
        return replace(self, body_key=self.body_key + bytes(number))


@dataclass(frozen=True)
class _Pending:
    """A question on its way: its charge in the run, and its provider as it is to be asked."""

    charge: str
    question: JudgeQuestion
    provider: Provider

    @property
    def worst(self) -> int:
        return self.provider.worst_case_micro_usd(self.question.prompt)


class Judging:
    """Judges exchanges by protocols that ask models."""

    def __init__(
        self,
        slots: Mapping[str, Provider | None],
        admission: Admission,
        *,
        deadline_s: float,
        on_disbelieved: Callable[[str], None] = lambda slot: None,
        on_record: Callable[[str], None] = lambda digest: None,
    ) -> None:
        """Take the slots, the gate, and how long the judges of one exchange have together.

        `on_record` is told the digest of each record: all that is kept of it.
        """
        self._on_record = on_record
        self._slots = slots
        self._admission = admission
        self._deadline_s = deadline_s
        self._on_disbelieved = on_disbelieved

    async def judged(
        self,
        evaluator: Evaluator,
        exchange: Exchange,
        spender: Spender,
        *,
        raises: bool = True,
        shared: SharedAnswers | None = None,
        off_loop: OffLoop = asyncio.to_thread,
    ) -> Judged:
        """Ask what the protocol asks about an exchange, judge it, and record both.

        Where nothing may be spent, raise why (429, 503); without `raises` the questions stay unanswered
        instead. What `shared` has, or another is asking, is not asked for again.
        """
        questions = await off_loop(lambda: evaluator.questions(exchange))
        found = await self._answers(questions, spender, shared or SharedAnswers(), raises)
        asked = [found[question.digest] for question in questions]
        answers = answers_of(asked)
        assessment = await off_loop(lambda: evaluator.assess(exchange, answers))
        protocol = evaluator.protocol
        record = JudgeRecord(
            protocol_name=protocol.name,
            protocol_version=protocol.version,
            protocol_digest=protocol.digest,
            evaluator_version=evaluator.version,
            exchange=recorded(exchange),
            asked=asked,
            evaluation=assessment.evaluation,
        )
        self._on_record(record.digest())
        return Judged(assessment.evaluation, assessment.coverage, record)

    async def _answers(
        self,
        questions: Sequence[JudgeQuestion],
        spender: Spender,
        shared: SharedAnswers,
        raises: bool,
    ) -> dict[str, AskedQuestion]:
        """Return an answer, or why there is none, for every question; none is asked twice at the same time."""
        found: dict[str, AskedQuestion] = {}
        round_number = 0
        while missing := [question for question in questions if question.digest not in found]:
            found |= shared.known(missing)
            missing = [question for question in missing if question.digest not in found]
            claimed = shared.claim(missing)
            if not claimed:
                await shared.wait(missing)
                continue
            try:
                # A second round of the same row is no duplicate of the first.
                asked = await self._asked(claimed, spender.in_round(round_number))
                shared.add(asked)
            except ServiceError as error:
                if raises:
                    raise
                asked = {one.digest: _unanswered(one, None, error.code.value) for one in claimed}
            finally:
                shared.release(claimed)
            found |= asked
            round_number += 1
        return found

    async def _asked(
        self, questions: Sequence[JudgeQuestion], spender: Spender
    ) -> dict[str, AskedQuestion]:
        found: dict[str, AskedQuestion] = {}
        pending: list[_Pending] = []
        for number, question in enumerate(questions, 1):
            provider = self._slots.get(question.provider)
            if provider is None:
                found[question.digest] = _unanswered(question, None, "not_configured")
            else:
                charge = f"{question.provider}.{number}"
                pending.append(_Pending(charge, question, provider.as_judge(_asking(question))))
        if not pending:
            return found
        async with self._admission.run(
            endpoint=spender.endpoint,
            caller=spender.caller,
            body_key=spender.body_key,
            asks=[SpendAsk(one.charge, one.worst) for one in pending],
        ) as run:
            answered = await self._together(pending, run)
            if all(isinstance(one.answer, type(UNSET)) for one in answered):
                run.failed_wholesale()
        return found | {one.question_digest: one for one in answered}

    async def _together(self, pending: Sequence[_Pending], run: Run) -> list[AskedQuestion]:
        deadline = asyncio.get_running_loop().time() + self._deadline_s
        async with AsyncExitStack() as held:
            # Room for all or for none, as for generation.
            rooms = [
                await held.enter_async_context(one.provider.room(one.question.prompt, deadline))
                for one in pending
            ]
            try:
                async with asyncio.TaskGroup() as group:
                    tasks = [
                        group.create_task(self._answer(one, room, deadline, run))
                        for one, room in zip(pending, rooms, strict=True)
                    ]
            except BaseExceptionGroup as errors:
                raise errors.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _answer(
        self, one: _Pending, room: object, deadline: float, run: Run
    ) -> AskedQuestion:
        try:
            completion = await one.provider.complete(
                one.question.prompt, deadline, room=room, before_send=lambda: run.sent(one.charge)
            )
        except (KillSwitchActive, LedgerUnavailable):
            raise  # these stop the whole run
        except Exception as error:
            failure = translate(error)
            if failure is not error:
                _log.error("judge_broke", slot=one.question.provider, error=type(error).__name__)
            return self._failed(one, failure, run)
        if completion.usage_disbelieved:
            self._on_disbelieved(one.question.provider)
        run.settle(one.charge, completion.cost_micro_usd)
        return AskedQuestion(
            **_said(one.question, one.provider),
            answer=completion.text,
            answer_digest=sha256(completion.text),
            input_tokens=completion.input_tokens,
            output_tokens=completion.output_tokens,
            cost_micro_usd=run.counted(one.charge) or 0,
        )

    def _failed(self, one: _Pending, failure: ProviderFailure, run: Run) -> AskedQuestion:
        if failure.usage_disbelieved:
            self._on_disbelieved(one.question.provider)
        run.settle(one.charge, failure.cost_micro_usd)
        cost = run.counted(one.charge) or 0
        return _unanswered(one.question, one.provider, failure.code, cost)


def missing_parts(
    protocol: protocols.Protocol, slots: Mapping[str, Provider | None], settings: Settings
) -> list[str]:
    """Return what the judged criteria of a protocol need and this installation lacks, in words; none where all is there."""
    faults = []
    wanted = dict.fromkeys(
        (slot, spec.id) for spec in protocol.judged if spec.judge for slot in spec.judge.providers
    )
    for slot, criterion in wanted:
        if slots.get(slot) is None:
            faults.append(
                f"criteria.{criterion}.judge.providers: {slot} is not configured; add [providers.{slot}] to the "
                "settings file that FAIRWITNESS_CONFIG names, or install the embedded model"
            )
    if protocol.judged and not settings.spend_enabled:
        faults.append("FAIRWITNESS_SPEND_ENABLED is false, so no judge may be asked")
    priced = any(
        provider is not None and provider.worst_case_micro_usd("") for provider in slots.values()
    )
    for name in ("budget_per_hour_usd", "budget_per_day_usd"):
        if protocol.judged and priced and not getattr(settings, name):
            faults.append(f"FAIRWITNESS_{name.upper()} is 0, so no judge can be paid")
    return faults


def _asking(question: JudgeQuestion) -> Asking:
    return Asking(question.temperature, question.seed, question.max_tokens, question.schema)


def _unanswered(
    question: JudgeQuestion, provider: Provider | None, code: str, cost: int = 0
) -> AskedQuestion:
    return AskedQuestion(**_said(question, provider), unavailable=code, cost_micro_usd=cost)


def _said(question: JudgeQuestion, provider: Provider | None) -> dict[str, Any]:
    return {
        "question_digest": question.digest,
        "criterion_id": question.criterion,
        "provider_id": question.provider,
        "model": provider.model if provider else "",
        "part": question.part,
        "order": question.order,
        "temperature": question.temperature,
        "seed": question.seed,
        "max_tokens": question.max_tokens,
        "prompt": question.prompt,
        "prompt_digest": sha256(question.prompt),
    }
