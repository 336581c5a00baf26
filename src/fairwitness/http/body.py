"""Reads a request body strictly: media type, then size while it streams. The connection limits its time."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.types import Receive, Scope

from fairwitness.contract.errors import InvalidRequest, PayloadTooLarge, UnsupportedMediaType
from fairwitness.contract.requests import MAX_BODY_BYTES

# The second is a common misspelling.
_UTF_8 = {"utf-8", "utf8"}

RawHeaders = Sequence[tuple[bytes, bytes]]


def require_json(headers: RawHeaders) -> None:
    """Refuse any media type but JSON in UTF-8, and any content coding."""
    types = [value for name, value in headers if name == b"content-type"]
    if len(types) != 1 or not is_json(types[0].decode("latin-1")):
        raise UnsupportedMediaType()
    for name, value in headers:
        if name == b"content-encoding" and value.strip().lower() not in {b"", b"identity"}:
            raise UnsupportedMediaType(
                details=["Content-Encoding: compressed bodies are not accepted"]
            )


def is_json(content_type: str) -> bool:
    """Tell whether a Content-Type names JSON, with no charset but UTF-8."""
    media_type, *parameters = content_type.split(";")
    if media_type.strip().lower() != "application/json":
        return False
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip().strip('"').lower() not in _UTF_8:
            return False
    return True


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the whole body, or raise once it is too large or broken off.

    Nothing past the limit is kept. The connection drops what a refused client still sends, up to
    a bound, so that the client can read its answer (protocol.py).
    """
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value) > MAX_BODY_BYTES:
            raise PayloadTooLarge()
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise InvalidRequest(details=["body: incomplete: the connection ended early"])
        body += message["body"]
        if len(body) > MAX_BODY_BYTES:
            raise PayloadTooLarge()
        if not message["more_body"]:
            return bytes(body)
