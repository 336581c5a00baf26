"""`fairwitness batch` as people run it: what it says, its exit codes, and how it goes on."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import psutil
import pytest

from fairwitness.batch.gates import Gates
from fairwitness.batch.rows import BadInput
from fairwitness.batch.tally import Tally, read_line
from fairwitness.cli import batch_progress
from fairwitness.cli.main import main
from tests import warm_start
from tests.batch.judging import KEPT, lines_of, quick_source, run_over, some_rows, write_lines


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with rows and a quick protocol, where commands are run."""
    write_lines(tmp_path / "rows.jsonl", some_rows(40))
    (tmp_path / "quick.toml").write_bytes(quick_source())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["batch", "--protocol", "quick.toml", "--workers", "1", *arguments])
    told = capfd.readouterr()
    return ended.value.code, told.out, told.err


RUN = ("rows.jsonl", "-o", "out.jsonl")


def test_it_says_what_it_recognised_and_what_it_found(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, errors = ask(capfd, *RUN)
    assert code == 0
    assert (
        "Recognised prompt and response: prompt from 'prompt', response from 'response'." in errors
    )
    assert out.startswith("40 rows, 20 pass, 0 fail, 20 need review, mean score ")
    assert out.endswith("Results: out.jsonl\n")
    code, out, _ = ask(capfd, *RUN, "--json")
    told = json.loads(out)
    assert (told["rows"], told["judged"], told["errors"], told["gates"]) == (40, 40, 0, [])
    assert told["criteria"]["calculation"]["fail"] == 10


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        (("--fail-under", "70"), 0),
        (("--fail-under", "99.5"), 1),
        (("--max-fail", "0"), 0),
        (("--max-fail", "calculation=10"), 0),
        (("--max-fail", "calculation=9"), 1),
        (("--max-fail", "0", "--max-fail", "privacy=0", "--max-fail", "calculation=9"), 1),
        (("--max-review", "50%"), 0),
        (("--max-review", "49.9%"), 1),
        (("--max-review", "20"), 0),
        (("--max-review", "19"), 1),
        (("--max-fail", "spelling=1"), 2),
        (("--max-fail", "few"), 2),
        (("--max-review", "half"), 2),
        (("--max-review", "500%"), 2),
        (("--fail-under", "nan"), 2),
        (("--fail-under", "170"), 2),
        (("--baseline", "absent.jsonl"), 2),
        (("--baseline", "rows.jsonl"), 2),
        (("--baseline", "out.jsonl"), 2),
        (("--workers", "0"), 2),
        (("--protocol", "absent.toml"), 2),
        (("--id", "model"), 2),
    ],
)
def test_gates_decide_the_exit_code(
    folder: Path, capfd: pytest.CaptureFixture[str], gate: tuple[str, ...], code: int
) -> None:
    found, out, errors = ask(capfd, *gate, *RUN)
    assert found == code, errors
    assert ("NOT MET: " in out) == (code == 1)
    assert (folder / "out.jsonl").exists() == (code != 2)


@pytest.mark.parametrize(
    ("reports", "fault"),
    [
        (("--junit", "rows.jsonl"), "--junit rows.jsonl: would be written over the input"),
        (("--sarif", "./out.jsonl"), "--sarif out.jsonl: would be written over the results"),
        (("--summary", "out.jsonl.run.json"), "would be written over the results"),
        (("--junit", "a", "--sarif", "a"), "--sarif a: would be written over --junit"),
        (("--junit", "absent/a.xml"), "--junit absent/a.xml: no such folder"),
        (("--summary", "."), "--summary .: is a folder"),
    ],
)
def test_a_report_never_replaces_another_file_and_is_refused_before_the_work(
    folder: Path, capfd: pytest.CaptureFixture[str], reports: tuple[str, ...], fault: str
) -> None:
    before = (folder / "rows.jsonl").read_bytes()
    code, _, errors = ask(capfd, *RUN, *reports)
    assert code == 2
    assert fault in errors
    assert (folder / "rows.jsonl").read_bytes() == before
    assert not (folder / "out.jsonl").exists()


