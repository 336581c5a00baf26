"""Tells an OpenTelemetry collector of evaluations: `gen_ai.evaluation.result` events, as OTLP over HTTP in JSON.

A request only puts its result into a bounded queue; a thread of its own sends. Where the collector is away or slow the
queue fills, and what no longer fits is dropped and counted: no request waits for it or fails by it. Every receiver of OTLP
over HTTP takes JSON, so OpenTelemetry's SDK and its dozen packages are not needed.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from fairwitness import __version__
from fairwitness.client import ClientError
from fairwitness.client.transport import Transport
from fairwitness.contract.evaluation import Evaluation, Result
from fairwitness.contract.results import CompletedItem
from fairwitness.reports.evaluation_lines import EVENT, lines_of
from fairwitness.service.call import Call
from fairwitness.settings import Settings

MAX_WAITING = 512
PATH = "/v1/logs"
_AT_ONCE = 64
_TIMEOUT_S = 5.0
_LONGEST_WAIT_S = 30
_CLOSE_WITHIN_S = 2.0
# The statuses after which OTLP says to send again; any other refusal would be the same the next time.
_AGAIN = {429, 502, 503, 504}
_INFO = 9
_HEX = frozenset("0123456789abcdef")

Body = TypeVar("Body")
Answer = TypeVar("Answer", bound=Result)
# Told how many evaluations were "sent", "dropped" for want of room, or "refused" by the collector.
Count = Callable[[str, int], None]
# Told in words when the collector begins to fail, and when it takes events again.
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Noted:
    """One result, when it was made, and the trace its caller named."""

    result: Result
    at_ns: int
    trace: tuple[str, str] | None


class EvaluationEvents:
    """Sends the evaluations of results to one collector."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        *,
        quote: bool = False,
        count: Count = lambda what, number: None,
        tell: Tell = lambda words: None,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        """Take the collector's address without /v1/logs; with `quote` events hold the quoted evidence."""
        self._transport = Transport(url, _TIMEOUT_S, dict(headers))
        self._quote = quote
        self._count = count
        self._tell = tell
        self._waiting: queue.Queue[_Noted | None] = queue.Queue(max_waiting)
        self._ending = threading.Event()
        self._away = False
        self._thread = threading.Thread(target=self._run, name="otel", daemon=True)

    @classmethod
    def of(cls, settings: Settings, count: Count, tell: Tell) -> EvaluationEvents | None:
        """Return the sender the settings ask for; None where they ask for none."""
        if settings.otel_url is None:
            return None
        headers = dict(settings.otel_headers)
        return cls(settings.otel_url, headers, quote=settings.otel_quote, count=count, tell=tell)

    def noting(
        self, handler: Callable[[Body, Call], Awaitable[Answer]]
    ) -> Callable[[Body, Call], Awaitable[Answer]]:
        """Return a handler that does the same and notes each result."""

        async def handle(request: Body, call: Call) -> Answer:
            result = await handler(request, call)
            self.note(result, call)
            return result

        return handle

    def note(self, result: Result, call: Call) -> None:
        """Put a result into the queue, or drop it where there is no room."""
        try:
            self._waiting.put_nowait(_Noted(result, time.time_ns(), _trace_of(call)))
        except queue.Full:
            self._count("dropped", len(list(_evaluations(result))))

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def close(self) -> None:
        """Send what is left, once and within two seconds, and stop."""
        self._ending.set()
        with suppress(queue.Full):
            self._waiting.put_nowait(None)
        self._thread.join(_CLOSE_WITHIN_S)
        self._transport.close()

    def _run(self) -> None:
        while batch := self._next():
            try:
                self._deliver(batch)
            except Exception as error:  # the thread must outlive whatever one batch does to it
                self._lost("refused", batch, type(error).__name__)

    def _next(self) -> list[_Noted]:
        """Wait for results and return some; none at the end."""
        found: list[_Noted] = []
        while len(found) < _AT_ONCE and not (self._ending.is_set() and self._waiting.empty()):
            try:
                one = self._waiting.get(block=not found)
            except queue.Empty:
                break
            if one is not None:
                found.append(one)
        return found

    def _deliver(self, batch: list[_Noted]) -> None:
        body = _encoded(batch, self._quote)
        attempt = 0
        while True:
            last = self._ending.is_set()
            fault, wait = self._post(body)
            if not fault:
                self._count("sent", _size(batch))
                if self._away:
                    self._away = False
                    self._tell("the OpenTelemetry collector takes events again")
                return
            if wait is None or last:
                self._lost("refused" if wait is None else "dropped", batch, fault)
                return
            self._say_away(fault)
            self._ending.wait(min(wait or 2**attempt, _LONGEST_WAIT_S))
            attempt = min(attempt + 1, 5)

    def _post(self, body: bytes) -> tuple[str, float | None]:
        """Return what went wrong, empty if nothing, and the seconds to wait: 0 if not told, None if again is no use."""
        try:
            answer = self._transport.post(PATH, body)
        except ClientError as error:
            return f"{type(error).__name__}: {error}", 0
        if answer.status < 300:
            return "", None
        fault = f"it answered {answer.status}"
        return fault, (answer.retry_after or 0) if answer.status in _AGAIN else None

    def _lost(self, why: str, batch: list[_Noted], fault: str) -> None:
        self._count(why, _size(batch))
        self._say_away(fault)

    def _say_away(self, fault: str) -> None:
        if not self._away:
            self._away = True
            self._tell(f"the OpenTelemetry collector takes no events: {fault}")


