"""The evidence page's examples run as printed, and what it states about the format is so."""

from __future__ import annotations

import base64
import json
import shlex
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from fairwitness.cli import main
from fairwitness.evidence import Signer
from fairwitness.evidence.envelope import PAYLOAD_TYPE
from fairwitness.evidence.keys import Keyring
from fairwitness.evidence.recompute import CONFIDENCE_TOLERANCE, SCORE_TOLERANCE
from fairwitness.evidence.statement import PREDICATE_TYPE, Predicate
from fairwitness.settings import Settings

PAGE = resources.files("fairwitness.pages").joinpath("evidence.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    parts = PAGE.split(f"```{language}\n")[1:]
    return [part.split("```")[0] for part in parts]


@pytest.fixture
def folder(tmp_path: Path, document: bytes, signer: Signer) -> Path:
    """What a reader has saved: the answer and the keys."""
    (tmp_path / "answer.json").write_bytes(document)
    entry = {
        "keyid": signer.public.keyid,
        "publicKey": base64.b64encode(signer.public.raw).decode(),
    }
    (tmp_path / "keys.json").write_text(json.dumps([entry]))
    return tmp_path


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(folder / "none"))
    (command,) = blocks("console")
    program, *arguments = shlex.split(command)
    assert program == "fairwitness"
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 0


def test_the_python_examples_run(folder: Path, signer: Signer) -> None:
    verifying, digesting = blocks("py")
    assert (
        run(folder, sys.executable, "-W", "error", "-c", verifying)
        == f"signed by {signer.public.keyid}\n"
    )
    answer = json.loads((folder / "answer.json").read_bytes())
    statement = json.loads(base64.b64decode(answer["evidence"]["payload"]))
    signed = {part["name"]: part["digest"]["sha256"] for part in statement["subject"]}
    assert (
        run(folder, sys.executable, "-W", "error", "-c", digesting).strip()
        == signed["request.prompt"]
    )


def test_the_python_example_finds_a_change(folder: Path) -> None:
    text = (folder / "answer.json").read_text(encoding="utf-8")
    (folder / "answer.json").write_text(text.replace("Sunlight", "Moonlight"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", blocks("py")[0]],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "the body was changed" in done.stderr


@pytest.mark.node
@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_javascript_example_runs(folder: Path) -> None:
    for name in ("evidence.js", "strict-json.js"):
        content = resources.files("fairwitness.web").joinpath(name).read_bytes()
        (folder / name).write_bytes(content)
    (folder / "package.json").write_text('{"type": "module"}')
    (example,) = blocks("javascript")
    (folder / "check.js").write_text(example)
    assert run(folder, "node", "--no-warnings", "check.js") == "signature ok\ndigests ok\n"


def test_the_page_states_what_the_code_does(tmp_path: Path) -> None:
    assert f"DSSEv1 {len(PAYLOAD_TYPE)} {PAYLOAD_TYPE}" in PAGE
    assert PREDICATE_TYPE in PAGE
    assert f"by at most {SCORE_TOLERANCE} points" in PAGE.replace("\n  ", " ")
    assert f"by at most {CONFIDENCE_TOLERANCE}, as" in PAGE.replace("\n  ", " ")
    for name in Predicate.__struct_encode_fields__:
        assert name in PAGE, name
    ring = Keyring(Settings(data_dir=tmp_path))
    ring.signer()
    (entry,) = json.loads(ring.keys_json())
    (shown,) = [json.loads(block) for block in blocks("json") if block.startswith("[")]
    assert list(entry) == list(shown[0])
