"""The contract over HTTP, as a stranger would check it: bodies, bounds, statuses, one error shape."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx2
import jsonschema
import msgspec
import pytest

from fairwitness.contract import examples, openapi
from fairwitness.contract.operations import OPERATIONS, Operation
from tests.conftest import GOOD

UUID7 = re.compile(r"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
DIRECT = "/api/evaluate-response"
JSON = {"content-type": "application/json"}

operations = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)


def send(client: httpx2.Client, path: str, body: Any, **headers: str) -> httpx2.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(path, content=content, headers={**JSON, **headers})


def error_of(answer: httpx2.Response) -> dict[str, Any]:
    """Return the error object after checking that it has the one shape every error has."""
    assert answer.headers["content-type"] == "application/json"
    assert UUID7.match(answer.headers["x-request-id"])
    body = answer.json()
    assert set(body) == {"error"}
    error: dict[str, Any] = body["error"]
    assert {"code", "message"} <= set(error) <= {"code", "message", "details"}
    assert isinstance(error["code"], str)
    assert isinstance(error["message"], str)
    assert all(isinstance(detail, str) for detail in error.get("details", []))
    jsonschema.validate(body, _schema("ErrorAnswer"))
    return error


def _schema(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}", "components": openapi.document()["components"]}


def faults(client: httpx2.Client, body: Any, path: str = DIRECT) -> list[str]:
    answer = send(client, path, body)
    assert answer.status_code == 400, answer.text
    error = error_of(answer)
    assert error["code"] == "invalid_request"
    assert answer.headers["cache-control"] == "no-store"
    details: list[str] = error["details"]
    assert details
    return details


def test_direct_evaluation_answers_as_the_contract_says(client: httpx2.Client) -> None:
    answer = send(client, DIRECT, GOOD)
    assert answer.status_code == 200
    body = answer.json()
    assert body["contractVersion"] == "1.0.0"
    assert body["requestId"] == answer.headers["x-request-id"]
    assert UUID7.match(body["requestId"])
    assert UUID7.match(body["evaluation"]["evaluationId"])
    assert re.match(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", body["completedAt"])
    assert body["evaluationScope"] == "response_text_only"
    jsonschema.validate(body, _schema("EvaluateResponseResult"))
    evaluation = body["evaluation"]
    assert 0 <= evaluation["overallScore"] <= 100
    assert evaluation["overallVerdict"] in {"pass", "fail", "needs_review"}
    for finding in evaluation["findings"]:
        for quote in finding["evidence"]:
            assert GOOD[quote["source"]][quote["start"] : quote["end"]] == quote["text"]


def test_same_request_same_evaluation(client: httpx2.Client) -> None:
    """Byte for byte, save its id, whichever worker answers."""
    found = set()
    for _ in range(12):
        evaluation = send(client, DIRECT, GOOD).json()["evaluation"]
        del evaluation["evaluationId"]
        found.add(json.dumps(evaluation))
    assert len(found) == 1


@operations
def test_examples_of_the_description_are_accepted(
    client: httpx2.Client, operation: Operation
) -> None:
    answer = send(client, operation.path, examples.REQUESTS[operation.id])
    assert answer.status_code in {operation.success, 503}, answer.text


@operations
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_only_post(client: httpx2.Client, operation: Operation, method: str) -> None:
    answer = client.request(method, operation.path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    if method != "HEAD":
        assert error_of(answer)["code"] == "method_not_allowed"


def test_preflight_from_nobody_is_405(client: httpx2.Client) -> None:
    headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    answer = client.options(DIRECT, headers=headers)
    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/api",
        "/api/",
        "/api/evaluate-response/",
        "/API/evaluate-response",
        "//api/arena",
        "/api/../etc/passwd",
        "/docs/nothing",
        "/docs/quickstart.html",
        "/assets/../settings.py",
        "/%00",
        "/api/evaluate-response%2f",
    ],
)
def test_unknown_paths_are_404_in_the_same_shape(client: httpx2.Client, path: str) -> None:
    for method in ("GET", "POST", "OPTIONS"):
        answer = client.request(method, path)
        assert answer.status_code == 404
        assert error_of(answer)["code"] == "not_found"


@operations
@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "text/json",
        "application/jsonx",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin-1",
        "application/json; charset=utf-16",
        "application/json, text/plain",
        "json",
    ],
)
def test_media_type(client: httpx2.Client, operation: Operation, content_type: str | None) -> None:
    headers = {} if content_type is None else {"content-type": content_type}
    answer = client.post(operation.path, content=b"{}", headers=headers)
    folded = operation.folds_media_and_size
    assert answer.status_code == (400 if folded else 415)
    assert error_of(answer)["code"] == ("invalid_request" if folded else "unsupported_media_type")


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "APPLICATION/JSON",
        "application/json;charset=utf-8",
        'application/json; charset="UTF-8"',
        "application/json ; Charset=Utf-8",
    ],
)
def test_accepted_media_types(client: httpx2.Client, content_type: str) -> None:
    answer = client.post(
        DIRECT, content=json.dumps(GOOD).encode(), headers={"content-type": content_type}
    )
    assert answer.status_code == 200


def test_compressed_bodies_are_refused(client: httpx2.Client) -> None:
    for path, status in ((DIRECT, 415), ("/api/feedback", 400)):
        answer = send(client, path, b"\x1f\x8b", **{"content-encoding": "gzip"})
        assert answer.status_code == status
        assert error_of(answer)["details"] == [
            "Content-Encoding: compressed bodies are not accepted"
        ]


@operations
def test_size(client: httpx2.Client, operation: Operation) -> None:
    body = json.dumps({**GOOD, "prompt": "x" * 140_000}).encode()
    answer = send(client, operation.path, body)
    folded = operation.folds_media_and_size
    assert answer.status_code == (400 if folded else 413)
    assert error_of(answer)["code"] == ("invalid_request" if folded else "payload_too_large")


def test_exactly_the_limit_is_read(client: httpx2.Client) -> None:
    body = json.dumps(GOOD).encode()
    assert send(client, DIRECT, body + b" " * (131_072 - len(body))).status_code == 200
    assert send(client, DIRECT, body + b" " * (131_073 - len(body))).status_code == 413


def test_longest_legal_request_fits_escaped(client: httpx2.Client) -> None:
    body = json.dumps(
        {**GOOD, "prompt": "\U0001f600" * 2000, "response": "\U0001f600" * 8000}, ensure_ascii=True
    )
    assert len(body) > 120_000
    assert send(client, DIRECT, body.encode()).status_code == 200


def test_order_of_refusal(client: httpx2.Client) -> None:
    """Path, method, media type, size, body: the first that is wrong is the one that is told."""
    big = b"x" * 200_000
    assert client.put("/nowhere", content=big).status_code == 404
    assert (
        client.put(DIRECT, content=big, headers={"content-type": "text/plain"}).status_code == 405
    )
    assert (
        client.post(DIRECT, content=big, headers={"content-type": "text/plain"}).status_code == 415
    )
    assert client.post(DIRECT, content=big, headers=JSON).status_code == 413
    assert client.post(DIRECT, content=b"x", headers=JSON).status_code == 400


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"contractVersion": "1.0.1"}, 'contractVersion: must be "1.0.0"'),
        ({"contractVersion": 1}, 'contractVersion: must be "1.0.0"'),
        ({"contractVersion": None}, 'contractVersion: must be "1.0.0"'),
        ({"prompt": ""}, "prompt: must not be empty"),
        ({"prompt": "x" * 2001}, "prompt: longer than 2000 characters"),
        ({"prompt": None}, "prompt: must be a string"),
        ({"prompt": 5}, "prompt: must be a string"),
        ({"prompt": ["x"]}, "prompt: must be a string"),
        ({"response": ""}, "response: must not be empty"),
        ({"response": "x" * 8001}, "response: longer than 8000 characters"),
        ({"privacyAcknowledged": False}, "privacyAcknowledged: must be true"),
        ({"privacyAcknowledged": 1}, "privacyAcknowledged: must be true"),
        ({"privacyAcknowledged": "true"}, "privacyAcknowledged: must be true"),
        ({"privacyAcknowledged": None}, "privacyAcknowledged: must be true"),
        ({"extra": 1}, "extra: unknown field"),
    ],
)
def test_faults_of_one_field(client: httpx2.Client, change: dict[str, Any], detail: str) -> None:
    assert faults(client, {**GOOD, **change}) == [detail]


def test_every_fault_is_listed(client: httpx2.Client) -> None:
    details = faults(
        client, {"contractVersion": "2", "prompt": "", "extra": 1, "privacyAcknowledged": False}
    )
    assert sorted(details) == [
        'contractVersion: must be "1.0.0"',
        "extra: unknown field",
        "privacyAcknowledged: must be true",
        "prompt: must not be empty",
        "response: required",
    ]


@pytest.mark.parametrize("missing", list(GOOD))
def test_every_field_is_required(client: httpx2.Client, missing: str) -> None:
    body = {name: value for name, value in GOOD.items() if name != missing}
    assert faults(client, body) == [f"{missing}: required"]


GOOD_TEXT = json.dumps(GOOD)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"", "body: empty; a JSON object is required"),
        (b"   \n", "body: empty; a JSON object is required"),
        (b"null", "body: must be a JSON object"),
        (b"[]", "body: must be a JSON object"),
        (b'"text"', "body: must be a JSON object"),
        (b"1", "body: must be a JSON object"),
        (b"{", "body: not valid JSON (line 1, column 2)"),
        (b"{'prompt': 1}", "body: not valid JSON (line 1, column 2)"),
        (GOOD_TEXT.encode() + b"x", None),
        (GOOD_TEXT.encode() + GOOD_TEXT.encode(), None),
        (b"\xef\xbb\xbf" + GOOD_TEXT.encode(), None),
        (GOOD_TEXT.encode("utf-16"), None),
        (GOOD_TEXT.replace("plants", "\xff").encode("latin-1"), None),
        (b'{"prompt": NaN}', "body: not valid JSON"),
        (b'{"prompt": Infinity}', "body: not valid JSON"),
        (b"[" * 20_000, "body: nested too deeply"),
        (b'{"a":' * 20_000, "body: nested too deeply"),
        (b'{"prompt":' + b"[" * 20_000 + b"]" * 20_000 + b"}", "body: nested too deeply"),
        (GOOD_TEXT[:-1].encode() + b', "prompt": "again"}', "prompt: appears more than once"),
        (
            GOOD_TEXT.replace("plants", "\\ud800").encode(),
            "prompt: contains a lone surrogate, which is not a character",
        ),
        (
            GOOD_TEXT.replace("plants", "\\udc00\\ud800").encode(),
            "prompt: contains a lone surrogate, which is not a character",
        ),
        (GOOD_TEXT.replace("plants", "\n").encode(), None),
        (b'{"prompt": 1e999}', None),
        (b'{"prompt": ' + b"9" * 5000 + b"}", None),
        (b'{"rating": -0}', None),
    ],
)
def test_hostile_bodies_are_a_clean_400(
    client: httpx2.Client, body: bytes, detail: str | None
) -> None:
    details = faults(client, body)
    if detail is not None:
        assert detail in details


@pytest.mark.parametrize(
    "text",
    [
        "\x00",
        "\x00\x01\x1f",
        "\u202eabc\u2066",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "e\u0301" * 100,
        "\ufeff",
        "\ufffe\uffff",
        " ",
        "\n" * 50,
        "\u2028\u2029",
        "\U0010ffff",
        "a\u0300" * 1000,
        "x" * 2000,
        "\U0001f600" * 2000,
    ],
)
def test_odd_characters_are_legal_text(client: httpx2.Client, text: str) -> None:
    answer = send(client, DIRECT, {**GOOD, "prompt": text, "response": text})
    assert answer.status_code == 200
    for finding in answer.json()["evaluation"]["findings"]:
        for quote in finding["evidence"]:
            assert text[quote["start"] : quote["end"]] == quote["text"]


def test_details_never_repeat_the_text(client: httpx2.Client) -> None:
    secret = "a-very-secret-phrase"
    answer = send(client, DIRECT, {**GOOD, "prompt": [secret], "response": secret * 1000})
    assert answer.status_code == 400
    assert secret not in answer.text


@pytest.mark.parametrize("path", ["/api/arena", "/api/arena-evidence"])
@pytest.mark.parametrize(
    ("providers", "detail"),
    [
        (["provider_a"], "providers: at least 2 items required"),
        ([], "providers: at least 2 items required"),
        (["provider_a", "provider_a"], "providers: items must be unique"),
        (["provider_a", "provider_b"], "providers[1]: must be one of"),
        (["provider_c", "provider_a"], "providers[0]: must be one of"),
        (
            ["provider_a", "provider_d", "provider_g", "provider_e", "provider_f", "provider_a"],
            "providers: at most 5 items allowed",
        ),
        (["provider_a", 7], "providers[1]: must be one of"),
        (["provider_a", "Provider_d"], "providers[1]: must be one of"),
        ("provider_a", "providers: must be an array"),
        ({"0": "provider_a"}, "providers: must be an array"),
        (None, "providers: must be an array"),
    ],
)
def test_arena_providers(client: httpx2.Client, path: str, providers: Any, detail: str) -> None:
    body = {
        "contractVersion": "1.0.0",
        "prompt": "x",
        "privacyAcknowledged": True,
        "providers": providers,
    }
    assert any(fault.startswith(detail) for fault in faults(client, body, path))


@pytest.mark.parametrize(
    ("providers", "detail"),
    [
        ([], "providerIds: at least 1 item required"),
        (["provider_g"], "providerIds[0]: must be one of"),
        (["provider_b", "provider_b"], "providerIds: items must be unique"),
        (["provider_b", None], "providerIds[1]: must be one of"),
    ],
)
def test_generate_providers(client: httpx2.Client, providers: Any, detail: str) -> None:
    body = {
        "contractVersion": "1.0.0",
        "prompt": "x",
        "privacyAcknowledged": True,
        "providerIds": providers,
    }
    assert any(fault.startswith(detail) for fault in faults(client, body, "/api/evaluate"))


def test_wrong_field_name_for_the_endpoint(client: httpx2.Client) -> None:
    body = {
        "contractVersion": "1.0.0",
        "prompt": "x",
        "privacyAcknowledged": True,
        "providers": ["provider_a"],
    }
    assert sorted(faults(client, body, "/api/evaluate")) == [
        "providerIds: required",
        "providers: unknown field",
    ]


def test_openapi_as_served(client: httpx2.Client) -> None:
    answer = client.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    document = answer.json()
    assert document["openapi"].startswith("3.1")
    assert document["info"]["version"] == "0.1.0"
    found = {path: item["post"]["operationId"] for path, item in document["paths"].items()}
    assert found == {
        "/api/evaluate-response": "evaluateResponse",
        "/api/evaluate": "generateAndEvaluate",
        "/api/arena": "runArena",
        "/api/arena-evidence": "runArenaWithEvidence",
        "/api/improvement-demo": "runImprovementDemo",
        "/api/feedback": "submitFeedback",
    }
    common = {"200", "400", "405", "413", "415", "500", "503"}
    statuses = {
        item["post"]["operationId"]: set(item["post"]["responses"])
        for item in document["paths"].values()
    }
    assert statuses == {
        "evaluateResponse": common,
        "generateAndEvaluate": common | {"429"},
        "runArena": common | {"429"},
        "runArenaWithEvidence": common | {"429"},
        "runImprovementDemo": common,
        "submitFeedback": {"201", "400", "503"},
    }


@pytest.mark.parametrize(
    "path",
    [
        "/docs",
        "/docs/quickstart",
        "/docs/api",
        "/docs/quickstart.md",
        "/docs/api.md",
        "/openapi.json",
        "/healthz",
        "/readyz",
    ],
)
def test_pages_answer_get_and_head(client: httpx2.Client, path: str) -> None:
    got = client.get(path)
    assert got.status_code == 200
    head = client.head(path)
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]
    refused = client.post(path, content=b"{}", headers=JSON)
    assert refused.status_code == 405
    assert refused.headers["allow"] == "GET, HEAD"
    error_of(refused)


def test_documents_can_be_kept(client: httpx2.Client) -> None:
    first = client.get("/docs/api")
    again = client.get("/docs/api", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_documents_are_compressed_where_the_caller_takes_that(client: httpx2.Client) -> None:
    plain = client.get("/docs/api", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    for refused in ("gzip;q=0", "gzip ; q=0.00", "br", "xgzip"):
        again = client.get("/docs/api", headers={"accept-encoding": refused})
        assert "content-encoding" not in again.headers, refused
    packed = client.get("/docs/api", headers={"accept-encoding": "br, gzip;q=0.5"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert packed.headers["etag"] != plain.headers["etag"]
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    # What depends on a request is never compressed: a length could tell of what it holds.
    answer = client.post(
        "/api/evaluate-response", content=b"{}", headers={"accept-encoding": "gzip"}
    )
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/", "/docs/api", "/openapi.json", "/healthz", "/nowhere", DIRECT]
)
def test_headers_on_every_answer(client: httpx2.Client, path: str) -> None:
    answer = client.get(path)
    assert UUID7.match(answer.headers["x-request-id"])
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "server" not in answer.headers


def test_request_ids_differ_and_cannot_be_chosen(client: httpx2.Client) -> None:
    ids = {
        client.get("/healthz", headers={"x-request-id": "mine"}).headers["x-request-id"]
        for _ in range(5)
    }
    assert len(ids) == 5
    assert "mine" not in ids


def test_example_bodies_are_the_types() -> None:
    for operation in OPERATIONS:
        msgspec.convert(examples.REQUESTS[operation.id], operation.request)
        msgspec.convert(examples.RESULTS[operation.id], operation.result)
        jsonschema.validate(examples.RESULTS[operation.id], _schema(operation.result.__name__))
        jsonschema.validate(examples.REQUESTS[operation.id], _schema(operation.request.__name__))
