"""Starts the server: binds first, so that a taken port is a clear error, then one or many workers."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import socket
import tempfile
import threading
from functools import partial
from multiprocessing.connection import wait

from uvicorn import Config, Server
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from fairwitness.http.protocol import PublicProtocol
from fairwitness.settings import Settings

BACKLOG = 2048


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


def sign_of_life(worker: Process, timeout_s: float = 5) -> bool:
    """Ask a worker whether it lives, and stop waiting when it dies: its end of the pipe stays open in this process."""
    try:
        worker.parent_conn.send(b"ping")
        heard = wait([worker.parent_conn, worker.process.sentinel], timeout_s)
        if worker.parent_conn not in heard:
            return False
        worker.parent_conn.recv()
    except (OSError, EOFError, pickle.UnpicklingError):
        return False
    return True


class _Supervisor(Multiprocess):
    """uvicorn's supervisor, which replaces a dead worker at once and stops listening before it waits for its workers."""

    def keep_subprocess_alive(self) -> None:
        """Replace what died or hangs."""
        for worker in self.processes:
            worker.ping = partial(sign_of_life, worker)  # type: ignore[method-assign]
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


def share_metrics() -> tempfile.TemporaryDirectory[str]:
    """Give all workers one folder for their counters; must come before the metrics are imported."""
    folder = tempfile.TemporaryDirectory(prefix="fairwitness-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder.name
    return folder
