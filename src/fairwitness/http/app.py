"""The ASGI application: finds the route of a path, reads, calls the handler, and answers.

Every answer, whatever happened, leaves through `_send` with the standard headers and one log line.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from time import perf_counter

import msgspec
from msgspec import UNSET
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
from fairwitness.contract.evaluation import Result
from fairwitness.contract.operations import Operation
from fairwitness.contract.requests import MAX_BODY_BYTES, Body
from fairwitness.contract.results import (
    ArenaEvidenceResult,
    EvaluateResponseResult,
    ResultItem,
)
from fairwitness.contract.results_2 import ArenaResult2, EvaluateResult2
from fairwitness.evidence import as_sent
from fairwitness.http import metrics
from fairwitness.http.body import read_body, require_json, whole_body
from fairwitness.http.cycle import CYCLE, ClientGone, Cycle
from fairwitness.http.event_stream import EventStream, wants_events
from fairwitness.http.headers import (
    cors_headers,
    preflight_headers,
    standard_lines,
    standard_raw_headers,
)
from fairwitness.http.logs import answers, logger
from fairwitness.http.problems import JsonAnswer, problem, unexpected
from fairwitness.http.routes import Getter, Routes, inner_path
from fairwitness.service.call import Call, Handler
from fairwitness.service.ids_and_times import new_id
from fairwitness.settings import Settings

# Shown to people who mistype the address of a document.
NOT_FOUND_PAGE = "/docs/not-found"
_JUDGED = (EvaluateResponseResult, EvaluateResult2)
_SIGNABLE = (ArenaEvidenceResult, ArenaResult2)

# What must live as long as the server: opened before the first request, closed after the last.
Lifetime = Callable[[], AbstractAsyncContextManager[None]]


@dataclass(frozen=True)
class App:
    """The whole service as one ASGI callable."""

    settings: Settings
    routes: Routes
    handlers: Mapping[str, Handler]
    lifetime: Lifetime
    _large: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve one connection's request, or the server's own start and stop."""
        if scope["type"] == "lifespan":
            return self._live(receive, send)
        if base := self.settings.base_path:
            scope["path"] = inner_path(base, scope["path"])
        return self._serve(scope, receive, send)

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
        metrics.answers.tell()
        answers.flush()
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id, started = new_id(), perf_counter()
        path = self.routes.label(scope["path"])
        code = ""
        metrics.answers.began()
        try:
            answer = await self._answer(scope, receive, request_id)
        except ServiceError as error:
            code = error.code.value
            answer = await self._refusal(error, scope)
        except ClientGone:
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
            metrics.answers.ended()
        if isinstance(answer, JsonAnswer) and not self.settings.cors_origins:
            # No header of these holds anything a caller sent, so that none has to be looked at again.
            head = answer.lines + standard_lines(scope["path"], request_id)
            cycle: Cycle = scope[CYCLE]
            if cycle.flow.write_paused:
                await cycle.writable()
            cycle.send_whole(answer.status_code, head, answer.body)
        elif answer is not None:
            await self._send(answer, request_id, scope, receive, send)
        status = answer.status_code if answer is not None else 499
        seconds = perf_counter() - started
        metrics.answers.answered(path, status, code, seconds)
        method = scope["method"]
        answers.note(
            request_id=request_id,
            method=method if len(method) < 12 else "(long)",
            path=path,
            status=status,
            code=code or None,
            ms=seconds * 1000,
            bytes=len(answer.body) if answer is not None else 0,
        )

    async def _send(
        self, answer: Response, request_id: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        answer.raw_headers += standard_raw_headers(scope["path"], request_id)
        if origins := self.settings.cors_origins:
            answer.headers.update(cors_headers(Request(scope), origins))
        await answer(scope, receive, send)

    async def _refusal(self, error: ServiceError, scope: Scope) -> Response:
        if isinstance(error, MethodNotAllowed):
            return problem(error, Allow=", ".join(self.routes.allowed(scope["path"]) or ()))
        missing = self.routes.getter(NOT_FOUND_PAGE)
        if isinstance(error, NotFound) and missing is not None and _is_reader(scope):
            page = await _called(missing, Request({**scope, "headers": []}))
            page.status_code = error.status
            return page
        return problem(error)

    def _answer(self, scope: Scope, receive: Receive, request_id: str) -> Awaitable[Response]:
        operation = self.routes.operation(scope["path"])
        if operation is not None:
            return self._operate(operation, scope, receive, request_id)
        getter = self.routes.getter(scope["path"])
        if getter is None:
            raise NotFound()
        if scope["method"] not in {"GET", "HEAD"}:
            raise MethodNotAllowed()
        return _called(getter, Request(scope, receive))

    async def _operate(
        self, operation: Operation, scope: Scope, receive: Receive, request_id: str
    ) -> Response:
        if scope["method"] != "POST":
            preflight = preflight_headers(Request(scope), self.settings.cors_origins)
            if preflight is None:
                raise MethodNotAllowed()
            return Response(status_code=204, headers=preflight)
        cycle: Cycle = scope[CYCLE]
        body = await self._read(operation, scope, receive)
        if len(body) <= MAX_BODY_BYTES:
            decoded = decode(body, operation.request)
        else:
            decoded = await self._decode_large(body, operation)
        handler = self.handlers.get(operation.id)
        if handler is None:
            raise SpendDisabled("This endpoint is not available on this installation.")
        client = scope["client"]
        evidence = operation.streams and _asks_for_evidence(scope)
        peer = client[0] if client else ""
        call = Call(
            request_id,
            peer,
            scope["headers"],
            evidence,
            operation.ignores_unknown_key,
            query=scope["query_string"].decode("latin-1"),
        )
        if operation.streams and wants_events(Request(scope).headers.get("accept", "")):

            async def work(on_result: Callable[[ResultItem], None]) -> bytes:
                return await _encoded(
                    await handler(decoded, msgspec.structs.replace(call, on_result=on_result))
                )

            stream = EventStream(work)
            await cycle.unless_gone(stream.begun())
            return stream
        result = await cycle.unless_gone(handler(decoded, call))
        if isinstance(result, _JUDGED):
            metrics.judged(result.evaluation.overall_verdict)
        if isinstance(result, _SIGNABLE):
            return JsonAnswer(await _encoded(result), status_code=operation.success)
        return JsonAnswer(msgspec.json.encode(result), status_code=operation.success)

    async def _decode_large(self, body: bytes, operation: Operation) -> Body:
        # Megabytes take their time, most of all where they are wrong: off the loop, and one at a time.
        async with self._large:
            return await asyncio.to_thread(decode, body, operation.request)

    async def _read(self, operation: Operation, scope: Scope, receive: Receive) -> bytes:
        try:
            require_json(scope["headers"])
            cycle: Cycle = scope[CYCLE]
            if (body := cycle.take_body()) is not None:
                return whole_body(body, operation.max_body_bytes)
            return await read_body(scope, receive, operation.max_body_bytes)
        except (UnsupportedMediaType, PayloadTooLarge) as error:
            if operation.folds_media_and_size:
                faults = error.details or [f"body: {error.message}"]
                raise InvalidRequest(details=faults) from None
            raise


async def _called(getter: Getter, request: Request) -> Response:
    answer = getter(request)
    return await answer if inspect.isawaitable(answer) else answer


def _is_reader(scope: Scope) -> bool:
    """Tell whether a person's browser asks for a document."""
    accept = Request(scope).headers.get("accept", "")
    return scope["path"].startswith("/docs/") and "text/html" in accept


async def _encoded(result: Result) -> bytes:
    """Return an answer's bytes; a signed one in the spelling that was signed."""
    signed = isinstance(result, ArenaEvidenceResult) or (
        isinstance(result, ArenaResult2) and result.evidence is not UNSET
    )
    return await asyncio.to_thread(as_sent, result) if signed else msgspec.json.encode(result)


def _asks_for_evidence(scope: Scope) -> bool:
    """Read the one parameter there is; raise InvalidRequest where the query holds anything else."""
    query = scope["query_string"].decode("latin-1")
    if query in {"", "evidence=false", "evidence=true"}:
        return bool(query == "evidence=true")
    raise InvalidRequest(details=["query: only evidence=true or evidence=false is known"])
