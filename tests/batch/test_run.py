"""A run: the same bytes whatever the number of workers, taken up wherever it was broken off."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairwitness.batch import executor, worker
from fairwitness.batch.executor import Processes
from fairwitness.batch.results import ResultsFile
from fairwitness.batch.rows import BadInput, Texts
from fairwitness.batch.sources import journal_of
from tests.batch.judging import lines_of, quick, quick_source, run_over, some_rows, write_lines

ROWS = 60


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_lines(tmp_path_factory.mktemp("rows") / "rows.jsonl", some_rows(ROWS))


@pytest.fixture(scope="module")
def whole(rows: Path) -> Path:
    """What one process makes of the rows."""
    output = rows.with_name("whole.results.jsonl")
    run_over(rows, output)
    return output


def test_a_result_keeps_the_row_and_adds_what_the_evaluator_says(rows: Path, whole: Path) -> None:
    given_rows, found = lines_of(rows), lines_of(whole)
    assert len(found) == ROWS
    for number, (row, result) in enumerate(zip(given_rows, found, strict=True), 1):
        assert {name: result[name] for name in row} == row
        assert result["id"] == number
        evaluation = quick().evaluate(row["prompt"], row["response"])
        assert result["evaluation"] == evaluation.to_dict()
        assert "evaluationId" not in result["evaluation"]
        assert result["protocolVersion"] == quick().protocol.version
        assert result["protocolDigest"] == quick().protocol.digest
        assert result["evaluatorVersion"] == quick().version
    assert {line["evaluation"]["overallVerdict"] for line in found} > {"pass"}


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_writes_the_same_bytes(
    rows: Path, whole: Path, tmp_path: Path, workers: int
) -> None:
    output = tmp_path / "results.jsonl"
    run_over(rows, output, workers=workers)
    assert output.read_bytes() == whole.read_bytes()


def test_order_is_kept_by_any_window_and_every_item_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Long and short texts, faulty ones between, a window of one row or of all, or of few characters."""
    draw = random.Random(17)
    texts = [
        None
        if n % 11 == 5
        else (f"Question {n}", "So. " * draw.choice([1, 1, 400]) + f"It is {n}.")
        for n in range(120)
    ]
    expected = [
        None if pair is None else msgspec.json.encode(quick().evaluate(*pair)) for pair in texts
    ]
    with Processes(quick().protocol, 2) as processes:
        for window, chars in ((1, 10**9), (3, 10**9), (500, 10**9), (500, 1)):
            monkeypatch.setattr(executor, "WINDOW_CHARS", chars)
            processes._window = window
            found = list(processes.ordered(enumerate(texts)))
            assert [number for number, _ in found] == list(range(120))
            assert [answer for _, answer in found] == expected


def test_a_worker_that_dies_is_replaced_and_a_row_that_kills_two_is_named() -> None:
    with Processes(quick().protocol, 2) as processes:
        asked = iter([(n, (f"Question {n}", "An answer.")) for n in range(300)])

        def killing() -> Iterator[tuple[int, Texts]]:
            for n, pair in asked:
                if n == 150:
                    for worker in list(processes._running):
                        worker.kill()
                yield n, pair

        found = list(processes.ordered(killing()))
        assert [number for number, _ in found] == list(range(300))
        assert all(answer is not None and answer.startswith(b"{") for _, answer in found)
    broken = Processes(quick().protocol, 2)
    broken._opening = b"not a protocol\n"
    with broken:
        ((_, answer),) = broken.ordered([(1, ("Hi", "Hello"))])
    assert answer is not None
    assert b"ended without an answer" in answer


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(share=st.floats(0, 1), dedupe=st.booleans())
def test_a_run_cut_off_at_any_byte_goes_on_to_the_same_bytes(
    rows: Path, whole: Path, tmp_path: Path, share: float, dedupe: bool
) -> None:
    content = whole.read_bytes()
    cut = round(share * len(content))
    output = tmp_path / "results.jsonl"
    output.write_bytes(content[:cut])
    journal_of(output).write_bytes(journal_of(whole).read_bytes())
    told = run_over(rows, output, dedupe=dedupe)
    assert output.read_bytes() == content
    kept = content[:cut].count(b"\n")
    assert [event.is_new for event in told] == [False] * kept + [True] * (ROWS - kept)


