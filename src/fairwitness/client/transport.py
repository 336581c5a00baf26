"""One HTTP exchange over the standard library: connections kept open, a deadline for the whole, a limit on size."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

from fairwitness.client.errors import TimedOut, UnexpectedAnswer, Unreachable

_MAX_ANSWER = 32 * 1024 * 1024
_PIECE = 65536
_RETRY_AFTER_MAX = 86_400


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    body: bytes
    retry_after: int | None
    request_id: str | None


class Streamed:
    """An answer that is read line by line, as it comes, until its deadline."""

    def __init__(
        self,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        deadline: float,
        netloc: str,
    ) -> None:
        """Take an answer whose headers have been read."""
        self._connection = connection
        self._socket = connection.sock
        self._response = response
        self._deadline = deadline
        self._netloc = netloc
        self.request_id = response.getheader("X-Request-Id")

    def lines(self) -> Iterator[bytes]:
        """Yield each line without its end; raise Unreachable or TimedOut where the rest does not come."""
        rest, size = b"", 0
        with _translated(self._connection, self._netloc):
            while True:
                if self._connection.sock is not None:
                    _allow(self._connection, self._deadline)
                piece = self._response.read1(_PIECE)
                if not piece:
                    return
                size += len(piece)
                if size > _MAX_ANSWER:
                    raise UnexpectedAnswer(f"the answer is larger than {_MAX_ANSWER} bytes")
                *whole, rest = (rest + piece).split(b"\n")
                for line in whole:
                    yield line.removesuffix(b"\r")

    def close(self) -> None:
        """Hang up, also while another thread reads."""
        with suppress(OSError, AttributeError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._connection.close()


class Transport:
    """Sends requests to one base address; safe to share between threads."""

    def __init__(self, base_url: str, timeout: float, headers: dict[str, str]) -> None:
        """Take an address such as https://eval.example.org/fairwitness and the seconds one request may take."""
        self._base = urlsplit(base_url)
        if self._base.scheme not in {"http", "https"} or not self._base.hostname:
            raise ValueError(f"{base_url!r} is not an http or https address")
        if timeout <= 0:
            raise ValueError("timeout must be above 0 seconds")
        self._timeout = timeout
        self._headers = headers
        self._idle: deque[http.client.HTTPConnection] = deque()
        self._lock = threading.Lock()
        self._closed = False

    def get(self, path: str) -> Answer:
        """Ask for a path and return the answer; raise Unreachable, TimedOut or UnexpectedAnswer."""
        return self._send("GET", path, None)

    def post(self, path: str, body: bytes) -> Answer:
        """Send a JSON body and return the answer; raise Unreachable, TimedOut or UnexpectedAnswer."""
        return self._send("POST", path, body)

    def _send(self, method: str, path: str, body: bytes | None) -> Answer:
        deadline = time.monotonic() + self._timeout
        with self._lock:
            if self._closed:
                raise ValueError("this client is closed")
            connection = self._idle.pop() if self._idle else None
        if connection is not None:
            try:
                return self._exchange(connection, method, path, body, deadline)
            except Unreachable as broken:
                # A connection the other side closed while it was idle: nothing of this request was taken.
                if not isinstance(
                    broken.__cause__, http.client.RemoteDisconnected | BrokenPipeError
                ):
                    raise
        return self._exchange(self._connection(), method, path, body, deadline)

    def stream(self, path: str, body: bytes) -> Streamed | Answer:
        """Send a JSON body and return the stream of events it begins, or the answer that is none."""
        deadline = time.monotonic() + self._timeout
        with self._lock:
            if self._closed:
                raise ValueError("this client is closed")
        connection = self._connection()
        with _translated(connection, self._base.netloc):
            response = self._begin(
                connection, "POST", path, body, deadline, accept="text/event-stream"
            )
            kind = response.getheader("Content-Type") or ""
            if response.status == 200 and kind.startswith("text/event-stream"):
                return Streamed(connection, response, deadline, self._base.netloc)
            answer = _read(connection, response, deadline)
        connection.close()
        return answer

    def close(self) -> None:
        """Close the idle connections; those in use close when their answer is read."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, deque()
        for connection in idle:
            connection.close()

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        deadline: float,
    ) -> Answer:
        with _translated(connection, self._base.netloc):
            response = self._begin(connection, method, path, body, deadline)
            answer = _read(connection, response, deadline)
        self._keep(connection, response)
        return answer

    def _begin(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        deadline: float,
        *,
        accept: str = "application/json",
    ) -> http.client.HTTPResponse:
        _allow(connection, deadline)
        kind = {} if body is None else {"Content-Type": "application/json"}
        headers = {**kind, "Accept": accept, **self._headers}
        connection.request(method, self._target(connection, path), body, headers)
        _allow(connection, deadline)
        return connection.getresponse()

    def _keep(
        self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse
    ) -> None:
        with self._lock:
            if not self._closed and not response.will_close:
                self._idle.append(connection)
                return
        connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        host, port, scheme = self._base.hostname, self._base.port, self._base.scheme
        assert host is not None
        proxy = _proxy(self._base)
        if scheme == "https":
            near, near_port = (proxy.hostname or host, proxy.port) if proxy else (host, port)
            secure = http.client.HTTPSConnection(
                near, near_port, timeout=self._timeout, context=ssl.create_default_context()
            )
            if proxy:
                secure.set_tunnel(host, port)
            return secure
        if proxy:
            plain = http.client.HTTPConnection(
                proxy.hostname or host, proxy.port, timeout=self._timeout
            )
        else:
            plain = http.client.HTTPConnection(host, port, timeout=self._timeout)
        return plain

    def _target(self, connection: http.client.HTTPConnection, path: str) -> str:
        target = self._base.path.rstrip("/") + path
        through_proxy = self._base.scheme == "http" and _proxy(self._base) is not None
        return f"http://{self._base.netloc}{target}" if through_proxy else target


@contextmanager
def _translated(connection: http.client.HTTPConnection, netloc: str) -> Iterator[None]:
    """Close the connection on any fault, and say of it what a caller can act on."""
    try:
        yield
    except TimeoutError as error:
        connection.close()
        raise TimedOut("no whole answer within the time given") from error
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        raise Unreachable(f"{netloc}: {error or type(error).__name__}") from error
    except BaseException:
        connection.close()
        raise


def _proxy(base: SplitResult) -> SplitResult | None:
    host = base.hostname or ""
    proxy = getproxies().get(base.scheme)
    return urlsplit(proxy) if proxy and not proxy_bypass(host) else None


def _allow(connection: http.client.HTTPConnection, deadline: float) -> None:
    """Give the next step of a connection only the time that is left."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    connection.timeout = left
    sock: socket.socket | None = connection.sock
    if sock is not None:
        sock.settimeout(left)


def _read(
    connection: http.client.HTTPConnection, response: http.client.HTTPResponse, deadline: float
) -> Answer:
    pieces: list[bytes] = []
    size = 0
    while True:
        if connection.sock is not None:
            _allow(connection, deadline)
        elif time.monotonic() > deadline:
            raise TimeoutError
        piece = response.read1(_PIECE)
        if not piece:
            break
        size += len(piece)
        if size > _MAX_ANSWER:
            raise UnexpectedAnswer(f"the answer is larger than {_MAX_ANSWER} bytes")
        pieces.append(piece)
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    response.close()  # read to its end, so the connection is free for the next
    return Answer(
        response.status,
        b"".join(pieces),
        _seconds(response.getheader("Retry-After")),
        response.getheader("X-Request-Id"),
    )


def _seconds(value: str | None) -> int | None:
    if value is None or not (value.isascii() and value.isdigit()):
        return None
    return min(int(value), _RETRY_AFTER_MAX)
