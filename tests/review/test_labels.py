"""Labels: on disk before they are acknowledged, never lost, never mixed up, and compared as the books say."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairwitness.batch.rows import BadInput
from fairwitness.review.agreement import agreement
from fairwitness.review.labels import OVERALL, Label, LabelFile
from tests.batch.judging import some_rows
from tests.review.reviewing import results_of, serving_review


def label(number: int, verdict: str = "pass", reviewer: str = "ann", note: str = "") -> Label:
    return Label(
        texts=f"{number:064x}",
        id=number,
        row=number,
        label=verdict,  # type: ignore[arg-type]
        reviewer=reviewer,
        at="2026-01-01T00:00:00Z",
        note=note,
    )


def verdicts(file: LabelFile) -> dict[int, dict[str, str]]:
    return {
        int(texts, 16): {name: one.label for name, one in labels.items()}
        for texts, labels in file.all(OVERALL).items()
    }


def test_the_last_label_counts_and_undo_takes_back_one_at_a_time(tmp_path: Path) -> None:
    file = LabelFile(tmp_path / "labels.jsonl")
    for one in (label(1), label(2), label(1, "fail"), label(1, "fail", "bob")):
        file.append(one)
    assert verdicts(file) == {1: {"ann": "fail", "bob": "fail"}, 2: {"ann": "pass"}}
    last = file.last("ann", OVERALL)
    assert last == label(1, "fail")
    file.append(label(1, "undo"))
    assert verdicts(file) == {1: {"ann": "pass", "bob": "fail"}, 2: {"ann": "pass"}}
    assert file.last("ann", OVERALL) == label(2)
    file.append(label(2, "undo"))
    file.append(label(2, "undo"))  # nothing is left to take back
    assert verdicts(LabelFile(tmp_path / "labels.jsonl")) == verdicts(file)
    assert verdicts(file) == {1: {"ann": "pass", "bob": "fail"}}


@given(cut=st.integers(0, 400))
def test_a_torn_end_is_cut_and_nothing_before_it(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("labels") / "labels.jsonl"
    for number in (1, 2):
        LabelFile(path).append(label(number, note="ü"))
    content = path.read_bytes()[: -1 - cut] if cut else path.read_bytes()
    path.write_bytes(content)
    whole = content.count(b"\n")
    LabelFile(path).append(label(3))
    numbers = [json.loads(line)["row"] for line in path.read_bytes().splitlines()]
    assert numbers == [*[1, 2][:whole], 3]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"label": "king"}, 'label: must be one of fail, pass, skip, undo, not "king"'),
        ({"row": "2"}, 'row: must be a whole number, not "2"'),
        ({"reviewer": ""}, "reviewer: must be a text of 1 to 64 characters, and is empty"),
        ({}, "texts is missing"),
    ],
    ids=str,
)
def test_a_line_that_is_no_label_is_named(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    path = tmp_path / "labels.jsonl"
    LabelFile(path).append(label(1))
    line = {**msgspec.to_builtins(label(2)), **change} if change else {"row": 2}
    path.write_bytes(path.read_bytes() + json.dumps(line).encode() + b"\n")
    with pytest.raises(BadInput) as refused:
        LabelFile(path)
    assert str(refused.value) == f"{path}:2: is not a label of `fairwitness review`: {words}"


@pytest.mark.parametrize("line", [b"{x", b'{"texts": "\xff"}', b"[]"])
def test_a_line_that_is_no_json_object_is_named(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_bytes(line + b"\n")
    with pytest.raises(
        BadInput, match=r":1: is not a label of .*: not (valid JSON|a JSON object)$"
    ):
        LabelFile(path)


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    code = (
        "import sys; from pathlib import Path; from tests.review.test_labels import label;"
        "from fairwitness.review.labels import LabelFile; file = LabelFile(Path(sys.argv[1]));"
        "[file.append(label(n, reviewer=sys.argv[2])) for n in range(40)]"
    )
    names = ["ann", "bob", "eve"]
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in names]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert verdicts(LabelFile(path)) == {n: dict.fromkeys(names, "pass") for n in range(40)}


def test_every_acknowledged_label_survives_kill_9(tmp_path: Path) -> None:
    """The real command is killed at random moments while labels are sent; each that was answered is there."""
    results = results_of(tmp_path, some_rows(400))
    draw = random.Random(3)
    acknowledged: list[tuple[str, str]] = []
    for _ in range(4):
        with serving_review(results, "--reviewer", "ann", "--all") as running:
            killer = threading.Timer(draw.uniform(0.05, 0.6), running.process.kill)
            killer.start()
            headers = {"Origin": running.url.rpartition("/")[0]}
            try:
                shown = httpx2.get(f"{running.url}/next").json()["shown"]
                while shown:
                    texts = shown["item"]["texts"]
                    sent = {"texts": texts, "label": "pass", "note": str(len(acknowledged))}
                    answer = httpx2.post(f"{running.url}/label", json=sent, headers=headers)
                    assert answer.status_code == 200, answer.text
                    acknowledged.append((texts, sent["note"]))
                    shown = answer.json()["shown"]
            except httpx2.TransportError:
                pass
            killer.cancel()
    assert acknowledged, "it was killed before it answered anything"
    lines = (tmp_path / "results.jsonl.labels.jsonl").read_bytes().splitlines()
    kept = [(one["texts"], one["note"]) for one in map(json.loads, lines)]
    assert set(acknowledged) <= set(kept)
    assert len(kept) <= len(acknowledged) + 4, "at most one more a kill: written, not yet answered"


def test_a_full_disk_keeps_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    code = (
        "import resource, signal, sys; from pathlib import Path;"
        "from tests.review.test_labels import label; from fairwitness.review.labels import LabelFile;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); file = LabelFile(Path(sys.argv[1]));"
        "[file.append(label(n)) for n in range(40)]"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    assert "OSError" in done.stderr
    kept = verdicts(LabelFile(path))
    assert kept == {n: {"ann": "pass"} for n in range(len(kept))}
    assert 0 < len(kept) < 40
    assert os.path.getsize(path) <= 1000


def test_alpha_is_that_of_the_book() -> None:
    """Krippendorff's example C of computing alpha: nominal, four observers, missing values; 0.743."""
    # Units by column, as published: rows A to D over twelve units.
    rows = (
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    )
    units = [
        {str(who): str(row[unit]) for who, row in enumerate(rows) if row[unit] is not None}
        for unit in range(12)
    ]
    found = agreement(units)
    assert found.alpha == pytest.approx(0.743, abs=0.0005)
    assert found.items == 11


def test_agreement_by_hand() -> None:
    assert agreement([{"a": "pass"}, {"a": "pass", "b": "skip"}]).share is None
    same = agreement([{"a": "pass", "b": "pass"}] * 3)
    assert (same.share, same.alpha) == (1.0, None)
    opposed = agreement([{"a": "pass", "b": "fail"}, {"a": "fail", "b": "pass"}])
    assert opposed.share == 0
    assert opposed.alpha == pytest.approx(-0.5)
