"""The ASGI application: finds what stands at a path, reads, calls the story, and answers.

Every answer, whatever happened, leaves through `_send` with the standard headers and one log line.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from time import perf_counter

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from fairwitness.contract.decode import decode
from fairwitness.contract.errors import (
    InvalidRequest,
    MethodNotAllowed,
    NotFound,
    Overloaded,
    PayloadTooLarge,
    ServiceError,
    SpendDisabled,
    UnsupportedMediaType,
)
from fairwitness.contract.operations import Operation
from fairwitness.contract.results import ArenaEvidenceResult, EvaluateResponseResult, Result
from fairwitness.evidence import as_sent
from fairwitness.http import metrics
from fairwitness.http.body import read_body, require_json
from fairwitness.http.headers import cors_headers, preflight_headers, standard_raw_headers
from fairwitness.http.logs import logger
from fairwitness.http.problems import JsonAnswer, problem, unexpected
from fairwitness.http.routes import Routes
from fairwitness.service.call import Call, Story
from fairwitness.service.stamps import new_id
from fairwitness.settings import Settings

# What must live as long as the server: opened before the first request, closed after the last.
Lifetime = Callable[[], AbstractAsyncContextManager[None]]


class _Gone(Exception):
    """The client left before its answer; nobody reads what we would send."""


@dataclass(frozen=True)
class App:
    """The whole service as one ASGI callable."""

    settings: Settings
    routes: Routes
    stories: Mapping[str, Story]
    lifetime: Lifetime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection's request, or the server's own start and stop."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._serve(Request(scope, receive), send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            async with self.lifetime():
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except Exception as error:
            logger.exception("could not start")
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, request: Request, send: Send) -> None:
        request_id, started = new_id(), perf_counter()
        path = self.routes.label(request.scope["path"])
        code = ""
        metrics.IN_FLIGHT.inc()
        try:
            answer = await self._answer(request, request_id)
        except ServiceError as error:
            code = error.code.value
            answer = self._refusal(error, request)
        except _Gone:
            code, answer = "client_gone", None
        except asyncio.CancelledError:
            # Only a stop that has run out of patience cancels a request.
            code, answer = (
                "overloaded",
                problem(Overloaded("The service is stopping.", retry_after=5)),
            )
        except Exception:
            logger.exception("request failed", request_id=request_id, path=path)
            code, answer = "internal_error", unexpected(request_id)
        finally:
            metrics.IN_FLIGHT.dec()
        if answer is not None:
            answer.raw_headers += standard_raw_headers(request.scope["path"], request_id)
            if self.settings.cors_origins:
                answer.headers.update(cors_headers(request, self.settings.cors_origins))
            await answer(request.scope, request.receive, send)
        status = answer.status_code if answer is not None else 499
        seconds = perf_counter() - started
        metrics.REQUESTS.labels(path, str(status), code).inc()
        metrics.SECONDS.labels(path).observe(seconds)
        logger.info(
            "answered",
            request_id=request_id,
            method=request.method if len(request.method) < 12 else "(long)",
            path=path,
            status=status,
            code=code or None,
            ms=round(seconds * 1000, 1),
            bytes=len(answer.body) if answer is not None else 0,
        )

    def _refusal(self, error: ServiceError, request: Request) -> Response:
        if isinstance(error, MethodNotAllowed):
            return problem(error, Allow=", ".join(self.routes.allowed(request.scope["path"]) or ()))
        return problem(error)

    async def _answer(self, request: Request, request_id: str) -> Response:
        path = request.scope["path"]
        operation = self.routes.operation(path)
        if operation is not None:
            return await self._operate(operation, request, request_id)
        getter = self.routes.getter(path)
        if getter is None:
            raise NotFound()
        if request.method not in {"GET", "HEAD"}:
            raise MethodNotAllowed()
        answer = getter(request)
        return await answer if inspect.isawaitable(answer) else answer

    async def _operate(self, operation: Operation, request: Request, request_id: str) -> Response:
        if request.method != "POST":
            preflight = preflight_headers(request, self.settings.cors_origins)
            if preflight is None:
                raise MethodNotAllowed()
            return Response(status_code=204, headers=preflight)
        body = await self._read(operation, request)
        decoded = decode(body, operation.request)
        story = self.stories.get(operation.id)
        if story is None:
            raise SpendDisabled("This part of the service is not available on this installation.")
        client = request.client.host if request.client else ""
        call = Call(request_id, client, tuple(request.headers.items()))
        result = await _unless_gone(story(decoded, call), request)
        _count(result)
        if isinstance(result, ArenaEvidenceResult):
            content = await asyncio.to_thread(as_sent, result)
        else:
            content = msgspec.json.encode(result)
        return JsonAnswer(content, status_code=operation.success)

    async def _read(self, operation: Operation, request: Request) -> bytes:
        try:
            require_json(request)
            return await read_body(request, self.settings.body_timeout_s)
        except (UnsupportedMediaType, PayloadTooLarge) as error:
            if operation.folds_media_and_size:
                raise InvalidRequest(details=[f"body: {error.message}"]) from None
            raise


async def _unless_gone(work: Awaitable[Result], request: Request) -> Result:
    """Await `work`, but cancel it as soon as the client hangs up: nobody would read the answer."""
    this, gone = asyncio.current_task(), False
    assert this is not None, "requests are served in tasks"

    async def watch() -> None:
        nonlocal gone
        await _disconnected(request)
        gone = True
        this.cancel()

    watcher = asyncio.ensure_future(watch())
    try:
        return await work
    except asyncio.CancelledError:
        if not gone:
            raise
        this.uncancel()
        raise _Gone from None
    finally:
        watcher.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _count(result: Result) -> None:
    if isinstance(result, EvaluateResponseResult):
        metrics.VERDICTS.labels(result.evaluation.overallVerdict).inc()
