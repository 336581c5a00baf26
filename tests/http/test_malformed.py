"""Requests no client should send: each gets one clean answer in time, and the server serves on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import RunningServer
from tests.http.wire import connect, exchange, read_answers

LINE = b"GET /healthz HTTP/1.1\r\n"
GET = LINE + b"Host: x\r\n"
POST = b"POST /api/evaluate-response HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
END = b"Host: x\r\n\r\n"


@pytest.mark.parametrize(
    "host",
    [
        *(
            "a b",
            "a\tb",
            "a/b",
            "u@b",
            '"a"',
            "<script>",
            "a\\b",
            "m\xfcnchen",
            "a?b",
            "a#b",
            "a|b",
        ),
        *("a:b", "a:1:2", "a: 80", "[::1", "[::1]x", "[]", "[x]:80", "::1", "a, b", "{a}"),
    ],
)
def test_a_host_no_uri_may_name_is_a_400(server: RunningServer, host: str) -> None:
    asked = f"GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n"
    (answer,) = exchange(server.port, asked.encode("latin-1"))
    assert answer.status == 400
    assert answer.error["code"] == "invalid_request"


@pytest.mark.parametrize(
    "host",
    ["", "localhost", "a:8080", "a:", "127.0.0.1:80", "[::1]", "[::ffff:1.2.3.4]:80", "xn--a.b."],
)
def test_a_host_that_a_uri_may_name_is_heard(server: RunningServer, host: str) -> None:
    asked = f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    (answer,) = exchange(server.port, asked.encode())
    assert answer.status == 200


MALFORMED = {
    "bare line feeds": (b"GET /healthz HTTP/1.1\nHost: x\n\n", 400),
    "bare carriage returns": (b"GET /healthz HTTP/1.1\rHost: x\r\r", 400),
    "space before the colon": (GET + b"X : y\r\n\r\n", 400),
    "field without a colon": (GET + b"nocolon\r\n\r\n", 400),
    "field without a name": (GET + b": y\r\n\r\n", 400),
    "folded field": (GET + b"X: a\r\n b\r\n\r\n", 400),
    "carriage return in a field": (GET + b"X: a\rb\r\n\r\n", 400),
    "line feed in a field": (GET + b"X: a\nb\r\n\r\n", 400),
    "zero in a field": (GET + b"X: a\0b\r\n\r\n", 400),
    "leading space": (b" " + GET + b"\r\n", 400),
    "tabs between words": (b"GET\t/healthz\tHTTP/1.1\r\n" + END, 400),
    "another version": (b"GET /healthz HTTP/1.2\r\n" + END, 400),
    "the next version": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "no version": (b"GET /healthz\r\n\r\n", 400),
    "small letters": (b"GET /healthz http/1.1\r\n" + END, 400),
    "a tunnel": (b"CONNECT x:443 HTTP/1.1\r\n" + END, 400),
    "the whole server": (b"OPTIONS * HTTP/1.1\r\n" + END, 404),
    "absolute, no host": (b"GET http://[/ HTTP/1.1\r\n" + END, 400),
    "absolute, no such port": (b"GET http://x:99999999/ HTTP/1.1\r\n" + END, 400),
    "relative": (b"GET healthz HTTP/1.1\r\n" + END, 400),
    "percent nothing": (b"GET /%zz HTTP/1.1\r\n" + END, 404),
    "percent zero": (b"GET /%00 HTTP/1.1\r\n" + END, 404),
    "percent no text": (b"GET /%ff%fe HTTP/1.1\r\n" + END, 404),
    "up and out": (b"GET /docs/../../etc/passwd HTTP/1.1\r\n" + END, 404),
    "up and out, escaped": (b"GET /docs/%2e%2e%2fetc%2fpasswd HTTP/1.1\r\n" + END, 404),
    "raw bytes in the path": (b"GET /h\xc3\xa9 HTTP/1.1\r\n" + END, 400),
    "long path": (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n" + END, 404),
    "signed length": (POST + b"Content-Length: +5\r\n\r\nhello", 400),
    "hexadecimal length": (POST + b"Content-Length: 0x5\r\n\r\nhello", 400),
    "two lengths in one": (POST + b"Content-Length: 5, 5\r\n\r\nhello", 400),
    "one length twice": (POST + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400),
    "length beyond counting": (POST + b"Content-Length: 99999999999999999999999\r\n\r\n", 400),
    "empty length": (POST + b"Content-Length:\r\n\r\n", 400),
    "chunked twice": (
        POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        400,
    ),
    "escaped slash before an operation": (
        b"POST /api%2fevaluate-response HTTP/1.1\r\nContent-Length: 2\r\n" + END + b"{}",
        404,
    ),
    "escaped slash before a page": (b"GET /docs%2Fapi HTTP/1.1\r\n" + END, 404),
    "unknown coding": (POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400),
    "negative chunk": (CHUNKED + b"-1\r\n\r\n", 400),
    "chunk beyond counting": (CHUNKED + b"ffffffffffffffffff\r\n{}\r\n", 400),
    "chunks in bare line feeds": (CHUNKED + b"2\n{}\n0\n\n", 400),
    "chunk without its end": (CHUNKED + b"2\r\n{}0\r\n\r\n", 400),
    "endless chunk extension": (CHUNKED + b"2;" + b"a" * 100_000 + b"\r\n{}\r\n0\r\n\r\n", 400),
    "endless trailers": (CHUNKED + b"0\r\n" + b"X: y\r\n" * 30_000 + b"\r\n", 400),
    "another expectation": (POST + b"Content-Length: 2\r\nExpect: 200-maybe\r\n\r\n{}", 400),
    "forwarded by nobody": (
        POST + b"X-Forwarded-For: \xff, , ;;\r\nContent-Length: 2\r\n\r\n{}",
        400,
    ),
    "two media types": (POST + b"Content-Type: a/b\r\nContent-Length: 2\r\n\r\n{}", 415),
    "preflight of nobody": (b"OPTIONS /api/arena HTTP/1.1\r\nOrigin: \xff\r\n" + END, 405),
    "TLS": (b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03" + b"\0" * 150, 400),
    "another protocol": (b"SSH-2.0-OpenSSH_9\r\n", 400),
    "nothing but zeros": (b"\0" * 4096, 400),
    "nothing but a letter": (b"G", 408),
    "an endless word": (b"A" * 40_000, 431),
}


@pytest.mark.parametrize(("request_bytes", "status"), MALFORMED.values(), ids=MALFORMED)
def test_each_gets_one_clean_answer_in_time(
    server: RunningServer, request_bytes: bytes, status: int
) -> None:
    with connect(server.port) as connection:
        connection.sendall(request_bytes)
        (answer,) = read_answers(connection, expect=1)
    assert answer.status == status
    assert answer.error
    (well,) = exchange(server.port, GET + b"Connection: close\r\n\r\n")
    assert well.status == 200


def test_what_can_never_be_a_request_line_is_not_waited_for(
    start: Callable[..., RunningServer],
) -> None:
    """A browser sent to https:// by mistake learns of it at once: waited for, it would be ten minutes."""
    server = start(HEADER_TIMEOUT_S="600")
    for first_bytes in (b"\x16\x03\x01\x00\xa5\x01", b"\0\0\0\0"):
        with connect(server.port) as connection:
            connection.sendall(first_bytes)
            (answer,) = read_answers(connection, expect=1)
        assert answer.status == 400
