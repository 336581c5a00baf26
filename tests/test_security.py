"""The security page against the repository and the server: named tests exist, headers stand, locks are whole."""

from __future__ import annotations

import re
from pathlib import Path

import httpx2
import pytest

from supply_chain import sbom

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "src" / "fairwitness" / "pages" / "security.md").read_text()


def rows() -> list[list[str]]:
    section = PAGE.partition("## Threats and protections")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_threat_names_tests_that_exist() -> None:
    assert len(rows()) > 15
    for threat, _, tests in rows():
        named = re.findall(r"`(tests/[\w/]+\.py)`", tests)
        assert named, threat
        for path in named:
            assert "def test_" in (ROOT / path).read_text(), path


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/docs/security", "/openapi.json", "/nowhere", "/api/arena"]
)
def test_security_headers_stand_everywhere(client: httpx2.Client, path: str) -> None:
    answer = client.get(path)
    assert "server" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["referrer-policy"] == "no-referrer"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert len(answer.headers.get_list("x-request-id")) == 1


def test_pages_hold_no_inline_script(client: httpx2.Client) -> None:
    for path in ("/", "/docs", "/docs/api"):
        page = client.get(path).text
        assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>", page)
        assert not re.search(r"\son\w+\s*=\s*[\"']", page)


@pytest.mark.parametrize(
    "lock",
    [
        "requirements.lock",
        "requirements-serve.lock",
        "requirements-dev.lock",
        "tests/fuzz/atheris.lock",
    ],
)
def test_every_locked_package_has_its_version_and_hashes(lock: str) -> None:
    entries = re.split(r"\n(?=\S)", (ROOT / lock).read_text().strip())
    assert entries
    for entry in entries:
        assert re.match(r"[\w.-]+==[\w.!+-]+", entry), entry[:60]
        assert "--hash=sha256:" in entry, entry[:60]


def test_the_sbom_tells_packages_for_other_platforms_from_those_without_a_licence() -> None:
    elsewhere = [one for one in sbom.locked() if one.elsewhere]
    assert elsewhere, "the universal lock names at least one package for another platform"
    for one, told in zip(sbom.locked(), sbom.bom()["components"], strict=True):
        assert told.get("scope") == ("excluded" if one in elsewhere else None), one.name
        if one in elsewhere:
            assert told["properties"] == [{"name": "fairwitness:marker", "value": one.marker}]
        else:
            assert told["licenses"], one.name
