"""Starts commands warm: one process loads the program, and each command is a fork of it.

Loading costs a second of a processor, for a server two, and is the same every time. From its arguments on, a command
does all it does when it is run, as it is by tests of the start itself and by servers of several workers.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import runpy
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import types
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cache
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
ROOT = Path(__file__).parent.parent
LONGEST_ORDER = 100_000
HANGS_S = 120


class WarmProcess:
    """A forked command, used as `subprocess.Popen` is."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = os.pidfd_open(pid)
        self._reaping = threading.Lock()

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
        with self._reaping:
            if self.returncode is None:
                self.returncode = _starter().ask({"reap": self.pid})
                os.close(self._ended)


def start(
    words: Sequence[str],
    streams: Sequence[io.IOBase | Any],
    environment: Mapping[str, str],
    folder: Path | None = None,
) -> WarmProcess:
    """Start `fairwitness WORDS` with this input, output and error output, and this environment alone."""
    return start_python(["-m", "fairwitness", *words], streams, environment, folder)


def start_python(
    arguments: Sequence[str],
    streams: Sequence[io.IOBase | Any],
    environment: Mapping[str, str],
    folder: Path | None = None,
) -> WarmProcess:
    """Start `python -m MODULE ...` or `python -c CODE ...` in the same way."""
    order = {
        "arguments": list(arguments),
        "environment": dict(environment),
        "folder": str(folder or Path.cwd()),
    }
    return WarmProcess(_starter().ask(order, [stream.fileno() for stream in streams]))


def run(
    words: Sequence[str],
    environment: Mapping[str, str],
    stdin: bytes = b"",
    folder: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run `fairwitness WORDS` to its end, as `subprocess.run` would."""
    return run_python(["-m", "fairwitness", *words], environment, stdin, folder)


def run_python(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    stdin: bytes = b"",
    folder: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m MODULE ...` or `python -c CODE ...` to its end."""
    with ExitStack() as stack:
        given, out, error = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        given.write(stdin)
        given.seek(0)
        process = start_python(arguments, (given, out, error), environment, folder)
        stack.callback(process.kill)
        code = process.wait(HANGS_S)
        out.seek(0)
        error.seek(0)
        return subprocess.CompletedProcess([*arguments], code, out.read(), error.read())


def run_text(
    words: Sequence[str],
    environment: Mapping[str, str],
    stdin: str = "",
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Do as `run` does, with text."""
    done = run(words, environment, stdin.encode(), folder)
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def shell_functions() -> str:
    """Return what makes `fairwitness` and `python` start warm in a script of bash that follows it."""
    shim = str(ROOT / "tests" / "warm_command.py")
    python = shlex.join([sys.executable, "-IS", shim, _starter().address])
    return f'python() {{ {python} "$@"; }}\nfairwitness() {{ python -m fairwitness "$@"; }}\n'


class _Starter:
    """The process that has everything loaded, seen from the tests; it ends with them."""

    def __init__(self) -> None:
        self._channel, channel = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.address = f"fairwitness-tests-{os.getpid()}"
        with channel, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(f"\0{self.address}")  # a name that leaves no file behind
            listener.listen()
            theirs = [channel.fileno(), listener.fileno()]
            command = [sys.executable, "-m", "tests.warm_start", *map(str, theirs)]
            # From the root, where `tests` is found: the first test to ask may stand in a folder of its own.
            self._process = subprocess.Popen(command, pass_fds=theirs, cwd=ROOT)
        self._one_at_a_time = threading.Lock()

    def ask(self, order: Mapping[str, Any], streams: Sequence[int] = ()) -> int:
        """Send an order and return its answer."""
        with self._one_at_a_time:
            socket.send_fds(self._channel, [json.dumps(order).encode()], streams)
            return int(self._channel.recv(100))

    def close(self) -> None:
        """End the process."""
        self._channel.close()
        self._process.wait(HANGS_S)


@cache
def _starter() -> _Starter:
    starter = _Starter()
    atexit.register(starter.close)
    return starter


def _serve_orders(
    channel: socket.socket, listener: socket.socket
) -> tuple[dict[str, Any], list[int]] | None:
    """Fork for each order and reap what ended; return the order in a fork, None at the end of all."""
    with ExitStack() as stack:  # no fork keeps any of them open
        heard = [stack.enter_context(one) for one in (channel, listener)]
        while True:
            for one in select.select(heard, [], [])[0]:
                if one is listener:
                    heard.append(stack.enter_context(listener.accept()[0]))
                    continue
                message, streams, *_ = socket.recv_fds(one, LONGEST_ORDER, 3)
                if not message and one is channel:
                    return None
                if not message:
                    heard.remove(one)
                    one.close()
                    continue
                order: dict[str, Any] = json.loads(message)
                if "reap" in order:
                    _, status = os.waitpid(order["reap"], 0)
                    answer = os.waitstatus_to_exitcode(status)
                elif (answer := os.fork()) == 0:
                    return order, streams
                for stream in streams:
                    os.close(stream)
                one.send(str(answer).encode())


def _become(order: Mapping[str, Any], streams: Sequence[int]) -> None:
    """Be the command of an order, from its arguments to its exit."""
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # As Python makes them when it starts.
    how = {"encoding": os.environ.get("PYTHONIOENCODING", "utf-8"), "closefd": False}
    sys.stdin = open(0, **how)  # type: ignore[call-overload]  # noqa: SIM115
    sys.stdout = open(1, "w", **how)  # type: ignore[call-overload]  # noqa: SIM115
    sys.stderr = open(2, "w", 1, errors="backslashreplace", **how)  # type: ignore[call-overload]  # noqa: SIM115
    tempfile.tempdir = None  # found anew, in this environment
    kind, what, *words = order["arguments"]
    sys.argv = [what if kind == "-m" else kind, *words]
    if kind == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(what, "<string>", "exec"), vars(sys.modules["__main__"]))


def _load() -> None:
    for name in LOADED:
        importlib.import_module(name)
    from fairwitness.evaluator import language, shipped
    from fairwitness.evaluator.text import Text
    from tests.warm_rules import warm_rules

    shipped()
    assert not language.is_supported(Text("Bonjour, je suis là pour vous aider. " * 3))
    warm_rules()
    # The one reads a server's own environment as it is imported, the other starts a thread, which no fork has.
    assert not {"prometheus_client", "onnxruntime"} & sys.modules.keys()
    gc.freeze()  # else each fork walks and copies all of it as it ends


if __name__ == "__main__":
    _load()
    found = _serve_orders(*(socket.socket(fileno=int(number)) for number in sys.argv[1:]))
    if found is not None:
        _become(*found)
