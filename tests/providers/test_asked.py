"""What each kind of provider is sent for a conversation: its turns, the system's text, the temperature; and its price."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from fairwitness.contract.conversation import Message, ToolCall
from fairwitness.providers import prices
from fairwitness.providers.asked import Conversation, Turn, conversation, system_apart, text_of
from fairwitness.providers.provider import ProviderFailure
from tests.providers.peers import HOSTED, HostileServer, answer, complete, hosted

ANSWERS: dict[str, dict[str, Any]] = {
    "openai": {"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]},
    "anthropic": {"content": [{"type": "text", "text": "Yes."}], "stop_reason": "end_turn"},
    "gemini": {"candidates": [{"content": {"parts": [{"text": "Yes."}]}, "finishReason": "STOP"}]},
}
MESSAGES = [
    Message(role="system", content="Be kind."),
    Message(role="user", content="When does it open?"),
    Message(
        role="assistant", content="", tool_calls=[ToolCall(name="hours", arguments={"day": 1})]
    ),
    Message(role="tool", content="09:00", tool_call_id="1"),
]
ASKED = conversation(MESSAGES, "Be brief.", 0.25)
CALL = '{"arguments":{"day":1},"name":"hours"}'


def sent(kind: str, asked: Any, **fields: Any) -> dict[str, Any]:
    """Return the body a provider of this kind is sent."""
    server = HostileServer(answer(json.dumps(ANSWERS[kind]).encode()))
    try:
        assert complete(hosted(kind, server.origin, **fields), asked).text == "Yes."
    finally:
        server.close()
    (request,) = server.requests
    found: dict[str, Any] = json.loads(request.partition(b"\r\n\r\n")[2])
    return found


def test_openai_gets_every_turn_in_place() -> None:
    body = sent("openai", ASKED, temperature=0.9)
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "When does it open?"},
        {"role": "assistant", "content": CALL},
        {"role": "user", "content": "09:00"},
    ]
    assert body["temperature"] == 0.25


def test_anthropic_gets_the_system_apart_and_no_temperature() -> None:
    body = sent("anthropic", ASKED)
    assert body["system"] == "Be brief.\n\nBe kind."
    assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user"]
    assert "temperature" not in body


def test_gemini_gets_the_system_apart() -> None:
    body = sent("gemini", ASKED, temperature=0.9)
    assert body["systemInstruction"] == {"parts": [{"text": "Be brief.\n\nBe kind."}]}
    assert [turn["role"] for turn in body["contents"]] == ["user", "model", "user"]
    assert body["contents"][1]["parts"] == [{"text": CALL}]
    assert body["generationConfig"]["temperature"] == 0.25


@pytest.mark.parametrize("kind", HOSTED)
def test_a_prompt_is_sent_as_before(kind: str) -> None:
    body = json.dumps(sent(kind, "Why?"))
    assert "system" not in body
    assert body.count("Why?") == 1


def test_a_system_text_alone_is_asked_by_the_user() -> None:
    alone = conversation([Message(role="system", content="Say hello.")])
    assert system_apart(alone) == ("", [Turn("user", "Say hello.")])


@pytest.mark.parametrize("kind", HOSTED)
def test_the_worst_case_covers_every_turn(kind: str) -> None:
    provider = hosted(kind, "http://127.0.0.1:1")
    one, many = Conversation((Turn("user", "x" * 100),)), Conversation((Turn("user", "x"),) * 100)
    assert provider.worst_case_micro_usd(many) > provider.worst_case_micro_usd(one)
    assert len(text_of(many)) >= 16 * 99


def test_no_prompt_is_sent_beyond_the_price_that_is_known() -> None:
    """A model that costs more for long prompts has a price for short ones alone."""
    price = prices.Price(Decimal(1), Decimal(1), up_to_input_tokens=300)
    assert price.covers("x" * 44)
    assert not price.covers("x" * 45)
    provider = hosted("openai", "http://127.0.0.1:1", price=price)
    with pytest.raises(ProviderFailure, match="price of so long a prompt") as failed:
        complete(provider, "x" * 45)
    assert (failed.value.code, failed.value.cost_micro_usd) == ("too_large", 0)


def test_published_prices_say_how_far_they_reach() -> None:
    flat = prices.published("gpt-4o-mini", "https://api.openai.com/v1")
    tiered = prices.published("gemini-2.5-pro", "https://generativelanguage.googleapis.com")
    assert flat is not None
    assert flat.covers("x" * 280_000)
    assert tiered is None or not tiered.covers("x" * 280_000)
