"""A full run with planted keys and texts: none of them in any log, error, header or store it has no place in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2

from tests.conftest import RunningServer
from tests.http.wire import exchange

KEYS = {name: f"planted-{name}-55718" for name in ("provider", "metrics", "secret")}
KEYS["contact"] = "cGxhbnRlZC1jb250YWN0LWtleS01NTcxODAwMDAwMDA="
TEXT = "planted-prompt-30122"
ANSWER = "planted-answer-99871 with jane.roe@gmail.com"
MESSAGE = "planted-message-41205"
CONTACT = "planted-contact-77310@mail.example"

CONFIG = """
[providers.provider_a]
kind = "openai"
model = "m"
base_url = "http://127.0.0.1:9/v1"
api_key_env = "PLANTED_PROVIDER_KEY"
input_usd_per_mtok = 1.0
output_usd_per_mtok = 1.0
"""


def bodies() -> list[tuple[str, dict[str, Any]]]:
    base = {"contractVersion": "1.0.0", "prompt": TEXT, "privacyAcknowledged": True}
    slots = {"evaluate": {"providerIds": ["provider_a"]}}
    slots |= {name: {"providers": ["provider_a", "provider_d"]} for name in ("arena", "arena-evidence")}  # fmt: skip
    feedback = {"category": "bug", "message": MESSAGE, "contact": CONTACT}
    del_prompt = {key: value for key, value in base.items() if key != "prompt"}
    return [
        ("evaluate-response", {**base, "response": ANSWER}),
        ("improvement-demo", {**base, "response": ANSWER}),
        *((name, {**base, **more}) for name, more in slots.items()),
        ("feedback", {**del_prompt, **feedback}),
    ]


def broken(body: dict[str, Any]) -> list[bytes]:
    """Return the same texts in bodies that are refused, each for another reason."""
    whole = json.dumps(body)
    return [
        whole[:-1].encode(),
        json.dumps({**body, "contractVersion": TEXT}).encode(),
        json.dumps({**body, "extra": ANSWER}).encode(),
        (whole[:-1] + ', "prompt": "' + TEXT + '"}').encode(),
        json.dumps([body]).encode(),
        whole.encode("utf-16"),
    ]


def test_planted_keys_and_texts_stay_out_of_logs_errors_and_stores(
    start: Callable[..., RunningServer], tmp_path: Path, monkeypatch: Any
) -> None:
    (tmp_path / "config.toml").write_text(CONFIG)
    monkeypatch.setenv("PLANTED_PROVIDER_KEY", KEYS["provider"])
    server = start(
        workers=2,
        CONFIG=str(tmp_path / "config.toml"),
        METRICS_TOKEN=KEYS["metrics"],
        SECRET_KEY=KEYS["secret"],
        FEEDBACK_CONTACT_KEY=KEYS["contact"],
        LOG_LEVEL="debug",
    )
    refused: list[str] = []
    with httpx2.Client(base_url=server.url, timeout=60, trust_env=False) as client:
        for name, body in bodies():
            path = f"/api/{name}"
            answer = client.post(path, json=body)
            if answer.status_code >= 400:
                refused.append(answer.text + str(answer.headers))
            for bad in broken(body):
                answer = client.post(
                    path, content=bad, headers={"content-type": "application/json"}
                )
                assert answer.status_code == 400
                refused.append(answer.text + str(answer.headers))
            answer = client.put(f"{path}?q={TEXT}", content=TEXT, headers={"x-note": ANSWER})
            refused.append(answer.text + str(answer.headers))
        shown = client.get("/docs/providers.json").text + client.get("/metrics").text
    for raw in (
        b"GET /%s HTTP/9\r\n\r\n",
        b"%s / HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\n%s\r\n\r\n",
    ):
        refused += [one.body.decode() for one in exchange(server.port, raw % TEXT.encode())]
    server.process.terminate()
    server.process.wait(20)
    log = server.log.read_text()
    assert "answered" in log
    everything = [log, shown, *refused]
    for planted in (*KEYS.values(), TEXT, ANSWER, "jane.roe", MESSAGE, CONTACT):
        for place in everything:
            assert planted not in place
    for place in everything:
        assert "Traceback" not in place
        assert ".py" not in place.replace("spawn.py", "")
    _nothing_of_it_is_stored(tmp_path / "data")


def _nothing_of_it_is_stored(folder: Path) -> None:
    stored = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert any("feedback" in path.name for path in stored)
    for path, content in stored.items():
        for planted in (*KEYS.values(), TEXT, ANSWER, CONTACT):
            assert planted.encode() not in content, path
        if "feedback" not in path.name:
            assert MESSAGE.encode() not in content, path
