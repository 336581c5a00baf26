"""What a judge is sent: the judge's sampling, limit and shape of answer, and never more than the slot allows."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from fairwitness.providers.provider import Asking, ProviderFailure
from tests.providers.peers import HostileServer, answer, hosted

SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}}}


def sent(kind: str, asking: Asking) -> dict[str, Any]:
    server = HostileServer(answer(b"{}"))

    async def ask() -> None:
        provider = hosted(kind, server.origin, temperature=None if kind == "anthropic" else 0.9)
        judge = provider.as_judge(asking)
        cheaper = judge.worst_case_micro_usd("Q?") < provider.worst_case_micro_usd("Q?")
        assert cheaper == (asking.max_output_tokens < 32)
        try:
            with pytest.raises(ProviderFailure):
                await judge.complete("Q?", asyncio.get_running_loop().time() + 20)
            assert provider.sampling == ({} if kind == "anthropic" else {"temperature": 0.9})
        finally:
            await provider.aclose()

    try:
        asyncio.run(ask())
    finally:
        server.close()
    body: dict[str, Any] = json.loads(server.requests[0].partition(b"\r\n\r\n")[2])
    return body


def test_openai() -> None:
    body = sent("openai", Asking(0.0, 7, 16, SCHEMA))
    assert (body["temperature"], body["max_tokens"], "seed" in body) == (0.0, 16, False)
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    body = sent("openai", Asking(0.5, 7, 9_999))
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.5, 7, 32)
    assert "response_format" not in body


def test_gemini() -> None:
    settings = sent("gemini", Asking(0.5, 7, 16, SCHEMA))["generationConfig"]
    assert settings == {
        "maxOutputTokens": 16,
        "temperature": 0.5,
        "seed": 7,
        "responseMimeType": "application/json",
        "responseJsonSchema": SCHEMA,
    }


def test_anthropic_takes_neither() -> None:
    body = sent("anthropic", Asking(0.5, 7, 16, SCHEMA))
    assert sorted(body) == ["max_tokens", "messages", "model"]
