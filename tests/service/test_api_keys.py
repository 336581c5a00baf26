"""API keys through the real service and the real command: callers of their own, quotas of their own, hashes at rest."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from fairwitness.client import Client
from fairwitness.contract.errors import QuotaExceeded, UnknownApiKey
from fairwitness.service.api_keys import LOOK_EVERY_S, ApiKeys, issue, read, revoke
from fairwitness.service.call import Call
from fairwitness.service.caller import trusted_networks
from fairwitness.service.callers import Callers
from fairwitness.settings import Settings, SettingsError, load
from tests import warm_start
from tests.conftest import GOOD, RunningServer, serving
from tests.http.test_arena_2 import ANSWER
from tests.providers.peers import HostileServer, answer

PAIR = ["provider_a", "provider_d"]
SECRET = b"s" * 32


def command(file: Path | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if "FAIRWITNESS" not in name}
    given = {} if file is None else {"FAIRWITNESS_API_KEYS": str(file)}
    return warm_start.run_text(["api-keys", *arguments], clean | given)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, Path]]:
    folder = tmp_path_factory.mktemp("keys")
    peer = HostileServer(answer(json.dumps(ANSWER).encode()))
    table = f'kind = "openai"\nmodel = "m"\nbase_url = "{peer.origin}/v1"\n'
    table += "input_usd_per_mtok = 1\noutput_usd_per_mtok = 1\n"
    (folder / "c.toml").write_text("".join(f"[providers.{slot}]\n{table}" for slot in PAIR))
    settings: dict[str, Any] = {
        "CONFIG": str(folder / "c.toml"),
        "API_KEYS": str(folder / "keys.json"),
        "QUOTA_PER_HOUR": "1",
    }
    with serving(folder, **settings) as server:
        yield server, folder / "keys.json"
    peer.close()


def test_a_key_has_quotas_of_its_own_until_it_is_revoked(
    running: tuple[RunningServer, Path],
) -> None:
    server, file = running
    made = command(file, "issue", "Ada's lab", "--quota-per-hour", "2", "--json")
    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    assert told["quotaPerHour"] == 2
    kept = file.read_text()
    assert told["key"] not in kept
    # The secret may hold "_" itself.
    assert told["key"].split("_", 2)[2] not in kept
    assert file.stat().st_mode & 0o077 == 0
    time.sleep(LOOK_EVERY_S + 0.1)
    with (
        Client(server.url, privacy_acknowledged=True) as plain,
        Client(server.url, privacy_acknowledged=True, api_key=told["key"]) as keyed,
    ):
        plain.arena("One?", PAIR)
        with pytest.raises(QuotaExceeded):
            plain.arena("Two?", PAIR)
        keyed.arena("Three?", PAIR)
        keyed.compare("Four?", PAIR)
        with pytest.raises(QuotaExceeded):
            keyed.arena("Five?", PAIR)
        assert command(file, "revoke", told["id"]).returncode == 0
        time.sleep(LOOK_EVERY_S + 0.1)
        with pytest.raises(UnknownApiKey):
            keyed.evaluate("What is 2+2?", "4")
        # Contract 1 knows no 401: the caller is one without a key.
        assert keyed.evaluate_response("What is 2+2?", "4").evaluation
    listed = json.loads(command(file, "list", "--json").stdout)["keys"]
    assert [(key["name"], bool(key["revokedAt"])) for key in listed] == [("Ada's lab", True)]
    assert told["key"] not in server.log.read_text()


@pytest.mark.parametrize(
    "values", [["fw_no_such"], [""], ["ÿ"], ["a", "a"]], ids=["unknown", "empty", "bytes", "two"]
)
def test_a_key_nobody_issued_is_refused_by_contract_2_alone(
    running: tuple[RunningServer, Path], values: list[str]
) -> None:
    url = running[0].url
    headers = [(b"x-api-key", value.encode("latin-1")) for value in values]
    body = {**GOOD, "contractVersion": "2.0.0-alpha.1"}
    with httpx2.Client(timeout=60, trust_env=False) as web:
        refused = web.post(f"{url}/api/v2/evaluate-response", json=body, headers=headers)
        assert refused.status_code == 401
        assert refused.json()["error"]["code"] == "unknown_api_key"
        assert web.post(f"{url}/api/evaluate-response", json=GOOD, headers=headers).is_success


def test_without_the_setting_keys_are_off(client: httpx2.Client) -> None:
    body = {**GOOD, "contractVersion": "2.0.0-alpha.1"}
    answered = client.post("/api/v2/evaluate-response", json=body, headers={"x-api-key": "x"})
    assert answered.status_code == 200
    done = command(None, "list")
    assert done.returncode == 2
    assert "keys are off" in done.stderr


def test_the_command_names_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    done = command(file, "issue", "x", "--quota-per-day", "-1")
    assert (done.returncode, done.stderr) == (
        2,
        "fairwitness: --quota-per-day: must be from 0 to 1000000000\n",
    )
    assert command(file, "issue", " ").returncode == 2
    assert command(file, "revoke", "0000").returncode == 1
    file.write_text("{")
    done = command(file, "list")
    assert done.returncode == 2
    assert "not a file of keys" in done.stderr
    with pytest.raises(SettingsError):
        read(file)


def test_a_broken_or_missing_file_while_serving(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    _, token = issue(file, "a", {})
    moment = 0.0
    keys = ApiKeys(file, SECRET, lambda: moment)
    caller = keys.caller(token)
    assert caller
    assert keys.quotas_of(caller) == {}
    whole = file.read_bytes()
    file.write_bytes(whole[:20])
    moment += 2
    assert keys.caller(token) == caller  # those in use go on
    file.unlink()
    moment += 2
    assert keys.caller(token) is None


def test_keys_issued_side_by_side_are_all_kept(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    file = tmp_path / "keys.json"
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda number: issue(file, str(number), {}), range(24)))
        revoked = list(threads.map(lambda pair: revoke(file, pair[0].id), made[:12]))
    assert all(revoked)
    assert sum(key.revoked_at is None for key in read(file)) == 12


@pytest.mark.parametrize(
    ("peer", "trusted", "headers", "told"),
    [
        ("10.0.0.5", "", [(b"x-forwarded-for", b"203.0.113.9")], ["10.0.0.5"]),
        ("127.0.0.1", "", [(b"forwarded", b"for=203.0.113.9")], ["127.0.0.1"]),
        ("10.0.0.5", "10.0.0.0/8", [(b"x-forwarded-for", b"203.0.113.9")], []),
        ("8.8.8.8", "", [(b"x-forwarded-for", b"198.51.100.1")], []),
        ("10.0.0.5", "", [(b"accept", b"*/*")], []),
        ("", "", [(b"forwarded", b"for=203.0.113.9")], []),
    ],
)
def test_an_unlisted_proxy_is_told_of_once(
    peer: str, trusted: str, headers: list[tuple[bytes, bytes]], told: list[str]
) -> None:
    heard: list[str] = []
    settings: Settings = load({"FAIRWITNESS_TRUSTED_PROXIES": trusted} if trusted else {})
    callers = Callers(trusted_networks(settings), SECRET, None, heard.append)
    for _ in range(3):
        callers.of(Call("id", peer, headers))
    assert heard == told
