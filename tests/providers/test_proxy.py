"""The outgoing proxy: hosted providers are reached through it, near ones without it, and its refusal costs nothing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from fairwitness import settings
from fairwitness.providers import config as configs
from fairwitness.providers.provider import ProviderFailure
from fairwitness.settings import SettingsError
from tests.providers.peers import HostileServer, answer, complete, hosted

ANSWER = {
    "choices": [{"message": {"content": "Plants."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 12},
}
TABLE = """
[providers.provider_a]
kind = "openai"
model = "m"
base_url = "https://llm.example.org/v1"
input_usd_per_mtok = 1
output_usd_per_mtok = 1
[providers.provider_d]
kind = "openai"
model = "m"
base_url = "http://10.1.2.3:8000/v1"
input_usd_per_mtok = 0
output_usd_per_mtok = 0
"""


def test_hosted_slots_use_it_and_near_ones_do_not(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(TABLE)
    environ = {
        "FAIRWITNESS_CONFIG": str(tmp_path / "c.toml"),
        "FAIRWITNESS_PROVIDER_PROXY": "http://user:word@proxy.example:3128",
        "HTTPS_PROXY": "http://never.example:1",
    }
    found = configs.read(settings.load(environ), environ)
    assert found["provider_a"].proxy == "http://user:word@proxy.example:3128"
    assert found["provider_d"].proxy is None
    assert "word" not in repr(found)


@pytest.mark.parametrize("text", ["proxy.example:3128", "socks5://p:1", "http://", "http://p/x"])
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="FAIRWITNESS_PROVIDER_PROXY: must be an address"):
        settings.load({"FAIRWITNESS_PROVIDER_PROXY": text})


def test_the_request_goes_to_the_proxy() -> None:
    proxy = HostileServer(answer(json.dumps(ANSWER).encode()))
    try:
        found = complete(hosted("openai", "http://llm.example.org", proxy=proxy.origin), "Q?")
    finally:
        proxy.close()
    assert found.text == "Plants."
    assert proxy.requests[0].startswith(b"POST http://llm.example.org/v1/chat/completions HTTP/1.1")


def test_a_proxy_that_refuses_has_sent_nothing() -> None:
    proxy = HostileServer(answer(b"no", status="403 Forbidden"))
    begun: list[int] = []

    async def ask() -> None:
        provider = hosted("openai", "https://llm.example.org", proxy=proxy.origin)
        deadline = asyncio.get_running_loop().time() + 10
        try:
            await provider.complete("Q?", deadline, before_send=lambda: begun.append(1))
        finally:
            await provider.aclose()

    try:
        with pytest.raises(ProviderFailure) as caught:
            asyncio.run(ask())
    finally:
        proxy.close()
    assert caught.value.generated_nothing
    assert not begun
