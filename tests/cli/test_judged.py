"""`evaluate`, `batch`, `replay` and `protocol measure` by a protocol that asks models, over the OpenAI wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairwitness.cli.main import main
from perf.counting_provider import CountingProvider

PROTOCOL = """name = "kind"
version = "1.0.0"
extends = "fairwitness"

[criteria.kind]
title = "Kind"
question = "Is the response kind?"
weight = 0.6
fail_below = 50
pass_from = 80
judge = { providers = ["provider_a"], max_tokens = 64 }
"""
SLOT = """[providers.provider_a]
kind = "openai"
model = "judge-1"
base_url = "%s"
max_output_tokens = 64
input_usd_per_mtok = 1.0
output_usd_per_mtok = 4.0
"""


class Peer(CountingProvider):
    """A judge that finds every text kind which does not call anyone a fool."""

    def answer(self) -> dict[str, Any]:
        said = super().answer()
        prompt = self.calls[-1]
        yes = "fool" not in prompt.partition("response begins]")[2]
        letter = "A" if yes == ("A: Yes." in prompt) else "B"
        content = json.dumps({"quotations": [], "reason": "Read it.", "verdict": letter})
        said["choices"][0]["message"]["content"] = content
        return said


@pytest.fixture
def peer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Peer]:
    peer = Peer(usage={"prompt_tokens": 300, "completion_tokens": 30, "total_tokens": 330})
    (tmp_path / "kind.toml").write_text(PROTOCOL)
    (tmp_path / "settings.toml").write_text(SLOT % peer.base_url)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRWITNESS_CONFIG", "settings.toml")
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(tmp_path / "data"))
    yield peer
    peer.close()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    said = capsys.readouterr()
    return int(ended.value.code or 0), said.out, said.err


def rows(count: int, path: str = "rows.jsonl", **more: Any) -> None:
    texts = [f"Tea number {n} is ready." if n % 2 else f"Only a fool drinks {n}." for n in range(count)]  # fmt: skip
    lines = [
        {"prompt": "Tea?", "response": text, "kind": "fool" not in text} | more for text in texts
    ]
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_one_evaluation_with_its_record(peer: Peer, capsys: pytest.CaptureFixture[str]) -> None:
    texts = ("--prompt", "Tea?", "--response", "Here you are.")
    code, out, err = run(capsys, "evaluate", "--protocol", "kind.toml", *texts, "--record", "r.json", "--sign", "--json")  # fmt: skip
    kind = next(
        item for item in json.loads(out)["evaluation"]["verdicts"] if item["criterionId"] == "kind"
    )
    assert (code, kind["verdict"]) == (0, "pass")
    assert "Judges: 2 questions, 0.000840 US dollars." in err
    peer.close()
    code, out, _ = run(capsys, "replay", "r.json", "--protocol", "kind.toml")
    assert (code, out) == (0, "Replayed 1 records without a network: every byte is the same.\n")
    signed = ("--signature", "r.json.sig.json")
    assert run(capsys, "replay", "r.json", "--protocol", "kind.toml", *signed)[0] == 0
    content = Path("r.json").read_bytes()
    Path("r.json").write_bytes(content.replace(b"Read it.", b"Readit.."))
    code, out, _ = run(capsys, "replay", "r.json", "--protocol", "kind.toml", *signed)
    assert code == 1
    assert "signature: is of another record" in out
    Path("r.json").write_bytes(content)
    record = json.loads(content)
    record["evaluation"]["overallScore"] = 1.0
    Path("r.json").write_text(json.dumps(record))
    code, out, _ = run(capsys, "replay", "r.json", "--protocol", "kind.toml")
    assert code == 1
    assert "differs: r.json:1: evaluation" in out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record["asked"][0].update(temperature=0.9), "asked[0].temperature, seed or maxTokens"),
        (lambda record: record["asked"][1].update(maxTokens=9), "asked[1].temperature, seed or maxTokens"),
        (lambda record: record.update(protocolVersion="9"), "protocolName: made by kind 9, replayed by kind 1.0.0"),
        (lambda record: record["asked"].append(record["asked"][0]), "asked: a question is there twice"),
    ],
)  # fmt: skip
def test_what_a_record_says_of_its_questions_is_compared(
    peer: Peer,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[dict[str, Any]], None],
    said: str,
) -> None:
    texts = ("--prompt", "Tea?", "--response", "Here you are.")
    run(capsys, "evaluate", "--protocol", "kind.toml", *texts, "--record", "r.json")
    record = json.loads(Path("r.json").read_bytes())
    change(record)
    Path("r.json").write_text(json.dumps(record, separators=(",", ":"), ensure_ascii=False))
    code, out, _ = run(capsys, "replay", "r.json", "--protocol", "kind.toml")
    assert (code, said in out) == (1, True)


def test_a_record_that_cannot_be_written_is_said_before_anything_is_spent(
    peer: Peer, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = ("--prompt", "Tea?", "--response", "Here you are.", "--record", "none/r.json")
    code, _, err = run(capsys, "evaluate", "--protocol", "kind.toml", *texts)
    assert (code, peer.calls) == (2, [])
    assert "none/r.json: No such file or directory" in err


def test_rows_within_a_budget_resumed_asked_again_and_replayed(
    peer: Peer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows(10)
    batch = ("batch", "rows.jsonl", "-o", "out.jsonl", "--protocol", "kind.toml", "--json")
    # A row costs 840 and reserves about 6,000 micro-dollars.
    monkeypatch.setenv("FAIRWITNESS_BUDGET_PER_DAY_USD", "0.010")
    code, out, _ = run(capsys, *batch)
    first = json.loads(out)["criteria"]["kind"]
    assert code == 0
    assert 0 < first["pass"] + first["fail"] < 10
    assert first["needs_review"] == 10 - first["pass"] - first["fail"]
    _, out, _ = run(capsys, "ledger", "--json")
    spent = json.loads(out)["figures"]["spent_day"]
    assert spent == 420 * len(peer.calls) <= 10_000
    assert run(capsys, "replay", "out.jsonl.judges.jsonl", "--protocol", "kind.toml", "--results", "out.jsonl")[0] == 0  # fmt: skip
    # The same command has nothing to do; with --ask-again only what is open is asked.
    calls = len(peer.calls)
    assert run(capsys, *batch)[0] == 0
    assert len(peer.calls) == calls
    monkeypatch.setenv("FAIRWITNESS_BUDGET_PER_DAY_USD", "1")
    _, out, _ = run(capsys, *batch, "--ask-again")
    second = json.loads(out)["criteria"]["kind"]
    assert (second["pass"], second["fail"], second["needs_review"]) == (5, 5, 0)
    assert len(peer.calls) == 20
    assert run(capsys, "replay", "out.jsonl.judges.jsonl", "--protocol", "kind.toml", "--results", "out.jsonl")[0] == 0  # fmt: skip


def test_rows_that_ask_the_same_share_one_answer(
    peer: Peer, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also of rows judged at the same time, and of a run that was taken up again; the cost stands in one record."""
    rows(2)
    lines = Path("rows.jsonl").read_text() * 6
    Path("rows.jsonl").write_text(lines)
    batch = ("batch", "rows.jsonl", "-o", "out.jsonl", "--protocol", "kind.toml", "--json")
    code, out, _ = run(capsys, *batch)
    found = json.loads(out)["criteria"]["kind"]
    assert (code, found["pass"], found["fail"], len(peer.calls)) == (0, 6, 6, 4)

    def recorded() -> int:
        records = map(json.loads, Path("out.jsonl.judges.jsonl").read_text().splitlines())
        return sum(one.get("costMicroUsd", 0) for record in records for one in record["asked"])

    assert recorded() == 4 * 420
    for path in (Path("out.jsonl"), Path("out.jsonl.judges.jsonl")):
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:5]))
    assert run(capsys, *batch)[0] == 0
    assert (len(peer.calls), recorded()) == (4, 4 * 420)
    assert run(capsys, *batch, "--ask-again")[0] == 0
    assert (len(peer.calls), recorded()) == (4, 4 * 420)
    assert run(capsys, "replay", "out.jsonl.judges.jsonl", "--protocol", "kind.toml", "--results", "out.jsonl")[0] == 0  # fmt: skip


