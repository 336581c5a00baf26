"""Reads a request body strictly: media type, then size while it streams. The connection limits its time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from starlette.types import Receive, Scope

from fairwitness.contract.errors import (
    InvalidRequest,
    Overloaded,
    PayloadTooLarge,
    UnsupportedMediaType,
)
from fairwitness.contract.requests import MAX_BODY_BYTES

# The second is a common misspelling.
_UTF_8 = {"utf-8", "utf8"}

# Of one process; a request that would pass it is refused as overloaded.
MAX_HELD_BYTES = 256 * 1024 * 1024

RawHeaders = Sequence[tuple[bytes, bytes]]


def require_json(headers: RawHeaders) -> None:
    """Refuse any media type but JSON in UTF-8, and any content coding."""
    types, coded = 0, False
    sound = False
    for name, value in headers:
        if name == b"content-type":
            types += 1
            sound = is_json(value)
        elif name == b"content-encoding":
            coded = coded or value.strip().lower() not in {b"", b"identity"}
    if types != 1 or not sound:
        raise UnsupportedMediaType()
    if coded:
        raise UnsupportedMediaType(details=["Content-Encoding: compressed bodies are not accepted"])


@lru_cache(64)
def is_json(content_type: bytes) -> bool:
    """Tell whether a Content-Type names JSON, with no charset but UTF-8."""
    media_type, *parameters = content_type.decode("latin-1").split(";")
    if media_type.strip().lower() != "application/json":
        return False
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip().strip('"').lower() not in _UTF_8:
            return False
    return True


class HeldBodies:
    """How many bytes of unfinished bodies this process holds: large ones of many callers could fill its memory."""

    def __init__(self, most: int = MAX_HELD_BYTES) -> None:
        """Hold at most so many."""
        self._room = most

    def take(self, size: int) -> None:
        """Hold more; raise Overloaded where there is no room."""
        self.require(size)
        self._room -= size

    def require(self, size: int) -> None:
        """Raise Overloaded where there is no room for so much."""
        if size > self._room:
            raise Overloaded(retry_after=1)

    def release(self, size: int) -> None:
        """Hold less."""
        self._room += size


_HELD = HeldBodies()


async def read_body(
    scope: Scope, receive: Receive, limit: int = MAX_BODY_BYTES, held: HeldBodies = _HELD
) -> bytes:
    """Return the whole body, or raise once it is too large or broken off.

    Nothing past the limit is kept. The connection drops what a refused client still sends, up to
    a bound, so that the client can read its answer (protocol.py).
    """
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value) > limit:
            raise _too_large(limit)
    body = bytearray()
    try:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise InvalidRequest(details=["body: incomplete: the connection ended early"])
            piece = message["body"]
            if len(body) + len(piece) > limit:
                raise _too_large(limit)
            held.take(len(piece))
            body += piece
            if not message["more_body"]:
                return bytes(body)
    finally:
        held.release(len(body))


def whole_body(body: bytes, limit: int = MAX_BODY_BYTES, held: HeldBodies = _HELD) -> bytes:
    """Return a body that arrived as a whole, under the same bounds."""
    if len(body) > limit:
        raise _too_large(limit)
    held.require(len(body))
    return body


def _too_large(limit: int) -> PayloadTooLarge:
    return PayloadTooLarge(f"The body is larger than {limit} bytes.")
