"""Every error a caller can meet: the closed list of codes, their statuses, and the tree that raises them.

ServiceError
├── NotFound, MethodNotAllowed, UnsupportedMediaType, PayloadTooLarge, InvalidRequest
├── UnknownApiKey  (contract 2 alone)
├── Unavailable
│   ├── SpendDisabled, KillSwitchActive, LedgerUnavailable
│   └── ProvidersFailed, Overloaded, FeedbackUnavailable
├── Refused  (429: the admission controller said no)
│   └── QuotaExceeded, BudgetExhausted, ConcurrencyLimit, DuplicateRequest
└── InternalError

It knows nothing of HTTP beyond the number the contract gives each code.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar


class ErrorCode(StrEnum):
    """The values `error.code` can take."""

    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    PAYLOAD_TOO_LARGE = "payload_too_large"
    INVALID_REQUEST = "invalid_request"
    UNKNOWN_API_KEY = "unknown_api_key"
    SPEND_DISABLED = "spend_disabled"
    KILL_SWITCH_ACTIVE = "kill_switch_active"
    LEDGER_UNAVAILABLE = "ledger_unavailable"
    PROVIDERS_FAILED = "providers_failed"
    OVERLOADED = "overloaded"
    QUOTA_EXCEEDED = "quota_exceeded"
    BUDGET_EXHAUSTED = "budget_exhausted"
    CONCURRENCY_LIMIT = "concurrency_limit"
    DUPLICATE_REQUEST = "duplicate_request"
    FEEDBACK_UNAVAILABLE = "feedback_unavailable"
    INTERNAL_ERROR = "internal_error"


class ServiceError(Exception):
    """An error with a public code, a message fit for strangers, and the faults one by one."""

    code: ClassVar[ErrorCode] = ErrorCode.INTERNAL_ERROR
    status: ClassVar[int] = 500
    meaning: ClassVar[str] = "An internal error occurred."

    def __init__(
        self,
        message: str | None = None,
        *,
        details: Sequence[str] = (),
        retry_after: int | None = None,
    ) -> None:
        """Take a message (the class's meaning by default), details, and seconds until a retry may help."""
        self.message = message or self.meaning
        self.details = tuple(details)
        self.retry_after = retry_after
        super().__init__("\n".join((self.message, *self.details)))


class NotFound(ServiceError):
    code = ErrorCode.NOT_FOUND
    status = 404
    meaning = "This path does not exist."


class MethodNotAllowed(ServiceError):
    code = ErrorCode.METHOD_NOT_ALLOWED
    status = 405
    meaning = (
        "This path does not support that method. The Allow header lists the supported methods."
    )


class UnsupportedMediaType(ServiceError):
    code = ErrorCode.UNSUPPORTED_MEDIA_TYPE
    status = 415
    meaning = "The body must be sent as Content-Type: application/json (UTF-8)."


class PayloadTooLarge(ServiceError):
    code = ErrorCode.PAYLOAD_TOO_LARGE
    status = 413
    meaning = "The body, or the response in it, is larger than this endpoint allows."


class InvalidRequest(ServiceError):
    code = ErrorCode.INVALID_REQUEST
    status = 400
    meaning = "The request is invalid; details list every problem."


class UnknownApiKey(ServiceError):
    code = ErrorCode.UNKNOWN_API_KEY
    status = 401
    meaning = "The key in x-api-key is not one this service has issued, or was revoked."


class Unavailable(ServiceError):
    """A part the request needs cannot serve it now."""

    status = 503


class SpendDisabled(Unavailable):
    code = ErrorCode.SPEND_DISABLED
    meaning = "Provider-backed requests are switched off on this service."


class KillSwitchActive(Unavailable):
    code = ErrorCode.KILL_SWITCH_ACTIVE
    meaning = "The operator has stopped provider-backed requests."


class LedgerUnavailable(Unavailable):
    code = ErrorCode.LEDGER_UNAVAILABLE
    meaning = "The spend ledger is unavailable, so nothing is sent to a provider."


class ProvidersFailed(Unavailable):
    code = ErrorCode.PROVIDERS_FAILED
    meaning = "Every selected provider failed; details list the reasons."


class Overloaded(Unavailable):
    code = ErrorCode.OVERLOADED
    meaning = "The service is at capacity; try again after the time in Retry-After."


class FeedbackUnavailable(Unavailable):
    code = ErrorCode.FEEDBACK_UNAVAILABLE
    meaning = "Feedback cannot be stored right now."


class Refused(ServiceError):
    """The admission controller refused the request."""

    status = 429


class QuotaExceeded(Refused):
    code = ErrorCode.QUOTA_EXCEEDED
    meaning = "Your quota of provider-backed runs is used up."


class BudgetExhausted(Refused):
    code = ErrorCode.BUDGET_EXHAUSTED
    meaning = "The service's spend budget for this period is used up."


class ConcurrencyLimit(Refused):
    code = ErrorCode.CONCURRENCY_LIMIT
    meaning = "Too many provider-backed runs are in flight."


class DuplicateRequest(Refused):
    code = ErrorCode.DUPLICATE_REQUEST
    meaning = "The same request is in flight or has just completed."


class InternalError(ServiceError):
    pass


def public_errors() -> dict[ErrorCode, type[ServiceError]]:
    """Return the class that speaks for each code, found by walking the tree."""
    found: dict[ErrorCode, type[ServiceError]] = {}
    pending: list[type[ServiceError]] = [ServiceError]
    while pending:
        cls = pending.pop()
        pending.extend(cls.__subclasses__())
        if "code" in cls.__dict__ and cls is not ServiceError:
            found[cls.code] = cls
    found[ErrorCode.INTERNAL_ERROR] = InternalError
    return found
