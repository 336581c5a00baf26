"""A protocol with judged criteria through the door: contract 2 asks, spends and returns the record; contract 1 never."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from fairwitness.evaluator import Evaluator, protocol
from fairwitness.evaluator.judges.replay import replay
from fairwitness.settings import in_one
from tests.cli.test_judged import PROTOCOL, SLOT, Peer
from tests.conftest import RunningServer, serving

pytestmark = pytest.mark.xdist_group("providers")
BODY: dict[str, Any] = {
    "contractVersion": "2.0.0-alpha.1",
    "privacyAcknowledged": True,
    "prompt": "Tea?",
    "response": "Here you are.",
    "protocol": "kind",
}


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    peer = Peer(usage={"prompt_tokens": 300, "completion_tokens": 30, "total_tokens": 330})
    yield peer
    peer.close()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, peer: Peer) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("judged")
    (folder / "kind.toml").write_text(PROTOCOL)
    (folder / "settings.toml").write_text(SLOT % peer.base_url)
    with serving(
        folder,
        CONFIG=str(folder / "settings.toml"),
        PROTOCOLS=f"fairwitness,{folder / 'kind.toml'}",
        BUDGET_PER_DAY_USD="0.010",
    ) as found:
        yield found


def send(running: RunningServer, body: dict[str, Any]) -> httpx2.Response:
    return httpx2.post(
        f"{running.url}/api/v2/evaluate-response", json=body, trust_env=False, timeout=120
    )


def test_the_answer_carries_a_record_that_replays(
    running: RunningServer, peer: Peer, tmp_path: Path
) -> None:
    answer = send(running, BODY)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    verdicts = {item["criterionId"]: item["verdict"] for item in found["evaluation"]["verdicts"]}
    assert verdicts["kind"] == "pass"
    assert len(peer.calls) == 2
    (tmp_path / "kind.toml").write_text(PROTOCOL)
    evaluator = Evaluator.of(protocol.load(tmp_path / "kind.toml"))
    assert replay(json.dumps(found["judgeRecord"], ensure_ascii=False, separators=(",", ":")).encode(), evaluator).same  # fmt: skip
    assert found["judgeRecord"]["protocolDigest"] == found["protocolDigest"]
    # The same request again is a duplicate, as for everything that spends.
    again = send(running, BODY)
    assert (again.status_code, again.json()["error"]["code"]) == (429, "duplicate_request")
    plain = send(running, BODY | {"protocol": "fairwitness"})
    assert "judgeRecord" not in plain.json()
    assert len(peer.calls) == 2
    # Over the budget it is refused as every provider-backed request is.
    codes = [send(running, BODY | {"prompt": f"Tea {n}?"}) for n in range(12)]
    refused = [one for one in codes if one.status_code != 200]
    assert {one.json()["error"]["code"] for one in refused} == {"budget_exhausted"}
    assert 0 < len(refused) < 12


def test_a_protocol_whose_judges_are_missing_is_said_at_start(tmp_path: Path) -> None:
    """Its path has a comma: the list of protocols is written so that it is read back."""
    folder = tmp_path / "ours, theirs"
    folder.mkdir()
    (folder / "kind.toml").write_text(PROTOCOL.replace("provider_a", "provider_c"))
    files = in_one(["fairwitness", str(folder / "kind.toml")])
    (tmp_path / "settings.toml").write_text(SLOT % "http://127.0.0.1:9")
    with serving(tmp_path, CONFIG=str(tmp_path / "settings.toml"), PROTOCOLS=files) as running:
        answer = send(running, BODY)
        published = httpx2.get(f"{running.url}/docs/protocol/kind", trust_env=False, timeout=60)
    warning = json.loads(running.log.read_text().splitlines()[1])
    assert warning["event"] == "judge_missing"
    assert "protocol kind: criteria.kind.judge.providers: provider_c is not configured" in warning["warning"]  # fmt: skip
    assert published.content == (folder / "kind.toml").read_bytes()
    evaluation = answer.json()["evaluation"]
    assert (evaluation["overallVerdict"], evaluation["reasons"]) == ("needs_review", ["judge_unavailable"])  # fmt: skip
