"""The embedded model's process: llama.cpp's own server, shared by all workers of a data folder.

Two locked files say who is there: the server holds `embedded.json`, where it writes its address, and its
users share `embedded.users`. Kernels free the locks of killed processes too: a dead server is
replaced by the next request, and a server without users ends. Run as a module, this file is the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import secrets
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fairwitness.providers import weights
from fairwitness.providers.embedded_queue import CONTEXT_TOKENS
from fairwitness.providers.provider import ProviderFailure
from fairwitness.settings import available_cores

PARALLEL = 5
# Longer generations, prompt and answer, go one at a time, so that the others always fit beside one.
SHORT_TOKENS = 2048
START_S = 30.0
ALONE_EVERY_S = 0.5
_NICENESS = 10
_NOT_INSTALLED = 3
# A batch ends before it can be stopped, so reading a long prompt goes in short ones; by the token
# they cost this model no more than long ones.
_BATCH_TOKENS = 16
# What the server may know of our environment; keys of other providers are not among it.
_PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
# Without these, threads that wait for each other burn the cores everyone shares.
_CALM = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a living server is, and the key that it answers to."""

    url: str
    key: str
    pid: int


class EmbeddedServer:
    """One worker's way to the shared server."""

    def __init__(self, data_dir: Path) -> None:
        """Share the server of `data_dir`; nothing is started yet."""
        self._folder = data_dir
        self._state = data_dir / "embedded.json"
        self._users: int | None = None
        self._child: int | None = None
        self._starting = asyncio.Lock()

    async def address(self, deadline: float) -> Address:
        """Return a living server's address, starting one where there is none."""
        start_by = min(deadline, asyncio.get_running_loop().time() + START_S)
        try:
            async with asyncio.timeout_at(start_by), self._starting:
                self._ended()
                while (found := self.found()) is None:
                    self._start()
                    await asyncio.sleep(0.05)
                return found
        except TimeoutError:
            message = "The embedded model did not start in time."
            raise ProviderFailure("timeout", message, generated_nothing=True) from None
        except OSError:  # no folder to meet in, no process to be had
            raise ProviderFailure("unreachable", generated_nothing=True) from None

    def found(self) -> Address | None:
        """Return the living server's address; None where there is none, or it has yet to say."""
        if self._users is None:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._users = _opened(self._folder / "embedded.users")
            fcntl.flock(self._users, fcntl.LOCK_SH)
        handle = _opened(self._state)
        try:
            if _locked(handle, fcntl.LOCK_SH):
                return None
            return Address(**json.loads(os.pread(handle, 4096, 0)))
        except (ValueError, TypeError):
            return None
        finally:
            os.close(handle)

    def kill(self, address: Address) -> None:
        """End a server that no longer answers, where it is still the one that runs."""
        if self.found() == address:
            with contextlib.suppress(ProcessLookupError):
                os.kill(address.pid, signal.SIGKILL)

    @asynccontextmanager
    async def long_turn(self) -> AsyncIterator[None]:
        """Hold the one place for a long generation, among all workers."""
        handle = _opened(self._folder / "embedded.long")
        try:
            while not _locked(handle, fcntl.LOCK_EX):  # noqa: ASYNC110 - no event crosses processes
                await asyncio.sleep(0.05)
            yield
        finally:
            os.close(handle)

    async def aclose(self) -> None:
        """Let go; the server ends with its last user."""
        if self._users is not None:
            os.close(self._users)
            self._users = None

    def _start(self) -> None:
        ended = self._ended()
        if ended:
            missing = ended == _NOT_INSTALLED
            raise ProviderFailure(
                "not_configured" if missing else "unreachable", generated_nothing=True
            )
        if self._child is not None:
            return
        environ = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        environ |= _CALM | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-m", __name__, str(self._state)]
        nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
        # It may outlive this worker, in a session of its own.
        self._child = os.posix_spawn(
            sys.executable, command, environ, file_actions=nowhere, setsid=True
        )

    def _ended(self) -> int | None:
        """Return how the server we started ended; None where it runs, or there is none."""
        if self._child is None:
            return None
        try:
            pid, status = os.waitpid(self._child, os.WNOHANG)
        except ChildProcessError:  # somebody else reaped it
            pid, status = self._child, 0
        if not pid:
            return None
        self._child = None
        return os.waitstatus_to_exitcode(status)


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _locked(handle: int, how: int) -> bool:
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def load(path: Path, key: str) -> Any:
    """Load the weights and listen: loopback, this key, no pages, no cross-origin answers, no logs."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {weights.MODEL}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.ui = False
    params.cors_origins = "http://localhost.invalid"
    params.endpoint_slots = False
    # Counts of batches, behind the same key: how soon work stops is counted in those.
    params.endpoint_metrics = True
    params.verbosity = -1
    # One context for all: room for one long generation and for short ones in every other place.
    params.n_ctx = CONTEXT_TOKENS + SHORT_TOKENS * (PARALLEL - 1)
    params.n_parallel = PARALLEL
    params.kv_unified = True
    params.n_batch = params.n_ubatch = _BATCH_TOKENS
    params.cache_ram_mib = 0
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = available_cores()
        cpu.poll = 0
    return xllamacpp.Server(params)


def main(state: Path) -> None:
    """Load, say where, and serve until nobody shares the users' file any more."""
    os.nice(_NICENESS)
    lock = _opened(state)
    give_up = time.monotonic() + 1.0
    while not _locked(lock, fcntl.LOCK_EX):  # somebody may be looking; else another was first
        if time.monotonic() > give_up:
            return
        time.sleep(0.02)
    os.ftruncate(lock, 0)
    path = weights.locate()
    if path is None or not weights.runtime_installed() or not weights.are_ours(path):
        sys.exit(_NOT_INSTALLED)
    key = secrets.token_hex(32)
    server = load(path, key)
    address = Address(server.listening_address, key, os.getpid())
    os.pwrite(lock, json.dumps(asdict(address)).encode(), 0)
    users = _opened(state.with_name("embedded.users"))
    while not _locked(users, fcntl.LOCK_EX):
        time.sleep(ALONE_EVERY_S)
    os.ftruncate(lock, 0)
    os._exit(0)  # llama.cpp's own farewell can wait for generations nobody reads


if __name__ == "__main__":
    main(Path(sys.argv[1]))
