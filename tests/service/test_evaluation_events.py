"""Evaluations told to an OpenTelemetry collector: what arrives, what never does, and a collector that is away."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import closing
from typing import Any

import pytest

from fairwitness.contract.results import (
    CompletedItem,
    EvaluateResponseResult,
    FailedItem,
    GenerateResult,
    ProviderError,
    Usage,
)
from fairwitness.service import evaluation_events
from fairwitness.service.call import Call
from fairwitness.service.direct_evaluation import stamped
from fairwitness.service.evaluation_events import EvaluationEvents
from fairwitness.settings import Settings
from tests.otlp_collector import attributes, collecting

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
CALL = Call("r1", "127.0.0.1")
PROMPT, LEAK = "How can I reach you?", "Write to jane.roe@gmail.com."
# One event for the whole and one for each criterion of the shipped protocol.
EVENTS = 14
VERSIONS: dict[str, Any] = {
    "request_id": "r1",
    "completed_at": "2026-11-16T00:00:00Z",
    "protocol_version": "1",
    "evaluator_version": "2",
}


def judged(response: str = LEAK) -> EvaluateResponseResult:
    import fairwitness

    found = stamped(fairwitness.evaluate(PROMPT, response))
    return EvaluateResponseResult(evaluation=found, **VERSIONS)


class Told:
    """What a sender said of itself."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.words: list[str] = []

    def sender(self, url: str, **more: Any) -> EvaluationEvents:
        count = lambda what, number: self.counts.update({what: number})  # noqa: E731
        events = EvaluationEvents(
            url, more.pop("headers", {}), count=count, tell=self.words.append, **more
        )
        events.start()
        return events


def test_an_evaluation_arrives_as_one_event_for_each_line() -> None:
    told = Told()
    traced = Call(
        "r1", "127.0.0.1", [(b"traceparent", f"00-{TRACE}-{SPAN}-01".encode()), (b"accept", b"*")]
    )
    with (
        collecting() as collector,
        closing(told.sender(collector.url, headers={"x-key": "k"})) as events,
    ):
        events.note(judged(), traced)
        records = collector.wait(EVENTS)
    assert {record.event_name for record in records} == {"gen_ai.evaluation.result"}
    whole, *criteria = map(attributes, records)
    assert whole["gen_ai.evaluation.name"] == "fairwitness.overall"
    assert whole["gen_ai.evaluation.score.label"] == "needs_review"
    assert whole["gen_ai.evaluation.score.value"] == judged().evaluation.overall_score
    assert whole["fairwitness.request_id"] == "r1"
    (privacy,) = (one for one in criteria if one["gen_ai.evaluation.name"] == "fairwitness.privacy")
    assert privacy["gen_ai.evaluation.explanation"] == "Found: privacy.email (medium)."
    (sums,) = (
        one for one in criteria if one["gen_ai.evaluation.name"] == "fairwitness.calculation"
    )
    assert sums["gen_ai.evaluation.score.label"] == "not_applicable"
    assert "gen_ai.evaluation.score.value" not in sums
    # JSON has the ids in hexadecimal; the official reader of JSON takes them for base64.
    assert f'"traceId":"{TRACE}","spanId":"{SPAN}"'.encode() in collector.bodies[0]
    assert collector.headers[0]["x-key"] == "k"
    assert b"jane.roe" not in collector.bodies[0]
    assert told.counts == {"sent": 1}
    assert told.words == []


@pytest.mark.parametrize("header", ["", "00-x-y-01", f"00-{'0' * 32}-{SPAN}-01", f"00-{TRACE}"])
def test_a_trace_that_is_none_is_left_out(header: str) -> None:
    call = Call("r1", "127.0.0.1", [(b"traceparent", header.encode())])
    with collecting() as collector, closing(Told().sender(collector.url)) as events:
        events.note(judged(), call)
        collector.wait(EVENTS)
    assert b"traceId" not in collector.bodies[0]


def test_quotations_are_sent_only_where_asked_for() -> None:
    with collecting() as collector, closing(Told().sender(collector.url, quote=True)) as events:
        events.note(judged(), CALL)
        collector.wait(EVENTS)
    assert "“jane.roe@gmail.com”".encode() in collector.bodies[0]


def test_each_providers_response_is_told_with_its_provider() -> None:
    usage = Usage(input_tokens=1, output_tokens=1, cost_usd=0.0)
    done = CompletedItem(
        provider_id="provider_a",
        model="m",
        response=LEAK,
        finish_reason="stop",
        evaluation=judged().evaluation,
        latency_ms=1,
        usage=usage,
    )
    failed = FailedItem(
        provider_id="provider_b",
        model="m",
        error=ProviderError(code="timeout", message="late"),
        latency_ms=1,
    )
    result = GenerateResult(results=[done, failed], **VERSIONS)
    with collecting() as collector, closing(Told().sender(collector.url)) as events:
        events.note(result, CALL)
        records = collector.wait(EVENTS)
    assert {attributes(one)["fairwitness.provider_id"] for one in records} == {"provider_a"}


def test_a_collector_that_is_busy_is_sent_it_again_and_one_that_refuses_is_not() -> None:
    told = Told()
    with collecting(503, 200, 400) as collector, closing(told.sender(collector.url)) as events:
        events.note(judged(), CALL)
        collector.wait(EVENTS)
        events.note(judged(), CALL)
        deadline = time.monotonic() + 30
        while not told.counts["refused"] and time.monotonic() < deadline:
            time.sleep(0.02)
    assert told.counts == {"sent": 1, "refused": 1}
    assert [words.partition(":")[0] for words in told.words] == [
        "the OpenTelemetry collector takes no events",
        "the OpenTelemetry collector takes events again",
        "the OpenTelemetry collector takes no events",
    ]
    assert "it answered 503" in told.words[0]


@pytest.mark.parametrize("away", [True, False], ids=["away", "hanging"])
def test_a_collector_that_takes_nothing_costs_nothing(
    away: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing here waits for it: a hanging collector is not given up for an hour, and all of this is done before."""
    monkeypatch.setattr(evaluation_events, "_TIMEOUT_S", 3600.0)
    told = Told()
    result = judged()
    with collecting() as collector:
        collector.hangs.set()
        url = "http://127.0.0.1:9" if away else collector.url
        events = told.sender(url, max_waiting=8)
        for _ in range(2000):
            events.note(result, CALL)
        events.close()
        assert away or events._thread.is_alive(), "closing did not wait for the answer"
    assert told.counts["dropped"] >= 2000 - 8 - 64
    assert told.counts["sent"] == 0
    assert len(told.words) <= 1


def test_what_is_left_is_sent_at_the_end() -> None:
    told = Told()
    with collecting() as collector:
        events = told.sender(collector.url)
        for _ in range(100):
            events.note(judged(), CALL)
        events.close()
        collector.wait(100 * EVENTS)
    assert told.counts == {"sent": 100}


def test_a_handler_answers_the_same_and_its_fault_is_its_own() -> None:
    result = judged()

    async def good(request: str, call: Call) -> EvaluateResponseResult:
        return result

    async def bad(request: str, call: Call) -> EvaluateResponseResult:
        raise ValueError(request)

    with collecting() as collector, closing(Told().sender(collector.url)) as events:

        async def answered() -> None:
            assert await events.noting(good)("x", CALL) is result
            with pytest.raises(ValueError, match="x"):
                await events.noting(bad)("x", CALL)

        asyncio.run(answered())
        collector.wait(EVENTS)


def test_nothing_is_sent_unless_an_address_is_set() -> None:
    assert EvaluationEvents.of(Settings(), lambda what, number: None, lambda words: None) is None
