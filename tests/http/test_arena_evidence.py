"""Arena evidence end to end: the embedded model answers, the service signs, a stranger verifies."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from fairwitness.cli import main
from tests.conftest import RunningServer


def verify(*arguments: str | Path) -> object:
    with pytest.raises(SystemExit) as exit:
        main(["verify", *map(str, arguments)])
    return exit.value.code


def test_a_stranger_verifies_what_the_service_answered(
    start: Callable[..., RunningServer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = start(EMBEDDED_MAX_TOKENS="12")
    request = {
        "contractVersion": "1.0.0",
        "prompt": "Name a colour.",
        "providers": ["provider_d", "provider_a"],
        "privacyAcknowledged": True,
    }
    answer = httpx2.post(f"{server.url}/api/arena-evidence", json=request, timeout=90)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert [item["providerId"] for item in body["results"]] == ["provider_d", "provider_a"]
    assert body["request"] == {
        name: request[name] for name in ("contractVersion", "prompt", "providers")
    }
    file, keys = tmp_path / "answer.json", tmp_path / "keys.json"
    file.write_bytes(answer.content)
    keys.write_bytes(httpx2.get(f"{server.url}/docs/keys.json", timeout=30).content)
    assert verify(file, "--key", keys) == 0
    told = capsys.readouterr().out
    for part in ("results[0].evaluation", "results[1].evaluation", "summary"):
        assert f"{part}: identical: byte for byte" in told
    body["results"][1]["latencyMs"] += 1
    file.write_text(json.dumps(body))
    assert verify(file, "--key", keys) == 1
    assert "results[1].latencyMs: " in capsys.readouterr().out
