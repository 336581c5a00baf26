"""The wire, as an adversary would use it: malformed HTTP, slow clients, oversized bodies, smuggling."""

from __future__ import annotations

import json
import socket
import time

import pytest

from tests.conftest import GOOD, RunningServer
from tests.http.wire import connect, exchange, post, read_answers

PATH = "/api/evaluate-response"
BODY = json.dumps(GOOD).encode()


def chunked(*chunks: bytes) -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\r\n\r\n",
        b"POST /api/evaluate-response HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/evaluate-response HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n",
        b"POST /api/evaluate-response HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST /api/evaluate-response HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /api/evaluate-response HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, identity\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n",
        b"GET / HTTP/1.1\r\n Folded: x\r\n\r\n",
        b"GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET \xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /api/evaluate-response HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
    ],
)
def test_malformed_http_is_a_clean_400(server: RunningServer, request_bytes: bytes) -> None:
    (answer,) = exchange(server.port, request_bytes)
    assert answer.status == 400
    assert answer.error["code"] == "invalid_request"
    assert answer.headers["connection"] == "close"
    assert "server" not in answer.headers


@pytest.mark.parametrize(
    "method", ["FOO", "foo", "PROPFIND", "TRACE", "QUERY", "M-SEARCH", "A" * 300]
)
def test_unknown_methods_are_405_with_allow(server: RunningServer, method: str) -> None:
    for path, allow in ((PATH, "POST"), ("/docs/api", "GET, HEAD")):
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        (answer,) = exchange(server.port, head.encode())
        assert answer.status == 405
        assert answer.headers["allow"] == allow
        assert answer.error["code"] == "method_not_allowed"


