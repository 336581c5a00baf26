"""Turns errors into answers: one shape, one place, fit for strangers."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET
from starlette.responses import Response

from fairwitness.contract.errors import InternalError, ServiceError
from fairwitness.contract.results import ErrorAnswer, ErrorBody

_JSON = b"application/json"


class JsonAnswer(Response):
    """A JSON answer encoded once, by msgspec; its headers are written down as they go over the wire."""

    def __init__(
        self, body: bytes, status_code: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        """Take the encoded body."""
        self.status_code = status_code
        self.body = body
        self.background = None
        self.raw_headers = [(b"content-type", _JSON), (b"content-length", b"%d" % len(body))]
        for name, value in (headers or {}).items():
            self.raw_headers.append((name.lower().encode(), value.encode()))

    @property
    def lines(self) -> bytes:
        """The headers as they go over the wire."""
        return b"".join([name + b": " + value + b"\r\n" for name, value in self.raw_headers])


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
