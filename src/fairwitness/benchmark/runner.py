"""Runs the measures over the user's data and writes the report. It prints nothing and shows no text."""

from __future__ import annotations

import multiprocessing
import os
import platform
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal

from fairwitness.benchmark import figures, peers
from fairwitness.benchmark.registry import MEASURES
from fairwitness.benchmark.report import BenchmarkReport, DataFile, Figure, Runtime, SetResult
from fairwitness.benchmark.row_evaluation import Judged
from fairwitness.benchmark.rows import BadData, DataSet, Row, load, locate
from fairwitness.benchmark.series import Measure
from fairwitness.benchmark.statistics import RESAMPLES, SEED
from fairwitness.contract.errors import InvalidRequest
from fairwitness.evaluator import Evaluator, shipped

# Told how far a run is: the set, rows done, rows in all.
Progress = Callable[[str, int, int], None]
_PACKAGES = ("fairwitness", "google-re2", "numpy", "onnxruntime")


def run(
    data_dir: Path,
    names: Sequence[str] | None = None,
    progress: Progress = lambda name, done, total: None,
    *,
    date: str,
    evaluator: Evaluator | None = None,
    jobs: int = 1,
) -> BenchmarkReport:
    """Measure the named sets, all where None; raise BadData for an unknown name or a broken file.

    With `jobs` over one, sets are measured side by side in that many processes, by the shipped
    evaluator; the figures are the same.
    """
    if not data_dir.is_dir():
        raise BadData(f"{data_dir}: no such folder")
    chosen = _chosen(names)
    judge = evaluator or shipped()
    if jobs > 1 and evaluator is None:
        sets = _side_by_side(chosen, data_dir, jobs, progress)
    else:
        sets = [_measured(measure, data_dir, judge, progress) for measure in chosen]
    return BenchmarkReport(
        date=date,
        evaluator_version=judge.version,
        protocol_version=judge.protocol.version,
        protocol_sha256=judge.protocol.digest,
        seed=SEED,
        resamples=RESAMPLES,
        runtime=_runtime(),
        sets=sets,
    )


def _side_by_side(
    chosen: Sequence[Measure], data_dir: Path, jobs: int, progress: Progress
) -> list[SetResult]:
    for measure in chosen:
        progress(measure.name, 0, 1)
    spawn = multiprocessing.get_context("spawn")
    watched, held = spawn.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        min(jobs, len(chosen)), mp_context=spawn, initializer=_live_while, initargs=(watched,)
    )
    done: dict[str, SetResult] = {}
    with watched, held, pool:
        try:
            running = {
                pool.submit(_alone, measure.name, data_dir): measure.name for measure in chosen
            }
            for future in as_completed(running):
                done[running[future]] = future.result()
                progress(running[future], 1, 1)
        except BaseException:
            held.close()  # nobody waits for what the others are at
            raise
    return [done[measure.name] for measure in chosen]


def _live_while(watched: Connection) -> None:
    """End this worker, whatever it is at, when the other end closes: the run is over, or its process is gone."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # the process that was asked to stop says so to all

    def watch() -> None:
        watched.poll(None)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _alone(name: str, data_dir: Path) -> SetResult:
    (measure,) = _chosen([name])
    return _measured(measure, data_dir, shipped(), lambda name, done, total: None)


def _chosen(names: Sequence[str] | None) -> list[Measure]:
    if names is None:
        return list(MEASURES)
    known = {measure.name: measure for measure in MEASURES}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise BadData(f"no such set: {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names)]


def _measured(
    measure: Measure, data_dir: Path, evaluator: Evaluator, progress: Progress
) -> SetResult:
    has = {spec.id for spec in evaluator.protocol.criteria}
    lacking = [name for name in measure.needs if name not in has]
    if lacking:
        note = f"not covered by this evaluator (no {', no '.join(lacking)})"
        return _unmeasured(measure, "not_covered", note)
    paths = {name: locate(data_dir, name) for name in measure.data}
    missing = [f"{name}.jsonl.gz" for name, path in paths.items() if path is None]
    if missing:
        return _unmeasured(measure, "no_data", f"not found: {', '.join(missing)}")
    loaded = [load(path, name) for name, path in paths.items() if path is not None]
    rows = [row for data in loaded for row in data.rows]
    judged = Judged(evaluator)
    try:
        made = _figures(measure, rows, judged, progress)
    except (KeyError, TypeError, ValueError, InvalidRequest) as error:
        raise BadData(
            f"{measure.name}: its rows lack what this measure reads ({error!r})"
        ) from error
    return SetResult(
        name=measure.name,
        title=measure.title,
        status="measured",
        note="",
        files=[_file(data) for data in loaded],
        cut=judged.cut,
        figures=made,
    )


def _figures(
    measure: Measure, rows: Sequence[Row], judged: Judged, progress: Progress
) -> list[Figure]:
    beside = peers.of(measure.name)
    if measure.series is not None:
        series = measure.series(
            rows, judged, lambda done, total: progress(measure.name, done, total)
        )
        return [figures.from_series(item, beside.get(item.name, ())) for item in series]
    assert measure.figures is not None, f"{measure.name} has neither series nor figures"
    progress(measure.name, 0, len(rows))
    made = figures.from_books(measure.figures(rows), beside)
    progress(measure.name, len(rows), len(rows))
    return made


def _unmeasured(
    measure: Measure, status: Literal["not_covered", "no_data"], note: str
) -> SetResult:
    return SetResult(
        name=measure.name,
        title=measure.title,
        status=status,
        note=note,
        files=[],
        cut=0,
        figures=[],
    )


def _file(data: DataSet) -> DataFile:
    return DataFile(name=f"{data.name}.jsonl.gz", sha256=data.sha256, rows=len(data.rows))


def _runtime() -> Runtime:
    packages = {}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            packages[name] = "not installed"
    return Runtime(
        python=platform.python_version(),
        packages=packages,
        system=f"{platform.system()} {platform.machine()}",
        cpu=_cpu(),
    )


def _cpu() -> str:
    """Return the processor's own name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())