def test_unknown_method_on_unknown_path_is_404(server: RunningServer) -> None:
    (answer,) = exchange(server.port, b"FOO /nowhere HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (answer.status, answer.error["code"]) == (404, "not_found")


def test_unknown_method_in_pieces(server: RunningServer) -> None:
    with connect(server.port) as connection:
        for piece in (b"FO", b"O /api/ev", b"aluate-response HT", b"TP/1.1\r\nHost: x\r\n\r\n"):
            connection.sendall(piece)
            time.sleep(0.05)
        (answer,) = read_answers(connection)
    assert answer.status == 405


def test_slow_headers_are_cut_off(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(b"POST /api/evaluate-response HTTP/1.1\r\nHo")
        (answer,) = read_answers(connection)
    assert answer.status == 408
    assert answer.error["code"] == "invalid_request"


def test_dripping_headers_do_not_extend_the_limit(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        assert _is_cut_off(connection, b"X-A: y\r\n")


def test_slow_body_is_a_400(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(post(PATH, b"{", "Content-Length: 100"))
        (answer,) = read_answers(connection, expect=1)
    assert answer.status == 400
    assert answer.error["details"] == ["body: did not arrive within 1.5 seconds"]


def test_idle_connection_is_closed_without_a_word(server: RunningServer) -> None:
    with connect(server.port) as connection:
        assert connection.recv(100) == b""


def test_huge_headers_are_431(server: RunningServer) -> None:
    (answer,) = exchange(server.port, b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 100_000)
    assert answer.status == 431
    assert answer.error["code"] == "invalid_request"


def test_many_small_headers_are_431(server: RunningServer) -> None:
    (answer,) = exchange(server.port, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000)
    assert answer.status == 431


def test_declared_oversize_is_answered_at_once(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(post(PATH, b"", "Content-Length: 999999999"))
        (answer,) = read_answers(connection, expect=1)
    assert (answer.status, answer.error["code"]) == (413, "payload_too_large")


def test_oversize_while_streaming_gets_its_answer(server: RunningServer) -> None:
    big = chunked(*[b"x" * 60_000] * 40)
    (answer,) = exchange(server.port, post(PATH, big, "Transfer-Encoding: chunked"))
    assert answer.status == 413


def test_oversized_upload_of_a_client_that_reads_last(server: RunningServer) -> None:
    """A client that sends everything before it reads must still find its answer."""
    body = b"x" * 8_000_000
    (answer,) = exchange(server.port, post(PATH, body))
    assert answer.status == 413


@pytest.mark.parametrize("framing", ["Content-Length: 8000000", "Transfer-Encoding: chunked"])
def test_a_last_answer_reaches_a_client_that_is_still_sending(
    server: RunningServer, framing: str
) -> None:
    """The connection ends after this answer; bytes still on their way must not turn it into a reset."""
    body = chunked(*[b"x" * 60_000] * 100) if "chunked" in framing else b"x" * 8_000_000
    for _ in range(5):
        with connect(server.port) as connection:
            connection.sendall(post(PATH, body, framing, "Connection: close"))
            (answer,) = read_answers(connection, expect=1)
            assert answer.status == 413
            assert answer.headers["connection"] == "close"
            assert connection.recv(10) == b""


def test_a_refused_head_is_answered_however_much_follows(server: RunningServer) -> None:
    for _ in range(5):
        (answer,) = exchange(server.port, b"GET / HTTP/1.1\r\nX: " + b"a" * 8_000_000)
        assert answer.status == 431


def test_a_client_that_never_stops_sending_is_left(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(post(PATH, b"", "Content-Length: 999999999", "Connection: close"))
        (answer,) = read_answers(connection, expect=1)
        assert answer.status == 413
        assert _is_cut_off(connection, b"x")


def _is_cut_off(connection: socket.socket, drip: bytes) -> bool:
    """Go on sending; say whether the server hangs up within a minute, which is far over every limit it has."""
    for _ in range(600):
        try:
            connection.sendall(drip)
        except (BrokenPipeError, ConnectionResetError):
            return True
        time.sleep(0.1)
    return False


def test_connection_lives_on_after_a_refused_body(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(post(PATH, b"x" * 200_000) + post(PATH, BODY))
        first, second = read_answers(connection, expect=2)
    assert (first.status, second.status) == (413, 200)


def test_endless_chunked_body_is_cut_off(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(post(PATH, b"", "Transfer-Encoding: chunked"))
        sent = 0
        try:
            while sent < 200_000_000:
                connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
                sent += 65536
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            pass
    assert 131_072 < sent < 150_000_000


CHUNKED = ("Transfer-Encoding: chunked", "Connection: close")


def test_chunked_body_is_read(server: RunningServer) -> None:
    body = chunked(BODY[:10], BODY[10:])
    (answer,) = exchange(server.port, post(PATH, body, *CHUNKED))
    assert answer.status == 200


def test_trailers_are_not_headers(server: RunningServer) -> None:
    body = chunked(BODY)[:-2] + b"Content-Type: text/plain\r\nContent-Encoding: gzip\r\n\r\n"
    (answer,) = exchange(server.port, post(PATH, body, *CHUNKED))
    assert answer.status == 200


@pytest.mark.parametrize(
    "piece", [b"X-Trailer: y\r\n" * 5000, b"y" * 65_536], ids=["fields", "one field"]
)
def test_endless_trailers_are_cut_off(server: RunningServer, piece: bytes) -> None:
    """4.4 GB passed through one connection before they were bounded."""
    with connect(server.port) as connection:
        connection.sendall(post(PATH, chunked(BODY)[:-2] + b"X: ", "Transfer-Encoding: chunked"))
        sent = 0
        try:
            while sent < 100_000_000:
                connection.sendall(piece)
                sent += len(piece)
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            pass
    assert sent < 80_000_000  # what is refused is drained up to 64 MiB


@pytest.mark.parametrize(
    "codings",
    [
        ["gzip, chunked"],
        ["gzip", "chunked"],
        ["chunked, identity"],
        ["identity, chunked"],
        ["chunked;q=1"],
    ],
    ids=", then ".join,
)
def test_a_body_under_another_coding_is_not_taken_for_plain(
    server: RunningServer, codings: list[str]
) -> None:
    fields = [f"Transfer-Encoding: {coding}" for coding in codings]
    (answer,) = exchange(server.port, post(PATH, chunked(BODY), *fields))
    assert answer.status == 400
    assert answer.error["code"] == "invalid_request"
    assert answer.headers["connection"] == "close"


def test_trailers_beyond_the_bound_are_a_400(server: RunningServer) -> None:
    body = chunked(BODY)[:-2] + b"X-Trailer: y\r\n" * 100_000 + b"\r\n"
    (answer,) = exchange(server.port, post(PATH, body, "Transfer-Encoding: chunked"))
    assert answer.status == 400
    assert answer.headers["connection"] == "close"


def test_a_body_in_the_smallest_chunks_is_read(server: RunningServer) -> None:
    """Six bytes are sent for each one that counts: framing this wasteful is still legal."""
    body = chunked(*[BODY[at : at + 1] for at in range(len(BODY))])
    (answer,) = exchange(server.port, post(PATH, body, *CHUNKED))
    assert answer.status == 200


@pytest.mark.parametrize(
    "media_type",
    [
        "application/json; charset=UTF8",
        "application/json;charset=utf8",
        'Application/JSON; charset="UTF-8"',
    ],
)
def test_utf_8_may_be_spelled_as_clients_spell_it(server: RunningServer, media_type: str) -> None:
    (answer,) = exchange(
        server.port, post(PATH, BODY, "Connection: close", content_type=media_type)
    )
    assert answer.status == 200


def test_content_length_shorter_than_the_body(server: RunningServer) -> None:
    """The first bytes are the body; what follows is not a request and ends the connection."""
    answers = exchange(server.port, post(PATH, BODY, f"Content-Length: {len(BODY) - 5}"))
    assert answers[0].status == 400
    assert [answer.status for answer in answers[1:]] in ([], [400])


def test_pipelined_requests_are_answered_in_order(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(
            post(PATH, BODY) + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" + post(PATH, b"{}")
        )
        answers = read_answers(connection, expect=3)
    assert [answer.status for answer in answers] == [200, 200, 400]


@pytest.mark.parametrize(
    "broken",
    [
        post(PATH, b"ZZ\r\n", "Transfer-Encoding: chunked"),
        post(PATH, chunked(BODY)[:-5] + b"ZZ\r\n\r\n", "Transfer-Encoding: chunked"),
    ],
    ids=["bad chunk", "bad chunk behind a whole body"],
)
def test_a_request_that_breaks_off_takes_no_earlier_answer_s_place(
    server: RunningServer, broken: bytes
) -> None:
    with connect(server.port) as connection:
        connection.sendall(post(PATH, BODY) * 2 + broken)
        answers = read_answers(connection, expect=3)
        assert [answer.status for answer in answers] == [200, 200, 400]
        assert answers[2].headers["connection"] == "close"
        assert connection.recv(10) == b""


def test_expect_continue(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(post(PATH, b"", f"Content-Length: {len(BODY)}", "Expect: 100-continue"))
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(BODY)
        (answer,) = read_answers(connection, expect=1)
    assert answer.status == 200


def test_http_1_0_works_and_closes(server: RunningServer) -> None:
    head = f"POST {PATH} HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
    (answer,) = exchange(server.port, head.encode() + BODY)
    assert answer.status == 200


def test_upgrade_is_answered_as_plain_http(server: RunningServer) -> None:
    upgrade = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    with connect(server.port) as connection:
        connection.sendall(upgrade)
        (answer,) = read_answers(connection, expect=1)
    assert answer.status == 200


def test_half_closed_client_gets_its_answer(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(post(PATH, BODY))
        connection.shutdown(socket.SHUT_WR)
        (answer,) = read_answers(connection, expect=1)
    assert answer.status == 200


@pytest.mark.parametrize(
    "request_bytes",
    [
        post(PATH, BODY)[:-5],
        f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Ty".encode(),
        post(PATH, chunked(BODY)[:-4], "Transfer-Encoding: chunked"),
        post("/api/arena", BODY)[:-5],
    ],
)
def test_a_request_broken_off_is_a_clean_400(server: RunningServer, request_bytes: bytes) -> None:
    with connect(server.port) as connection:
        connection.sendall(request_bytes)
        connection.shutdown(socket.SHUT_WR)
        (answer,) = read_answers(connection)
    assert answer.status == 400
    assert answer.error["message"] == "The request is incomplete: the connection ended early."


def test_aborted_uploads_leave_the_server_well(server: RunningServer) -> None:
    for _ in range(50):
        with connect(server.port) as connection:
            connection.sendall(post(PATH, BODY[:20], f"Content-Length: {len(BODY)}"))
    (answer,) = exchange(server.port, post(PATH, BODY, "Connection: close"))
    assert answer.status == 200


def test_body_on_get_does_not_confuse_the_connection(server: RunningServer) -> None:
    with connect(server.port) as connection:
        connection.sendall(
            b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello" + post(PATH, BODY)
        )
        answers = read_answers(connection, expect=2)
    assert [answer.status for answer in answers] == [200, 200]


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ],
)
def test_a_request_names_one_host(server: RunningServer, request_bytes: bytes) -> None:
    (answer,) = exchange(server.port, request_bytes)
    assert answer.status == 400


def test_a_body_behind_an_offer_to_upgrade_is_read(server: RunningServer) -> None:
    offer = (
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAAQAAP__",
    )
    with connect(server.port) as connection:
        connection.sendall(post(PATH, BODY, *offer))
        (answer,) = read_answers(connection, expect=1)
    assert answer.status == 200