def test_killed_at_random_moments_it_goes_on_to_the_same_file(tmp_path: Path) -> None:
    """Real kills of the real command, each when its results have reached a random size."""
    count = 1500
    rows = write_lines(tmp_path / "rows.jsonl", some_rows(count))
    expected = tmp_path / "expected.jsonl"
    run_over(rows, expected)
    (tmp_path / "quick.toml").write_bytes(quick_source())
    output, size = tmp_path / "results.jsonl", expected.stat().st_size
    command = [sys.executable, "-m", "fairwitness", "batch", str(rows), "-o", str(output)]
    command += ["--protocol", str(tmp_path / "quick.toml"), "--workers", "2", "--json"]
    draw = random.Random(5)
    reached = 0
    for _ in range(3):
        reached = draw.randrange(reached, reached + size // 4)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not output.exists() or output.stat().st_size <= reached):
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, "it ended before it was killed"
        assert expected.read_bytes().startswith(output.read_bytes())
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert output.read_bytes() == expected.read_bytes()
    assert json.loads(done.stdout)["judged"] == count


def test_the_same_command_again_does_nothing(rows: Path, whole: Path) -> None:
    before = whole.stat().st_mtime_ns
    told = run_over(rows, whole, workers=2)
    assert len(told) == ROWS
    assert not any(event.is_new for event in told)
    assert whole.stat().st_mtime_ns == before


def test_the_same_texts_are_judged_once(
    rows: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[tuple[str, str]] = []

    def counting(evaluator: object, prompt: str, response: str) -> bytes:
        judged.append((prompt, response))
        return worker.judged(quick(), prompt, response)

    monkeypatch.setattr(executor, "judged", counting)
    output = tmp_path / "results.jsonl"
    run_over(rows, output, dedupe=True)
    assert len(judged) == len(set(judged)) == 28  # seven prompts, four responses
    assert output.read_bytes() == whole.read_bytes()


def test_results_of_something_else_are_refused_and_kept(
    rows: Path, whole: Path, tmp_path: Path
) -> None:
    from fairwitness.batch.columns import Columns

    content = whole.read_bytes()
    other = write_lines(tmp_path / "other.jsonl", some_rows(ROWS + 1))
    with pytest.raises(BadInput, match=r"was written from another input; .* --overwrite"):
        run_over(other, whole)
    with pytest.raises(BadInput, match="was written from other columns"):
        run_over(rows, whole, columns=Columns(prompt="response", response="prompt"))
    from fairwitness.evaluator import Evaluator, protocol

    changed = Evaluator.of(protocol.read(quick_source() + b"\n# changed\n", "quick.toml"))
    with pytest.raises(BadInput, match="was written by another protocol"):
        run_over(rows, whole, evaluator=changed)
    stranger = tmp_path / "notes.jsonl"
    stranger.write_text("my notes\n")
    with pytest.raises(BadInput, match="no run is known that wrote it"):
        run_over(rows, stranger)
    assert whole.read_bytes() == content
    assert stranger.read_text() == "my notes\n"
    run_over(rows, stranger, overwrite=True)
    assert stranger.read_bytes() == content


def test_a_result_that_is_not_of_its_row_is_noticed(
    rows: Path, whole: Path, tmp_path: Path
) -> None:
    output = tmp_path / "results.jsonl"
    lines = whole.read_bytes().splitlines(keepends=True)
    output.write_bytes(b"".join([lines[0], lines[2], lines[1]]))
    journal_of(output).write_bytes(journal_of(whole).read_bytes())
    with pytest.raises(BadInput, match=r"results.jsonl:2: is not the result of row 2"):
        run_over(rows, output)


def test_two_runs_never_write_one_file(rows: Path, tmp_path: Path) -> None:
    from fairwitness.batch.results import Origin

    origin = Origin(input=["x"], columns={}, protocol_digest="x", evaluator_version="x")
    output = tmp_path / "results.jsonl"
    with (
        ResultsFile(output, origin),
        pytest.raises(BadInput, match="another run is writing to it"),
    ):
        run_over(rows, output)


def test_the_input_is_never_written_over(rows: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written over the input"):
        run_over(rows, rows, overwrite=True)


def test_it_needs_nothing_that_one_system_alone_has(
    rows: Path, whole: Path, tmp_path: Path
) -> None:
    """Windows has no fcntl, no pread or pwrite, no process groups; the lock is tested where it can run."""
    code = (
        "import os, pkgutil, importlib, sys; from pathlib import Path\n"
        "for name in ('fcntl', 'resource', 'pwd', 'termios'): sys.modules[name] = None\n"
        "for name in ('pwrite', 'pread', 'O_CLOEXEC', 'fork', 'setsid'): delattr(os, name)\n"
        "import fairwitness.batch, fairwitness.cli.main\n"
        "for found in pkgutil.iter_modules(fairwitness.batch.__path__, 'fairwitness.batch.'):\n"
        "    importlib.import_module(found.name)\n"
        "from fairwitness.batch import results\n"
        "results.lock = lambda descriptor: True\n"
        "from tests.batch.judging import run_over\n"
        "run_over(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    output = tmp_path / "results.jsonl"
    run = [sys.executable, "-c", code, str(rows), str(output)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert output.read_bytes() == whole.read_bytes()
