"""The same batch on a real Ray cluster of several nodes: the same bytes, also where a node dies on the way."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.batch.judging import quick_source, some_rows, write_lines
from tests.batch.ray_cluster import RunningCluster, ray_cluster

pytestmark = pytest.mark.xdist_group("ray")
COUNT = 5000
#: Seconds. A busy machine is slow, and nothing here is measured by the clock.
PATIENCE = 500


@pytest.fixture(scope="module")
def cluster() -> Iterator[RunningCluster]:
    with ray_cluster(2) as running:
        yield running


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    (tmp_path / "quick.toml").write_bytes(quick_source())
    # It extends a file that no other machine has: the whole chain must travel.
    (tmp_path / "mine.toml").write_text('name = "mine"\nversion = "1"\nextends = "quick.toml"\n')
    return write_lines(tmp_path / "rows.jsonl", some_rows(COUNT))


def command(rows: Path, output: Path, *more: str) -> list[str]:
    protocol = rows.with_name("mine.toml")
    parts = [sys.executable, "-m", "fairwitness", "batch", str(rows), "-o", str(output)]
    return [*parts, "--protocol", str(protocol), "--json", *more]


def lines_in(output: Path) -> int:
    return output.read_bytes().count(b"\n") if output.exists() else 0


def wait_for(process: subprocess.Popen[str], output: Path, count: int) -> None:
    while process.poll() is None and lines_in(output) < count:
        time.sleep(0.01)
    assert process.poll() is None, process.communicate()[1]


def test_a_row_that_ends_its_process_is_answered_as_lost_and_the_others_are_judged(
    cluster: RunningCluster,
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.batch.deadly_judge", cluster.address],
        env=cluster.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["order"] == list(range(told["count"]))
    assert told["judged"] == told["count"] - 2
    assert told["lost"] == {"7": True, "30": True}


def test_a_cluster_that_is_not_there_is_named(rows: Path) -> None:
    output = rows.with_name("results.jsonl")
    done = subprocess.run(
        command(rows, output, "--engine", "ray", "--address", "127.0.0.1:1"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert "--address 127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


def test_killed_runs_and_a_killed_node_end_in_the_same_file(
    cluster: RunningCluster, rows: Path
) -> None:
    expected = rows.with_name("expected.jsonl")
    subprocess.run(command(rows, expected, "--workers", "1"), check=True, capture_output=True)
    output = rows.with_name("results.jsonl")
    on_ray = command(rows, output, "--engine", "ray", "--address", cluster.address)

    def begin(words: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            words,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=cluster.environment,
        )

    # Ray, this machine, Ray again: each goes on where the one before was killed.
    for number, words in enumerate((on_ray, command(rows, output, "--workers", "1")), 1):
        with begin(words) as killed:
            wait_for(killed, output, number * COUNT // 10)
            killed.kill()
        assert expected.read_bytes().startswith(output.read_bytes().rpartition(b"\n")[0])
    kept = lines_in(output)
    with begin(on_ray) as last:
        wait_for(last, output, kept + COUNT // 10)
        cluster.kill_a_node()
        at_the_kill = lines_in(output)
        told, errors = last.communicate(timeout=PATIENCE)
    assert last.returncode == 0, errors
    assert kept < at_the_kill < COUNT, "the node was killed while rows were judged"
    assert output.read_bytes() == expected.read_bytes()
    assert json.loads(told)["judged"] == COUNT
