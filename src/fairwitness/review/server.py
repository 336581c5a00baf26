"""Serves the review page to this machine alone: loopback, a secret in the address, and nothing from outside.

A label is answered only when it is on disk. What a request may do depends on the secret, so a page of another
origin can neither read nor write: it does not know the address, and its requests name another origin or host.
"""

from __future__ import annotations

import hmac
import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from fairwitness.batch.line_faults import line_fault
from fairwitness.review.labels import MAX_NOTE_CHARS, Verdict
from fairwitness.review.session import ReviewSession

LOOPBACK = "127.0.0.1"
MAX_BODY_BYTES = 64 * 1024
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# The page is made of its own files and of those that the service's page shows evidence with.
FILES = {
    "": ("fairwitness.review.page", "review.html", "text/html; charset=utf-8"),
    "review.css": ("fairwitness.review.page", "review.css", "text/css; charset=utf-8"),
    "review.js": ("fairwitness.review.page", "review.js", "text/javascript; charset=utf-8"),
    "style.css": ("fairwitness.web", "style.css", "text/css; charset=utf-8"),
    "elements.js": ("fairwitness.web", "app/elements.js", "text/javascript; charset=utf-8"),
    "spans.js": ("fairwitness.web", "app/spans.js", "text/javascript; charset=utf-8"),
    "icon.svg": ("fairwitness.web", "icon.svg", "image/svg+xml"),
}


class LabelRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What the page sends when a person decided."""

    texts: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    label: Verdict
    note: Annotated[str, Meta(max_length=MAX_NOTE_CHARS)] = ""


class ReviewServer(ThreadingHTTPServer):
    """The page of one review, on a port of this machine."""

    daemon_threads = True

    def __init__(self, session: ReviewSession, port: int = 0) -> None:
        """Listen; port 0 is any free one."""
        super().__init__((LOOPBACK, port), _Handler)
        self.session = session
        self.token = secrets.token_urlsafe(24)
        self.hosts = {f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost")}

    @property
    def url(self) -> str:
        """The address to open; whoever has it can review."""
        return f"http://{LOOPBACK}:{self.server_port}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer
    timeout = 30  # a connection that sends nothing is closed

    def do_GET(self) -> None:
        path = self._path()
        if path is None:
            return
        if path == "next":
            self._tell(self.server.session.following())
        elif path in FILES:
            package, name, kind = FILES[path]
            self._send(HTTPStatus.OK, resources.files(package).joinpath(name).read_bytes(), kind)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "no such page")

    def do_POST(self) -> None:
        path = self._path()
        if path is None:
            return
        if path not in {"label", "undo"}:
            self._refuse(HTTPStatus.NOT_FOUND, "no such page")
            return
        origin = self.headers.get("Origin", "")
        if origin.removeprefix("http://") not in self.server.hosts:
            self._refuse(HTTPStatus.FORBIDDEN, "a request of another origin")
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal() and int(length) <= MAX_BODY_BYTES):
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "a body of at most 64 KiB is needed")
            return
        body = self.rfile.read(int(length))
        if path == "undo":
            self._tell(self.server.session.undo() or self.server.session.following())
            return
        self._label(body)

    def _label(self, body: bytes) -> None:
        session = self.server.session
        try:
            asked = msgspec.json.decode(body, type=LabelRequest)
            session.label(asked.texts, asked.label, asked.note)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._refuse(HTTPStatus.BAD_REQUEST, line_fault(error, LabelRequest, body))
        except KeyError:
            self._refuse(HTTPStatus.BAD_REQUEST, "no such row in this queue")
        except OSError as error:
            self._refuse(
                HTTPStatus.INTERNAL_SERVER_ERROR, f"the label was not kept: {error.strerror}"
            )
        else:
            self._tell(session.following())

    def _path(self) -> str | None:
        """Return what is asked for, or None where the caller may not ask; then it was answered."""
        if self.headers.get("Host") not in self.server.hosts:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "unknown host")
            return None
        token, slash, path = self.path.partition("?")[0].removeprefix("/").partition("/")
        if not slash or not hmac.compare_digest(token.encode(), self.server.token.encode()):
            self._refuse(HTTPStatus.NOT_FOUND, "open the address that the command printed")
            return None
        return path

    def _tell(self, shown: Any) -> None:
        found = {"state": self.server.session.state(), "shown": shown}
        self._send(HTTPStatus.OK, msgspec.json.encode(found), "application/json")

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True
        self._send(status, msgspec.json.encode({"error": why}), "application/json")

    def _send(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        self.send_response_only(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: the address holds the secret."""
