"""The verify and keys commands, as a person runs them: exit codes, words, and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from fairwitness.cli import main
from fairwitness.contract.evaluation import StampedEvaluation
from fairwitness.contract.ranking import summarise
from fairwitness.contract.results import ArenaRequestEcho, ArenaResult, CompletedItem, Usage
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Keyring, as_sent, witness
from fairwitness.settings import Settings


def run(*arguments: str | Path) -> object:
    """Run the command line and return its exit code."""
    with pytest.raises(SystemExit) as exit:
        main([str(argument) for argument in arguments])
    return exit.value.code


def verify(file: Path, *options: str) -> object:
    return run("verify", file, *options)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a key, and an answer signed by it."""
    folder = tmp_path_factory.mktemp("home")
    evaluator = Evaluator.shipped()
    prompt, response = "Name a colour.", "Blue is a colour that many people like."
    judged = evaluator.evaluate(prompt, response, finish_reason="stop")
    item = CompletedItem(
        provider_id="provider_a",
        model="m",
        response=response,
        finish_reason="stop",
        evaluation=StampedEvaluation(evaluation_id="e", **msgspec.structs.asdict(judged)),
        latency_ms=7,
        usage=Usage(input_tokens=1, output_tokens=2, cost_usd=0.0),
    )
    arena = ArenaResult(
        request_id="r",
        completed_at="2026-01-02T03:04:05.678Z",
        protocol_version=evaluator.protocol.version,
        evaluator_version=evaluator.version,
        results=[item],
        summary=summarise([item], evaluator.protocol.overall.noise),
    )
    signer = Keyring(Settings(data_dir=folder)).signer()
    request = ArenaRequestEcho(prompt=prompt, providers=["provider_a"])
    answer = witness(arena, request, evaluator, signer)
    (folder / "answer.json").write_bytes(as_sent(answer))
    return folder


@pytest.fixture(autouse=True)
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(home))
    monkeypatch.setenv("COLUMNS", "200")


def tampered(home: Path, tmp_path: Path) -> Path:
    path = tmp_path / "tampered.json"
    text = (home / "answer.json").read_text()
    path.write_text(text.replace("many people like", "few people like"))
    return path


def test_a_good_file_is_0(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(home / "answer.json") == 0
    told = capsys.readouterr().out
    assert "OK      signature" in told
    assert "results[0].evaluation: identical: byte for byte" in told
    assert told.endswith(
        "Verified: signature valid, 21 digests match, 1 evaluation recomputed\n"
    ), told


def test_a_tampered_file_is_1_and_says_where(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(tampered(home, tmp_path)) == 1
    told = capsys.readouterr().out
    assert "OK      signature" in told
    assert "FAILED  digests" in told
    assert "results[0].response: digest differs" in told
    assert "results[0]: digest" not in told
    assert "Not verified: " in told


def test_an_unknown_signer_is_told_from_changed_content(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stranger = Keyring(Settings(data_dir=tmp_path / "stranger"))
    stranger.signer()
    (tmp_path / "keys.json").write_bytes(stranger.keys_json())
    keys = ("--key", str(tmp_path / "keys.json"))
    assert verify(home / "answer.json", *keys) == 1
    told = capsys.readouterr().out
    assert "UNKNOWN signature" in told
    assert told.endswith(
        "Unknown signer. The content is intact, but this key is not in your trusted keys.\n"
    ), told
    assert verify(tampered(home, tmp_path), *keys, "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["conclusion"].startswith("Not verified: ")
    assert [check["status"] for check in report["signature"]["checks"]] == ["unknown_signer"]


def test_json_reports_each_section_apart(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(tampered(home, tmp_path), "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is False
    assert report["signature"]["ok"] is True
    assert report["digests"]["ok"] is False
    failed = [check["part"] for check in report["digests"]["checks"] if check["status"] == "failed"]
    assert failed == ["body", "results", "results[0]", "results[0].response"]


def test_keys_come_from_a_file_or_by_id(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ring = Keyring(Settings(data_dir=home))
    (tmp_path / "keys.json").write_bytes(ring.keys_json())
    keyid = ring.signer().public.keyid
    assert verify(home / "answer.json", "--key", keyid) == 0
    # A stranger has no key of ours; the published list is enough.
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(tmp_path / "stranger"))
    assert verify(home / "answer.json") == 1
    assert "give --key" in capsys.readouterr().out
    assert verify(home / "answer.json", "--key", str(tmp_path / "keys.json")) == 0
    assert verify(home / "answer.json", "--key", keyid) == 2
    assert not (tmp_path / "stranger").exists()


def test_bad_input_is_2_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    assert verify(tmp_path / "nowhere.json") == 2
    assert "No such file" in capsys.readouterr().err
    for content, why in [
        (b"", "not valid JSON"),
        (b"[]", "not a JSON object"),
        (b"{}", "evidence: missing"),
        (b'{"evidence": 1, "evidence": 1}', '"evidence" appears twice'),
        (b"\xff", "not valid UTF-8"),
    ]:
        (tmp_path / "bad.json").write_bytes(content)
        assert verify(tmp_path / "bad.json") == 2
        assert why in capsys.readouterr().err
    (tmp_path / "keys.json").write_text("{}")
    assert verify(home / "answer.json", "--key", str(tmp_path / "keys.json")) == 2
    assert "not a list of public keys" in capsys.readouterr().err
    assert run("verify") == 2
    assert run("verify", home / "answer.json", "--nonsense") == 2


def test_keys_show_and_rotate(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(tmp_path))
    assert run("keys", "show") == 0
    (first,) = json.loads(capsys.readouterr().out)
    assert run("keys", "rotate") == 0
    old, new = json.loads(capsys.readouterr().out)
    assert old == {**first, "current": False, "validUntil": old["validUntil"]}
    assert old["validUntil"]
    assert new["current"] is True
    (tmp_path / "evidence-key.pem").chmod(0o644)
    assert run("keys", "rotate") == 2
    assert "chmod 600" in capsys.readouterr().err


def test_an_old_answer_still_verifies_after_rotation(home: Path) -> None:
    assert run("keys", "rotate") == 0
    assert verify(home / "answer.json") == 0
