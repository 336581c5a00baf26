"""A collector for tests: takes OTLP over HTTP, and reads each body with OpenTelemetry's own messages."""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest


@dataclass
class Collector:
    """What was received, and how the next requests are answered: by these statuses, then 200."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    hangs: threading.Event = field(default_factory=threading.Event)
    records: list[Any] = field(default_factory=list)

    def take(self, body: bytes, headers: dict[str, str]) -> None:
        """Read a body; one that is not of the published messages is kept as a fault."""
        self.bodies.append(body)
        self.headers.append(headers)
        try:
            found = json_format.Parse(body, ExportLogsServiceRequest())
        except json_format.ParseError as error:
            self.faults.append(str(error))
            return
        for resource in found.resource_logs:
            names = {one.key: one.value.string_value for one in resource.resource.attributes}
            if names.get("service.name") != "fairwitness":
                self.faults.append(f"service.name: {names}")
            self.records += [
                record for scope in resource.scope_logs for record in scope.log_records
            ]

    def wait(self, records: int) -> list[Any]:
        """Return the records once there are so many."""
        deadline = time.monotonic() + 30
        while len(self.records) < records and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not self.faults, self.faults
        assert len(self.records) == records
        return self.records


def attributes(record: Any) -> dict[str, str | float]:
    """Return a record's attributes as plain values."""
    return {
        one.key: one.value.string_value
        if one.value.HasField("string_value")
        else one.value.double_value
        for one in record.attributes
    }


@contextmanager
def collecting(*statuses: int) -> Iterator[Collector]:
    """Run a collector until the block ends."""
    collector = Collector(statuses=list(statuses))

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if collector.hangs.is_set():
                time.sleep(60)
            status = collector.statuses.pop(0) if collector.statuses else 200
            right = self.path == "/v1/logs" and self.headers["Content-Type"] == "application/json"
            if not right:
                status = 404
            if status == 200:
                collector.take(body, dict(self.headers))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    collector.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
