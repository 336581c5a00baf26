"""Strict decoding: the fast path and the published schema agree on every body."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairwitness.contract.decode import decode, request_schema
from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.examples import REQUESTS
from fairwitness.contract.operations import OPERATIONS, Operation
from fairwitness.contract.requests import EvaluateResponseRequest, GenerateRequest, Request
from fairwitness.contract.requests_2 import EvaluateRequest2
from fairwitness.service.exchange_evaluation import exchange_in

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-10, 10),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.sampled_from(["1.0.0", "provider_a", "provider_b", "provider_g", "bug", ""]),
)
values = st.one_of(
    scalars,
    st.lists(scalars, max_size=7),
    st.dictionaries(st.text(max_size=3), scalars, max_size=2),
)


@st.composite
def near_misses(draw: st.DrawFn) -> tuple[Operation, dict[str, Any]]:
    """A legal body with a few fields changed, dropped or added."""
    operation = draw(st.sampled_from(OPERATIONS))
    body = dict(REQUESTS[operation.id])
    for name in draw(st.lists(st.sampled_from([*body, "extra", "rating", "contact"]), max_size=3)):
        if draw(st.booleans()):
            body[name] = draw(values)
        else:
            body.pop(name, None)
    return operation, body


@given(near_misses())
@settings(max_examples=600, deadline=None)
def test_decoder_agrees_with_the_published_schema(case: tuple[Operation, dict[str, Any]]) -> None:
    operation, body = case
    legal = jsonschema.Draft202012Validator(request_schema(operation.request)).is_valid(body)
    try:
        decode(json.dumps(body).encode(), operation.request)
        accepted = True
    except InvalidRequest as refusal:
        accepted = False
        assert refusal.details
        assert not any("not as the contract says" in detail for detail in refusal.details)
    assert accepted == legal


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_arbitrary_bytes_are_refused_cleanly(body: bytes) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        decode(body, OPERATIONS[0].request)
    assert refusal.value.details


@given(st.text(min_size=1, max_size=50))
@settings(max_examples=200, deadline=None)
def test_text_survives_decoding(text: str) -> None:
    body = {**REQUESTS["evaluateResponse"], "response": text}
    decoded: Any = decode(json.dumps(body, ensure_ascii=False).encode(), OPERATIONS[0].request)
    assert decoded.response == text


@pytest.mark.parametrize("count", [2000, 2001])
def test_lengths_count_code_points(count: int) -> None:
    body = json.dumps({**REQUESTS["evaluateResponse"], "prompt": "\U0001f600" * count}).encode()
    if count == 2000:
        decode(body, OPERATIONS[0].request)
        return
    with pytest.raises(InvalidRequest) as refusal:
        decode(body, OPERATIONS[0].request)
    assert refusal.value.details == ("prompt: longer than 2000 characters",)


def test_a_strange_key_is_echoed_short_and_harmless() -> None:
    body = json.dumps({**REQUESTS["evaluateResponse"], "\x1b[31m" + "k" * 500: 1}).encode()
    with pytest.raises(InvalidRequest) as refusal:
        decode(body, OPERATIONS[0].request)
    (detail,) = refusal.value.details
    assert "\x1b" not in detail
    assert len(detail) < 120


def test_many_unknown_keys_stay_bounded() -> None:
    body = json.dumps({f"k{number}": 1 for number in range(8000)}).encode()
    with pytest.raises(InvalidRequest) as refusal:
        decode(body, OPERATIONS[0].request)
    assert len(refusal.value.details) <= 60


@pytest.mark.parametrize("twin", ['"prompt"', '"\\u0070rompt"', '"pr\\u006Fmpt"'])
@pytest.mark.parametrize("first", ['"prompt"', '"promp\\u0074"'])
def test_a_key_repeated_is_found_however_it_is_written(first: str, twin: str) -> None:
    body = json.dumps(REQUESTS["evaluateResponse"]).replace('"prompt"', first)
    body = f'{body[:-1]}, {twin}: "again"}}'
    with pytest.raises(InvalidRequest) as refusal:
        decode(body.encode(), OPERATIONS[0].request)
    assert refusal.value.details == ("prompt: appears more than once",)


def test_a_text_that_quotes_a_key_repeats_none() -> None:
    body = {**REQUESTS["evaluateResponse"], "response": 'The key "prompt" and "prompt" again.'}
    decoded: Any = decode(json.dumps(body).encode(), OPERATIONS[0].request)
    assert decoded.response == body["response"]


@given(
    st.lists(
        st.text(st.sampled_from('a"\\\n\u00e9'), min_size=1, max_size=8), min_size=2, max_size=2
    ),
    st.sampled_from(["", "prompt", "response", "contractVersion", "privacyAcknowledged"]),
    st.booleans(),
)
@settings(max_examples=400, deadline=None)
def test_a_repeated_key_is_refused_whatever_the_texts_hold(
    texts: list[str], twin: str, escaped: bool
) -> None:
    body = {**REQUESTS["evaluateResponse"], "prompt": texts[0], "response": texts[1]}
    written = json.dumps(body, ensure_ascii=escaped)
    if twin:
        written = f"{{{json.dumps(twin)}: {json.dumps(body[twin])}, {written[1:]}"
        with pytest.raises(InvalidRequest):
            decode(written.encode(), EvaluateResponseRequest)
    else:
        decode(written.encode(), EvaluateResponseRequest)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_quotation_marks_of_contract_1_can_be_counted(operation: Operation) -> None:
    """Repeated keys are found by counting them: a field is no object, and one that is absent is UNSET."""
    if not issubclass(operation.request, Request):
        return
    for field in msgspec.structs.fields(operation.request):
        assert field.default in (msgspec.NODEFAULT, msgspec.UNSET), field.name
        assert field.default_factory is msgspec.NODEFAULT, field.name
    schema = request_schema(operation.request)
    for name, one in schema["properties"].items():
        kind = one["items"] if one.get("type") == "array" else one
        assert kind.get("type", "string") in {"string", "number", "boolean"}, name


@pytest.mark.parametrize("text", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x01", b"\\x41", b"\\ud800"])
def test_text_that_is_none_is_refused(text: bytes) -> None:
    body = json.dumps(REQUESTS["evaluateResponse"]).encode()
    body = body.replace(b'"prompt": "', b'"prompt": "' + text)
    assert text in body
    with pytest.raises(InvalidRequest):
        decode(body, OPERATIONS[0].request)


def test_thousands_of_repeated_keys_are_told_in_few_words() -> None:
    """Found by fuzzing: each was listed, at a cost that grew with the square of their number."""
    body = "{" + ",".join(f'"{number:x}":0,"{number:x}":0' for number in range(7000)) + "}"
    with pytest.raises(InvalidRequest) as refusal:
        decode(body.encode(), OPERATIONS[0].request)
    assert "0: appears more than once" in refusal.value.details
    assert "body: 6980 more keys that appear more than once" in refusal.value.details
    assert len(refusal.value.details) < 60


def test_a_number_of_thousands_of_digits_is_no_fault_of_the_json() -> None:
    with pytest.raises(InvalidRequest) as refusal:
        decode(b'{"prompt":' + b"1" * 5000 + b"}", EvaluateResponseRequest)
    assert refusal.value.details == (
        "contractVersion: required",
        "privacyAcknowledged: required",
        "prompt: must be a string",
        "response: required",
    )


def test_unknown_items_given_twice_are_told_as_both() -> None:
    body = {
        "contractVersion": "1.0.0",
        "prompt": "Hi",
        "providerIds": ["nobody", "nobody"],
        "privacyAcknowledged": True,
    }
    with pytest.raises(InvalidRequest) as refusal:
        decode(json.dumps(body).encode(), GenerateRequest)
    assert len(refusal.value.details) == 3
    assert refusal.value.details[2] == "providerIds: items must be unique"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=12,
)


@st.composite
def exchanges(draw: st.DrawFn) -> dict[str, Any]:
    """Draw bodies of contract 2, sound or nearly so."""
    texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30)
    calls = st.lists(
        st.fixed_dictionaries(
            {"name": texts, "arguments": st.dictionaries(texts, json_values, max_size=3)},
            optional={"id": texts},
        ),
        max_size=2,
    )
    messages = st.lists(
        st.fixed_dictionaries(
            {"role": st.sampled_from(["system", "user", "assistant", "tool"]), "content": texts},
            optional={"toolCalls": calls, "toolCallId": texts},
        ),
        max_size=3,
    )
    passages = st.lists(st.fixed_dictionaries({"text": texts}, optional={"id": texts}), max_size=3)
    answers = st.fixed_dictionaries({}, optional={"content": texts, "toolCalls": calls})
    return draw(
        st.fixed_dictionaries(
            {
                "contractVersion": st.just("2.0.0-alpha.1"),
                "privacyAcknowledged": st.just(True),
                "response": texts | answers | json_values,
            },
            optional={
                "prompt": texts,
                "messages": messages,
                "context": passages | json_values,
                "reference": texts,
                "protocol": texts,
            },
        )
    )


@given(exchanges())
def test_an_exchange_is_decoded_as_it_was_sent_or_its_faults_are_named(
    body: dict[str, Any],
) -> None:
    sent = json.dumps(body).encode()
    try:
        request = decode(sent, EvaluateRequest2)
    except InvalidRequest as refused:
        assert refused.details
        assert "does not match the contract" not in "".join(refused.details)
        return
    assert ("prompt" in body) != ("messages" in body)
    assert decode(msgspec.json.encode(request), EvaluateRequest2) == request
    exchange = exchange_in(request)
    for at, passage in enumerate(body.get("context", [])):
        assert exchange.text(f"context[{at}]").value == passage["text"]
    for at, message in enumerate(body.get("messages", [])):
        assert exchange.text(f"messages[{at}]").value == message["content"]
        for number, call in enumerate(message.get("toolCalls", [])):
            quoted = exchange.text(f"messages[{at}].toolCalls[{number}]").value
            assert json.loads(quoted) == call
