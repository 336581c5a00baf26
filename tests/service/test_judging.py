"""Judges are asked through the same admission, ledger and kill switch as all spending, and their record replays."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

import msgspec
import pytest

from fairwitness.contract.errors import BudgetExhausted, KillSwitchActive, SpendDisabled
from fairwitness.contract.evaluation import Evaluation
from fairwitness.contract.judge_record import JudgeRecord
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judges.replay import replay
from fairwitness.providers.asked import Asked
from fairwitness.providers.provider import Asking, Completion, Provider, ProviderFailure
from fairwitness.service.judged_rows import JudgedRows, before, known_answers
from fairwitness.service.judging import Judging, Spender, missing_parts
from fairwitness.settings import Settings
from tests.evaluator.judging import evaluator_with
from tests.service.scripted import House, Scripted, house

pytestmark = pytest.mark.anyio
EVALUATOR = evaluator_with('{ providers = ["provider_a", "provider_b"], answers = 2 }')
EXCHANGE = Exchange("How are you?", "Very well, thank you.")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Judge(Scripted):
    """A model that finds everything kind, and keeps what it was asked."""

    said: Callable[[str], str] = lambda prompt: (
        '{"quotations": [], "reason": "Kind.", "verdict": "%s"}'
        % ("A" if "A: Yes" in prompt else "B")
    )
    prompts: list[str] = field(default_factory=list)
    askings: list[Asking] = field(default_factory=list)

    def as_judge(self, asking: Asking) -> Self:
        self.askings.append(asking)
        return self

    async def complete(self, prompt: Asked, deadline: float, **how: Any) -> Completion:
        assert isinstance(prompt, str)
        self.prompts.append(prompt)
        found = await super().complete(prompt, deadline, **how)
        return replace(found, text=self.said(prompt))


def spender(number: int = 0) -> Spender:
    return Spender("/api/v2/evaluate-response", b"c" * 15 + bytes([number]), bytes([number]))


@asynccontextmanager
async def judging(
    path: Path, slots: dict[str, Provider | None], **limits: Any
) -> AsyncIterator[tuple[Judging, House]]:
    async with house(path, slots, **limits) as found:
        yield Judging(slots, found.admission, deadline_s=5.0), found


def both(**fields: Any) -> dict[str, Provider | None]:
    return {"provider_a": Judge(**fields), "provider_b": Judge(**fields)}


def replayed(record: JudgeRecord) -> tuple[str, ...]:
    return replay(msgspec.json.encode(record), EVALUATOR).faults


async def test_what_is_asked_is_paid_for_recorded_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slots = both()
    async with judging(tmp_path, slots) as (judges, found):
        judged = await judges.judged(EVALUATOR, EXCHANGE, spender())
        assert await found.spent() == judged.record.cost_micro_usd == 4 * 40
    assert judged.evaluation["kind"].verdict == "pass"
    judge = slots["provider_a"]
    assert isinstance(judge, Judge)
    asked = [one for one in judged.record.asked if one.provider_id == "provider_a"]
    assert judge.prompts == [one.prompt for one in asked]
    assert [(one.temperature, one.max_output_tokens) for one in judge.askings] == [(0.0, 400)] * 2

    def closed(*_: Any) -> None:
        raise AssertionError("a replay needs no network")

    monkeypatch.setattr(socket, "socket", closed)
    content = msgspec.json.encode(judged.record)
    again = replay(content, EVALUATOR)
    assert again.same
    assert msgspec.json.encode(again.evaluation) == msgspec.json.encode(judged.evaluation)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda r: r["asked"][0].update(answer="{}"), "asked[0].answerDigest"),
        (lambda r: r["asked"][0].update(prompt="Say yes."), "asked[0].prompt"),
        (lambda r: r["exchange"].update(response="Go away."), "asked[0].questionDigest"),
        (lambda r: r["asked"].pop(), "asked: a question"),
        (lambda r: r["evaluation"].update(overallScore=99.0), "evaluation: differs"),
        (lambda r: r.update(protocolDigest="0" * 64), "protocolDigest: made by"),
        (lambda r: r.update(evaluatorVersion="other"), "evaluatorVersion: made by other"),
        (lambda r: r["asked"][0].update(criterionId="other"), "asked[0].questionDigest: is of another"),
    ],
)  # fmt: skip
async def test_a_record_that_was_changed_is_found_out(
    tmp_path: Path, change: Callable[[Any], Any], fault: str
) -> None:
    async with judging(tmp_path, both()) as (judges, _):
        judged = await judges.judged(EVALUATOR, EXCHANGE, spender())
    plain = msgspec.json.decode(msgspec.json.encode(judged.record))
    change(plain)
    faults = replay(msgspec.json.encode(plain), EVALUATOR).faults
    assert any(one.startswith(fault) for one in faults), faults


async def test_a_judge_that_fails_needs_review_and_what_it_may_have_cost_is_counted(
    tmp_path: Path,
) -> None:
    slots = both() | {"provider_b": Judge(failure=ProviderFailure("timeout"))}
    async with judging(tmp_path, slots) as (judges, found):
        judged = await judges.judged(EVALUATOR, EXCHANGE, spender())
        assert await found.spent() == judged.record.cost_micro_usd == 2 * 40 + 2 * 1000
    assert judged.evaluation.reasons == ["judge_unavailable"]
    assert [one.unavailable for one in judged.record.asked][2:] == ["timeout"] * 2
    assert replayed(judged.record) == ()


async def test_a_slot_that_is_not_configured_is_away(tmp_path: Path) -> None:
    async with judging(tmp_path, {"provider_a": Judge()}) as (judges, _):
        judged = await judges.judged(EVALUATOR, EXCHANGE, spender())
    assert "provider_b: not_configured" in judged.evaluation["kind"].summary
    assert judged.evaluation.overall_verdict == "needs_review"


async def test_over_the_budget_nothing_is_sent(tmp_path: Path) -> None:
    slots = both()
    async with judging(tmp_path, slots, budget_per_day=3_999) as (judges, found):
        with pytest.raises(BudgetExhausted):
            await judges.judged(EVALUATOR, EXCHANGE, spender())
        judged = await judges.judged(EVALUATOR, EXCHANGE, spender(1), raises=False)
        assert await found.spent() == 0
    assert {one.unavailable for one in judged.record.asked} == {"budget_exhausted"}
    assert judged.evaluation.reasons == ["judge_unavailable"]
    assert replayed(judged.record) == ()
    assert slots["provider_a"].prompts == []  # type: ignore[union-attr]


async def test_the_kill_switch_stops_judges(tmp_path: Path) -> None:
    async with judging(tmp_path, both(delay_s=30)) as (judges, found):
        asking = asyncio.create_task(judges.judged(EVALUATOR, EXCHANGE, spender()))
        await asyncio.sleep(0.3)
        await found.ledger.turn_off("stop", cancel=True)
        with pytest.raises(KillSwitchActive):
            await asking
        judged = await judges.judged(EVALUATOR, EXCHANGE, spender(1), raises=False)
    assert {one.unavailable for one in judged.record.asked} == {"kill_switch_active"}


async def test_where_spending_is_off_no_judge_is_asked(tmp_path: Path) -> None:
    slots = both()
    async with judging(tmp_path, slots) as (judges, found):
        found.admission._spend_enabled = False
        with pytest.raises(SpendDisabled):
            await judges.judged(EVALUATOR, EXCHANGE, spender())


def test_what_is_missing_is_said() -> None:
    free = Judge(worst=0)
    wanted = EVALUATOR.protocol
    assert missing_parts(wanted, {"provider_a": free, "provider_b": free}, Settings()) == []
    (fault,) = missing_parts(wanted, {"provider_a": free, "provider_b": None}, Settings())
    assert fault.startswith("criteria.kind.judge.providers: provider_b is not configured; add")
    faults = missing_parts(
        wanted, both(), Settings(spend_enabled=False, budget_per_day_usd=Decimal(0))
    )
    assert [fault.split(" ")[0] for fault in faults] == [
        "FAIRWITNESS_SPEND_ENABLED", "FAIRWITNESS_BUDGET_PER_DAY_USD",
    ]  # fmt: skip


class Rows:
    """A batch of rows over one ledger, asked again and again as a command line would."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = path / "results.jsonl.judges.jsonl"
        self.slots = both()

    def judged(
        self, budget: int, rows: list[str], stop_after: int | None = None
    ) -> list[Evaluation]:
        def opened() -> Any:
            return self._opened(budget)

        executor = JudgedRows(
            EVALUATOR, opened, lambda row: row.encode()[-16:].rjust(16), self.records, 2
        )
        found: list[Evaluation] = []
        with executor:
            for _, answer in executor.ordered((row, ("How are you?", row)) for row in rows):
                assert answer is not None
                found.append(msgspec.json.decode(answer, type=Evaluation))
                if stop_after == len(found):
                    break
        return found

    @asynccontextmanager
    async def _opened(self, budget: int) -> AsyncIterator[Judging]:
        async with judging(self.path, self.slots, budget_per_hour=budget, budget_per_day=budget) as found:  # fmt: skip
            yield found[0]
            self.spent = await found[1].spent()

    @property
    def asked(self) -> int:
        return sum(len(slot.prompts) for slot in self.slots.values() if isinstance(slot, Judge))


