"""Makes a judged evaluation again from its record: the same questions, the same answers, the same bytes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import msgspec
from msgspec import UNSET, Raw

from fairwitness.contract.evaluation import Evaluation
from fairwitness.contract.judge_record import AskedQuestion, JudgeRecord, RecordedExchange
from fairwitness.evaluator.engine import Evaluator
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judges.questions import JudgeQuestion
from fairwitness.evaluator.signals import Answers, JudgeAnswer


class _Bytes(msgspec.Struct):
    evaluation: Raw


@dataclass(frozen=True)
class Replay:
    """What came of a replay: every fault by its place, none where each byte is the same."""

    evaluation: Evaluation
    faults: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.faults


def answers_of(asked: list[AskedQuestion]) -> Answers:
    """Return the answers of a record, by the digest of their questions."""
    return {
        one.question_digest: JudgeAnswer(
            one.answer if isinstance(one.answer, str) else None,
            one.unavailable if isinstance(one.unavailable, str) else "",
        )
        for one in asked
    }


def replay(content: bytes, evaluator: Evaluator) -> Replay:
    """Evaluate a record again; raise msgspec.MsgspecError where the bytes are no record."""
    record = msgspec.json.decode(content, type=JudgeRecord)
    exchange = exchange_of(record.exchange)
    found = evaluator.assess(exchange, answers_of(record.asked)).evaluation
    faults = list(_origins(record, evaluator))
    asked = {question.digest: question for question in evaluator.questions(exchange)}
    for index, one in enumerate(record.asked):
        faults += [f"asked[{index}].{fault}" for fault in _faults(one, asked)]
    told = [one.question_digest for one in record.asked]
    if len(set(told)) < len(told):
        faults.append("asked: a question is there twice")
    if set(asked) - set(told):
        faults.append("asked: a question of this protocol about this exchange is missing")
    stored = bytes(msgspec.json.decode(content, type=_Bytes).evaluation)
    if msgspec.json.encode(found) != stored:
        faults.append("evaluation: differs from what its answers give")
    return Replay(found, tuple(faults))


def exchange_of(recorded: RecordedExchange) -> Exchange:
    """Return the exchange of a record."""
    return Exchange(
        recorded.prompt,
        recorded.response,
        recorded.finish_reason,
        context=recorded.context,
        messages=recorded.messages,
        reference=recorded.reference,
        tool_calls=recorded.tool_calls,
    )


def recorded(exchange: Exchange) -> RecordedExchange:
    """Return an exchange as records keep it."""
    return RecordedExchange(
        prompt=exchange.prompt.value,
        response=exchange.response.value,
        finish_reason=exchange.finish_reason,
        context=exchange.passages,
        messages=exchange.messages,
        reference=None if exchange.reference is None else exchange.reference.value,
        tool_calls=exchange.tool_calls,
    )


def sha256(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def _origins(record: JudgeRecord, evaluator: Evaluator) -> list[str]:
    protocol = evaluator.protocol
    faults = []
    if (record.protocol_name, record.protocol_version) != (protocol.name, protocol.version):
        faults.append(
            f"protocolName: made by {record.protocol_name} {record.protocol_version}, "
            f"replayed by {protocol.name} {protocol.version}"
        )
    if record.protocol_digest != protocol.digest:
        faults.append(
            f"protocolDigest: made by {record.protocol_digest[:12]}, replayed by {protocol.digest[:12]}"
        )
    if record.evaluator_version != evaluator.version:
        faults.append(
            f"evaluatorVersion: made by {record.evaluator_version}, replayed by {evaluator.version}"
        )
    return faults


def _faults(one: AskedQuestion, asked: dict[str, JudgeQuestion]) -> list[str]:
    question = asked.get(one.question_digest)
    if question is None:
        return ["questionDigest: this question does not follow from the protocol and the texts"]
    faults = []
    told = (one.criterion_id, one.provider_id, one.part, one.order)
    if told != (question.criterion, question.provider, question.part, question.order):
        faults.append("questionDigest: is of another question")
    sampling = (one.temperature, one.seed, one.max_tokens)
    if sampling != (question.temperature, question.seed, question.max_tokens):
        faults.append("temperature, seed or maxTokens: differs from what the protocol asks for")
    if one.prompt != question.prompt or one.prompt_digest != sha256(one.prompt):
        faults.append("prompt: differs from the one that follows from the protocol and the texts")
    expected = UNSET if one.answer is UNSET else sha256(str(one.answer))
    if one.answer_digest != expected:
        faults.append("answerDigest: is of another answer")
    return faults
