"""Logs of Inspect, written by inspect-ai 0.3.285 (its archives are packed with zstd), whole and broken.

The paths and package versions in their headers were taken out; the samples are as Inspect wrote them.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from fairwitness import extras
from fairwitness.batch import inspect_logs
from fairwitness.batch.columns import Columns
from fairwitness.batch.rows import BadInput
from fairwitness.batch.sources import Input
from fairwitness.extras import MissingExtra
from tests.batch.judging import errors_of, lines_of, run_over

LOGS = Path(__file__).parent / "logs"


def archive(path: Path, samples: dict[str, object]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("header.json", "{}")
        for name, sample in samples.items():
            log.writestr(f"samples/{name}.json", json.dumps(sample))
    return path


@pytest.mark.parametrize("name", ["inspect.eval", "inspect.json"])
def test_both_forms_of_a_log_are_read_and_said(tmp_path: Path, name: str) -> None:
    said: list[tuple[Columns, str, str | None]] = []
    output = tmp_path / "out.jsonl"
    run_over(LOGS / name, output, on_columns=lambda *told: said.append(told))
    ((columns, shape, _),) = said
    assert shape == "Inspect"
    found = {line["id"]: line for line in lines_of(output)}
    assert set(found) == {"sum", 2, 3}
    assert found[3]["metadata"] == {"topic": "bio"}
    assert found["sum"]["scores"]["match"]["value"] == "C"
    assert found[2]["evaluation"]["overallVerdict"] == "needs_review"
    assert not {"events", "attachments", "events_data"} & set(found[2])
    rows = {columns.id_of(row): row for row in Input.of(str(LOGS / name), output).rows()}
    assert columns.texts(rows["sum"]) == ("What is 2+2?", "4")
    _, response, given = columns.texts(rows[3])
    assert response == "Plants use light."
    assert [turn["content"] for turn in json.loads(given)["messages"]] == [
        "Be brief.",
        "How do plants eat?",
    ]
    assert "attachment://" not in str(columns.texts(rows[2]))


def test_a_sample_that_broke_keeps_its_own_error(tmp_path: Path) -> None:
    good = {"id": 1, "epoch": 1, "input": "Hi", "output": {"completion": "Hello."}}
    bad = {**good, "id": 2, "output": {"completion": ""}, "error": {"message": "timeout"}}
    path = archive(tmp_path / "log.eval", {"1_epoch_1": good, "2_epoch_1": bad})
    output = tmp_path / "out.jsonl"
    run_over(path, output, on_error="skip")
    assert lines_of(output)[1]["logError"] == {"message": "timeout"}
    assert errors_of(output) == [
        None,
        "log.eval:samples/2_epoch_1.json: response: must not be empty",
    ]


def test_damage_is_named_by_its_sample_and_what_was_done_is_kept(tmp_path: Path) -> None:
    content = bytearray((LOGS / "inspect.eval").read_bytes())
    with zipfile.ZipFile(io.BytesIO(content)) as log:
        second = log.infolist()[1]
    start = second.header_offset + 30 + len(second.filename)
    content[start : start + 40] = b"\xff" * 40
    path, output = tmp_path / "log.eval", tmp_path / "out.jsonl"
    path.write_bytes(content)
    fault = rf"^log.eval:{second.filename}: the packed data are damaged: "
    with pytest.raises(BadInput, match=fault):
        run_over(path, output)
    assert len(lines_of(output)) == 1
    path.write_bytes(b"PK\x05\x06 cut")
    with pytest.raises(BadInput, match=r"^log.eval: not a valid Inspect log: "):
        run_over(path, output)


@pytest.mark.parametrize("packed", [True, False])
def test_a_sample_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    monkeypatch.setattr(inspect_logs, "MAX_DOCUMENT_BYTES", 5000)
    path = LOGS / "inspect.eval"
    if not packed:
        path = archive(tmp_path / "log.eval", {"1": {"input": "x" * 10_000}})
    faults = [row.fault for row in Input.of(str(path), tmp_path / "out.jsonl").rows()]
    assert faults == ["unpacks to more than 5,000 bytes"] * (3 if packed else 1)


def test_without_the_extra_a_line_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "is_installed", lambda extra: False)
    with pytest.raises(MissingExtra, match=r"pip install 'fairwitness\[batch\]'"):
        run_over(LOGS / "inspect.eval", tmp_path / "out.jsonl")


def test_a_promptfoo_log_with_rows_that_failed_is_read(tmp_path: Path) -> None:
    """promptfoo gives a row whose assertion failed an `error`; results have a column of that name."""
    row = {"prompt": {"raw": "Hi", "label": "Hi"}, "response": {"output": "Hello."}}
    results = [{**row, "error": "Expected output to contain x"}, row]
    path, output = tmp_path / "out.json", tmp_path / "results.jsonl"
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "results": results}}))
    run_over(path, output)
    first, second = lines_of(output)
    assert first["logError"] == "Expected output to contain x"
    assert "error" not in first
    assert "logError" not in second