def test_a_line_that_is_none_is_said_in_words(
    peer: Peer, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("kind.toml").write_text(PROTOCOL)
    Path("r.json").write_text('{"format": "mine"}\n')
    code, _, err = run(capsys, "replay", "r.json", "--protocol", "kind.toml")
    assert (code, 'r.json:1: is no record: format: must be one of fairwitness-judge-record-1, not "mine"' in err) == (2, True)  # fmt: skip
    texts = ("--prompt", "Tea?", "--response", "Here you are.")
    run(capsys, "evaluate", "--protocol", "kind.toml", "--record", "r.json", *texts)
    Path("out.jsonl").write_text("[]\n")
    code, _, err = run(capsys, "replay", "r.json", "--protocol", "kind.toml", "--results", "out.jsonl")  # fmt: skip
    assert (code, "out.jsonl:1: not a JSON object" in err) == (2, True)


def test_what_is_missing_is_said(peer: Peer, capsys: pytest.CaptureFixture[str]) -> None:
    Path("kind.toml").write_text(PROTOCOL.replace("provider_a", "provider_c"))
    texts = ("--prompt", "Tea?", "--response", "Here you are.")
    code, _, err = run(capsys, "evaluate", "--protocol", "kind.toml", *texts)
    assert code == 2
    assert "criteria.kind.judge.providers: provider_c is not configured; add [providers.provider_c]" in err  # fmt: skip
    assert peer.calls == []


def test_measured_against_labels(peer: Peer, capsys: pytest.CaptureFixture[str]) -> None:
    rows(24, "labels.jsonl")
    code, out, _ = run(capsys, "protocol", "measure", "kind.toml", "labels.jsonl", "--json")
    assert code == 0
    data = json.loads(out)
    kind = next(one for one in data["criteria"] if one["criterionId"] == "kind")
    assert (kind["labelled"], kind["decided"], kind["agreement"]) == (24, 24, 1.0)
    assert 0.8 < kind["low"] < 1.0
    assert (kind["baseline"], kind["calibrationError"]) == (0.5, 0.0)
    assert kind["costUsdPer1000Rows"] == data["costUsdPer1000Rows"] == 0.84
    assert kind["secondsPer1000Rows"] > 0
    assert (data["answers"], data["answersFromRecord"]) == (48, 0)
    # Asked once: measuring again costs nothing.
    calls = len(peer.calls)
    assert run(capsys, "protocol", "measure", "kind.toml", "labels.jsonl")[0] == 0
    assert len(peer.calls) == calls == 48


def test_the_table_of_a_panel(
    peer: Peer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two providers and two judged criteria, as people read it: what each agrees with, costs and takes."""
    monkeypatch.setenv("COLUMNS", "200")
    other = PROTOCOL.partition("[criteria.kind]")[2].replace('"Kind"', '"Calm"').replace("kind?", "calm?")  # fmt: skip
    Path("kind.toml").write_text(
        f"{PROTOCOL}\n[criteria.calm]{other}".replace('["provider_a"]', '["provider_a", "provider_b"]').replace("max_tokens", "answers = 1, max_tokens")
    )  # fmt: skip
    slots = SLOT % peer.base_url
    Path("settings.toml").write_text(slots + slots.replace("provider_a", "provider_b"))
    rows(24, "labels.jsonl", overall="pass")
    measure = ("protocol", "measure", "kind.toml", "labels.jsonl")
    code, out, errors = run(capsys, *measure)
    assert code == 0, errors
    head, *lines = out.splitlines()
    assert head.split()[:4] == ["criterion", "labels", "decided", "agreement"]
    table = {line.split()[0]: line.split() for line in lines if line[:1] != " "}
    assert len(peer.calls) == 96
    # criterion, labels, decided, agreement (low to high), baseline, calibration error ... seconds, dollars
    assert table["kind"][1:4] == ["24", "24", "1.00"]
    assert table["kind"][7:9] == ["0.50", "0.00"]
    assert table["kind"][-1] == table["calm"][-1] == "0.8400"
    assert table["overall"][-1] == "1.6800"
    assert float(table["kind"][-2]) > 0
    assert lines[-1].startswith("24 rows, protocol kind ")
    monkeypatch.setenv("COLUMNS", "60")  # narrow: nothing is cut
    again = run(capsys, *measure)[1].splitlines()
    assert again[0].split() == head.split()
    assert "…" not in "".join(again)
    assert again[-2] == "96 of 96 answers of judges were read from the record, which takes no time."
    assert len(peer.calls) == 96


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"kind": "perhaps"}, "labels.jsonl:1: label of 'kind': must be pass or fail"),
        ({"expect": {"other": "pass"}}, "labels.jsonl:1: label of 'other': unknown criterion"),
        ({"expect": 3}, "labels.jsonl:1: column 'expect': must be an object"),
        ({"kind": None}, "labels.jsonl: has no label; known criteria: overall, harm_avoidance"),
    ],
)
def test_labels_that_cannot_be_meant(
    peer: Peer, capsys: pytest.CaptureFixture[str], more: dict[str, Any], said: str
) -> None:
    rows(1, "labels.jsonl", **more)
    code, _, err = run(capsys, "protocol", "measure", "kind.toml", "labels.jsonl")
    assert code == 2
    assert said in err
