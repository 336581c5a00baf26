"""Starts what is measured, in processes of their own on loopback, and reads what they use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import psutil

ROOT = Path(__file__).parents[1]


@dataclass
class Server:
    """A running server and where it listens."""

    process: subprocess.Popen[bytes]
    port: int
    started_s: float
    folder: Path

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def workers(self) -> list[psutil.Process]:
        """Return the processes that answer requests."""
        root = psutil.Process(self.process.pid)
        return [child for child in root.children() if _is_worker(child)] or [root]

    def cpu_s(self) -> float:
        """Return the processor time its workers' threads have taken, to the nanosecond where the kernel tells it."""
        return sum(_cpu_s(one) for one in self.workers())

    def memory_mb(self) -> float:
        """Return the memory its workers hold for themselves alone, added up."""
        return sum(one.memory_full_info().uss for one in self.workers()) / 1e6


def _cpu_s(process: psutil.Process) -> float:
    try:
        threads = [*Path(f"/proc/{process.pid}/task").iterdir()]
        return sum(int((one / "schedstat").read_text().split()[0]) for one in threads) / 1e9
    except (OSError, IndexError):
        return sum(process.cpu_times()[:2])


def _is_worker(process: psutil.Process) -> bool:
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:
        return False  # it ended while we looked


@contextmanager
def ours(workers: int = 1, **settings: str) -> Iterator[Server]:
    """Run `fairwitness serve` with settings given by name."""
    with _serving("fairwitness", workers, settings, {}) as server:
        yield server


@contextmanager
def fixed_answer(*, handover: bool) -> Iterator[Server]:
    """Run the service with a constant for its evaluator, in the event loop or in the evaluator's thread."""
    variables = {"PERF_HANDOVER": "yes" if handover else "no"}
    with _serving("perf.fixed_answer_server", 1, {}, variables) as server:
        yield server


@contextmanager
def _serving(
    entry: str, workers: int, settings: Mapping[str, str], variables: Mapping[str, str]
) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="fairwitness-bench-") as name:
        given = {"DATA_DIR": name, "LOG_FORMAT": "json", **settings}
        environment = _clean() | {f"FAIRWITNESS_{key}": value for key, value in given.items()}
        environment |= variables
        command = [sys.executable, "-m", entry, "serve", "--port", "0", "--workers", str(workers)]
        with _running(command, environment, Path(name)) as server:
            yield server


@contextmanager
def echo() -> Iterator[Server]:
    """Run the bare Starlette echo that our HTTP layer is measured against."""
    with tempfile.TemporaryDirectory(prefix="fairwitness-bench-") as name:
        command = [sys.executable, "-m", "perf.echo_server"]
        with _running(command, _clean(), Path(name)) as server:
            yield server


@contextmanager
def _running(command: list[str], environment: dict[str, str], folder: Path) -> Iterator[Server]:
    log = folder / "server.log"
    began = time.perf_counter()
    with log.open("wb") as sink:
        process = subprocess.Popen(command, stdout=sink, stderr=sink, env=environment, cwd=ROOT)
    try:
        port = _ready(log, process)
        yield Server(process, port, time.perf_counter() - began, folder)
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _ready(log: Path, process: subprocess.Popen[bytes]) -> int:
    deadline = time.monotonic() + 600  # a busy machine may need minutes
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise SystemExit(f"the server stopped:\n{log.read_text()}")
        line, newline, _ = log.read_text().partition("\n")
        if newline:
            url: str = json.loads(line)["url"]
            try:
                if httpx2.get(f"{url}/readyz", timeout=5, trust_env=False).status_code == 200:
                    return int(url.rpartition(":")[2])
            except httpx2.TransportError:
                pass
        time.sleep(0.02)
    raise SystemExit("the server never became ready")


def _clean() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FAIRWITNESS_")}
    source = str(ROOT / "src")
    return kept | {"PYTHONPATH": os.pathsep.join([source, str(ROOT), kept.get("PYTHONPATH", "")])}