def test_rows_are_judged_until_the_budget_ends_and_go_on_where_they_stopped(tmp_path: Path) -> None:
    texts = [f"Very well, thank you, for the {n}th time." for n in range(12)]
    rows = Rows(tmp_path)
    # Every row costs 160 and reserves 4,000: with two in flight the sixth or seventh no longer fits.
    first = rows.judged(4_800, texts)
    verdicts = [one.overall_verdict for one in first]
    done = verdicts.count("pass")
    assert verdicts == ["pass"] * done + ["needs_review"] * (12 - done)
    assert 0 < done < 12
    assert rows.spent == done * 160 <= 4_800
    assert {one.reasons[0] for one in first[done:]} == {"judge_unavailable"}
    for line in rows.records.read_bytes().splitlines():
        assert replay(line, EVALUATOR).same
    # With more to spend the rest is asked, and what was paid for is not.
    rows.records.rename(before(rows.records))
    second = rows.judged(50_000, texts)
    assert [one.overall_verdict for one in second] == ["pass"] * 12
    assert second[:done] == first[:done]
    assert rows.spent == 12 * 160
    assert rows.asked == 12 * 4
    assert not before(rows.records).exists()


def test_a_torn_record_is_cut_off_and_paid_answers_stay(tmp_path: Path) -> None:
    rows = Rows(tmp_path)
    rows.judged(50_000, ["One answer, thank you.", "Another answer, thank you."], stop_after=1)
    whole = rows.records.read_bytes()
    rows.records.write_bytes(whole + whole[:100])
    assert len(known_answers(rows.records)) == 4
    assert rows.records.read_bytes() == whole
