"""The service at a sub-path behind real nginx and Caddy, with the files of deploy/: pages, errors, events, and who is calling."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from fairwitness.client import Client
from fairwitness.contract.results_2 import ArenaResult2
from tests.conftest import serving
from tests.http.test_arena_2 import ANSWER, SLOW_S, slowly
from tests.integrations.real_tools import ROOT
from tests.providers.peers import HostileServer, answer

NGINX = """daemon off; pid {folder}/pid; error_log stderr; worker_processes 1; events {{}}
http {{ access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s; include {folder}/site.conf; }}"""


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def _nginx(folder: Path, port: int, upstream: str) -> Iterator[None]:
    site = (ROOT / "deploy/nginx.conf").read_text()
    site = site.replace("127.0.0.1:8080", upstream).replace("listen 80;", f"listen {port};")
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder))
    with _running(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], port):
        yield


@contextmanager
def _caddy(folder: Path, port: int, upstream: str) -> Iterator[None]:
    site = (ROOT / "deploy/Caddyfile").read_text()
    site = site.replace("127.0.0.1:8080", upstream).replace("example.org {", f"http://:{port} {{")
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n}\n" + site)
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with _running(command, port):
        yield


@contextmanager
def _running(command: list[str], port: int) -> Iterator[None]:
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert process.poll() is None, process.communicate()[1]
                assert time.monotonic() < deadline
                time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=30)


def _needs(program: str, package: str) -> pytest.MarkDecorator:
    reason = f"needs {program}: install it (Debian: apt-get install {package})"
    return pytest.mark.skipif(shutil.which(program) is None, reason=reason)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(_nginx, marks=_needs("nginx", "nginx-light"), id="nginx"),
        pytest.param(_caddy, marks=_needs("caddy", "caddy"), id="Caddy"),
    ],
)
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, port = tmp_path_factory.mktemp("proxy"), _free_port()
    slow, quick = HostileServer(slowly), HostileServer(answer(json.dumps(ANSWER).encode()))
    table = 'kind = "openai"\nmodel = "m"\ninput_usd_per_mtok = 1\noutput_usd_per_mtok = 1\n'
    (folder / "fairwitness.toml").write_text(
        f'[providers.provider_a]\n{table}base_url = "{slow.origin}/v1"\n'
        f'[providers.provider_d]\n{table}base_url = "{quick.origin}/v1"\n'
    )
    settings: dict[str, Any] = {
        "CONFIG": str(folder / "fairwitness.toml"),
        "BASE_PATH": "/fairwitness",
        "TRUSTED_PROXIES": "127.0.0.1",
        "QUOTA_PER_HOUR": "2",
    }
    with serving(folder, **settings) as server:
        upstream = server.url.removesuffix("/fairwitness").removeprefix("http://")
        with request.param(folder, port, upstream):
            yield f"http://127.0.0.1:{port}/fairwitness"
    slow.close()
    quick.close()


def test_pages_errors_and_clients_work_at_the_sub_path(url: str) -> None:
    with httpx2.Client(timeout=60, trust_env=False) as web:
        moved = web.get(url)
        assert (moved.status_code, moved.headers["location"]) in {
            (308, f"{url}/"),
            (308, "/fairwitness/"),
            (308, "http://127.0.0.1/fairwitness/"),
        }
        page = web.get(f"{url}/")
        assert 'href="/fairwitness/docs"' in page.text
        assert web.get(f"{url}/assets/style.css").status_code == 200
        assert web.get(f"{url}/openapi.json").json()["servers"] == [{"url": "/fairwitness"}]
        assert web.get(f"{url}/metrics").status_code == 404
        headers = {"content-type": "application/json"}
        large = web.post(
            f"{url}/api/v2/evaluate-response", content=b" " * 4_300_000, headers=headers
        )
        assert large.status_code == 413
        assert large.json()["error"]["code"] == "payload_too_large"
    with Client(url, privacy_acknowledged=True) as client:
        assert client.evaluate("What is 2+2?", "2+2 = 4").evaluation.overall_verdict == "pass"


def test_events_pass_as_they_happen_and_callers_are_told_apart(url: str) -> None:
    with Client(url, privacy_acknowledged=True) as client:
        run = client.compare_events("One?", ["provider_a", "provider_d"])
        events = [(event, time.monotonic()) for event in run]
    assert isinstance(events[-1][0], ArenaResult2)
    assert events[1][1] - events[0][1] > SLOW_S / 2
    body = {
        "contractVersion": "1.0.0",
        "prompt": "Two?",
        "providers": ["provider_a", "provider_d"],
        "privacyAcknowledged": True,
    }
    found = []
    for number in range(3):
        # A client that claims to be others stays one caller, with one quota.
        forged = {"x-forwarded-for": f"203.0.113.{number}", "forwarded": f"for=203.0.113.{number}"}
        sent = {**body, "prompt": f"Number {number}?"}
        answered = httpx2.post(
            f"{url}/api/arena", json=sent, headers=forged, timeout=60, trust_env=False
        )
        found.append(answered.status_code)
    assert found == [200, 429, 429]