def test_a_gate_counts_exactly_what_was_judged() -> None:
    evaluation: dict[str, Any] = {
        "overallScore": 69.9,
        "overallVerdict": "fail",
        "reasons": [],
        "reasonDetails": [],
        "verdicts": [],
        "findings": [],
    }
    tally = Tally()
    tally.add(read_line(json.dumps({"id": 1, "evaluation": evaluation})))
    tally.add(read_line(json.dumps({"id": "b", "error": "rows.jsonl:2: empty"})))
    met = {
        text: [outcome.met for outcome in Gates.of(KEPT, under, fail, review).outcomes(tally)]
        for text, under, fail, review in (
            ("all met", 69.9, ["1", "privacy=0"], "0%"),
            ("none met", 70.0, ["3", "0"], None),
        )
    }
    assert met == {"all met": [True, True, True, True], "none met": [False, False]}
    assert not Gates.of(KEPT, 0.0, [], None).outcomes(Tally())[0].met, "nothing was judged"
    with pytest.raises(BadInput, match="no such criterion; there are privacy, calculation"):
        Gates.of(KEPT, None, ["harm=1"], None)


def test_a_bad_row_stops_the_run_and_the_command_to_go_on_is_printed(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = some_rows(5)
    rows[3] = {"prompt": "No response"}
    write_lines(folder / "my rows.jsonl", rows)
    code, out, errors = ask(capfd, "my rows.jsonl", "-o", "out.jsonl", "--max-fail", "privacy=9")
    assert (code, out) == (2, "")
    assert "fairwitness: my rows.jsonl:4: column 'response' is missing\n" in errors
    again = errors.partition("3 rows are kept in out.jsonl. To go on past this row: ")[2].strip()
    assert again == (
        "fairwitness batch 'my rows.jsonl' -o out.jsonl --protocol quick.toml --workers 1"
        " --max-fail privacy=9 --on-error skip"
    )
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(again)[1:])
    out = capfd.readouterr().out
    assert ended.value.code == 0
    assert out.startswith("5 rows, 2 pass, 0 fail, 2 need review, 1 could not be judged")
    assert [line["id"] for line in lines_of(folder / "out.jsonl")] == [1, 2, 3, 4, 5]


