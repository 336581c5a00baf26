"""Starts servers warm: one process loads the program, and each server of one worker is a fork of it.

Loading costs two seconds of a processor and is the same every time. From its settings on, a server does all it does
when its command is run, as it is by tests of the start itself (`cold=True`) and wherever there are more workers.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

# What a server imports, but for the metrics.
LOADED = (
    "fairwitness.cli.main",
    "fairwitness.http.server",
    "fairwitness.providers.slots",
    "fairwitness.service.admission",
    "fairwitness.service.arena_2",
    "fairwitness.service.arena_evidence",
    "fairwitness.service.evaluation_events",
    "fairwitness.service.exchange_evaluation",
    "fairwitness.service.feedback",
    "fairwitness.service.improvement",
    "fairwitness.service.judging",
    "fairwitness.service.pool",
    "fairwitness.service.protocols",
    "fairwitness.service.tool_endpoints",
    "fairwitness.site",
    "structlog",
)


class WarmProcess:
    """A forked command, used as `subprocess.Popen` is."""

    def __init__(self, starter: Starter, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._starter = starter
        self._ended = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        if self.returncode is None and select.select([self._ended], [], [], 0)[0]:
            self._reap()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return its exit code, or raise TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._ended], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("fairwitness", timeout or 0)
            self._reap()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to stop."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it outright."""
        self.send_signal(signal.SIGKILL)

    def _reap(self) -> None:
        self.returncode = self._starter.ask({"reap": self.pid})
        os.close(self._ended)


class Starter:
    """The process that has everything loaded, seen from the tests; it ends with them."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "tests.warm_start", str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
        self._channel = ours.makefile("rw")
        self._socket = ours
        self._one_at_a_time = threading.Lock()

    def start(self, words: Sequence[str], environment: Mapping[str, str], log: Path) -> WarmProcess:
        """Run `fairwitness WORDS` with this environment alone, all it says going to a file."""
        order = {"words": list(words), "environment": dict(environment), "log": str(log)}
        return WarmProcess(self, self.ask(order))

    def ask(self, order: Mapping[str, Any]) -> int:
        """Send an order and return its answer."""
        with self._one_at_a_time:
            print(json.dumps(order), file=self._channel, flush=True)
            return int(self._channel.readline())

    def close(self) -> None:
        """End the process."""
        self._channel.close()
        self._socket.close()
        self._process.wait(60)


def _serve_orders(channel_number: int) -> dict[str, Any] | None:
    """Fork for each order and reap what ended; return the order in a fork, None at the end of all."""
    with socket.socket(fileno=channel_number) as channel, channel.makefile("rw") as lines:
        for line in lines:
            order: dict[str, Any] = json.loads(line)
            if "reap" in order:
                _, status = os.waitpid(order["reap"], 0)
                answer = os.waitstatus_to_exitcode(status)
            else:
                answer = os.fork()
                if answer == 0:
                    return order
            print(answer, file=lines, flush=True)
    return None


def _become(order: Mapping[str, Any]) -> None:
    """Be the command of an order, from its first line to its exit."""
    os.environ.clear()
    os.environ.update(order["environment"])
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.close(log)
    tempfile.tempdir = None  # found anew, in this environment
    sys.argv = ["fairwitness", *order["words"]]
    runpy.run_module("fairwitness", run_name="__main__")


def _load() -> None:
    for name in LOADED:
        importlib.import_module(name)
    from fairwitness.evaluator import language, shipped
    from fairwitness.evaluator.text import Text

    shipped()
    assert not language.is_supported(Text("Bonjour, je suis là pour vous aider. " * 3))
    # The one reads a server's own environment as it is imported, the other starts a thread, which no fork has.
    assert not {"prometheus_client", "onnxruntime"} & sys.modules.keys()


if __name__ == "__main__":
    _load()
    found = _serve_orders(int(sys.argv[1]))
    if found is not None:
        _become(found)
