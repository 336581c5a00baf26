"""Usage no text and no limit of the request makes possible counts as unknown, and is reported."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from structlog.testing import capture_logs

from fairwitness.contract.errors import ProvidersFailed
from fairwitness.contract.results import CompletedItem, FailedItem
from fairwitness.providers.provider import ProviderFailure
from fairwitness.providers.usage import believable, fewest_tokens, most_input_tokens
from tests.providers.peers import HOSTED, Behaviour, HostileServer, KeptResident, answer, hosted
from tests.providers.test_every_kind import SHAPES
from tests.service.scripted import Scripted, evaluate, house

pytestmark = pytest.mark.xdist_group("providers")
Hostile = Callable[[Behaviour], HostileServer]
every_hosted = pytest.mark.parametrize("kind", HOSTED)

PROSE = "The keeper lit the lamp again, and the ships that had waited came in one by one. "
TEXTS = [
    PROSE * 20,
    "灯塔看守人又点亮了灯,等待的船只一艘接一艘地驶进港口。" * 30,
    "أشعل حارس المنارة المصباح مرة أخرى ودخلت السفن واحدة تلو الأخرى. " * 20,
    "🧬🚢🌊" * 300,
    "def light(lamp):\n        return lamp.on()\n\n\n" * 40,
    "| --- | --- |\n" * 100,
    " " * 2000,
    "=" * 2000 + "\n" + "-" * 3000,
    "a",
    "Internationalization telecommunications " * 50,
]


def books(tmp_path: Path, provider: Any, prompt: str) -> tuple[Any, int, int]:
    """Ask one provider over a real ledger; return the item, what was spent, and what was reserved for it."""

    async def go() -> tuple[Any, int, int]:
        async with house(tmp_path, {"provider_a": provider}) as home:
            result = await home.ask("provider_a", prompt=prompt)
            spent = await home.spent()
        await provider.aclose()
        return result.results[0], spent, provider.worst_case_micro_usd(prompt)

    return asyncio.run(go())


@every_hosted
@pytest.mark.parametrize(
    ("response", "tokens"),
    [
        (PROSE * 92, 1),  # 7,500 characters
        (PROSE * 92, 400),  # 19 characters a token
        ("Fine.", 90_000_000),
        ("Fine.", 1025),  # one more than the request allowed
    ],
)
def test_what_cannot_be_counts_as_the_whole_reservation(
    kind: str, response: str, tokens: int, hostile: Hostile, tmp_path: Path
) -> None:
    body = json.dumps(SHAPES[kind](response, tokens)).encode()
    provider = hosted(kind, hostile(answer(body)).origin, max_output_tokens=1024)
    with capture_logs() as lines:
        item, spent, reserved = books(tmp_path, provider, "Any one?")
    assert spent == reserved
    assert isinstance(item, CompletedItem)
    assert (item.usage.input_tokens, item.usage.output_tokens) == (None, None)
    assert item.usage.cost_usd == reserved / 1_000_000
    assert [line["slot"] for line in lines if line["event"] == "provider_usage_disbelieved"] == [
        "provider_a"
    ]


@every_hosted
def test_ninety_million_input_tokens_for_nine_bytes_book_no_fortune(
    kind: str, hostile: Hostile, tmp_path: Path
) -> None:
    body = SHAPES[kind]("Fine.", 3)
    (member,) = {"usage", "usageMetadata"} & body.keys()
    body[member][next(iter(body[member]))] = 90_000_000
    provider = hosted(kind, hostile(answer(json.dumps(body).encode())).origin)
    _, spent, reserved = books(tmp_path, provider, "Nine byte")
    assert spent == reserved < 3000


@every_hosted
def test_what_can_be_is_believed_and_settled_exactly(
    kind: str, hostile: Hostile, tmp_path: Path
) -> None:
    body = json.dumps(SHAPES[kind](PROSE * 2, 40)).encode()
    provider = hosted(kind, hostile(answer(body)).origin, max_output_tokens=40)
    with capture_logs() as lines:
        item, spent, _ = books(tmp_path, provider, PROSE)
    assert spent == 40 * 1.5 + 40 * 4
    assert item.usage.cost_usd == spent / 1_000_000
    assert not [line for line in lines if line["event"] == "provider_usage_disbelieved"]


@every_hosted
def test_an_empty_answer_with_impossible_usage_counts_whole_too(
    kind: str, hostile: Hostile, tmp_path: Path
) -> None:
    provider = hosted(kind, hostile(answer(json.dumps(SHAPES[kind]("", 10**6)).encode())).origin)
    noted: list[str] = []

    async def go() -> int:
        slots = {"provider_a": provider}
        async with house(tmp_path, slots, on_disbelieved=noted.append) as home:
            with pytest.raises(ProvidersFailed):
                await home.ask("provider_a")
            return await home.spent()

    assert asyncio.run(go()) == provider.worst_case_micro_usd("How do plants make food?")
    assert noted == ["provider_a"]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_real_tokenizer_is_believed(text: str, resident: KeptResident) -> None:
    headers = {"Authorization": f"Bearer {resident.link.key}"}
    with httpx2.Client(trust_env=False, base_url=resident.link.url, headers=headers) as client:
        told = client.post("/tokenize", json={"content": text}, timeout=60).json()["tokens"]
    assert fewest_tokens(text) <= len(told) <= most_input_tokens(text)
    assert believable(text, text, len(told), len(told), len(told))
    assert not believable(text, text, len(told) - 1, len(told), len(told))


@pytest.mark.parametrize(
    ("script", "cost"),
    [
        (Scripted(failure=ProviderFailure("timeout")), 0.001),
        (Scripted(failure=ProviderFailure("invalid_answer", cost_micro_usd=55)), 5.5e-05),
        (Scripted(failure=ProviderFailure("rate_limited", generated_nothing=True)), 0.0),
        (Scripted(failure=ZeroDivisionError("our own mistake")), 0.001),
    ],
)
def test_a_failed_item_says_what_it_cost(tmp_path: Path, script: Scripted, cost: float) -> None:
    async def go() -> tuple[FailedItem, int]:
        slots = {"provider_a": script, "provider_b": Scripted(cost=0)}
        async with house(tmp_path, slots) as home:
            result = await home.ask("provider_a", "provider_b")
            item = result.results[0]
            assert isinstance(item, FailedItem)
            return item, await home.spent()

    item, spent = asyncio.run(go())
    assert item.usage
    assert item.usage.cost_usd == cost == spent / 1_000_000


def test_a_slot_that_was_sent_nothing_has_no_usage(tmp_path: Path) -> None:
    async def go() -> FailedItem:
        async with house(tmp_path, {"provider_a": None, "provider_b": Scripted()}) as home:
            item = (await home.ask("provider_a", "provider_b")).results[0]
            assert isinstance(item, FailedItem)
            return item

    assert not asyncio.run(go()).usage


def test_a_response_that_could_not_be_judged_shows_its_usage(tmp_path: Path) -> None:
    async def judge(prompt: str, response: str, *, finish_reason: str | None = None) -> Any:
        if response == "broken":
            raise ZeroDivisionError
        return await evaluate(prompt, response, finish_reason=finish_reason)

    async def go() -> FailedItem:
        slots = {"provider_a": Scripted(text="broken"), "provider_b": Scripted()}
        async with house(tmp_path, slots, judge=judge) as home:
            item = (await home.ask("provider_a", "provider_b")).results[0]
            assert isinstance(item, FailedItem)
            return item

    usage = asyncio.run(go()).usage
    assert usage
    assert (usage.input_tokens, usage.output_tokens, usage.cost_usd) == (7, 9, 4e-05)
