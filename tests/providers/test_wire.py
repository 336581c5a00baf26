"""The guarded wire: keys go to the configured address alone, and the environment changes nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import httpx2
import pytest

from fairwitness.providers import wire
from fairwitness.providers.provider import ProviderFailure
from fairwitness.providers.wire import GuardedTransport, Secret
from tests.providers.peers import HOSTED, KEY, Behaviour, HostileServer, answer, complete, hosted

Hostile = Callable[[Behaviour], HostileServer]
every_hosted = pytest.mark.parametrize("kind", HOSTED)

ALLOWED = {
    "host",
    "accept",
    "accept-encoding",
    "content-type",
    "content-length",
    "user-agent",
    "authorization",
    "x-api-key",
    "x-goog-api-key",
    "anthropic-version",
}
SURPRISES = {
    "OPENAI_API_KEY": "sk-from-the-environment",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/elsewhere",
    "OPENAI_ORG_ID": "org-surprise",
    "OPENAI_PROJECT_ID": "proj-surprise",
    "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer sk-surprise\nX-Surprise: 1",
    "OPENAI_LOG": "debug",
    "ANTHROPIC_API_KEY": "sk-from-the-environment",
    "ANTHROPIC_AUTH_TOKEN": "token-surprise",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9/elsewhere",
    "ANTHROPIC_CUSTOM_HEADERS": "x-api-key: sk-surprise\nX-Surprise: 1",
    "ANTHROPIC_LOG": "debug",
    "GEMINI_API_KEY": "sk-from-the-environment",
    "GOOGLE_API_KEY": "sk-from-the-environment",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
    "SSL_CERT_FILE": "/nonexistent",
}


@every_hosted
def test_the_environment_changes_neither_address_nor_headers(
    kind: str,
    hostile: Hostile,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for name, value in SURPRISES.items():
        monkeypatch.setenv(name, value)
    caplog.set_level(logging.DEBUG)
    server = hostile(answer(b"{}"))
    with pytest.raises(ProviderFailure):
        complete(hosted(kind, server.origin), "the prompt's own words")
    (request,) = server.requests
    head, _, body = request.partition(b"\r\n\r\n")
    names = {line.split(b":")[0].decode().lower() for line in head.split(b"\r\n")[1:]}
    assert names <= ALLOWED
    assert head.count(KEY.encode()) == 1
    assert b"surprise" not in request
    assert b"from-the-environment" not in request
    assert b"placeholder" not in request
    assert b"the prompt's own words" in body
    for said in (record.getMessage() for record in caplog.records):
        assert KEY not in said
        assert "prompt's own words" not in said
        assert server.origin not in said


@every_hosted
def test_without_a_key_none_is_sent(kind: str, hostile: Hostile) -> None:
    server = hostile(answer(b"{}"))
    with pytest.raises(ProviderFailure):
        complete(hosted(kind, server.origin, key=None), "any")
    head = server.requests[0].partition(b"\r\n\r\n")[0].lower()
    for name in (b"authorization", b"x-api-key", b"x-goog-api-key", b"placeholder"):
        assert name not in head


def test_another_origin_gets_nothing(hostile: Hostile) -> None:
    server = hostile(answer(b"{}"))

    async def go() -> None:
        transport = GuardedTransport("https://api.example.org", Secret(KEY))
        async with wire.client(transport) as client:
            for url in (server.origin, "http://api.example.org/", "https://api.example.org:444/"):
                with pytest.raises(ProviderFailure):
                    await client.get(url)

    asyncio.run(go())
    assert not server.requests


def test_the_sdk_never_holds_the_key() -> None:
    for kind in ("openai", "anthropic"):
        provider = hosted(kind, "http://127.0.0.1:9")
        sdk = provider._sdk()
        assert KEY not in repr(vars(sdk))
        assert sdk.api_key.startswith("placeholder-")
        asyncio.run(provider.aclose())


def test_a_secret_shows_itself_to_nobody() -> None:
    secret = Secret(KEY)
    assert KEY not in f"{secret} {secret!r} {[secret]}"
    assert not hasattr(secret, "__dict__")


def test_the_answer_is_bounded_to_the_byte(hostile: Hostile) -> None:
    async def go(limit: int) -> int:
        server = hostile(answer(b"x" * 1000))
        transport = GuardedTransport(server.origin, None, limit)
        async with wire.client(transport) as client:
            response: httpx2.Response = await client.get(server.origin)
            return len(response.content)

    assert asyncio.run(go(1000)) == 1000
    with pytest.raises(ProviderFailure) as caught:
        asyncio.run(go(999))
    assert caught.value.code == "too_large"
