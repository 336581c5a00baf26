"""Under a sub-path: everything a browser or a generated client follows carries it, with and without a proxy that takes it off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import httpx2
import pytest

from fairwitness import settings
from fairwitness.client import Client
from fairwitness.http.routes import inner_path
from fairwitness.settings import SettingsError
from fairwitness.site.base_path import under_base
from fairwitness.site.document import Document
from tests.conftest import RunningServer, serving

BASE = "/judge/of-texts"
ATTRIBUTE = re.compile(r"""\s(?:href|src)="([^"#][^"]*)\"""")
LITERAL = re.compile(r"""["'`](/(?:api|docs|assets|openapi)[^"'`$]*)""")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with serving(tmp_path_factory.mktemp("base"), BASE_PATH=f"{BASE}/") as server:
        yield server


@pytest.fixture(scope="module")
def web(running: RunningServer) -> Iterator[httpx2.Client]:
    origin = running.url.removesuffix(BASE)
    with httpx2.Client(base_url=origin, timeout=60, trust_env=False) as client:
        yield client


def test_every_link_of_the_site_leads_somewhere_under_the_base(web: httpx2.Client) -> None:
    waiting, seen = [f"{BASE}/"], set[str]()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = web.get(path)
        assert answer.status_code == 200, path
        kind = answer.headers["content-type"].split(";")[0]
        found: list[str] = []
        if kind == "text/html":
            found = ATTRIBUTE.findall(answer.text)
        elif kind == "text/javascript":
            assert not LITERAL.findall(answer.text), path
            found = re.findall(r"""from ["'](\.[^"']+)""", answer.text)
        elif kind == "text/markdown":
            found = re.findall(r"\]\((/[^)\s]*)\)", answer.text)
        for target in found:
            if urlsplit(target).scheme:
                continue
            followed = urlsplit(urljoin(path, target)).path
            assert followed == BASE or followed.startswith(f"{BASE}/"), f"{path}: {target}"
            waiting.append(followed)
    kinds = {path.rpartition(".")[2] for path in seen}
    assert {"js", "css", "svg", "md", "json"} <= kinds
    assert len(seen) > 80


def test_paths_answer_with_and_without_the_base(web: httpx2.Client, running: RunningServer) -> None:
    for path in ("", "/", "/docs", "/healthz", "/openapi.json"):
        assert web.get(BASE + path).content == web.get(path or "/").content
    assert web.get("/judge/of-textsdocs").status_code == 404
    assert web.get("/judge").status_code == 404
    refused = web.get(f"{BASE}/api/evaluate-response")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert refused.headers["cache-control"] == "no-store"
    with Client(running.url, privacy_acknowledged=True) as client:
        assert client.evaluate("What is 2+2?", "2+2 = 4").evaluation.overall_verdict == "pass"


def test_machine_readable_documents_carry_it(web: httpx2.Client) -> None:
    for name in ("openapi.json", "openapi-2.json"):
        described = web.get(f"{BASE}/{name}").json()
        assert described["servers"] == [{"url": BASE}]
        assert all(path.startswith("/api/") for path in described["paths"])
    (file,) = web.get(f"{BASE}/docs/protocols.json").json()["protocols"][0]["files"]
    assert web.get(file).status_code == 200
    assert file.startswith(BASE)


def test_scripts_keep_what_is_no_address() -> None:
    source = """fetch("/api/x"); a('/docs/y'); b(`/assets/${c}`); d(`${location.origin}/#e`); "/#f";
    "/"; "//docs"; "/apiary"; x /docs/ y; "https://other.example/docs"; "/other";"""
    found = under_base(
        "/b", {"/a.js": Document.text(lambda: source, ".js")}, ["/api/x", "/docs", "/assets/q", "/"]
    )["/a.js"].body.decode()
    assert (
        found
        == """fetch("/b/api/x"); a('/b/docs/y'); b(`/b/assets/${c}`); d(`${location.origin}/b/#e`); "/b/#f";
    "/"; "//docs"; "/apiary"; x /docs/ y; "https://other.example/docs"; "/other";"""
    )


@pytest.mark.parametrize("text", ["judge", "/a b", "/a//b", "/../x", "/a?b", "/ä", '/a"b', "//x"])
def test_a_base_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="FAIRWITNESS_BASE_PATH: must be a path"):
        settings.load({"FAIRWITNESS_BASE_PATH": text})


def test_the_root_is_no_base() -> None:
    assert settings.load({"FAIRWITNESS_BASE_PATH": "/"}).base_path == ""
    assert inner_path("", "/docs") == "/docs"
