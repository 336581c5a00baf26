"""A story's surroundings: a real ledger, a real criterion, and providers that do what a test says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from fairwitness.contract.errors import ConcurrencyLimit
from fairwitness.contract.evaluation import Evaluation
from fairwitness.contract.requests import GenerateRequest
from fairwitness.contract.results import GenerateResult
from fairwitness.evaluator.criteria import coherence
from fairwitness.ledger import Limits
from fairwitness.ledger.sqlite import SqliteLedger
from fairwitness.providers.asked import Asked
from fairwitness.providers.provider import (
    Asking,
    BeforeSend,
    Completion,
    Provider,
    ProviderFailure,
    completion,
    freely,
)
from fairwitness.service.admission import Admission
from fairwitness.service.call import Call
from fairwitness.service.generate import GenerateAndEvaluate, Generation
from fairwitness.settings import Settings
from fairwitness.store.clock import system_clock
from tests.evaluator.building import evaluator_of

CALL = Call("request-1", "127.0.0.1")
# One criterion is enough to judge with, and quick: what the evaluator says is not tested here.
EVALUATOR = evaluator_of({"coherence": coherence.judge})


@dataclass
class Scripted:
    """A provider that does what the test says and keeps count."""

    text: str = "Plants turn light, water and carbon dioxide into sugar."
    delay_s: float = 0.0
    failure: Exception | None = None
    cost: int | None = 40
    worst: int = 1000
    finish: Any = "stop"
    no_room: bool = False
    asked: int = 0
    cancelled: int = 0
    kind: str = "scripted"
    model: str = "scripted-1"
    sampling: dict[str, float | int] = field(default_factory=dict)

    def worst_case_micro_usd(self, prompt: Asked) -> int:
        return self.worst

    @asynccontextmanager
    async def room(self, prompt: Asked, deadline: float) -> AsyncIterator[object]:
        if self.no_room:
            raise ConcurrencyLimit()
        yield self

    async def complete(
        self,
        prompt: Asked,
        deadline: float,
        *,
        room: object = None,
        before_send: BeforeSend = freely,
    ) -> Completion:
        assert room is self
        before_send()
        self.asked += 1
        try:
            async with asyncio.timeout_at(deadline):
                await asyncio.sleep(self.delay_s)
        except TimeoutError:
            raise ProviderFailure("timeout") from None
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.failure is not None:
            raise self.failure
        return completion(
            text=self.text,
            finish_reason=self.finish,
            input_tokens=7,
            output_tokens=9,
            cost_micro_usd=self.cost,
            model=self.model,
        )

    def as_judge(self, asking: Asking) -> Self:
        return self

    async def prepare(self) -> None:
        """Need nothing."""

    async def aclose(self) -> None:
        """Hold nothing."""


async def evaluate(prompt: str, response: str, *, finish_reason: str | None = None) -> Evaluation:
    return EVALUATOR.evaluate(prompt, response, finish_reason=finish_reason)


@dataclass
class House:
    """A story over a fresh ledger."""

    story: GenerateAndEvaluate
    generation: Generation
    admission: Admission
    ledger: SqliteLedger

    async def spent(self) -> int:
        return (await self.ledger.figures()).spent_day

    async def ask(self, *slots: str, prompt: str = "How do plants make food?") -> GenerateResult:
        request = GenerateRequest(
            contract_version="1.0.0",
            prompt=prompt,
            provider_ids=list(slots),  # type: ignore[arg-type]
            privacy_acknowledged=True,
        )
        return await self.story(request, CALL)


@asynccontextmanager
async def house(
    path: Path,
    slots: Mapping[str, Provider | None],
    *,
    deadline_s: float = 5.0,
    judge: Any = evaluate,
    judge_within_s: float = 20.0,
    on_disbelieved: Callable[[str], None] = lambda slot: None,
    **limits: Any,
) -> AsyncIterator[House]:
    ledger = SqliteLedger(path / "l.db", replace(Limits.of(Settings()), **limits), system_clock)
    admission = Admission(
        ledger, secret=b"k" * 32, spend_enabled=True, provider_deadline_s=deadline_s
    )
    await admission.start()
    generation = Generation(
        slots,
        admission,
        judge,
        caller_of=lambda call: b"c" * 16,
        deadline_s=deadline_s,
        judge_within_s=judge_within_s,
        on_disbelieved=on_disbelieved,
    )
    story = GenerateAndEvaluate(generation, protocol_version="p", evaluator_version="e")
    try:
        yield House(story, generation, admission, ledger)
    finally:
        await admission.close()
