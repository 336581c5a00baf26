"""Turns errors into answers: one shape, one place, fit for strangers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import msgspec
from msgspec import UNSET
from starlette.responses import Response

from fairwitness.contract.errors import InternalError, ServiceError
from fairwitness.contract.results import ErrorAnswer, ErrorBody


class JsonAnswer(Response):
    """A JSON answer encoded once, by msgspec; its headers are written down as they go over the wire."""

    body: bytes

    def __init__(
        self, body: bytes, status_code: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        """Take the encoded body."""
        self.status_code = status_code
        self.body = body
        self.background = None
        # The headers as they go over the wire.
        self.lines = b"content-type: application/json\r\ncontent-length: %d\r\n" % len(body)
        if headers:
            named = [f"{name.lower()}: {value}\r\n" for name, value in headers.items()]
            self.lines += "".join(named).encode()

    @cached_property
    def raw_headers(self) -> list[tuple[bytes, bytes]]:  # type: ignore[override]
        """The headers one by one, which few answers need."""
        pairs = [line.split(b": ", 1) for line in self.lines.splitlines()]
        return [(name, value) for name, value in pairs]


def body_of(error: ServiceError) -> bytes:
    """Return the error object as bytes."""
    answer = ErrorAnswer(
        error=ErrorBody(
            code=error.code.value,
            message=error.message,
            details=list(error.details) or UNSET,
        )
    )
    return msgspec.json.encode(answer)


def problem(error: ServiceError, *, status: int | None = None, **headers: str) -> JsonAnswer:
    """Return the answer for an error; `status` only where HTTP itself asks for another."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if error.retry_after is not None:
        named["Retry-After"] = str(max(1, error.retry_after))
    return JsonAnswer(body_of(error), status_code=status or error.status, headers=named)


def unexpected(request_id: str) -> JsonAnswer:
    """Return the answer for a bug: nothing of it but the id under which it was logged."""
    return problem(
        InternalError(
            "An internal error occurred while handling this request.",
            details=[f"requestId: {request_id}"],
        )
    )
