"""An exchange with context, a conversation, tool calls and a reference: its texts, its spans, what was read of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairwitness
from fairwitness.contract.conversation import Answer, Message, Passage, ToolCall
from fairwitness.contract.errors import InvalidRequest
from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.inputs import exchange_of

CONVERSATION = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Answer in exactly two sentences: when does it open?"},
]
CALL: dict[str, Any] = {"name": "hours", "arguments": {"day": "Monday", "at": [1, {"x": None}]}}


def test_every_text_has_its_source() -> None:
    exchange = exchange_of(
        None,
        {"content": "At nine.", "toolCalls": [CALL]},
        context=["First.", {"id": "b", "text": "Second."}],
        messages=[
            *CONVERSATION,
            {"role": "assistant", "content": "", "toolCalls": [{"id": "1", **CALL}]},
            {"role": "tool", "content": "09:00", "toolCallId": "1"},
        ],
        reference="Nine.",
    )
    said = {
        "response": "At nine.",
        "response.toolCalls[0]": '{"arguments":{"at":[1,{"x":null}],"day":"Monday"},"name":"hours"}',
        "context[1]": "Second.",
        "messages[0]": "Be brief.",
        "messages[2]": "",
        "messages[2].toolCalls[0]": '{"arguments":{"at":[1,{"x":null}],"day":"Monday"},"id":"1","name":"hours"}',
        "messages[3]": "09:00",
        "reference": "Nine.",
    }
    assert {source: exchange.text(source).value for source in said} == said
    # The result of a tool is no request: what the response answers is the message before.
    assert exchange.prompt is exchange.text("messages[1]")
    assert exchange.published("prompt") == "messages[1]"
    assert [text.value for text in exchange.context] == ["First.", "Second."]
    with pytest.raises(KeyError):
        exchange.text("context[2]")


def test_evidence_of_a_conversation_names_the_message() -> None:
    found = fairwitness.evaluate(None, "It opens at nine.", messages=CONVERSATION)
    (finding,) = found.findings
    assert [quoted.source for quoted in finding.evidence] == ["messages[1]", "response"]
    for quoted in finding.evidence:
        text = CONVERSATION[1]["content"] if quoted.source == "messages[1]" else "It opens at nine."
        assert text[quoted.start : quoted.end] == quoted.text


@given(st.text(min_size=1, max_size=60), st.text(min_size=1, max_size=120))
def test_one_message_is_judged_like_a_prompt(prompt: str, response: str) -> None:
    plain = fairwitness.evaluate(prompt, response).to_json()
    message = {"role": "user", "content": prompt}
    talked = fairwitness.evaluate(None, response, messages=[message]).to_json()
    assert talked.replace('"source":"messages[0]"', '"source":"prompt"') == plain


def test_what_nobody_reads_keeps_a_response_from_passing() -> None:
    good = ("When does the museum open on Mondays?", "The museum opens at nine on Mondays.")
    assert fairwitness.evaluate(*good).overall_verdict == "pass"
    read = {part for criterion in shipped().criteria.values() for part in criterion.reads}
    cases: dict[str, dict[str, Any]] = {
        "context": {"context": "x" * 10},
        "reference": {"reference": "ten"},
    }
    for name, given_ in cases.items():
        reasons = fairwitness.evaluate(*good, **given_).reasons
        assert ("context_not_read" in reasons) == (name not in read)


def test_a_response_of_tool_calls_alone_never_passes_unread() -> None:
    found = fairwitness.evaluate("When does it open?", {"toolCalls": [CALL]})
    if all(item.verdict == "not_applicable" for item in found.verdicts):
        assert found.reasons == ["context_not_read"]
        assert found.overall_score == shipped().protocol.overall.cap < 65


def test_coverage_counts_what_a_reader_read() -> None:
    words = exchange_of("Go on.", "word " * 500)
    assert shipped().assess(words).coverage.response_read == 2500
    # Each of these is several tokens, so the middle is left out.
    rows = exchange_of("Go on.", "🜁🜂🜃🜄" * 4000)
    coverage = shipped().assess(rows).coverage
    assert 0 < coverage.response_read <= coverage.response_total == 16000


@pytest.mark.parametrize(
    ("given_", "fault"),
    [
        ({"messages": []}, "messages: at least one is required"),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "text only"),
        ({"messages": [{"role": "user", "content": None}]}, "messages[0].content: text only"),
        ({"messages": [{"role": "king", "content": "x"}]}, 'messages[0].role: must be one of "assistant", "system"'),
        ({"messages": [{"content": "x", "rôle": "user"}]}, "messages[0].role: required\nmessages[0].rôle: unknown field"),
        ({"messages": [{"role": "user", "content": "x", "toolCallId": 5}]}, "messages[0].toolCallId: must be a string"),
        ({"messages": [object()]}, "messages: must be plain data"),
        ({"messages": "Why?"}, "messages: must be an array"),
        ({"messages": {"role": "user", "content": "x"}}, "messages: must be an array"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "messages: the last one"),
        ({"messages": [{"role": "user", "content": "\ud800"}]}, "messages[0].content: contains"),
        ({"context": [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]}, "ids must be unique"),
        ({"context": [{"text": ""}]}, "context[0].text: must not be empty"),
        ({"context": ["x", 3]}, "context[1]: must be an object"),
        ({"context": {"txt": "x"}}, "context[0].text: required\ncontext[0].txt: unknown field"),
        ({"context": [{"text": "x", "id": "\udc00"}]}, "context[0].id: contains"),
        ({"reference": "\ud800"}, "reference: contains"),
    ],
)  # fmt: skip
def test_faults_are_named(given_: dict[str, Any], fault: str) -> None:
    prompt = None if "messages" in given_ else "Why?"
    with pytest.raises(InvalidRequest) as refused:
        fairwitness.evaluate(prompt, "Because.", **given_)
    assert fault in "\n".join(refused.value.details)


@pytest.mark.parametrize(
    "arguments",
    [{"x": 2**60}, {"x": float("nan")}, {"x": "\ud800"}, {"\udfff": 1}],
)
def test_a_call_without_a_canonical_form_is_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest, match="no canonical JSON"):
        fairwitness.evaluate("Why?", {"toolCalls": [{"name": "f", "arguments": arguments}]})


def test_deeply_nested_arguments_are_refused_or_judged() -> None:
    deep: Any = 1
    for _ in range(10):
        deep = {"a": [deep]}
    call = {"name": "f", "arguments": {"deep": deep}}
    assert fairwitness.evaluate("Why?", {"content": "Because.", "toolCalls": [call]})
    for _ in range(100_000):
        deep = [deep]
    call = {"name": "f", "arguments": {"deep": deep}}
    with pytest.raises(InvalidRequest, match="nested"):
        fairwitness.evaluate("Why?", {"toolCalls": [call]})


@pytest.mark.parametrize("one", [{"text": "It has 18 rooms."}, Passage(text="It has 18 rooms.")])
def test_one_passage_alone_is_a_context(one: Any) -> None:
    asked = ("How many rooms?", "It has 81 rooms.")
    found = fairwitness.evaluate(*asked, context=one)
    assert found == fairwitness.evaluate(*asked, context=[one])
    assert found["grounding"].verdict != "not_applicable"


def test_prompt_and_messages_exclude_each_other() -> None:
    with pytest.raises(InvalidRequest, match="prompt or messages"):
        fairwitness.evaluate("Why?", "Because.", messages=CONVERSATION)
    with pytest.raises(TypeError, match="prompt must be a str"):
        fairwitness.evaluate(None, "Because.")


def test_an_identifier_that_the_context_gave_is_no_finding() -> None:
    asked, answer = "How do I reach Jane?", "Write to jane.roe@gmail.com."
    assert fairwitness.evaluate(asked, answer)["privacy"].finding_ids
    for given_ in (
        {"context": "Jane's address is jane.roe@gmail.com."},
        {"reference": "jane.roe@gmail.com"},
    ):
        found = fairwitness.evaluate(asked, answer, **given_)  # type: ignore[arg-type]
        assert not found["privacy"].finding_ids
    earlier = {"role": "user", "content": "I am jane.roe@gmail.com."}
    talk = [earlier, {"role": "user", "content": asked}]
    assert not fairwitness.evaluate(None, answer, messages=talk)["privacy"].finding_ids


def test_an_empty_response_needs_a_tool_call() -> None:
    with pytest.raises(InvalidRequest, match="needs content or toolCalls"):
        fairwitness.evaluate("Why?", {"content": ""})


def test_another_response_keeps_everything_else() -> None:
    exchange = Exchange(
        "",
        "Old.",
        "stop",
        context=[Passage(text="Given.")],
        messages=[Message(role="user", content="Why?")],
        reference="New.",
        tool_calls=[ToolCall(name="f", arguments={})],
    )
    other = exchange.with_response("New.")
    assert other.response.value == "New."
    for source in ("prompt", "context[0]", "messages[0]", "reference", "response.toolCalls[0]"):
        assert other.text(source).value == exchange.text(source).value
    assert other.finish_reason == "stop"
    assert exchange.passage(Span(0, 3)).response.value == "Old"


def test_types_of_the_contract_are_taken_as_they_are() -> None:
    answer = Answer(content="Because.", tool_calls=[ToolCall(name="f", arguments={"x": 1})])
    exchange = exchange_of(
        None, answer, messages=[Message(role="user", content="Why?")], context=[Passage(text="x")]
    )
    assert exchange.tool_calls[0].arguments == {"x": 1}
