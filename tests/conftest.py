"""What many tests share: a real server on a free port, a client that speaks to it, a real PostgreSQL."""

from __future__ import annotations

import gc
import json
import os
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpcore2
import httpx2
import hypothesis
import pytest

from tests import real_postgres, warm_start
from tests.database_engines import database_url
from tests.ledger_engines import bench, run
from tests.warm_start import WarmProcess

__all__ = ["bench", "database_url", "run"]

pytest_plugins = ["tests.machine_parts", "tests.rewritten_once"]

# The same examples every run, so that a red run means a change; fresh ones are drawn with
# `pytest --hypothesis-profile=explore`, and by the fuzzers.
# Neither measures time: a busy machine is no fault of what is tested.
_UNTIMED: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [hypothesis.HealthCheck.too_slow],
}
hypothesis.settings.register_profile("steady", derandomize=True, database=None, **_UNTIMED)
hypothesis.settings.register_profile("explore", max_examples=2000, print_blob=True, **_UNTIMED)
hypothesis.settings.load_profile("steady")

# It is no setting of the service: kept out of the environment that servers under test inherit.
_given_postgres = os.environ.pop(real_postgres.VARIABLE, None)


_default_ssl_context = httpcore2.default_ssl_context


@cache
def _context_read_once(trust_env: bool, *_where: str | None) -> ssl.SSLContext:
    return _default_ssl_context(_trust_env=trust_env)


def _shared_ssl_context(*, _trust_env: bool = True) -> ssl.SSLContext:
    where = (os.environ.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"))
    return _context_read_once(_trust_env, *where)


# Each HTTP client reads every certificate the machine trusts, which takes 50 ms of a processor; tests make thousands.
httpcore2.default_ssl_context = _shared_ssl_context


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let the garbage collector rest: almost all that collecting tests makes stays, most of a million objects."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run tests that share something costly in one worker, which makes it once; and start these groups first.

    A long group that starts last would keep one worker busy while the others wait.
    """
    groups = {item: name for item in items if (name := _group_of(item))}
    items.sort(key=lambda item: item not in groups)
    if config.getoption("loadgroup", False):  # in a worker
        # pytest-xdist 3.8 appends a group to an attribute that pytest 9.2 no longer reads (pytest-xdist issue 1386), so that
        # no group has any effect: appended here until it is mended there.
        for item, name in groups.items():
            item._id = type(item.id).parse(f"{item.nodeid}@{name}")


def _group_of(item: pytest.Item) -> str | None:
    """Return a test's group: its mark, or its file if it uses a fixture of the module, or `tools` if it uses the server."""
    if mark := item.get_closest_marker("xdist_group"):
        return str(mark.args[0])
    found = item._fixtureinfo.name2fixturedefs if isinstance(item, pytest.Function) else {}
    if any(used[-1].scope == "module" for used in found.values()):
        return item.nodeid.partition("::")[0]
    return "tools" if "server" in found else None  # tests marked so start the server, too


GOOD: dict[str, Any] = {
    "contractVersion": "1.0.0",
    "prompt": "How do plants make food?",
    "response": "Plants make sugar from water and carbon dioxide, using the energy of light.",
    "privacyAcknowledged": True,
}


@dataclass
class RunningServer:
    """A `fairwitness serve` process, where it listens, and what it wrote."""

    process: subprocess.Popen[bytes] | WarmProcess
    url: str
    log: Path

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


def serving(
    folder: Path, workers: int = 1, **environment: str
) -> AbstractContextManager[RunningServer]:
    """Run the real server with settings given by name, until the block ends."""
    # More workers are started by the server itself, each cold.
    return _serving(folder, workers, environment, cold=workers > 1)


def serving_cold(folder: Path, **environment: str) -> AbstractContextManager[RunningServer]:
    """Run the server by its command, where the start or the end of the process itself is tested."""
    return _serving(folder, 1, environment, cold=True)


@contextmanager
def _serving(
    folder: Path, workers: int, environment: Mapping[str, str], *, cold: bool
) -> Iterator[RunningServer]:
    log = folder / "server.log"
    variables = {f"FAIRWITNESS_{name}": value for name, value in environment.items()}
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith("FAIRWITNESS_")
    }
    given = {**clean, "FAIRWITNESS_DATA_DIR": str(folder / "data"), **variables}
    words = ["serve", "--port", "0", "--workers", str(workers)]
    process: subprocess.Popen[bytes] | WarmProcess
    with log.open("w") as sink, open(os.devnull) as nothing:
        if cold:
            command = [sys.executable, "-m", "fairwitness", *words]
            process = subprocess.Popen(command, stderr=sink, stdout=sink, env=given)
        else:
            process = warm_start.start(words, (nothing, sink, sink), given)
    try:
        url = _wait_ready(log, process)
        yield RunningServer(process, url, log)
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise


def _wait_ready(log: Path, process: subprocess.Popen[bytes] | WarmProcess) -> str:
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        line, newline, _ = log.read_text().partition("\n")
        if newline:
            url: str = json.loads(line)["url"]
            try:
                if httpx2.get(f"{url}/readyz", timeout=30).status_code == 200:
                    return url
            except httpx2.TransportError:
                pass
        time.sleep(0.05)
    raise AssertionError("the server never became ready")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with two workers, short time-outs and answers, and every other setting at its default."""
    folder = tmp_path_factory.mktemp("server")
    short = {"HEADER_TIMEOUT_S": "1.5", "BODY_TIMEOUT_S": "1.5", "EMBEDDED_MAX_TOKENS": "16"}
    with serving(folder, workers=2, **short) as running:
        yield running


@pytest.fixture(scope="session")
def client(server: RunningServer) -> Iterator[httpx2.Client]:
    """An HTTP client for the shared server."""
    with httpx2.Client(base_url=server.url, timeout=120, trust_env=False) as running:
        yield running


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., RunningServer]]:
    """Start servers of one's own: `start(workers=2, QUEUE_SIZE="0")`."""
    with ExitStack() as stack:

        def begin(workers: int = 1, **environment: str) -> RunningServer:
            return stack.enter_context(serving(tmp_path, workers, **environment))

        yield begin


@pytest.fixture(scope="session")
def postgres_admin_url() -> Iterator[str]:
    """The address of a PostgreSQL where databases may be made: the given one, or one of our own."""
    if _given_postgres:
        yield _given_postgres
        return
    server = real_postgres.PostgresServer()
    try:
        yield server.url("postgres")
    finally:
        server.close()


@pytest.fixture
def postgres_url(postgres_admin_url: str) -> Iterator[str]:
    """An empty database of this test's own."""
    with real_postgres.fresh_database(postgres_admin_url) as url:
        yield url
