"""Speaks raw bytes to a server, for requests no HTTP library would send."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One HTTP answer as it came off the wire."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> dict[str, Any]:
        """Return the error object, checking that it has the one shape."""
        assert self.headers["content-type"] == "application/json"
        assert self.headers.get("x-request-id")
        parsed = json.loads(self.body)
        assert set(parsed) == {"error"}
        assert {"code", "message"} <= set(parsed["error"]) <= {"code", "message", "details"}
        error: dict[str, Any] = parsed["error"]
        return error


def connect(port: int, timeout: float = 60) -> socket.socket:
    """Open a connection."""
    return socket.create_connection(("127.0.0.1", port), timeout=timeout)


def exchange(port: int, *pieces: bytes, timeout: float = 60) -> list[Answer]:
    """Send bytes, read until the server hangs up or falls silent after an answer, and parse."""
    with connect(port, timeout) as connection:
        for piece in pieces:
            try:
                connection.sendall(piece)
            except (BrokenPipeError, ConnectionResetError):
                break
        return read_answers(connection)


def read_answers(connection: socket.socket, expect: int = 0) -> list[Answer]:
    """Read whole answers until the peer closes, or `expect` of them have come; without `expect`, or 1 s of silence."""
    buffer = b""
    answers: list[Answer] = []
    while True:
        answer, buffer = _parse(buffer)
        if answer is not None:
            answers.append(answer)
            if expect and len(answers) == expect:
                return answers
            if not expect:
                connection.settimeout(1)
            continue
        try:
            data = connection.recv(65536)
        except (TimeoutError, ConnectionResetError):
            return answers
        if not data:
            return answers
        buffer += data


def _parse(buffer: bytes) -> tuple[Answer | None, bytes]:
    head, separator, rest = buffer.partition(b"\r\n\r\n")
    if not separator:
        return None, buffer
    first, *lines = head.decode("latin-1").split("\r\n")
    status = int(first.split(" ")[1])
    if status == 100:
        return _parse(rest)
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    length = int(headers.get("content-length", "0"))
    if len(rest) < length:
        return None, buffer
    return Answer(status, headers, rest[:length]), rest[length:]


def post(path: str, body: bytes, *headers: str, content_type: str = "application/json") -> bytes:
    """Return a POST request as bytes, with a true Content-Length unless a header gives another."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Type: {content_type}", *headers]
    if not any(
        header.lower().startswith(("content-length", "transfer-encoding")) for header in headers
    ):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
