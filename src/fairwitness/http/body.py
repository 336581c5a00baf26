"""Reads a request body strictly: media type, then size while it streams, within a time limit."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request

from fairwitness.contract.errors import InvalidRequest, PayloadTooLarge, UnsupportedMediaType
from fairwitness.contract.requests import MAX_BODY_BYTES


def require_json(request: Request) -> None:
    """Refuse any media type but JSON in UTF-8, and any content coding."""
    values = request.headers.getlist("content-type")
    if len(values) != 1 or not is_json(values[0]):
        raise UnsupportedMediaType()
    coding = request.headers.get("content-encoding", "identity")
    if coding.strip().lower() not in {"", "identity"}:
        raise UnsupportedMediaType(details=["Content-Encoding: compressed bodies are not accepted"])


def is_json(content_type: str) -> bool:
    """Tell whether a Content-Type names JSON, with no charset but UTF-8."""
    media_type, *parameters = content_type.split(";")
    if media_type.strip().lower() != "application/json":
        return False
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip().strip('"').lower() != "utf-8":
            return False
    return True


async def read_body(request: Request, timeout_s: float) -> bytes:
    """Return the whole body, or raise once it is too large, too slow or broken off.

    Nothing past the limit is kept. The connection drops what a refused client still sends, up to
    a bound, so that the client can read its answer (protocol.py).
    """
    declared = request.headers.get("content-length")
    if declared is not None and declared.isdigit() and int(declared) > MAX_BODY_BYTES:
        raise PayloadTooLarge()
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(timeout_s):
            async for chunk in request.stream():
                size += len(chunk)
                if size > MAX_BODY_BYTES:
                    raise PayloadTooLarge()
                chunks.append(chunk)
    except TimeoutError:
        raise InvalidRequest(
            details=[f"body: did not arrive within {timeout_s:g} seconds"]
        ) from None
    except ClientDisconnect:
        raise InvalidRequest(details=["body: broken off before its end"]) from None
    return b"".join(chunks)
