"""The record of a judged evaluation: the exact questions and answers, so that anyone can replay it without a network.

It holds the judged texts. The service returns it and keeps its digest alone.
"""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from fairwitness.contract.conversation import Message, Passage, ToolCall
from fairwitness.contract.evaluation import Evaluation, Result

RECORD_FORMAT: Literal["fairwitness-judge-record-1"] = "fairwitness-judge-record-1"


class AskedQuestion(Result, frozen=True, kw_only=True, omit_defaults=True):
    """One question as it was sent, and the answer as it came, or why there is none."""

    question_digest: str
    criterion_id: str
    provider_id: str
    model: str
    part: str
    order: int
    temperature: float
    seed: int
    max_tokens: int
    prompt: str
    prompt_digest: str
    answer: str | UnsetType = UNSET
    answer_digest: str | UnsetType = UNSET
    unavailable: str | UnsetType = UNSET
    input_tokens: int | UnsetType | None = UNSET
    output_tokens: int | UnsetType | None = UNSET
    cost_micro_usd: int = 0


class RecordedExchange(Result, frozen=True, kw_only=True, omit_defaults=True):
    """What was judged."""

    prompt: str
    response: str
    finish_reason: str | None = None
    context: tuple[Passage, ...] = ()
    messages: tuple[Message, ...] = ()
    reference: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()


class JudgeRecord(Result, frozen=True, kw_only=True):
    """One judged evaluation, with all that it was made of."""

    format: Literal["fairwitness-judge-record-1"] = RECORD_FORMAT
    protocol_name: str
    protocol_version: str
    protocol_digest: str
    evaluator_version: str
    exchange: RecordedExchange
    asked: list[AskedQuestion]
    evaluation: Evaluation

    def digest(self) -> str:
        """SHA-256 of its JSON."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()

    @property
    def cost_micro_usd(self) -> int:
        """What the answers cost together."""
        return sum(asked.cost_micro_usd for asked in self.asked)