def test_a_file_that_breaks_off_is_to_be_mended_and_judged_anew(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_lines(folder / "rows.jsonl", some_rows(1500))
    whole = gzip.compress((folder / "rows.jsonl").read_bytes(), 1)
    (folder / "rows.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    code, _, errors = ask(capfd, "rows.jsonl.gz", "-o", "out.jsonl")
    assert code == 2
    assert "the compressed data end early after this row" in errors
    again = errors.partition("To judge the file anew once it is mended: ")[2].strip()
    (folder / "rows.jsonl.gz").write_bytes(whole)
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(again)[1:])
    assert ended.value.code == 0
    run_over(folder / "rows.jsonl", folder / "expected.jsonl")
    assert (folder / "out.jsonl").read_bytes() == (folder / "expected.jsonl").read_bytes()


def command(*arguments: str) -> list[str]:
    return [
        *(sys.executable, "-m", "fairwitness", "batch", "--protocol", "quick.toml"),
        *arguments,
    ]


def test_rows_come_by_standard_input_and_go_on(folder: Path) -> None:
    content = (folder / "rows.jsonl").read_bytes()
    expected = folder / "expected.jsonl"
    run_over(folder / "rows.jsonl", expected)
    words = ["batch", "--protocol", "quick.toml", "-", "-o", "out.jsonl", "--workers", "1"]
    lines = content.splitlines(keepends=True)
    for given in (lines[:10], lines):
        done = warm_start.run(words, os.environ, b"".join(given))
        assert done.returncode == 0, done.stderr
    assert (folder / "out.jsonl").read_bytes() == expected.read_bytes()
    swapped = b"".join([lines[1], lines[0], *lines[2:]])
    done = warm_start.run(words, os.environ, swapped)
    assert done.returncode == 2
    assert b"out.jsonl:1: is not the result of row 1 of the input" in done.stderr


def test_a_full_disk_keeps_what_was_done(folder: Path) -> None:
    """A file may not grow over 20 kB here; then it may."""
    expected = folder / "expected.jsonl"
    run_over(folder / "rows.jsonl", expected)
    run = shlex.join(command(*RUN, "--workers", "1"))
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 20; {run}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "fairwitness: out.jsonl: File too large" in done.stderr
    assert "are kept in out.jsonl. To go on: fairwitness batch rows.jsonl" in done.stderr
    kept = (folder / "out.jsonl").read_bytes()
    assert kept.endswith(b"\n")
    assert expected.read_bytes().startswith(kept)
    assert subprocess.run(["bash", "-c", run], capture_output=True, check=False).returncode == 0
    assert (folder / "out.jsonl").read_bytes() == expected.read_bytes()


def test_interrupted_at_a_terminal_it_shows_a_bar_and_says_how_to_go_on(folder: Path) -> None:
    """Ctrl+C reaches every process of the terminal; the workers leave with the run, and none stays."""
    write_lines(folder / "rows.jsonl", some_rows(200_000))
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        command(*RUN, "--workers", "2"),
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    seen = b""
    while b"rows/s, about " not in seen:
        seen += os.read(ours, 65536)
    workers = psutil.Process(run.pid).children()
    os.killpg(run.pid, signal.SIGINT)
    rest = b""
    try:
        while chunk := os.read(ours, 65536):
            rest += chunk
    except OSError:
        pass  # the other side is closed
    os.close(ours)
    assert run.wait() == 130
    said = " ".join(rest.decode(errors="replace").split())
    assert "fairwitness: interrupted. " in said
    assert "To go on: fairwitness batch rows.jsonl -o out.jsonl" in said
    assert len(workers) == 2
    assert not [worker for worker in workers if worker.is_running()]
    assert lines_of(folder / "out.jsonl")


def test_away_from_a_terminal_a_line_now_and_then_says_how_far_it_is(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "rows/s" not in ask(capfd, *RUN)[2], "a short run says nothing"
    monkeypatch.setattr(batch_progress, "LINE_EVERY_S", -1.0)
    _, _, errors = ask(capfd, *RUN, "--overwrite")
    told = [line for line in errors.splitlines() if "rows/s" in line]
    assert len(told) == 40
    assert re.fullmatch(r"39 rows, [\d,.]+ rows/s, about \d+ s left", told[38])


def test_the_example_of_the_page_runs(tmp_path: Path) -> None:
    page = (resources.files("fairwitness.pages") / "batch.md").read_text()
    example = page.split("```bash\n")[1].split("```")[0]
    script = warm_start.shell_functions() + example
    done = subprocess.run(
        ["bash", "-euc", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "met: rows that fail calculation at most 1 (1)" in done.stdout
    assert [line["id"] for line in lines_of(tmp_path / "results.jsonl")] == ["sum", "plants"]


@pytest.mark.parametrize("name", ["out.csv", "out.TSV", "out.json", "out.json.gz"])
def test_results_are_not_written_under_a_name_they_cannot_be_read_by(
    folder: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    code, _, errors = ask(capfd, "rows.jsonl", "-o", name)
    assert code == 2
    assert f"{name}: results are JSON lines or Parquet" in errors
    assert ("--report FILE.csv" in errors) == (".json" not in name)
    assert not (folder / name).exists()


def test_a_number_of_traces_needs_a_tool(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, _, errors = ask(capfd, *RUN, "--most", "3")
    assert code == 2
    assert "--most: is for --from" in errors
    assert not (folder / "out.jsonl").exists()
