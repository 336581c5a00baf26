"""Counts what happens, added up over all workers; names and labels never hold a caller's data."""

from __future__ import annotations

import hmac
import os
from collections.abc import Awaitable, Callable, Mapping
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.requests import Request
from starlette.responses import Response

from fairwitness.contract.errors import NotFound

REQUESTS = Counter(
    "fairwitness_requests_total", "Responses by path and status.", ["path", "status", "code"]
)
SECONDS = Histogram(
    "fairwitness_request_seconds",
    "Response time.",
    ["path"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
IN_FLIGHT = Gauge(
    "fairwitness_requests_in_flight", "Requests in progress.", multiprocess_mode="livesum"
)
VERDICTS = Counter("fairwitness_verdicts_total", "Overall verdicts.", ["verdict"])
BROKEN = Counter(
    "fairwitness_criterion_failures_total", "Criteria that raised an error.", ["criterion"]
)
CONNECTIONS_REFUSED = Counter(
    "fairwitness_connections_refused_total",
    "Requests refused before their path was read.",
    ["status", "code"],
)
IDLE_CLOSED = Counter(
    "fairwitness_idle_connections_closed_total",
    "Idle connections closed to make room for new ones.",
)

# Extra figures (the ledger's, say), read when asked: metric name to value.
Figures = Callable[[], Awaitable[Mapping[str, float]]]


def answered(path: str, status: int, code: str, seconds: float) -> None:
    """Count one answer and its time."""
    count, time = _children(path, status, code)
    count.inc()
    time.observe(seconds)


def judged(verdict: str) -> None:
    """Count one overall verdict."""
    _verdict(verdict).inc()


# Few labels exist, and looking one up costs more than counting under it.
@cache
def _children(path: str, status: int, code: str) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(path, str(status), code), SECONDS.labels(path)


@cache
def _verdict(verdict: str) -> Counter:
    return VERDICTS.labels(verdict)


async def metrics(request: Request, token: str | None, figures: Figures) -> Response:
    """Answer GET /metrics for loopback, or for whoever holds the token; for others it is not there."""
    peer = request.client.host if request.client else ""
    given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    known = token is not None and hmac.compare_digest(given.encode(), token.encode())
    forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    if not known and (forwarded or not _is_loopback(peer)):
        raise NotFound()
    body = generate_latest(_registry())
    for name, value in (await figures()).items():
        body += f"# TYPE {name.partition('{')[0]} gauge\n{name} {value:g}\n".encode()
    return Response(body, media_type="text/plain; version=0.0.4; charset=utf-8")


def _registry() -> CollectorRegistry:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        from prometheus_client import REGISTRY

        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


def _is_loopback(host: str) -> bool:
    return host == "::1" or host.startswith(("127.", "::ffff:127."))
