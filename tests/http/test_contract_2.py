"""Contract 2 over HTTP: every bound of its table, faults that are named, coverage, and hostile bodies."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import httpx2
import jsonschema
import pytest

from fairwitness.contract import openapi
from fairwitness.contract.examples_2 import REQUESTS_2, RESULTS_2
from fairwitness.contract.operations import OPERATIONS_2, Operation
from fairwitness.evaluator import shipped
from tests.conftest import GOOD, RunningServer
from tests.test_contract import error_of, send

PATH = "/api/v2/evaluate-response"
VERSION = "2.0.0-alpha.1"
BASE: dict[str, Any] = {"contractVersion": VERSION, "privacyAcknowledged": True}
SIMPLE = {**BASE, "prompt": GOOD["prompt"], "response": GOOD["response"]}
PAIR = "\N{GRINNING FACE}"


def body(**changed: Any) -> dict[str, Any]:
    """Return a sound request with changes; a value of None leaves a field out."""
    return {name: value for name, value in {**SIMPLE, **changed}.items() if value is not None}


def faults(client: httpx2.Client, request: Any) -> list[str]:
    answer = send(client, PATH, request)
    assert answer.status_code == 400, answer.text
    error = error_of(answer)
    assert error["code"] == "invalid_request"
    found: list[str] = error["details"]
    assert found
    return found


def test_the_evaluation_is_that_of_contract_1(client: httpx2.Client) -> None:
    old = send(client, "/api/evaluate-response", GOOD).json()
    new = send(client, PATH, SIMPLE).json()
    schema = {"$ref": "#/components/schemas/EvaluateResult2"}
    jsonschema.validate(new, schema | {"components": openapi.document_2()["components"]})
    for answer in (old, new):
        del answer["evaluation"]["evaluationId"]
    assert json.dumps(new["evaluation"]) == json.dumps(old["evaluation"])
    assert new["evaluationScope"] == "response_text_only"
    assert "protocolDigest" not in old
    assert new["protocolDigest"] == shipped().protocol.digest
    assert "protocolDigest" not in new["evaluation"]
    total = len(GOOD["response"])
    assert new["coverage"] == {
        "contextRead": 0,
        "contextTotal": 0,
        "responseRead": total,
        "responseTotal": total,
    }


def test_context_widens_the_scope_and_never_passes_unread(client: httpx2.Client) -> None:
    answer = send(client, PATH, body(context=[{"id": "a", "text": "Light drives it."}])).json()
    assert answer["evaluationScope"] == "response_text_and_context"
    coverage = answer["coverage"]
    assert coverage["contextTotal"] == len("Light drives it.")
    if coverage["contextRead"] < coverage["contextTotal"]:
        assert "context_not_read" in answer["evaluation"]["reasons"]
        assert answer["evaluation"]["overallVerdict"] != "pass"


def test_evidence_quotes_any_source(client: httpx2.Client) -> None:
    messages = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Name exactly three rivers, in one sentence. " + PAIR},
    ]
    request = body(prompt=None, messages=messages, response=f"{PAIR} The Nile. The Rhine.")
    answer = send(client, PATH, request).json()
    quotes = [quote for item in answer["evaluation"]["findings"] for quote in item["evidence"]]
    assert {quote["source"] for quote in quotes} >= {"messages[1]"}
    texts = {"messages[1]": messages[1]["content"], "response": request["response"]}
    for quote in quotes:
        assert texts[quote["source"]][quote["start"] : quote["end"]] == quote["text"]


MESSAGE = {"role": "user", "content": "x"}
CALL = {"name": "f", "arguments": {}}
CALL_CHARS = len('{"arguments":{},"name":"f"}')


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"prompt": "x" * 32_001}, "prompt: longer than 32000 characters"),
        ({"prompt": ""}, "prompt: must not be empty"),
        ({"prompt": None}, "body: needs exactly one of prompt and messages"),
        ({"messages": [MESSAGE]}, "body: needs exactly one of prompt and messages"),
        ({"prompt": None, "messages": []}, "messages: at least 1 item required"),
        ({"prompt": None, "messages": [MESSAGE] * 101}, "messages: at most 100 items allowed"),
        (
            {"prompt": None, "messages": [{"role": "user", "content": "x" * 32_001}] * 2},
            "messages: longer than 64000 characters together",
        ),
        (
            {"prompt": None, "messages": [MESSAGE, {"role": "assistant", "content": "x"}]},
            "messages: the last one must not be the assistant's; the response answers it",
        ),
        (
            {"prompt": None, "messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
            "messages[0].content: text only",
        ),
        ({"prompt": None, "messages": [{"role": "user"}]}, "messages[0].content: required"),
        (
            {"prompt": None, "messages": [{**MESSAGE, "role": "bot"}]},
            'messages[0].role: must be one of "assistant", "system", "tool", "user"',
        ),
        (
            {"prompt": None, "messages": [{**MESSAGE, "name": "x"}]},
            "messages[0].name: unknown field",
        ),
        ({"response": ""}, "response: must not be empty"),
        ({"response": "x" * 32_001}, "response: longer than 32000 characters"),
        ({"response": [{"type": "text", "text": "x"}]}, "response: text only"),
        ({"response": {}}, "response: needs content or toolCalls"),
        ({"response": {"content": ""}}, "response: needs content or toolCalls"),
        ({"response": {"content": 5}}, "response.content: text only"),
        ({"response": {"toolCalls": [{"name": "f"}]}}, "response.toolCalls[0].arguments: required"),
        (
            {"response": {"toolCalls": [{"name": "f", "arguments": "{}"}]}},
            "response.toolCalls[0].arguments: must be an object",
        ),
        (
            {"response": {"content": "x" * 31_990, "toolCalls": [CALL]}},
            "response: longer than 32000 characters together",
        ),
        ({"context": [{"text": "x"}] * 51}, "context: at most 50 items allowed"),
        ({"context": [{"text": ""}]}, "context[0].text: must not be empty"),
        ({"context": [{"text": {"a": 1}}]}, "context[0].text: text only"),
        ({"context": [{"id": "x" * 201, "text": "x"}]}, "context[0].id: longer than 200"),
        (
            {"context": [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]},
            "context: ids must be unique",
        ),
        ({"context": [{"text": "x" * 4_001}] * 50}, "context: longer than 200000"),
        ({"reference": "x" * 32_001}, "reference: longer than 32000 characters"),
        ({"reference": ["x"]}, "reference: text only"),
        ({"privacyAcknowledged": False}, "privacyAcknowledged: must be true"),
        ({"privacyAcknowledged": None}, "privacyAcknowledged: required"),
        ({"extra": 1}, "extra: unknown field"),
        ({"contractVersion": "1.0.0"}, f'contractVersion: must be "{VERSION}"'),
        ({"contractVersion": "2.0.0-alpha.0"}, f'the current one is "{VERSION}"'),
        ({"protocol": "nobodys"}, "protocol: unknown; this service publishes: fairwitness"),
        ({"protocol": 5}, "protocol: must be a string"),
        ({"protocolDigest": "0" * 64}, "protocolDigest: does not match"),
    ],
)
def test_bounds(client: httpx2.Client, changed: dict[str, Any], fault: str) -> None:
    assert any(fault in found for found in faults(client, body(**changed)))


@pytest.mark.parametrize(
    "changed",
    [
        {"prompt": "x" * 32_000},
        {"prompt": None, "messages": [MESSAGE] * 100},
        {"prompt": None, "messages": [{"role": "user", "content": "x" * 32_000}] * 2},
        {"prompt": None, "messages": [{"role": "user", "content": ""}]},
        {"prompt": None, "messages": [MESSAGE, {"role": "tool", "content": "", "toolCallId": "1"}]},
        {"response": {"content": "Yes.", "toolCalls": []}},
        {"response": {"content": "", "toolCalls": [CALL]}},
        {"response": {"toolCalls": [{"id": "", "name": "f", "arguments": {"a": [1, {"b": 2.5}]}}]}},
        {"response": {"content": "x" * (32_000 - CALL_CHARS), "toolCalls": [CALL]}},
        {"context": []},
        {"context": [{"text": "x"}] * 50},
        {"context": [{"id": "x" * 200, "text": PAIR}]},
        {"reference": ""},
        {"protocol": "fairwitness", "protocolDigest": shipped().protocol.digest},
    ],
)
def test_legal_edges(client: httpx2.Client, changed: dict[str, Any]) -> None:
    answer = send(client, PATH, body(**changed))
    assert answer.status_code == 200, answer.text


def test_faults_come_all_at_once(client: httpx2.Client) -> None:
    wrong = body(prompt=5, response=[], context=[{"text": 1}], zz=1, contractVersion="3")
    assert len(faults(client, wrong)) == 5


def test_the_longest_legal_request_fits_escaped(client: httpx2.Client) -> None:
    longest = {
        **BASE,
        "messages": [{"role": "user", "content": PAIR * 640}] * 100,
        "response": PAIR * 32_000,
        "context": [{"id": chr(0x1F600 + at) * 200, "text": PAIR * 4_000} for at in range(50)],
        "reference": PAIR * 32_000,
    }
    sent = json.dumps(longest).encode()
    assert 4_000_000 < len(sent) <= 4 * 1024 * 1024
    answer = send(client, PATH, sent)
    assert answer.status_code == 200, answer.text
    total = answer.json()["coverage"]
    assert (total["contextTotal"], total["responseTotal"]) == (200_000, 32_000)
    assert total["contextRead"] == 200_000, "closed forms read everything"


def test_a_body_over_the_limit_is_413(client: httpx2.Client) -> None:
    sent = json.dumps(SIMPLE).encode()
    assert send(client, PATH, sent + b" " * (4 * 1024 * 1024 - len(sent))).status_code == 200
    answer = send(client, PATH, sent + b" " * (4 * 1024 * 1024 + 1 - len(sent)))
    assert answer.status_code == 413
    assert error_of(answer)["message"] == "The body is larger than 4194304 bytes."


def test_a_response_of_too_many_tokens_is_413(client: httpx2.Client) -> None:
    """English prose of the same length is read whole; letters that are a token each are not."""
    assert send(client, PATH, body(response="word " * 6_400)).status_code == 200
    answer = send(client, PATH, body(response="的我是不了人在他" * 4_000))
    assert answer.status_code == 413
    assert error_of(answer)["details"] == [
        "response: more than 8192 tokens, the most that is read of one"
    ]
    # A long context is no reason to refuse.
    assert send(client, PATH, body(context=[{"text": "的我" * 2_000}] * 50)).status_code == 200


def calling(arguments: str) -> str:
    """Return a request whose response calls a tool with these arguments, as JSON text."""
    return called(f'{{"name":"f","arguments":{arguments}}}')


def called(calls: str) -> str:
    return f'{{"contractVersion":"{VERSION}","privacyAcknowledged":true,"prompt":"a","response":{{"toolCalls":[{calls}]}}}}'


HOSTILE: dict[str, tuple[str, str]] = {
    "repeated key": (calling('{"a":1,"a":2}'), "a: appears more than once"),
    "hidden repeat": (calling('{"a":1,"\\u0061":2}'), "a: appears more than once"),
    "lone surrogate": (calling('{"a":"\\ud800"}'), "not valid JSON"),
    "not a number": (calling('{"a":NaN}'), "not valid JSON"),
    "whole number": (calling('{"a":18446744073709551617}'), "must be sent as strings"),
    "digits": (calling('{"a":' + "9" * 9_000 + "}"), "body: "),
    "deep": (calling('{"a":' + "[" * 30 + "]" * 30 + "}"), "levels deep"),
    "deeper": (calling('{"a":' + "[" * 20_000 + "}"), "nested too deeply"),
    "wide": (calling('{"a":[' + ",".join("1" * 1_500_000) + "]}"), "together"),
    "many": (called(",".join(['{"name":"f","arguments":{}}'] * 140_000)), "together"),
    "two": (calling("{}") + "{}", "not valid JSON"),
    "array": ("[]", "must be a JSON object"),
}


@pytest.mark.parametrize(("sent", "fault"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_bodies_get_one_clear_error_fast(
    client: httpx2.Client, sent: str, fault: str
) -> None:
    started = time.monotonic()
    answer = send(client, PATH, sent.encode())
    assert time.monotonic() - started < 30
    assert answer.status_code == 400, answer.text
    assert any(fault in found for found in error_of(answer)["details"]), answer.text
    assert len(answer.content) < 20_000


def test_ten_levels_of_arguments_are_judged(client: httpx2.Client) -> None:
    deep: Any = "x"
    for _ in range(10):
        deep = {"a": [deep]}
    call = {"name": "f", "arguments": {"deep": deep}}
    assert send(client, PATH, body(response={"toolCalls": [call]})).status_code == 200


@pytest.mark.parametrize("operation", OPERATIONS_2, ids=lambda operation: operation.id)
def test_examples_follow_the_schema(operation: Operation) -> None:
    components = openapi.document_2()["components"]
    for kind, example in (
        (operation.request, REQUESTS_2[operation.id]),
        (operation.result, RESULTS_2[operation.id]),
    ):
        schema = {"$ref": f"#/components/schemas/{kind.__name__}", "components": components}
        jsonschema.validate(example, schema)


def test_the_example_is_served(client: httpx2.Client) -> None:
    answer = send(client, PATH, REQUESTS_2["evaluateExchange"])
    assert answer.status_code == 200
    assert set(answer.json()) == set(RESULTS_2["evaluateExchange"])


def test_the_description_is_served(client: httpx2.Client) -> None:
    found = client.get("/openapi-2.json").json()
    assert found["info"]["version"] == VERSION
    assert set(found["paths"]) == {operation.path for operation in OPERATIONS_2}
    assert client.get("/openapi.json").json()["info"]["version"] == "0.1.0"


def test_the_order_of_refusal(client: httpx2.Client) -> None:
    assert client.get(PATH).status_code == 405
    assert (
        client.post(PATH, content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    )
    assert client.post("/api/v2/nothing").status_code == 404


ACME = """
name = "acme"
version = "1.2.0"
extends = "fairwitness"

