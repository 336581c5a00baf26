"""The border's tables: complete over every SDK's errors and every status, and silent about foreign words."""

from __future__ import annotations

from importlib import import_module
from typing import get_args

import httpx2
import pytest

from fairwitness.contract.results import ProviderErrorCode
from fairwitness.providers import border
from fairwitness.providers.border import EXCEPTIONS, failure_of_status, translate
from fairwitness.providers.provider import MEANINGS, ProviderFailure

CODES = set(get_args(ProviderErrorCode))


def family(cls: type[BaseException]) -> list[type[BaseException]]:
    return [cls, *(found for sub in cls.__subclasses__() for found in family(sub))]


# The foreign errors that all others descend from, by name: only the tests that need the SDKs import them, which takes long.
ROOTS = [
    "openai.OpenAIError",
    "anthropic.AnthropicError",
    "httpx2.HTTPError",
    "httpx2.StreamError",
    "httpx2.InvalidURL",
    "httpx2.CookieConflict",
    "msgspec.MsgspecError",
]


def foreign(root: str) -> list[type[BaseException]]:
    module, _, name = root.partition(".")
    return family(getattr(import_module(module), name))


@pytest.mark.parametrize("root", ROOTS)
def test_every_foreign_error_has_a_row(root: str) -> None:
    for cls in foreign(root):
        names = [f"{base.__module__.partition('.')[0]}.{base.__name__}" for base in cls.__mro__]
        rows = [EXCEPTIONS[name] for name in names if name in EXCEPTIONS]
        assert rows, cls
        assert rows[0] in CODES | {border.BY_STATUS}, cls


def test_every_row_names_an_error_that_exists() -> None:
    known = {
        f"{cls.__module__.partition('.')[0]}.{cls.__name__}"
        for root in ROOTS
        for cls in foreign(root)
    }
    builtin = {"builtins.OSError", "builtins.TimeoutError", "builtins.UnicodeError"}
    assert set(EXCEPTIONS) - known - builtin - {"json.JSONDecodeError"} == set()
    assert known >= border.NOTHING_SENT


def test_every_status_has_a_code() -> None:
    assert {failure_of_status(status).code for status in range(1000)} <= CODES


def test_words_are_given_for_every_code() -> None:
    assert set(MEANINGS) == CODES


def test_the_innermost_known_error_decides() -> None:
    import openai

    request = httpx2.Request("POST", "https://secret.example/?key=1")
    try:
        try:
            raise httpx2.ConnectError("secret.example refused")
        except httpx2.ConnectError as inner:
            raise openai.APIConnectionError(request=request) from inner
    except openai.APIConnectionError as outer:
        failure = translate(outer)
    assert (failure.code, failure.generated_nothing) == ("unreachable", True)
    assert "secret" not in str(failure)


def test_our_own_failure_is_found_inside_foreign_ones() -> None:
    import openai

    try:
        try:
            raise ProviderFailure("too_large")
        except ProviderFailure as inner:
            raise openai.APIConnectionError(request=httpx2.Request("GET", "http://x")) from inner
    except openai.APIConnectionError as outer:
        assert translate(outer).code == "too_large"


def test_an_error_nobody_knows_is_an_invalid_answer_of_unknown_cost() -> None:
    failure = translate(ZeroDivisionError("sk-secret"))
    assert (failure.code, failure.cost_micro_usd) == ("invalid_answer", None)
    assert "sk-secret" not in str(failure)


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("-4", 3600.0),
        ("nan", 3600.0),
        ("1e400", 3600.0),
        ("Fri, 1 Jan", 1.0),
        (None, 1.0),
    ],
)
def test_retry_after_is_read_with_care(header: str | None, wait: float) -> None:
    assert failure_of_status(429, header).retry_after_s == wait
    assert failure_of_status(500, header).retry_after_s is None


def test_only_what_certainly_generated_nothing_is_free_or_tried_again() -> None:
    assert border.RETRYABLE <= border.NOTHING_GENERATED
    free = {status for status in range(1000) if failure_of_status(status).cost_micro_usd == 0}
    assert free == border.NOTHING_GENERATED
    assert not {400, 408, 500, 502, 503, 504} & free
