"""Parquet in and out: nested columns, text that is none, bombs, and results that are whole or not there."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairwitness import extras
from fairwitness.batch import parquet_results
from fairwitness.batch.columns import Columns
from fairwitness.batch.rows import BadInput
from fairwitness.batch.saved_results import read_results
from fairwitness.batch.sources import Input, journal_of, lines_beside
from fairwitness.extras import MissingExtra
from tests.batch.judging import errors_of, lines_of, run_over, some_rows, write_lines

ROW = {"prompt": "What is 2+2?", "response": "2 + 2 = 4."}


def write(path: Path, rows: list[dict[str, Any]] | pa.Table, **options: Any) -> Path:
    table = rows if isinstance(rows, pa.Table) else pa.Table.from_pylist(rows)
    pq.write_table(table, path, **options)
    return path


def test_parquet_says_the_same_as_json_lines(tmp_path: Path) -> None:
    rows = some_rows(40)
    plain, packed = tmp_path / "plain.jsonl", tmp_path / "packed.jsonl"
    run_over(write_lines(tmp_path / "rows.jsonl", rows), plain)
    run_over(write(tmp_path / "rows.parquet", rows, row_group_size=7), packed)
    assert lines_of(packed) == lines_of(plain)


def test_columns_of_every_type_are_kept_as_json_has_them(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {
            **ROW,
            "tags": ["a", None],
            "meta": {"model": {"name": "m", "size": 7}},
            "at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
            "price": Decimal("1.50"),
            "raw": b"\xff\x00",
            "old": b"text",
            "nothing": None,
            "share": 0.5,
        }
    ]
    table = pa.Table.from_pylist(rows)
    nanoseconds = pa.array([1_000_001], pa.timestamp("ns"))
    table = table.append_column("ns", nanoseconds)
    output = tmp_path / "out.jsonl"
    run_over(write(tmp_path / "rows.parquet", table), output)
    (line,) = lines_of(output)
    assert {name: line[name] for name in table.column_names} == {
        **ROW,
        "tags": ["a", None],
        "meta": {"model": {"name": "m", "size": 7}},
        "at": "2026-01-02T03:04:05Z",
        "price": "1.50",
        "raw": {"base64": "/wA="},
        "old": "text",
        "nothing": None,
        "share": 0.5,
        "ns": "1970-01-01T00:00:00.001000",
    }


def test_a_chat_is_read_from_a_nested_column_and_a_path_reaches_into_one(tmp_path: Path) -> None:
    chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    path = write(tmp_path / "rows.parquet", [{"messages": chat, "item": {"q": "Hi"}}])
    said: list[str] = []
    run_over(
        path, tmp_path / "out.jsonl", on_columns=lambda columns, name, unread: said.append(name)
    )
    assert said == ["chat messages"]
    (row,) = Input.of(str(path), tmp_path / "out.jsonl").rows()
    assert Columns("item.q", "messages.1.content").texts(row) == ("Hi", "Hello.")


def broken_text(count: int, at: int) -> pa.Array:
    """A column of texts, one of which is not UTF-8."""
    words = [b"Fine."] * count
    words[at] = b"\xff\xfe"
    binary = pa.array(words, pa.binary())
    return pa.StringArray.from_buffers(count, *binary.buffers()[1:])


def test_a_bad_row_is_named_and_the_rows_before_it_are_kept(tmp_path: Path) -> None:
    # Batches are of 512 rows: the bad one is in the fourth.
    table = pa.table({"prompt": ["Hi"] * 2100, "response": broken_text(2100, 2000)})
    path, output = write(tmp_path / "rows.parquet", table), tmp_path / "out.jsonl"
    with pytest.raises(BadInput, match=r"^rows.parquet:row 2001: column 'response': not valid UTF"):
        run_over(path, output)
    assert len(lines_of(output)) == 2000
    run_over(path, output, on_error="skip")
    assert [n for n, error in enumerate(errors_of(output), 1) if error] == [2001]


def test_what_is_no_parquet_is_said(tmp_path: Path) -> None:
    whole = write(tmp_path / "rows.parquet", some_rows(2000), row_group_size=500).read_bytes()
    path, output = tmp_path / "broken.parquet", tmp_path / "out.jsonl"
    for content, fault in (
        (whole[: len(whole) // 2], "broken.parquet: not valid Parquet: "),
        (b"prompt,response\n", "broken.parquet: must be a Parquet file"),
        (b"PAR1" + b"\0" * 100 + b"PAR1", "broken.parquet: not valid Parquet: "),
    ):
        path.write_bytes(content)
        with pytest.raises(BadInput) as found:
            run_over(path, output)
        assert str(found.value).startswith(fault)
    twice = pa.Table.from_arrays([pa.array(["a"])] * 2, names=["prompt", "prompt"])
    with pytest.raises(BadInput, match="two columns are called 'prompt'"):
        run_over(write(path, twice), output)
    # Damage inside: what lies before it is judged and kept.
    torn = bytearray(whole)
    torn[len(whole) // 2 : len(whole) // 2 + 400] = b"\xff" * 400
    path.write_bytes(torn)
    with pytest.raises(BadInput, match=r"^broken.parquet:row \d+: "):
        run_over(path, output)
    assert 0 < len(lines_of(output)) < 2000


BOMBS = {
    "list": lambda: pa.ListArray.from_arrays(
        pa.array([0, 150_000_000], pa.int32()), pa.array(np.zeros(150_000_000, dtype=np.int8))
    ),
    "text": lambda: pa.DictionaryArray.from_arrays(pa.array([0], pa.int32()), ["x" * 400_000_000]),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_refused_and_costs_no_memory_here(tmp_path: Path, kind: str) -> None:
    table = pa.table({"bomb": BOMBS[kind](), **{name: [text] for name, text in ROW.items()}})
    # Packed without looking for repeated values, which takes long and is not what is tested.
    how = {"use_dictionary": False, "write_statistics": False} if kind == "list" else {}
    path = write(tmp_path / "rows.parquet", table, compression="zstd", **how)
    del table
    assert path.stat().st_size < 100_000
    code = (
        "import resource, sys; from pathlib import Path; from tests.batch.judging import run_over\n"
        "from fairwitness.batch.rows import BadInput\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: run_over(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "except BadInput as error: print(error)\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)\n"
    )
    run = [sys.executable, "-c", code, str(path), str(tmp_path / "out.jsonl")]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    fault, here, reader = done.stdout.splitlines()
    assert fault in (
        "rows.parquet: its first rows unpack to more than 1,024 MiB of memory, which is not read",
        "rows.parquet:row 1: longer than 16,777,216 bytes",
    )
    assert int(here) < 150
    assert int(reader) < 1500


def test_without_the_extra_a_line_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "is_installed", lambda extra: False)
    path = write(tmp_path / "rows.parquet", [ROW])
    line = r"needs an extra: pip install 'fairwitness\[batch\]'"
    with pytest.raises(MissingExtra, match=f"rows.parquet: reading Parquet {line}"):
        run_over(path, tmp_path / "out.jsonl")
    rows = write_lines(tmp_path / "rows.jsonl", [ROW])
    with pytest.raises(MissingExtra, match=f"out.parquet: writing Parquet {line}"):
        run_over(rows, tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet.jsonl").exists()


MIXED: list[dict[str, Any]] = [
    {"n": 1, "x": 1, "meta": {"a": 1}, "tags": [], "free": {}, "deep": [{"k": 1}]},
    {"n": 2.5, "x": "one", "meta": {"b": "b"}, "tags": ["t"], "free": {"k": 1}, "deep": []},
    {"n": None, "x": [1], "meta": None, "tags": None, "free": None, "deep": [{"k": 2, "l": True}]},
]


def test_results_are_parquet_by_their_name_with_types_and_mixed_columns_as_json(
    tmp_path: Path,
) -> None:
    rows = [{**row, **mixed} for row, mixed in zip(some_rows(3), MIXED, strict=True)]
    path = write_lines(tmp_path / "rows.jsonl", rows)
    run_over(path, tmp_path / "out.jsonl")
    run_over(path, tmp_path / "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column("n").to_pylist() == [1.0, 2.5, None]
    assert table.column("x").to_pylist() == ["1", '"one"', "[1]"]
    assert table.column("free").to_pylist() == ["{}", '{"k": 1}', "null"]
    assert table.column("meta").to_pylist() == [{"a": 1, "b": None}, {"a": None, "b": "b"}, None]
    assert table.column("tags").to_pylist() == [[], ["t"], None]
    assert table.column("deep").to_pylist()[2] == [{"k": 2, "l": True}]
    lines = lines_of(tmp_path / "out.jsonl")
    scores = [row["evaluation"]["overallScore"] for row in table.to_pylist()]
    assert scores == [line["evaluation"]["overallScore"] for line in lines]
    both = [list(read_results(tmp_path / name)) for name in ("out.jsonl", "out.parquet")]
    assert [one.evaluation for one in both[0]] == [one.evaluation for one in both[1]]
    assert [one.id for one in both[1]] == [1, 2, 3]
    assert not lines_beside(tmp_path / "out.parquet").exists()


def test_parquet_results_are_the_same_bytes_wherever_the_run_was_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_results, "_GROUP_BYTES", 20_000)
    path = write_lines(tmp_path / "rows.jsonl", some_rows(60))
    run_over(path, tmp_path / "whole.jsonl")
    lines = (tmp_path / "whole.jsonl").read_bytes()
    expected = tmp_path / "whole.parquet"
    run_over(path, expected, workers=2)
    assert pq.ParquetFile(expected).num_row_groups > 1
    output = tmp_path / "out.parquet"
    for cut in (0, 777, len(lines) // 2, len(lines)):
        output.unlink(missing_ok=True)
        journal_of(output).write_bytes(journal_of(expected).read_bytes())
        lines_beside(output).write_bytes(lines[:cut])
        told = run_over(path, output)
        assert sum(not event.is_new for event in told) == lines[:cut].count(b"\n")
        assert output.read_bytes() == expected.read_bytes()
    # The same command again does nothing, even where a crash left the lines beside it.
    before = output.stat().st_mtime_ns
    lines_beside(output).write_bytes(lines)
    told = run_over(path, output)
    assert [event.is_new for event in told] == [False] * 60
    assert output.stat().st_mtime_ns == before
    assert not lines_beside(output).exists()
    other = write_lines(tmp_path / "other.jsonl", some_rows(61))
    with pytest.raises(BadInput, match="was written from another input"):
        run_over(other, output)
    assert output.read_bytes() == expected.read_bytes()
    run_over(other, output, overwrite=True)
    assert pq.read_metadata(output).num_rows == 61


def test_a_full_disk_keeps_the_lines_and_the_next_run_finishes(tmp_path: Path) -> None:
    """The results reach their end as lines; no more than 5 blocks are left for the Parquet."""
    rows = [
        {**row, "noise": np.random.default_rng(n).bytes(600).hex()}
        for n, row in enumerate(some_rows(40))
    ]
    path, output = write_lines(tmp_path / "rows.jsonl", rows), tmp_path / "out.parquet"
    code = (
        "import resource, sys, signal; from pathlib import Path; from tests.batch.judging import run_over\n"
        "from fairwitness.batch import run\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "whole = run.write_parquet\n"
        "def small(*paths):\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)); whole(*paths)\n"
        "run.write_parquet = small\n"
        "try: run_over(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "except OSError as error: print(json_of(error))\n"
    ).replace("json_of(error)", "error.filename, error.strerror")
    done = subprocess.run(
        [sys.executable, "-c", code, str(path), str(output)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{output} File too large\n"
    assert not output.exists()
    assert len(lines_beside(output).read_bytes().splitlines()) == 40
    assert not any(event.is_new for event in run_over(path, output))
    assert pq.read_metadata(output).num_rows == 40


def test_a_file_given_as_standard_input_may_be_parquet_but_a_pipe_may_not(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.parquet", some_rows(4))
    code = (
        "import sys; from pathlib import Path; from tests.batch.judging import quick\n"
        "from fairwitness.batch.run import BatchRun; from fairwitness.batch.sources import Input\n"
        "from fairwitness.batch.rows import BadInput\n"
        "out = Path(sys.argv[1])\n"
        "try: print(BatchRun(Input.of('-', out), out, quick()).run().rows)\n"
        "except BadInput as error: print(error)\n"
    )
    run = [sys.executable, "-c", code, str(tmp_path / "out.jsonl")]
    with path.open("rb") as file:
        assert subprocess.run(run, stdin=file, capture_output=True, check=True).stdout == b"4\n"
    done = subprocess.run(run, input=path.read_bytes(), capture_output=True, check=True)
    assert done.stdout == b"stdin: must be a Parquet file, not compressed and not a pipe\n"


def test_results_that_are_none_are_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "rows.jsonl", [{"id": 1, **ROW}])
    with pytest.raises(BadInput, match=r"rows.jsonl:1: not a result of `fairwitness batch`"):
        list(read_results(path))
    with pytest.raises(BadInput, match="no such file"):
        list(read_results(tmp_path / "absent.jsonl"))
    assert json.loads(path.read_text())["id"] == 1


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"prompt": "a"}, "no column 'id'"),
        ({"id": 1.5, "error": "x"}, "column 'id': must be a text or a whole number, not 1.5"),
        ({"id": 1, "evaluation": {"a": 1}}, "column 'evaluation': overallScore is missing"),
        ({"id": 1, "error": 5}, "column 'error': must be a text, not 5"),
        ({"id": 1, "error": "x", "protocolVersion": 1}, "its versions are not texts"),
    ],
    ids=str,
)
def test_a_result_that_is_wrong_is_explained(
    tmp_path: Path, row: dict[str, Any], words: str
) -> None:
    path = write_lines(tmp_path / "rows.jsonl", [row])
    with pytest.raises(BadInput) as refused:
        list(read_results(path))
    assert str(refused.value).endswith(
        f"rows.jsonl:1: not a result of `fairwitness batch`: {words}"
    )