[criteria.no_rivals]
title = "Names no rival"
question = "Does it leave rivals out?"
weight = 0.6
fail_below = 50
pass_from = 80
checks = [{ kind = "excludes", values = ["Globex"], severity = "high", message = "Names a rival." }]
"""


def test_several_protocols(start: Callable[..., RunningServer], tmp_path: Any) -> None:
    file = tmp_path / "acme.toml"
    file.write_text(ACME)
    server = start(PROTOCOLS=f"fairwitness,{file}")
    with httpx2.Client(base_url=server.url, timeout=60, trust_env=False) as client:
        listed = client.get("/docs/protocols.json").json()
        assert [item["name"] for item in listed["protocols"]] == ["fairwitness", "acme"]
        assert listed["maxTokensRead"] == 8192
        acme = listed["protocols"][1]
        assert client.get("/docs/protocol/acme").text == ACME
        assert client.get(acme["files"][1]).content == shipped().protocol.source
        rival = body(response="Globex is a good choice for that.")
        by_default = send(client, PATH, rival).json()
        by_acme = send(client, PATH, {**rival, "protocol": "acme"}).json()
        assert by_acme["protocolDigest"] == acme["digest"]
        assert by_acme["protocolVersion"] == "1.2.0"
        assert "no_rivals" in json.dumps(by_acme)
        assert "no_rivals" not in json.dumps(by_default)
        assert faults(client, {**rival, "protocol": "acmee"}) == [
            "protocol: unknown; this service publishes: fairwitness, acme"
        ]
        pinned = {**rival, "protocol": "acme", "protocolDigest": acme["digest"]}
        assert send(client, PATH, pinned).status_code == 200
        # Contract 1 uses the first.
        old = send(client, "/api/evaluate-response", {**GOOD, "response": rival["response"]}).json()
        assert "no_rivals" not in json.dumps(old)
