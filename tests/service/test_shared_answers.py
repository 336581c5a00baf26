"""Answers that rows of a batch share: asked once, waited for, paid for once, and asked again where one had none."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec

import fairwitness
from fairwitness.contract.judge_record import AskedQuestion, JudgeRecord, RecordedExchange
from fairwitness.evaluator.exchange import Exchange
from fairwitness.service.judged_rows import known_answers
from fairwitness.service.shared_answers import SharedAnswers
from tests.evaluator.judging import evaluator_with

(FIRST, SECOND) = evaluator_with('{ providers = ["provider_a"] }').questions(Exchange("Tea?", "Yes."))  # fmt: skip


def answer(text: str | None, cost: int = 7) -> AskedQuestion:
    told: dict[str, Any] = (
        {"answer": text, "answer_digest": "x"} if text else {"unavailable": "timeout"}
    )
    return AskedQuestion(
        question_digest=FIRST.digest, criterion_id="kind", provider_id="provider_a", model="m",
        part="whole", order=0, temperature=0.0, seed=1, max_tokens=9, prompt="p", prompt_digest="d",
        cost_micro_usd=cost, **told,
    )  # fmt: skip


def test_who_comes_second_waits_and_pays_nothing() -> None:
    async def go() -> None:
        shared = SharedAnswers()
        assert shared.claim([FIRST, SECOND]) == [FIRST, SECOND]
        assert shared.claim([FIRST]) == []
        waiting = asyncio.create_task(shared.wait([FIRST]))
        await asyncio.sleep(0)
        assert not waiting.done()
        shared.add({FIRST.digest: answer("yes")})
        shared.release([FIRST, SECOND])
        await waiting
        found = shared.known([FIRST, SECOND])
        assert {digest: (one.answer, one.cost_micro_usd) for digest, one in found.items()} == {
            FIRST.digest: ("yes", 0)
        }

    asyncio.run(go())


def test_what_stayed_unanswered_is_free_to_be_asked_again() -> None:
    async def go() -> None:
        shared = SharedAnswers()
        assert shared.claim([FIRST]) == [FIRST]
        shared.add({FIRST.digest: answer(None)})
        shared.release([FIRST])
        await shared.wait([FIRST])
        assert shared.known([FIRST]) == {}
        assert shared.claim([FIRST]) == [FIRST]

    asyncio.run(go())


def test_the_cost_of_an_answer_stands_in_one_record() -> None:
    kept = {FIRST.digest: answer("yes")}
    assert [SharedAnswers(kept).known([FIRST])[FIRST.digest].cost_micro_usd] == [0]
    replaced = SharedAnswers(before=kept)
    costs = [replaced.known([FIRST])[FIRST.digest].cost_micro_usd for _ in range(2)]
    assert costs == [7, 0]


def test_records_keep_the_cost_whichever_of_the_rows_asked(tmp_path: Path) -> None:
    """Rows are judged together and recorded in order: the one that asked may be a later one."""
    record = JudgeRecord(
        protocol_name="p", protocol_version="1", protocol_digest="d", evaluator_version="e",
        exchange=RecordedExchange(prompt="Tea?", response="Yes."), asked=[],
        evaluation=fairwitness.evaluate("Tea?", "Yes."),
    )  # fmt: skip
    records = [msgspec.structs.replace(record, asked=[answer("yes", cost)]) for cost in (0, 7, 0)]
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in records))
    assert known_answers(path)[FIRST.digest].cost_micro_usd == 7
