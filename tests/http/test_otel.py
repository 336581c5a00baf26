"""The service and an OpenTelemetry collector: which requests it hears of, without text, and a collector that is away."""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx2

from tests.conftest import GOOD, RunningServer
from tests.integrations.real_tools import example
from tests.otlp_collector import attributes, collecting

LEAK = "Write to canary-51772 or jane.roe@gmail.com."
WEBHOOK = {"output": LEAK, "context": {"prompt": "How can I reach you?"}}
GUARDRAIL = "/beta/litellm_basic_guardrail_api"
EVENTS = 14


def test_a_collector_hears_of_each_evaluation_without_text(
    start: Callable[..., RunningServer],
) -> None:
    # The command of the page; `start` gives it a free port.
    assert (
        example("opentelemetry", "service.sh")
        == "FAIRWITNESS_OTEL_URL=http://127.0.0.1:4318 fairwitness serve\n"
    )
    with collecting() as collector:
        server = start(OTEL_URL=collector.url, OTEL_HEADERS="authorization=Bearer%20k")
        with httpx2.Client(base_url=server.url, timeout=60) as client:
            one = client.post("/api/evaluate-response", json={**GOOD, "response": LEAK})
            two = {**GOOD, "contractVersion": "2.0.0-alpha.1", "response": LEAK}
            assert client.post("/api/v2/evaluate-response", json=two).status_code == 200
            assert client.post("/integrations/promptfoo", json=WEBHOOK).status_code == 200
            refused = client.post("/api/evaluate-response", json={**GOOD, "prompt": ""})
            assert refused.status_code == 400
            # Of a text whose request is not known, too little can be judged to tell others of.
            alone = {"input_type": "response", "texts": [LEAK], "request_data": {}}
            assert client.post(GUARDRAIL, json=alone).status_code == 200
            asked = [{"role": "user", "content": "How can I reach you?"}]
            answer = client.post(GUARDRAIL, json={**alone, "structured_messages": asked})
            assert answer.status_code == 200
            assert "nothing is stored" in client.get("/").text
            records = collector.wait(4 * EVENTS)
            first = attributes(records[0])
            assert first["fairwitness.request_id"] == one.headers["x-request-id"]
            # The collector has them before the service has heard that it has.
            until = time.monotonic() + 60
            while 'fairwitness_otel_evaluations_total{outcome="sent"} 4.0' not in (
                client.get("/metrics").text
            ):
                assert time.monotonic() < until
                time.sleep(0.05)
    assert collector.headers[0]["authorization"] == "Bearer k"
    sent = b"".join(collector.bodies)
    assert b"canary-51772" not in sent
    assert b"jane.roe" not in sent
    assert "canary-51772" not in server.log.read_text()


def test_a_collector_that_is_away_is_noted_once_and_delays_nothing(
    start: Callable[..., RunningServer],
) -> None:
    server = start(OTEL_URL="http://127.0.0.1:9", OTEL_QUOTE="true")
    with httpx2.Client(base_url=server.url, timeout=60) as client:
        assert "what findings quote goes to the operator's monitoring" in client.get("/").text
        for _ in range(20):
            assert client.post("/api/evaluate-response", json=GOOD).status_code == 200
        assert client.get("/readyz").status_code == 200
    server.process.terminate()
    assert server.process.wait(60) == 0
    assert server.log.read_text().count("the OpenTelemetry collector takes no events") == 1
