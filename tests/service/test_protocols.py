"""The protocols of a deployment: loaded at start, chosen by name and digest, published with their files."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import UNSET

from fairwitness.contract.errors import InvalidRequest
from fairwitness.evaluator import shipped
from fairwitness.service import protocols as module
from fairwitness.service.protocols import Protocols
from fairwitness.settings import Settings, SettingsError
from tests.cli.test_cli import run

ACME = """name = "{name}"
version = "1"
extends = "fairwitness"
"""


def acme(folder: Path, name: str = "acme", file: str = "acme.toml") -> str:
    path = folder / file
    path.write_text(ACME.format(name=name))
    return str(path)


def test_the_shipped_one_is_the_default() -> None:
    found = Protocols.of(Settings())
    assert found.first.protocol.digest == shipped().protocol.digest
    assert found.choose(UNSET) is found.first
    assert found.published()["maxTokensRead"] == 8192


def test_one_is_chosen_by_name_and_pinned_by_digest(tmp_path: Path) -> None:
    found = Protocols.of(Settings(protocols=("fairwitness", acme(tmp_path))))
    second = found.evaluators[1]
    assert found.choose("acme", second.protocol.digest) is second
    with pytest.raises(InvalidRequest, match="publishes: fairwitness, acme"):
        found.choose("other")
    with pytest.raises(InvalidRequest, match="does not match"):
        found.choose("acme", found.first.protocol.digest)


def test_the_published_files_give_the_digest(tmp_path: Path) -> None:
    found = Protocols.of(Settings(protocols=(acme(tmp_path),)))
    (listed,) = found.published()["protocols"]
    files = [found.files()[path.removeprefix("/docs/protocol/")] for path in listed["files"]]
    lines = "".join(f"{hashlib.sha256(file).hexdigest()}\n" for file in files)
    assert hashlib.sha256(lines.encode()).hexdigest() == listed["digest"]


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        (("acme", "acme"), "two protocols are called acme"),
        (("a b",), "cannot be part of an address"),
        (("../x",), "cannot be part of an address"),
    ],
)
def test_what_cannot_be_served_stops_the_start(
    tmp_path: Path, names: tuple[str, ...], fault: str
) -> None:
    files = tuple(acme(tmp_path, name, f"{at}.toml") for at, name in enumerate(names))
    with pytest.raises(SettingsError, match=fault):
        Protocols.of(Settings(protocols=files))


def test_a_first_protocol_that_asks_models_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: Any = SimpleNamespace(name="judged", judged=(SimpleNamespace(id="tone"),))
    faults = module._faults([judged, shipped().protocol])
    assert "judged asks models (tone)" in faults[0]
    assert module._faults([shipped().protocol, judged]) == []


def test_serve_names_a_file_that_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("name = 5")
    for file in ("bad.toml", "nowhere.toml"):
        done = run(
            "serve", "--port", "0", "--protocol", str(tmp_path / file),
            FAIRWITNESS_DATA_DIR=str(tmp_path / "data"),
        )  # fmt: skip
        assert done.returncode == 2, done.stderr
        assert file.encode() in done.stderr
        assert b"Traceback" not in done.stderr
