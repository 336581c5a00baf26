"""The Arena of contract 2: what providers are asked, what is judged, who hears of it, and evidence that verifies."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairwitness.contract.decode import decode
from fairwitness.contract.errors import DuplicateRequest, ProvidersFailed
from fairwitness.contract.requests_2 import ArenaRequest2
from fairwitness.contract.results import ResultItem
from fairwitness.contract.results_2 import ArenaResult2
from fairwitness.evaluator import shipped
from fairwitness.evidence import Keyring, as_sent
from fairwitness.evidence.verify import verify
from fairwitness.providers.asked import Asked, Conversation, Turn
from fairwitness.providers.provider import Completion, ProviderFailure
from fairwitness.service.arena_2 import ArenaOfConversations
from fairwitness.settings import Settings
from tests.service.scripted import CALL, Scripted, house

SYSTEM = {"role": "system", "content": "Be brief."}
ASKED = {"role": "user", "content": "Answer in exactly two sentences: how do plants make food?"}


@dataclass
class Noting(Scripted):
    """A provider that keeps what it was asked."""

    heard: list[Asked] = field(default_factory=list)

    async def complete(self, prompt: Any, deadline: float, **given: Any) -> Completion:
        self.heard.append(prompt)
        return await super().complete(prompt, deadline, **given)


def request(**changed: Any) -> ArenaRequest2:
    body = {
        "contractVersion": "2.0.0-alpha.1",
        "messages": [SYSTEM, ASKED],
        "providers": ["provider_g", "provider_a"],
        "privacyAcknowledged": True,
        **changed,
    }
    sound = {name: value for name, value in body.items() if value is not None}
    return decode(json.dumps(sound).encode(), ArenaRequest2)


def run(
    path: Path, slots: dict[str, Any], *asked: ArenaRequest2, **call: Any
) -> list[ArenaResult2]:
    async def judge(prompt: str | None, response: str, **given: Any) -> Any:
        return shipped().evaluate(prompt, response, **given)

    async def go() -> list[ArenaResult2]:
        async with house(path, slots, judge=judge) as home:
            arena = ArenaOfConversations(
                home.generation, shipped(), Keyring(Settings(data_dir=path))
            )
            return [await arena(one, msgspec.structs.replace(CALL, **call)) for one in asked]

    return asyncio.run(go())


def slots() -> dict[str, Any]:
    return {"provider_a": Noting(), "provider_g": Noting(delay_s=0.2)}


def test_every_provider_gets_the_conversation(tmp_path: Path) -> None:
    given = slots()
    (result,) = run(tmp_path, given, request(system="In English.", temperature=0.5))
    expected = Conversation(
        (
            Turn("system", "In English."),
            Turn("system", "Be brief."),
            Turn("user", ASKED["content"]),
        ),
        0.5,
    )
    assert [provider.heard for provider in given.values()] == [[expected], [expected]]
    assert [item.provider_id for item in result.results] == ["provider_g", "provider_a"]
    assert result.protocol_digest == shipped().protocol.digest
    assert result.evidence is msgspec.UNSET


def test_responses_are_judged_as_answers_to_the_messages(tmp_path: Path) -> None:
    (result,) = run(tmp_path, slots(), request())
    found = msgspec.to_builtins(result.results[0])["evaluation"]["findings"]
    sources = {quote["source"] for item in found for quote in item["evidence"]}
    assert "messages[1]" in sources


def test_a_bare_prompt_is_asked_as_it_is(tmp_path: Path) -> None:
    given = slots()
    run(tmp_path, given, request(messages=None, prompt="Why?"))
    assert given["provider_a"].heard == ["Why?"]


def test_results_are_heard_as_they_finish(tmp_path: Path) -> None:
    heard: list[ResultItem] = []
    (result,) = run(tmp_path, slots(), request(), on_result=heard.append)
    assert [item.provider_id for item in heard] == ["provider_a", "provider_g"]
    assert sorted(heard, key=lambda item: item.provider_id, reverse=True) == result.results


def test_a_failure_is_heard_and_stays_in_its_place(tmp_path: Path) -> None:
    heard: list[ResultItem] = []
    failing = Scripted(failure=ProviderFailure("unreachable", generated_nothing=True))
    given = {"provider_a": failing, "provider_g": Scripted()}
    (result,) = run(tmp_path, given, request(), on_result=heard.append)
    assert [item.provider_id for item in result.results] == ["provider_g", "provider_a"]
    assert (result.summary.completed, result.summary.failed) == (1, 1)
    assert len(heard) == 2
    with pytest.raises(ProvidersFailed):
        run(tmp_path, {"provider_a": failing, "provider_g": failing}, request(temperature=1))


def test_the_same_request_is_a_duplicate_and_another_temperature_is_not(tmp_path: Path) -> None:
    run(tmp_path, slots(), request(temperature=0.1), request(temperature=0.2))
    with pytest.raises(DuplicateRequest):
        run(tmp_path, slots(), request(temperature=0.2))


def test_evidence_verifies_and_every_change_is_found(tmp_path: Path) -> None:
    asked = request(
        system="In English.",
        temperature=0.5,
        messages=[
            {
                "role": "assistant",
                "content": "",
                "toolCalls": [{"name": "f", "arguments": {"x": 1.5}}],
            },
            ASKED,
        ],
    )
    (result,) = run(tmp_path, slots(), asked, evidence=True)
    keys = Keyring(Settings(data_dir=tmp_path)).public_keys()
    sent = as_sent(result)
    report = verify(sent, keys, shipped())
    assert report.good, report
    said = {check.part for check in report.checks}
    assert {
        "request.messages",
        "request.system",
        "request.temperature",
        "protocolDigest",
        "results[0].evaluation",
    } <= said
    for path, value in (
        (("request", "temperature"), 0.6),
        (("request", "system"), "In French."),
        (("request", "messages", 0, "toolCalls", 0, "arguments", "x"), 2.5),
        (("protocolDigest",), "0" * 64),
        (("results", 0, "response"), "Another."),
    ):
        changed = json.loads(sent)
        place: Any = changed
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        assert not verify(json.dumps(changed).encode(), keys, shipped()).good, path
