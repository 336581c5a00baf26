"""The versions the pages name are those that are installed for the tests, and each says what a newer one would break."""

from __future__ import annotations

import json
import re
from importlib import resources

import pytest

from tests.integrations.real_tools import ROOT, page

# Each tool's package, and the page that names its version.
PAGES = {
    "pytest": "pytest",
    "inspect-ai": "inspect",
    "deepeval": "deepeval",
    "mcp": "mcp",
    "litellm": "litellm",
    "opentelemetry-sdk": "opentelemetry",
    "promptfoo": "promptfoo",
}


def locked(package: str) -> str:
    if package == "promptfoo":
        lock = json.loads((ROOT / "tests/peers/promptfoo/package-lock.json").read_text())
        return str(lock["packages"]["node_modules/promptfoo"]["version"])
    lines = (ROOT / "requirements-tools.lock").read_text()
    (found,) = re.findall(rf"^{re.escape(package)}==(\S+)", lines, re.MULTILINE)
    return str(found)


@pytest.mark.parametrize("package", PAGES)
def test_the_version_that_is_named_is_the_one_that_is_tested(package: str) -> None:
    version = locked(package)
    for text in (page("index"), page(PAGES[package])):
        named = re.findall(rf"{re.escape(package)} (?:and \S+ )?(\d[\d.]*\d)", text)
        assert any(version == one or version.startswith(f"{one}.") for one in named), (
            version,
            named,
        )


def test_the_generators_of_clients_are_named_with_their_versions() -> None:
    text = (resources.files("fairwitness.pages") / "clients.md").read_text("utf-8")
    peers = json.loads((ROOT / "tests/peers/package.json").read_text())
    versions = {**peers["dependencies"], **peers.get("devDependencies", {})}
    assert f"| openapi-generator {locked('openapi-generator-cli')} `python`" in text
    assert f"| openapi-generator {locked('openapi-generator-cli')} `typescript-fetch`" in text
    assert f"| openapi-python-client {locked('openapi-python-client')} |" in text
    assert f"| openapi-typescript {versions['openapi-typescript']} |" in text


def test_every_page_is_in_the_table_with_what_would_break() -> None:
    folder = resources.files("fairwitness.pages") / "tools"
    pages = {item.name.removesuffix(".md") for item in folder.iterdir()} - {"index"}
    rows = re.findall(r"^\| \[.*?\]\(/docs/tools/(\S+?)\) \|(.*)\|$", page("index"), re.MULTILINE)
    told = {name: [cell.strip() for cell in cells.split("|")] for name, cells in rows}
    assert set(told) == {name for name in pages if not name.startswith("from-")}
    assert all(len(cells) == 3 and all(cells) for cells in told.values()), told
