"""Starts the server: binds first, so that a taken port is a clear error, then one or many workers."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from uvicorn import Config, Server
from uvicorn.supervisors import Multiprocess

from fairwitness.http.protocol import PublicProtocol
from fairwitness.settings import Settings

BACKLOG = 2048

_METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_METRICS_PREFIX, _METRICS_LOCK = "fairwitness-metrics-", "held"


class CannotListen(Exception):
    """The address or port cannot be listened on; the message says why."""


def bind(host: str, port: int) -> socket.socket:
    """Return a listening-ready socket, or raise CannotListen."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        # From here on clients are queued, not refused, while the workers start.
        listener.listen(BACKLOG)
    except OSError as error:
        raise CannotListen(
            f"cannot listen on {host} port {port}: {error.strerror or error}"
        ) from None
    listener.set_inheritable(True)
    return listener


class _Supervisor(Multiprocess):
    """uvicorn's supervisor, which sees a worker die at once and lets go of the socket as it leaves."""

    def keep_subprocess_alive(self) -> None:
        """Close our copy of each worker's end of its pipe first.

        Else a worker killed while it is asked for a sign of life is waited for as if it were only
        slow, and neither replaced nor stopped meanwhile.
        """
        for process in self.processes:
            process.child_conn.close()
        super().keep_subprocess_alive()

    def terminate_all(self) -> None:
        """Let go of the socket first: else clients would be queued for a server that is leaving."""
        for listener in self.sockets:
            listener.close()
        super().terminate_all()


def run(settings: Settings, listener: socket.socket, factory: str) -> None:
    """Serve on `listener` until stopped; `factory` names the function that builds the app."""
    config = Config(
        factory,
        factory=True,
        loop="uvloop" if settings.workers == 1 else "fairwitness.http.listener:SharingLoop",
        http=PublicProtocol,
        ws="none",
        interface="asgi3",
        workers=settings.workers,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        lifespan="on",
        backlog=BACKLOG,
        timeout_keep_alive=30,
        timeout_worker_healthcheck=60,  # a busy machine may need that long to start a worker
        timeout_graceful_shutdown=max(1, round(settings.shutdown_grace_s)),
    )
    if settings.workers == 1:
        # uvicorn raises the signal that stopped it once more; by default that would end us before we have cleaned up.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        Server(config).run(sockets=[listener])
    else:
        _Supervisor(config, sockets=[listener]).run()


def end_with_supervisor() -> None:
    """In a spawned worker, stop in good order once the supervisor is gone, however it went.

    Killed outright, it cannot stop its workers itself: they would go on serving and hold the port.
    """
    supervisor = multiprocessing.parent_process()
    if supervisor is None:
        return

    def watch() -> None:
        # The kernel closes a pipe as the supervisor dies, so this cannot miss it or mistake another.
        supervisor.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="supervisor-watch", daemon=True).start()


@contextmanager
def share_metrics() -> Iterator[None]:
    """Give all workers one folder for their counters; must come before the metrics are imported.

    Folders of servers that were killed outright are removed here: nobody holds their lock any more.
    """
    for left_behind in Path(tempfile.gettempdir()).glob(f"{_METRICS_PREFIX}*"):
        with suppress(OSError), (left_behind / _METRICS_LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left_behind, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_METRICS_PREFIX) as folder:
        os.environ[_METRICS_FOLDER] = folder
        (Path(folder) / _METRICS_LOCK).touch()
        hold_metrics()
        yield


def hold_metrics() -> None:
    """Hold the folder of the counters for as long as this process lives."""
    folder = os.environ.get(_METRICS_FOLDER)
    if folder:
        lock = os.open(Path(folder) / _METRICS_LOCK, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(lock, fcntl.LOCK_SH)
