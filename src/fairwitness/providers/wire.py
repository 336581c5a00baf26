"""How every hosted provider is spoken to: one guarded transport, our time-outs, our few retries.

The transport alone holds the key and puts it on requests to the configured address only; SDKs get
a placeholder, so nothing they print, raise or read from the environment can move the key.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2

from fairwitness.providers.border import translate
from fairwitness.providers.provider import BeforeSend, ProviderFailure
from fairwitness.providers.secret import Secret

T = TypeVar("T")

ATTEMPTS = 2  # the first and one more, and that only where nothing was generated
MAX_ANSWER_BYTES = 2 * 1024 * 1024
CONNECT_TIMEOUT_S = 10.0
_LONGEST_WAIT_S = 5.0
_SHORTEST_WAIT_S = 0.25

# What may leave us. SDKs add descriptions of this machine, and headers from the environment.
_SENT_HEADERS = frozenset(
    {"host", "accept", "content-type", "content-length", "transfer-encoding", "anthropic-version"}
)
_KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")


@dataclass(slots=True)
class _Sending:
    """One attempt: what to call before its first byte, how long it may connect, and what came of it."""

    before_send: BeforeSend
    connect_s: float
    begun: bool = False
    refusal: Exception | None = None

    def extensions(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return a request's extensions with the limit on connecting and the call before the first byte."""
        timeout = given.get("timeout", {}) | {"connect": self.connect_s}
        return given | {"timeout": timeout, "trace": self._trace}

    async def _trace(self, event: str, info: dict[str, Any]) -> None:
        # The HTTP library says so once it is connected, TLS included, and before it writes. What asks a proxy for
        # a way to the provider is not sent to the provider.
        if event.endswith(".send_request_headers.started") and info["request"].method != b"CONNECT":
            try:
                self.before_send()
            except Exception as refusal:
                self.refusal = refusal
                raise
            self.begun = True


# SDKs stand between the attempt and the transport, and carry nothing of ours through.
_sending: ContextVar[_Sending | None] = ContextVar("sending", default=None)


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Sends to one origin, with our headers only, and reads a bounded, uncompressed answer."""

    def __init__(
        self,
        base_url: str,
        key: Secret | None,
        limit: int = MAX_ANSWER_BYTES,
        proxy: str | None = None,
    ) -> None:
        """Guard the way to `base_url`, through a proxy where one is given."""
        self.placeholder = f"placeholder-{secrets.token_hex(8)}"
        self._origin = _origin(httpx2.URL(base_url))
        self._key = key
        self._limit = limit
        # One connection a request: a kept one that the far end closed looks like a lost answer.
        limits = httpx2.Limits(max_connections=100, max_keepalive_connections=0)
        # Plain HTTP uses no certificates, and reading the bundle takes longer than a short answer.
        secure = self._origin[0] == "https"
        self._inner = httpx2.AsyncHTTPTransport(
            verify=secure, trust_env=False, limits=limits, proxy=proxy
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request under guard."""
        if _origin(request.url) != self._origin:
            raise ProviderFailure("unreachable", generated_nothing=True)
        sending = _sending.get()
        given = request.extensions
        guarded = httpx2.Request(
            request.method,
            request.url,
            headers=self._headers(request.headers),
            stream=request.stream,
            extensions=given if sending is None else sending.extensions(dict(given)),
        )
        response = await self._inner.handle_async_request(guarded)
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await stream.aclose()
            raise ProviderFailure(
                "invalid_answer"
            )  # we asked for none; a small one can unpack huge
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Bounded(stream, self._limit),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Close what is open."""
        await self._inner.aclose()

    def _headers(self, wanted: httpx2.Headers) -> dict[str, str]:
        headers = {name: value for name, value in wanted.items() if name.lower() in _SENT_HEADERS}
        headers |= {"accept-encoding": "identity", "user-agent": "fairwitness"}
        if self._key is not None:
            # The SDK chose the header; where the environment talked it out of ours, use the usual one.
            carried = {
                name: wanted[name].replace(self.placeholder, self._key.reveal())
                for name in _KEY_HEADERS
                if self.placeholder in wanted.get(name, "")
            }
            headers |= carried or {"authorization": f"Bearer {self._key.reveal()}"}
        return headers


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, limit: int) -> None:
        self._stream = stream
        self._left = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._left -= len(piece)
            if self._left < 0:
                raise ProviderFailure("too_large", "The provider's answer is too large.")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


def client(transport: GuardedTransport) -> httpx2.AsyncClient:
    """Return an HTTP client that follows no redirect and reads nothing from the environment."""
    # At INFO the HTTP libraries write every address they call, at DEBUG headers and bodies.
    for name in ("httpx2", "httpcore2", "openai", "anthropic"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return httpx2.AsyncClient(
        transport=transport,
        trust_env=False,
        follow_redirects=False,
        timeout=httpx2.Timeout(None, connect=CONNECT_TIMEOUT_S),
    )


async def attempt(call: Callable[[], Awaitable[T]], deadline: float, before_send: BeforeSend) -> T:
    """Await `call` until the deadline; once more where nothing was generated and time is left.

    `before_send` is called when a connection stands and the request's first byte is about to be written;
    an attempt that ends before that has cost nothing.
    """
    clock = asyncio.get_running_loop().time
    for left in reversed(range(ATTEMPTS)):
        # A host that takes no connection leaves time to try once more.
        connect_s = min(CONNECT_TIMEOUT_S, max(deadline - clock(), 0.0) / (left + 1))
        sending = _Sending(before_send, connect_s)
        token = _sending.set(sending)
        try:
            async with asyncio.timeout_at(deadline):
                return await call()
        except Exception as error:
            if sending.refusal is not None:
                raise sending.refusal from None
            failure = translate(error)
        finally:
            _sending.reset(token)
        if not sending.begun:
            failure.sent_nothing()
        wait = failure.retry_after_s
        if not left or wait is None or wait > _LONGEST_WAIT_S:
            break
        wait = max(wait, _SHORTEST_WAIT_S)
        if clock() + wait >= deadline:
            break
        await asyncio.sleep(wait)
    raise failure from None


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return (url.scheme, url.host, url.port)
