"""Services that give no evaluation: slow, overloaded, out of budget, of another version, or something else altogether."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fairwitness.contract.errors import BudgetExhausted, Overloaded, ServiceError

# What a service answers under each first part of its path: a status, and a body.
FAULTS: dict[str, tuple[int, Any]] = {
    "slow": (200, {}),
    "overloaded": (503, Overloaded),
    "budget": (429, BudgetExhausted),
    "version": (200, {"contractVersion": "9.0.0", "verdict": "pass"}),
    "elsewhere": (404, "<html>Not here</html>"),
}


@contextmanager
def faulty() -> Iterator[str]:
    """Run all of them; the address of one ends in its name."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(http.server.ThreadingHTTPServer):
    def __init__(self, *given: Any) -> None:
        self.ended = threading.Event()
        super().__init__(*given)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        fault = self.path.split("/")[1]
        status, said = FAULTS[fault]
        if fault == "slow":
            # Slower than any client waits, whatever else the machine does.
            self.server.ended.wait()
            self.close_connection = True
            return
        if isinstance(said, type) and issubclass(said, ServiceError):
            said = {"error": {"code": said.code.value, "message": said.meaning}}
        body = said.encode() if isinstance(said, str) else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status in {429, 503}:
            self.send_header("Retry-After", "3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""
