"""Prices: what we would reserve and settle is never less than what the bundled table says."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from genai_prices import Usage, calc_price
from genai_prices.data import providers

from fairwitness.contract.requests import PROMPT_MAX
from fairwitness.providers import prices

# An address of each provider whose pattern is not itself an address.
ADDRESSES = {
    "aws": "https://bedrock-runtime.us-east-1.amazonaws.com",
    "azure": "https://mine.openai.azure.com/openai/v1",
    "cloudflare": "https://api.cloudflare.com/client/v4/accounts/mine/ai/v1",
    "cohere": "https://api.cohere.ai",
    "databricks": "https://mine.cloud.databricks.com/serving-endpoints",
    "elevenlabs": "https://api.elevenlabs.io",
    "google": "https://generativelanguage.googleapis.com",
    "minimax": "https://api.minimax.io",
    "modal": "https://mine.modal.run",
    "moonshotai": "https://api.moonshot.ai",
    "openrouter": "https://openrouter.ai/api/v1",
}
USAGES = [(1, 1), (20, 300), (1500, 9), (PROMPT_MAX * 4 + prices.TEMPLATE_TOKENS, 32_768)]


def address(provider_id: str, pattern: str) -> str:
    plain = pattern.replace("(?:/|$)", "").replace("\\", "")
    found = ADDRESSES.get(provider_id, plain)
    assert re.match(pattern, found), (provider_id, found)
    return found


@pytest.mark.parametrize("provider", providers, ids=lambda one: one.id)
def test_no_call_costs_more_than_our_price_says(provider: object) -> None:
    base_url = address(provider.id, provider.api_pattern)  # type: ignore[attr-defined]
    moments = [datetime.now(UTC) + timedelta(hours=hours) for hours in (0, 9)]
    for model in provider.models:  # type: ignore[attr-defined]
        ours = prices.published(model.id, base_url)
        if ours is None:
            continue
        for read, written in USAGES:
            usage = Usage(input_tokens=read, output_tokens=written)
            for moment in moments:
                theirs = calc_price(
                    usage, model.id, provider_api_url=base_url, genai_request_timestamp=moment
                )
                assert ours.micro_usd(read, written) >= theirs.total_price * 1_000_000, model.id


@pytest.mark.parametrize(
    "model", ["sonar", "sonar-pro", "sonar-reasoning", "sonar-reasoning-pro", "sonar-deep-research"]
)
def test_a_price_that_tokens_do_not_make_up_is_none(model: str) -> None:
    assert prices.published(model, "https://api.perplexity.ai") is None


def test_an_ordinary_price_is_read_as_it_stands() -> None:
    found = prices.published("gpt-4o-mini", "https://api.openai.com/v1")
    assert found == prices.Price(Decimal("0.15"), Decimal("0.6"))


def test_most_models_that_write_text_keep_a_price() -> None:
    openrouter = next(one for one in providers if one.id == "openrouter")
    known = [prices.published(one.id, ADDRESSES["openrouter"]) for one in openrouter.models]
    assert sum(price is not None for price in known) > len(known) / 2
