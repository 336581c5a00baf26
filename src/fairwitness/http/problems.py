"""Turns errors into answers: one shape, one place, fit for strangers."""

from __future__ import annotations

import msgspec
from msgspec import UNSET
from starlette.responses import Response

from fairwitness.contract.errors import InternalError, ServiceError
from fairwitness.contract.results import ErrorAnswer, ErrorBody

JSON = "application/json"


class JsonAnswer(Response):
    """A JSON answer encoded once, by msgspec."""

    media_type = JSON


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
            "The service failed to answer this request.", details=[f"requestId: {request_id}"]
        )
    )
