"""Bytes of HTTP/1.1 that a connection reads or puts together itself, beside what its parser does."""

from __future__ import annotations

import asyncio
import string
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import unquote

import httptools
from starlette.responses import Response

# Longer ones are read each time, so that nobody fills the memory with them.
_MAX_REMEMBERED_TARGET = 256

_NAME = (string.ascii_letters + string.digits + "-._~%!$&'()*+,;=").encode()
_ADDRESS = (string.hexdigits + ":.").encode()


class Answering:
    """The transport as a request's cycle sees it: an answer leaves in one piece, and `close` parts in good order."""

    def __init__(self, transport: asyncio.Transport, part: Callable[[], None]) -> None:
        self.is_closing = transport.is_closing
        self.close = part
        self._transport = transport
        self._pieces: list[bytes] = []
        self._live = False

    def write(self, data: bytes) -> None:
        """Keep what belongs to an answer until it is whole; a provisional one and a stream of events go at once."""
        if data.startswith(b"HTTP/1.1 2") and b"\r\ncontent-type: text/event-stream" in data:
            self._live = True
        if self._live or data.startswith(b"HTTP/1.1 1"):
            self.write_now(data)
        else:
            self._pieces.append(data)

    def write_now(self, data: bytes) -> None:
        """Send at once, unless the connection is gone: uvloop raises then, and says so to the connection only later."""
        if not self.is_closing():
            self._transport.write(data)

    def flush(self) -> None:
        """Send what was kept; the next answer is kept again."""
        self._live = False
        if self._pieces:
            self.write_now(b"".join(self._pieces))
            self._pieces.clear()


def whole(answer: Response, raw: Iterable[tuple[bytes, bytes]], named: Mapping[str, str]) -> bytes:
    """Return an answer as it goes over the wire, with these headers."""
    lines = [f"HTTP/1.1 {answer.status_code} {HTTPStatus(answer.status_code).phrase}".encode()]
    lines += [name + b": " + value for name, value in raw]
    lines += [f"{name}: {value}".encode("latin-1") for name, value in named.items()]
    return b"\r\n".join(lines) + b"\r\n\r\n" + bytes(answer.body)


def request_line(head: bytes) -> tuple[str, str]:
    """Return method and path of a head the parser gave up on; no path where its first line is not sound."""
    line = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
    if len(line) != 3 or line[2] not in {"HTTP/1.1", "HTTP/1.0"} or not _is_token(line[0]):
        return "", ""
    path = line[1].split("?")[0]
    return line[0], path if path.startswith("/") else ""


def target(url: bytes) -> tuple[str, bytes, bytes]:
    """Return a request target's path, the path as it was sent, and the query."""
    return _known_target(url) if len(url) <= _MAX_REMEMBERED_TARGET else _target(url)


def _target(url: bytes) -> tuple[str, bytes, bytes]:
    parsed = httptools.parse_url(url)
    raw, path = parsed.path, parsed.path.decode("ascii")
    # An escaped slash is part of a name, and none of our paths has one.
    if "%" in path and b"%2f" not in raw.lower():
        path = unquote(path)
    return path, raw, parsed.query or b""


_known_target = lru_cache(256)(_target)


@lru_cache(256)
def is_host(value: bytes) -> bool:
    """Say whether a Host field holds what a URI may name: a name or an address, and a port where one is given."""
    if value.startswith(b"["):
        name, closed, port = value[1:].partition(b"]")
        sound = bool(name and closed) and port[:1] in (b"", b":") and not _beyond(name, _ADDRESS)
    else:
        name, colon, port = value.partition(b":")
        sound, port = not _beyond(name, _NAME), colon + port
    return sound and not _beyond(port[1:], string.digits.encode())


def _beyond(value: bytes, allowed: bytes) -> bytes:
    """Return what of these bytes is not allowed."""
    return value.translate(None, allowed)


def check_head(version: str, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Raise ValueError, which the parser reports, where a head is not one we can serve."""
    if version not in {"1.1", "1.0"}:
        raise ValueError("only HTTP/1.1 and HTTP/1.0 are supported")
    hosts = 0
    for name, value in headers:
        if name == b"host":
            hosts += 1
            if not is_host(value):
                raise ValueError("a request must name a host")
        elif name == b"transfer-encoding" and value.strip().lower() != b"chunked":
            raise ValueError("no transfer coding but chunked is supported")
    if hosts > 1 or (not hosts and version == "1.1"):
        raise ValueError("a request must name exactly one host")


def without_upgrade(data: bytes) -> bytes:
    """Hide an offer to speak another protocol: the parser would take the body for that protocol's."""
    head = data[: data.find(b"\r\n\r\n") + 2].lower()
    at = head.find(b"\r\nupgrade:")
    if at < 0:
        return data
    return data[: at + 2] + b"x-offer" + data[at + 9 :]


def _is_token(method: str) -> bool:
    return (
        method.isascii()
        and bool(method)
        and all(c.isalnum() or c in "!#$%&'*+-.^_`|~" for c in method)
    )