def _trace_of(call: Call) -> tuple[str, str] | None:
    """Return trace and span of a W3C traceparent header, if there is a good one."""
    for name, value in call.raw_headers:
        if name == b"traceparent":
            parts = value.decode("latin-1").split("-")
            if len(parts) >= 4 and [len(part) for part in parts[:4]] == [2, 32, 16, 2]:
                _, trace, span, _ = parts[:4]
                if set(trace + span) <= _HEX and trace.strip("0") and span.strip("0"):
                    return trace, span
            return None
    return None


def _evaluations(result: Result) -> Iterator[tuple[Evaluation, dict[str, str]]]:
    """Yield each evaluation of a result, and what is known of the provider whose response it is of."""
    evaluation = getattr(result, "evaluation", None)
    if evaluation is not None:
        yield evaluation, {}
    for item in getattr(result, "results", ()):
        if isinstance(item, CompletedItem):
            yield item.evaluation, {"fairwitness.provider_id": item.provider_id}


def _size(batch: list[_Noted]) -> int:
    return sum(1 for noted in batch for _ in _evaluations(noted.result))


def _encoded(batch: list[_Noted], quote: bool) -> bytes:
    resource = {"service.name": os.environ.get("OTEL_SERVICE_NAME") or "fairwitness"}
    resource["service.version"] = __version__
    records = [record for noted in batch for record in _records(noted, quote)]
    scope = {"name": "fairwitness", "version": __version__}
    logs = {
        "resource": {"attributes": _attributes(resource)},
        "scopeLogs": [{"scope": scope, "logRecords": records}],
    }
    return msgspec.json.encode({"resourceLogs": [logs]})


def _records(noted: _Noted, quote: bool) -> Iterator[dict[str, Any]]:
    made = {"timeUnixNano": str(noted.at_ns), "observedTimeUnixNano": str(noted.at_ns)}
    traced = dict(zip(("traceId", "spanId"), noted.trace or (), strict=False))
    shared = {
        f"fairwitness.{name}": getattr(noted.result, name)
        for name in ("request_id", "protocol_version", "evaluator_version")
    }
    for evaluation, provider in _evaluations(noted.result):
        for line in lines_of(evaluation, quote=quote):
            yield {
                **made,
                **traced,
                "severityNumber": _INFO,
                "eventName": EVENT,
                "attributes": _attributes({**line.attributes(), **shared, **provider}),
            }


def _attributes(given: Mapping[str, str | float]) -> list[dict[str, Any]]:
    return [
        {
            "key": name,
            "value": {"stringValue": value} if isinstance(value, str) else {"doubleValue": value},
        }
        for name, value in given.items()
    ]
