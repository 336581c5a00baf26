"""The border: foreign errors and statuses become our closed list, by two tables and nothing else.

No word of a foreign message passes: it may carry keys, addresses or headers.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.contract.results import ProviderErrorCode
from fairwitness.providers.provider import ProviderFailure

# Statuses by number, then by their hundred. "nothing": certainly nothing was generated or billed.
STATUS: dict[int, ProviderErrorCode] = {
    401: "unauthorised",
    403: "unauthorised",
    407: "unauthorised",
    408: "timeout",
    413: "too_large",
    429: "rate_limited",
    504: "timeout",
}
STATUS_CLASS: dict[int, ProviderErrorCode] = {
    1: "invalid_answer",
    2: "invalid_answer",
    3: "invalid_answer",  # redirects are not followed: they would take the key elsewhere
    4: "refused_by_provider",
    5: "unreachable",
}
# A 400 may follow a prompt filter that some providers bill, and a proxy may answer 503 after it has
# forwarded the request, so their cost is not known and neither is tried again.
NOTHING_GENERATED = frozenset({401, 402, 403, 404, 405, 407, 413, 415, 422, 429, 529})
RETRYABLE = frozenset({429, 529})

# Exceptions by the package and name of any of their classes, most derived first.
BY_STATUS = "by status"
EXCEPTIONS: dict[str, ProviderErrorCode | str] = {
    "openai.APIStatusError": BY_STATUS,
    "anthropic.APIStatusError": BY_STATUS,
    "httpx2.HTTPStatusError": BY_STATUS,
    "openai.APITimeoutError": "timeout",
    "anthropic.APITimeoutError": "timeout",
    "openai.APIConnectionError": "unreachable",
    "anthropic.APIConnectionError": "unreachable",
    "anthropic.RetryableError": "unreachable",
    "openai.ContentFilterFinishReasonError": "refused_by_provider",
    "openai.SubjectTokenProviderError": "unauthorised",
    "openai.MutuallyExclusiveAuthError": "unauthorised",
    "anthropic.CredentialsError": "unauthorised",
    "anthropic.WorkloadIdentityError": "unauthorised",
    "anthropic.MutuallyExclusiveAuthError": "unauthorised",
    "openai.OpenAIError": "invalid_answer",
    "anthropic.AnthropicError": "invalid_answer",
    "httpx2.TimeoutException": "timeout",
    "httpx2.TransportError": "unreachable",
    "httpx2.DecodingError": "invalid_answer",
    "httpx2.TooManyRedirects": "invalid_answer",
    "httpx2.HTTPError": "unreachable",
    "httpx2.StreamError": "invalid_answer",
    "httpx2.InvalidURL": "unreachable",
    "httpx2.CookieConflict": "invalid_answer",
    "msgspec.DecodeError": "invalid_answer",
    "msgspec.MsgspecError": "invalid_answer",
    "json.JSONDecodeError": "invalid_answer",
    "builtins.UnicodeError": "invalid_answer",
    "builtins.TimeoutError": "timeout",
    "builtins.OSError": "unreachable",
}
# The request had not left us: a second try cannot be billed twice.
NOTHING_SENT = frozenset(
    {"httpx2.ConnectError", "httpx2.ConnectTimeout", "httpx2.PoolTimeout", "httpx2.InvalidURL"}
)
_MOST_RETRY_AFTER_S = 3600.0


def failure_of_status(status: int, retry_after: str | None = None) -> ProviderFailure:
    """Return what an HTTP status other than success means to us."""
    return ProviderFailure(
        STATUS.get(status) or STATUS_CLASS.get(status // 100, "invalid_answer"),
        generated_nothing=status in NOTHING_GENERATED,
        retry_after_s=_seconds(retry_after) if status in RETRYABLE else None,
    )


def translate(error: BaseException) -> ProviderFailure:
    """Return our failure for any error met while talking to a provider."""
    chain = list(_chain(error))
    for link in chain:
        if isinstance(link, ProviderFailure):
            return link
    nothing_sent = any(not NOTHING_SENT.isdisjoint(_names(link)) for link in chain)
    # The innermost known error says most: a refused connection hides inside "connection error".
    for link in reversed(chain):
        code = next((EXCEPTIONS[name] for name in _names(link) if name in EXCEPTIONS), None)
        if code == BY_STATUS:
            return _by_status(link)
        if code is not None:
            return ProviderFailure(
                code,  # type: ignore[arg-type]  # BY_STATUS was handled above
                generated_nothing=nothing_sent,
                retry_after_s=0.0 if nothing_sent else None,
            )
    return ProviderFailure("invalid_answer")


def _by_status(error: BaseException) -> ProviderFailure:
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", 0)
    headers = getattr(response, "headers", None) or {}
    return failure_of_status(status, headers.get("retry-after"))


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__


def _names(error: BaseException) -> list[str]:
    return [f"{cls.__module__.partition('.')[0]}.{cls.__name__}" for cls in type(error).__mro__]


def _seconds(text: str | None) -> float:
    try:
        value = float(text or "")
    except ValueError:
        return 1.0  # a date, or nothing: one short wait
    return value if 0 <= value <= _MOST_RETRY_AFTER_S else _MOST_RETRY_AFTER_S
